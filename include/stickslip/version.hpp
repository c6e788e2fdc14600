#pragma once

#include "stickslip/export.hpp"

namespace stickslip {

/// "0.1.0"
STICKSLIP_EXPORT const char* version();

}  // namespace stickslip
