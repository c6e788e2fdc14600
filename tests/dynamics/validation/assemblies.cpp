#include "dynamics/validation/finding.hpp"

namespace stickslip::validation {

std::vector<Problem> assemblies() { return {}; }

}  // namespace stickslip::validation
