// Joints eliminated: S λ = −(Gᵀ v + b) with S = Gᵀ A⁻¹ G.
//
// S is singular where joints constrain the same motion twice (a door with two hinges). The equations stay consistent, so any
// solution moves the bodies the same way. Rows that move (1/kg) and rows that turn (1/kg m²) are brought to diagonals of one, Ŝ = D S D. Few rows:
// a dense factorisation with pivots. Many: a sparse one of Ŝ + ε I, and the iteration λ̂ ← λ̂ + (Ŝ + ε I)⁻¹ (ĉ − Ŝ λ̂), which converges to a solution.
#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <span>
#include <vector>

#include "dynamics/bodies/bodies.hpp"
#include "dynamics/stepping/joints.hpp"

namespace stickslip::internal {

class JointSystem {
 public:
  /// Forms and factorises S for the joints as they are linearised.
  void factorise(const Bodies& bodies, const JointSet& joints);
  /// x ← S⁻¹ x, any solution.
  void solve(Eigen::Ref<Eigen::MatrixXd> x);
  /// A⁻¹ G of a row for one side.
  const double* Y(int row, int side) const { return &Y_[std::size_t(2 * row + side) * 12]; }
  int rows() const { return rows_; }

 private:
  static constexpr int most_dense = 150;
  int rows_ = 0;
  bool sparse_ = false;
  std::vector<double> Y_;
  std::vector<int> start_, sides_, next_;  // the rows of each body
  Eigen::VectorXd scale_;                  // D
  Eigen::MatrixXd S_;
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
  Eigen::SparseMatrix<double> sparse_S_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace stickslip::internal
