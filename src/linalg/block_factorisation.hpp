// Repeated factorisation of L W + B with L and B block diagonal: what second-order methods need at each
// iteration. The pattern is analysed once, other blocks cost the numbers only.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// W = Hᵀ M⁻¹ H by its factors, where they are known.
struct BodyFactors {
  SparseMatrix M, H;
};

/// Sparse block LU (linalg/block_lu) or, where the fill makes that faster, dense LLᵀ or LU. With the bodies
/// at hand and fewer operations there, their matrix is factorised instead (linalg/body_factorisation); a
/// solve whose residual does not get small through it falls back to W.
class BlockFactorisation {
 public:
  /// Keeps a copy of W, whose rows come in blocks of `block`, 2 or 3. `symmetric` is a promise about W.
  BlockFactorisation(const SparseMatrix& W, int block, bool symmetric,
                     const std::optional<BodyFactors>& bodies = {});
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

  /// Factorisations so far, and whether they are dense.
  long count() const;
  bool dense() const;
  /// Whether the matrix of the bodies is tried first, and how often that was not accurate enough.
  bool by_bodies() const;
  long fallbacks() const;

 private:
  struct Parts;
  template <int D>
  struct Typed;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip::internal
