// The matrix of a step of a body of elements, factorised: A = m M + k K, or m M + k times a tangent, with held unknowns taken out.
//
//   held unknowns h, free ones f:   A ← [ A_ff  0 ; 0  diag(A_hh) ]
//
// and the compliance of the surface, (A⁻¹)_ab for nodes a, b of the surface: what contacts need of it. Small surfaces come last in the
// factorisation, which then gives the whole of it; of large ones columns are made when they are asked for. They are kept: bodies that
// share the matrix share them, from step to step.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/elements/element_model.hpp"
#include "dynamics/elements/reduced_basis.hpp"
#include "linalg/front_cholesky.hpp"

namespace stickslip::internal {

class StepMatrix {
 public:
  /// `stiffness` null: the model's K. `held`: one mark an unknown, or empty. Throws InputError where A is not positive definite.
  StepMatrix(const ElementModel& model, double mass_share, double stiffness_share,
             const ElementModel::Sparse* stiffness, std::span<const char> held);
  /// In a reduced basis: A⁻¹ = Φ diag(m + k ω²)⁻¹ Φᵀ, which has no inverse.
  StepMatrix(const ElementModel& model, double mass_share, double stiffness_share,
             std::shared_ptr<const ReducedBasis> basis);

  /// Precondition: no reduced basis.
  const ElementModel::Sparse& A() const { return A_; }
  /// Null, or the basis; then m + k ω² of its coordinates.
  const ReducedBasis* basis() const { return basis_.get(); }
  const Eigen::VectorXd& diagonal() const { return diagonal_; }
  /// A_hf before it was taken out, times x: what a given change of held unknowns does to the free ones.
  void add_held_coupling(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  /// x ← A⁻¹ x.
  void solve(Eigen::VectorXd& x) const;
  void solve_columns(Eigen::MatrixXd& X) const;
  /// (A⁻¹)_ab, for nodes of the mesh on its surface.
  Eigen::Map<const Matrix> compliance(int a, int b) const {
    const std::size_t column = std::size_t(boundary_->place[std::size_t(b)]);
    if (columns_[column].empty()) make_columns(b);
    return Eigen::Map<const Matrix>(&columns_[column][9 * std::size_t(boundary_->place[std::size_t(a)])]);
  }
  std::size_t bytes() const;

 private:
  void make_columns(int node) const;

  ElementModel::Sparse A_, coupling_;
  const Boundary* boundary_;
  std::shared_ptr<const ReducedBasis> basis_;
  Eigen::VectorXd diagonal_;
  FrontCholesky factor_;
  mutable std::vector<std::vector<double>> columns_;  // of each surface node: 3×3 blocks of all surface nodes
};

/// Makes each matrix of constant stiffness once.
class StepMatrices {
 public:
  std::shared_ptr<const StepMatrix> get(const std::shared_ptr<const ElementModel>& model, double mass_share,
                                        double stiffness_share, const std::vector<char>& held,
                                        const std::shared_ptr<const ReducedBasis>& basis);

 private:
  struct Entry {
    std::shared_ptr<const ElementModel> model;
    double mass_share, stiffness_share;
    std::vector<char> held;
    std::shared_ptr<const ReducedBasis> basis;
    std::shared_ptr<const StepMatrix> matrix;
  };
  std::vector<Entry> entries_;  // the one used last comes first
};

}  // namespace stickslip::internal
