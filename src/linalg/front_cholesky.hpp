// The Cholesky factorisation of a sparse positive definite matrix in dense fronts, P A Pᵀ = L Lᵀ.
//
// Rows with the same pattern (the unknowns of a node of a mesh) are one vertex of the graph. The vertices are ordered by approximate minimum
// degree, and some rows may be asked to come last. The multifrontal method (Duff and Reid 1983): each supernode is a dense matrix
//
//   [ F₁₁  ·  ]   F₁₁ = L₁₁ L₁₁ᵀ, L₂₁ = F₂₁ L₁₁⁻ᵀ;  F₂₂ − L₂₁ L₂₁ᵀ is passed on to the parent
//   [ F₂₁  F₂₂ ]
//
// The rows c that come last are one supernode, the root: (A⁻¹)_cc = L_cc⁻ᵀ L_cc⁻¹ needs nothing but its block. So W = Hᵀ A⁻¹ H costs one
// factorisation, where c are the rows that contacts touch, and no solves with the columns of H.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <memory>
#include <span>

#include "base/interrupted.hpp"

namespace stickslip::internal {

class FrontCholesky {
 public:
  FrontCholesky();
  ~FrontCholesky();
  FrontCholesky(FrontCholesky&&) noexcept;
  FrontCholesky& operator=(FrontCholesky&&) noexcept;

  /// Takes a symmetric matrix, both triangles. `last`: rows, each once, that come last. False: A is not positive definite. `stop` is asked at each
  /// front and panel; true: Interrupted is thrown.
  bool factorise(const Eigen::SparseMatrix<double>& A, std::span<const int> last, const Stop& stop);
  /// X ← A⁻¹ X. Precondition: factorised.
  void solve(Eigen::Ref<Eigen::MatrixXd> X) const;
  /// (A⁻¹)_cc for the rows `last` in their order. Precondition: factorised.
  Eigen::MatrixXd last_inverse() const;

  Eigen::Index size() const;
  /// Numbers in L.
  double fill() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip::internal
