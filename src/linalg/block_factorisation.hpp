// Repeated factorisation of L W + B with L and B block diagonal: what second-order methods need at each
// iteration. The pattern is analysed once, other blocks cost the numbers only.
#pragma once

#include <memory>
#include <span>

#include "stickslip/sparse_matrix.hpp"

namespace stickslip {

/// The fronts of linalg/front_lu or, where those fill up and the matrix is symmetric, dense LLᵀ.
class BlockFactorisation {
 public:
  /// Keeps a copy of W, whose rows come in blocks of `block`, 2 or 3. `symmetric` is a promise about W.
  BlockFactorisation(const SparseMatrix& W, int block, bool symmetric);
  ~BlockFactorisation();
  BlockFactorisation(BlockFactorisation&&) noexcept;

  /// Factorises W + B, B given as n column-major blocks. `symmetric` is a promise about B. False when that is
  /// singular to working precision or not finite.
  bool factorise(std::span<const double> B, bool symmetric);
  /// Factorises L W + B.
  bool factorise(std::span<const double> L, std::span<const double> B);
  /// x ← (L W + B)⁻¹ x with the last matrix, with steps of iterative refinement as long as the residual
  /// falls.
  void solve(std::span<double> x);

  /// Factorisations so far, and whether the factors are as good as full.
  long count() const;
  bool dense() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip
