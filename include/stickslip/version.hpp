#pragma once

namespace stickslip {

/// "0.1.0"
const char* version();

}  // namespace stickslip
