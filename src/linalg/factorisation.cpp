#include "linalg/factorisation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <cmath>
#include <numeric>
#include <optional>

#include "stickslip/errors.hpp"

namespace stickslip {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr Index largest_block = 64;

Sparse to_eigen(const SparseMatrix& A) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::size_t(A.nonzeros()));
  for (const Triplet& e : A.triplets()) entries.emplace_back(e.row, e.column, e.value);
  Sparse S(A.rows(), A.columns());
  S.setFromTriplets(entries.begin(), entries.end());
  return S;
}

/// Connected components of the pattern of A + Aᵀ, by union and find.
std::vector<Index> find_components(const SparseMatrix& A, Index& count) {
  const auto n = std::size_t(A.rows());
  std::vector<Index> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](Index i) {
    while (parent[std::size_t(i)] != i)
      i = parent[std::size_t(i)] = parent[std::size_t(parent[std::size_t(i)])];
    return i;
  };
  for (std::size_t i = 0; i < n; ++i)
    for (Index k = A.row_start()[i]; k < A.row_start()[i + 1]; ++k) {
      const Index a = root(Index(i)), b = root(A.column()[std::size_t(k)]);
      parent[std::size_t(std::max(a, b))] = std::min(a, b);
    }
  std::vector<Index> component(n);
  count = 0;
  for (std::size_t i = 0; i < n; ++i)
    component[i] = parent[i] == Index(i) ? count++ : component[std::size_t(root(Index(i)))];
  return component;
}

/// Whether A is regular to working precision. A matrix that looks singular gets a second look with rows and
/// columns scaled to order 1: large masses beside constraints of order 1 are a matter of units, not of rank.
bool is_regular(const Eigen::MatrixXd& A, const Eigen::PartialPivLU<Eigen::MatrixXd>& lu) {
  // Eigen's estimate of the condition means nothing where a pivot vanishes exactly.
  const auto sound = [](const Eigen::PartialPivLU<Eigen::MatrixXd>& factors) {
    return factors.matrixLU().diagonal().cwiseAbs().minCoeff() > 0 && factors.rcond() > 1e-15;
  };
  if (sound(lu)) return true;
  Eigen::MatrixXd scaled = A;
  for (int pass = 0; pass < 4; ++pass) {  // Ruiz, 2001
    const Eigen::VectorXd rows = scaled.cwiseAbs().rowwise().maxCoeff(),
                          columns = scaled.cwiseAbs().colwise().maxCoeff();
    if (!(rows.minCoeff() > 0 && columns.minCoeff() > 0)) return false;
    scaled = rows.cwiseSqrt().cwiseInverse().asDiagonal() * scaled *
             columns.cwiseSqrt().cwiseInverse().asDiagonal();
  }
  return sound(Eigen::PartialPivLU<Eigen::MatrixXd>(scaled));
}

double relative_asymmetry(const Sparse& S) {
  const double norm = S.norm();
  return norm > 0 ? Sparse(S - Sparse(S.transpose())).norm() / norm : 0;
}

}  // namespace

struct Factorisation::Parts {
  Index size = 0, components = 0;
  std::vector<Index> component;
  // Blocks: rows of component c are rows[start[c]..start[c+1]); place of a row in its component.
  std::vector<Index> start, rows;
  std::vector<Eigen::PartialPivLU<Eigen::MatrixXd>> blocks;
  // Otherwise one of these.
  std::optional<Eigen::SimplicialLDLT<Sparse>> cholesky;
  std::optional<Eigen::SparseLU<Sparse, Eigen::COLAMDOrdering<int>>> lu;
  mutable std::vector<double> gathered;

  void factorise_blocks(const SparseMatrix& A, Definiteness definiteness, const std::string& name);
  void factorise_sparse(const SparseMatrix& A, Definiteness definiteness, const std::string& name);
};

Factorisation::Factorisation(const SparseMatrix& A, Definiteness definiteness, const std::string& name)
    : parts_(std::make_unique<Parts>()) {
  if (A.rows() != A.columns()) throw InputError(name + " must be square");
  Parts& p = *parts_;
  p.size = A.rows();
  p.component = find_components(A, p.components);
  std::vector<Index> sizes(std::size_t(p.components), 0);
  Index largest = 0;
  for (Index c : p.component) largest = std::max(largest, ++sizes[std::size_t(c)]);
  if (largest <= largest_block)
    p.factorise_blocks(A, definiteness, name);
  else
    p.factorise_sparse(A, definiteness, name);
}

