// Whether the mass matrix of a body is symmetric, but for what is lost when it is rotated.
#pragma once

namespace stickslip::internal {

/// M: any dense matrix of Eigen.
template <class Dense>
bool symmetric_up_to_rounding(const Dense& M) {
  constexpr double rounding = 1e-14;  // relative
  return (M - M.transpose()).cwiseAbs().maxCoeff() <= rounding * M.cwiseAbs().maxCoeff();
}

}  // namespace stickslip::internal
