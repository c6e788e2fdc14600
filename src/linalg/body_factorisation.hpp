// (L W + B)⁻¹ b for W = Hᵀ M⁻¹ H through the bodies, L and B block diagonal (Woodbury):
//
//   (M + H B⁻¹ L Hᵀ) v = H B⁻¹ b,     x = B⁻¹ (b − L Hᵀ v)
//
// The matrix has the size and the pattern of the bodies: contacts between bodies that touch already cost
// nothing in the factorisation. Where B is tiny (sticking contacts) b − L Hᵀ v cancels, so x has digits to
// spare only down to B ≈ 1e-10 W or so; who calls refines against W and looks at the residual.
#pragma once

#include <memory>
#include <span>

#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

class BodyFactorisation {
 public:
  /// Keeps copies. The columns of H come in blocks of `block`, 2 or 3.
  BodyFactorisation(const SparseMatrix& M, const SparseMatrix& H, int block);
  ~BodyFactorisation();
  BodyFactorisation(BodyFactorisation&&) noexcept;

  /// L and B as n column-major blocks; L empty: I. False when a block of B or the matrix is singular.
  bool factorise(std::span<const double> L, std::span<const double> B);
  /// x ← (L W + B)⁻¹ x, once, without refinement.
  void solve(std::span<double> x);
  /// Operations of one factorisation, in multiplications.
  double work() const;

 private:
  struct Parts;
  template <int D>
  struct Typed;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip::internal
