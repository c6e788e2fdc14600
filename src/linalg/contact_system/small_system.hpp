// A = diag(L_i) (W + αI) + diag(R_i) for a few contacts, solved at once as a dense matrix: Gaussian
// elimination with row exchanges, the right-hand side carried along. What FrontLu does for any number,
// without its trees.
#pragma once

#include <cstddef>
#include <span>

#include "stickslip/block_matrix.hpp"

namespace stickslip::internal {

class SmallSystem {
 public:
  /// Contacts at most.
  static constexpr Index most = 8;

  /// Takes a copy of W.
  void set(const BlockMatrix& W);
  /// x ← A⁻¹ x; `left` and `right` hold d×d column-major blocks for all contacts; no `left` stands for identities. False, and x untouched,
  /// where a pivot vanishes to working precision.
  bool solve(const double* left, const double* right, double alpha, std::span<double> x);

 private:
  template <int D>
  void assemble(const double* left, const double* right, double alpha);

  static constexpr std::size_t rows = std::size_t(most) * 3, width = 32;  // columns, x, and places unused
  std::size_t n_ = 0, d_ = 3;
  alignas(64) double W_[rows][width];
  alignas(64) double A_[rows][width];
};

}  // namespace stickslip::internal
