#include "stickslip/version.hpp"

namespace stickslip {

const char* version() { return STICKSLIP_VERSION; }

}  // namespace stickslip