void Factorisation::Parts::factorise_blocks(const SparseMatrix& A, Definiteness definiteness,
                                            const std::string& name) {
  start.assign(std::size_t(components) + 1, 0);
  for (Index c : component) ++start[std::size_t(c) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  rows.resize(std::size_t(size));
  std::vector<Index> place(static_cast<std::size_t>(size)), next(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < std::size_t(size); ++i) {
    const auto c = std::size_t(component[i]);
    place[i] = next[c] - start[c];
    rows[std::size_t(next[c]++)] = Index(i);
  }
  blocks.reserve(std::size_t(components));
  for (std::size_t c = 0; c < std::size_t(components); ++c) {
    const Index n = start[c + 1] - start[c];
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
    for (Index k = 0; k < n; ++k) {
      const auto i = std::size_t(rows[std::size_t(start[c] + k)]);
      for (Index e = A.row_start()[i]; e < A.row_start()[i + 1]; ++e)
        dense(k, place[std::size_t(A.column()[std::size_t(e)])]) = A.value()[std::size_t(e)];
    }
    const auto where = " (block of row " + std::to_string(rows[std::size_t(start[c])]) + ")";
    if (definiteness == Definiteness::positive &&
        Eigen::LLT<Eigen::MatrixXd>((dense + dense.transpose()) / 2).info() != Eigen::Success)
      throw InputError(name + " is not positive definite" + where);
    blocks.emplace_back(dense);
    if (!is_regular(dense, blocks.back()))
      throw InputError(name + " is singular to working precision" + where);
  }
}

void Factorisation::Parts::factorise_sparse(const SparseMatrix& A, Definiteness definiteness,
                                            const std::string& name) {
  const Sparse S = to_eigen(A);
  const bool symmetric = relative_asymmetry(S) < 1e-13;
  if (definiteness == Definiteness::positive) {
    Eigen::SimplicialLDLT<Sparse> of_symmetric_part((S + Sparse(S.transpose())) / 2);
    if (of_symmetric_part.info() != Eigen::Success || !(of_symmetric_part.vectorD().minCoeff() > 0))
      throw InputError(name + " is not positive definite");
  }
  if (definiteness == Definiteness::positive && symmetric) {
    cholesky.emplace(S);
    return;
  }
  lu.emplace();
  lu->compute(S);
  if (lu->info() != Eigen::Success) throw InputError(name + " is singular");
  // A small pivot does not stop the factorisation: test it on one right-hand side.
  const Eigen::VectorXd rhs = Eigen::VectorXd::LinSpaced(size, 1, 2), x = lu->solve(rhs);
  if (!((S * x - rhs).norm() <= 1e-6 * rhs.norm()))
    throw InputError(name + " is singular to working precision");
}

Factorisation::~Factorisation() = default;
Factorisation::Factorisation(Factorisation&&) noexcept = default;
Factorisation& Factorisation::operator=(Factorisation&&) noexcept = default;

void Factorisation::solve(std::span<double> x) const { solve(x, 1); }

void Factorisation::solve(std::span<double> X, int columns) const {
  const Parts& p = *parts_;
  Eigen::Map<Eigen::MatrixXd> B(X.data(), p.size, columns);
  if (p.cholesky) {
    B = p.cholesky->solve(Eigen::MatrixXd(B));
  } else if (p.lu) {
    B = p.lu->solve(Eigen::MatrixXd(B));
  } else {
    for (Index c = 0; c < p.components; ++c) {
      const auto body = rows(c);
      p.gathered.resize(body.size() * std::size_t(columns));
      Eigen::Map<Eigen::MatrixXd> part(p.gathered.data(), Index(body.size()), columns);
      for (std::size_t k = 0; k < body.size(); ++k) part.row(Index(k)) = B.row(body[k]);
      solve_component(c, p.gathered.data(), columns);
      for (std::size_t k = 0; k < body.size(); ++k) B.row(body[k]) = part.row(Index(k));
    }
  }
}

bool Factorisation::by_blocks() const { return !parts_->cholesky && !parts_->lu; }
std::span<const Index> Factorisation::component() const { return parts_->component; }
Index Factorisation::components() const { return parts_->components; }

std::span<const Index> Factorisation::rows(Index c) const {
  const auto begin = std::size_t(parts_->start[std::size_t(c)]);
  return {parts_->rows.data() + begin, std::size_t(parts_->start[std::size_t(c) + 1]) - begin};
}

void Factorisation::solve_component(Index c, double* X, int columns) const {
  if (columns == 0) return;  // a body that nothing touches
  const auto& lu = parts_->blocks[std::size_t(c)];
  Eigen::Map<Eigen::MatrixXd> B(X, lu.rows(), columns);
  B = lu.solve(Eigen::MatrixXd(B));
}

}  // namespace stickslip
