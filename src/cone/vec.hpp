// Small fixed-size vectors and matrices for one contact. Normal component first.
#pragma once

#include <array>

namespace stickslip {

template <int D>
using Vec = std::array<double, D>;

/// D×D, column-major: entry (i, j) is m[i + D·j], as in the blocks of W.
template <int D>
using Mat = std::array<double, D * D>;

}  // namespace stickslip
