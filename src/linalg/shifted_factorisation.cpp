#include "linalg/shifted_factorisation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace stickslip::internal {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Dense pays up to this many rows, or when more than a third of the entries are there.
constexpr Index dense_rows = 90, densest_rows = 3000;

}  // namespace

struct ShiftedFactorisation::Parts {
  bool symmetric, dense;
  Sparse W;  // with every diagonal place present
  Eigen::MatrixXd full;
  Eigen::LLT<Eigen::MatrixXd> llt;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_lu;
  Eigen::SimplicialLDLT<Sparse> ldlt;
  Eigen::SparseLU<Sparse> lu;
};

ShiftedFactorisation::ShiftedFactorisation(const SparseMatrix& W, bool symmetric)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.symmetric = symmetric;
  std::vector<Eigen::Triplet<double>> entries;
  for (const Triplet& e : W.triplets()) entries.emplace_back(e.row, e.column, e.value);
  for (Index i = 0; i < W.rows(); ++i) entries.emplace_back(i, i, 0.0);
  p.W.resize(W.rows(), W.columns());
  p.W.setFromTriplets(entries.begin(), entries.end());
  const double rows = W.rows();
  p.dense = W.rows() <= dense_rows || (W.rows() <= densest_rows && 3.0 * W.nonzeros() > rows * rows);
  if (p.dense)
    p.full = Eigen::MatrixXd(p.W);
  else if (symmetric)
    p.ldlt.analyzePattern(p.W);
  else
    p.lu.analyzePattern(p.W);
}

ShiftedFactorisation::~ShiftedFactorisation() = default;

bool ShiftedFactorisation::factorise(double rho) {
  Parts& p = *parts_;
  if (p.dense) {
    Eigen::MatrixXd shifted = p.full;
    shifted.diagonal().array() += rho;
    if (p.symmetric) {
      p.llt.compute(shifted);
      return p.llt.info() == Eigen::Success;
    }
    p.dense_lu.compute(shifted);
    return true;
  }
  Sparse shifted = p.W;
  for (Index i = 0; i < p.W.rows(); ++i) shifted.coeffRef(i, i) += rho;
  if (p.symmetric) {
    p.ldlt.factorize(shifted);
    return p.ldlt.info() == Eigen::Success;
  }
  p.lu.factorize(shifted);
  return p.lu.info() == Eigen::Success;
}

void ShiftedFactorisation::solve(std::span<double> x) const {
  const Parts& p = *parts_;
  Eigen::Map<Eigen::VectorXd> b(x.data(), Eigen::Index(x.size()));
  if (p.dense)
    b = p.symmetric ? Eigen::VectorXd(p.llt.solve(b)) : Eigen::VectorXd(p.dense_lu.solve(b));
  else
    b = p.symmetric ? Eigen::VectorXd(p.ldlt.solve(b)) : Eigen::VectorXd(p.lu.solve(b));
}

}  // namespace stickslip::internal
