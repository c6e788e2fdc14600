// Repeated factorisation of W + ρI: the pattern is analysed once, other shifts cost the numbers only.
#pragma once

#include <memory>
#include <span>

#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// LDLᵀ where W is symmetric, LU otherwise; dense for small or nearly full matrices, sparse above.
class ShiftedFactorisation {
 public:
  /// Keeps a copy of W. `symmetric` is a promise.
  ShiftedFactorisation(const SparseMatrix& W, bool symmetric);
  ~ShiftedFactorisation();

  /// Factorises W + ρI. False when that is singular to working precision.
  bool factorise(double rho);
  /// x ← (W + ρI)⁻¹ x with the last ρ.
  void solve(std::span<double> x) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip::internal
