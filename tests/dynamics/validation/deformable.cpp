#include "dynamics/validation/finding.hpp"

namespace stickslip::validation {

std::vector<Problem> deformable() { return {}; }

}  // namespace stickslip::validation
