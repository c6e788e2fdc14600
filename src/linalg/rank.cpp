#include "linalg/rank.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <cmath>

namespace stickslip::internal {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr Index dense_limit = 400;

/// Power iteration; W is positive semi-definite, so this tends to the largest eigenvalue from below.
double largest_eigenvalue(const Sparse& S) {
  Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(S.rows(), 1, 2).normalized();
  double value = 0;
  for (int k = 0; k < 50; ++k) {
    const Eigen::VectorXd y = S * x;
    value = y.norm();
    if (!(value > 0)) break;
    x = y / value;
  }
  return value;
}

}  // namespace

std::optional<Index> count_eigenvalues_above(const SparseMatrix& A, double relative) {
  if (A.rows() == 0) return 0;
  std::vector<Eigen::Triplet<double>> entries;
  for (const Triplet& e : A.triplets()) {
    entries.emplace_back(e.row, e.column, e.value / 2);
    entries.emplace_back(e.column, e.row, e.value / 2);
  }
  for (Index i = 0; i < A.rows(); ++i) entries.emplace_back(i, i, 0.0);  // so that the shift has its places
  Sparse S(A.rows(), A.columns());
  S.setFromTriplets(entries.begin(), entries.end());
  if (A.rows() <= dense_limit) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(S), Eigen::EigenvaluesOnly);
    return Index((solver.eigenvalues().array() > relative * solver.eigenvalues().maxCoeff()).count());
  }
  double shift = relative * largest_eigenvalue(S);
  Eigen::SimplicialLDLT<Sparse> factors;
  factors.analyzePattern(S);
  for (int attempt = 0; attempt < 3; ++attempt, shift *= 1.7) {
    Sparse shifted = S;
    for (Index i = 0; i < A.rows(); ++i) shifted.coeffRef(i, i) -= shift;
    factors.factorize(shifted);
    if (factors.info() == Eigen::Success && factors.vectorD().allFinite())
      return Index((factors.vectorD().array() > 0).count());
  }
  return std::nullopt;
}

}  // namespace stickslip::internal
