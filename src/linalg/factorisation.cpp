#include "linalg/factorisation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "linalg/front_cholesky.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Rows of a component that is factorised densely.
constexpr Index largest_block = 64;
/// Touched rows up to which they come last in the factorisation: their full matrix takes 8 n² bytes and n³/3 operations.
constexpr std::size_t most_touched = 5000;

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

/// One matrix, factorised: densely when it is small, sparsely else. Components with the same numbers share it.
struct Factors {
  std::optional<Eigen::PartialPivLU<Eigen::MatrixXd>> dense;
  std::optional<FrontCholesky> cholesky;
  std::vector<int> touched;                // rows that come last in `cholesky`
  std::optional<Eigen::MatrixXd> inverse;  // on these
  // SparseLU cannot be moved.
  std::unique_ptr<Eigen::SparseLU<Sparse, Eigen::COLAMDOrdering<int>>> lu;

  void factorise_dense(const Sparse& S, Definiteness definiteness, const std::string& name,
                       const std::string& where);
  void factorise_sparse(const Sparse& S, Definiteness definiteness, const std::string& name,
                        const std::string& where, const Stop& stop);
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const {
    if (dense) return dense->solve(B);
    if (cholesky) {
      Eigen::MatrixXd X = B;
      cholesky->solve(X);
      return X;
    }
    return lu->solve(B);
  }
};

void Factors::factorise_dense(const Sparse& S, Definiteness definiteness, const std::string& name,
                              const std::string& where) {
  const Eigen::MatrixXd A(S);
  if (definiteness == Definiteness::positive &&
      Eigen::LLT<Eigen::MatrixXd>((A + A.transpose()) / 2).info() != Eigen::Success)
    throw InputError(name + " is not positive definite" + where);
  dense.emplace(A);
  if (!is_regular(A, *dense)) throw InputError(name + " is singular to working precision" + where);
}

void Factors::factorise_sparse(const Sparse& S, Definiteness definiteness, const std::string& name,
                               const std::string& where, const Stop& stop) {
  if (definiteness == Definiteness::positive) {
    if (!cholesky.emplace().factorise((S + Sparse(S.transpose())) / 2, touched, stop))
      throw InputError(name + " is not positive definite" + where);
    if (relative_asymmetry(S) < 1e-13) return;
    cholesky.reset();
    ask(stop);
  }
  lu = std::make_unique<Eigen::SparseLU<Sparse, Eigen::COLAMDOrdering<int>>>();
  lu->compute(S);
  if (lu->info() != Eigen::Success) throw InputError(name + " is singular" + where);
  // A small pivot does not stop the factorisation: test it on one right-hand side.
  const Eigen::VectorXd rhs = Eigen::VectorXd::LinSpaced(S.rows(), 1, 2), x = lu->solve(rhs);
  if (!((S * x - rhs).norm() <= 1e-6 * rhs.norm()))
    throw InputError(name + " is singular to working precision" + where);
}

}  // namespace

std::vector<Index> connected_components(const SparseMatrix& A, Index& count) {
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

struct Factorisation::Parts {
  Index size = 0, components = 0, largest = 0;
  std::vector<Index> component;
  std::vector<Index> start, rows;  // rows of component c are rows[start[c]..start[c+1])
  std::vector<std::shared_ptr<Factors>> factors;
  mutable std::vector<double> gathered;
};

namespace {

bool equal(const Sparse& A, const Sparse& B) {
  return A.rows() == B.rows() && A.nonZeros() == B.nonZeros() &&
         std::equal(A.outerIndexPtr(), A.outerIndexPtr() + A.cols() + 1, B.outerIndexPtr()) &&
         std::equal(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros(), B.innerIndexPtr()) &&
         std::equal(A.valuePtr(), A.valuePtr() + A.nonZeros(), B.valuePtr());
}

}  // namespace

Factorisation::Factorisation(const SparseMatrix& A, Definiteness definiteness, const std::string& name,
                             const Stop& stop, std::span<const char> touched)
    : parts_(std::make_unique<Parts>()) {
  if (A.rows() != A.columns()) throw InputError(name + " must be square");
  Parts& p = *parts_;
  p.size = A.rows();
  p.component = connected_components(A, p.components);
  p.start.assign(std::size_t(p.components) + 1, 0);
  for (Index c : p.component) p.largest = std::max(p.largest, ++p.start[std::size_t(c) + 1]);
  std::partial_sum(p.start.begin(), p.start.end(), p.start.begin());
  p.rows.resize(std::size_t(p.size));
  std::vector<Index> place(static_cast<std::size_t>(p.size)), next(p.start.begin(), p.start.end() - 1);
  for (std::size_t i = 0; i < std::size_t(p.size); ++i) {
    const auto c = std::size_t(p.component[i]);
    place[i] = next[c] - p.start[c];
    p.rows[std::size_t(next[c]++)] = Index(i);
  }
  p.factors.resize(std::size_t(p.components));
  std::vector<Eigen::Triplet<double>> entries;
  /// A large matrix, the first component that has it, and the rows that any of them touches.
  struct Large {
    Sparse S;
    Index first;
    std::vector<char> touched;
  };
  std::vector<Large> large;
  const auto where = [&](Index c) {
    return p.components > 1 ? " (block of row " + std::to_string(rows(c)[0]) + ")" : std::string();
  };
  std::vector<std::size_t> shared(std::size_t(p.components), 0);
  for (Index c = 0; c < p.components; ++c) {
    ask(stop);
    const auto mine = rows(c);
    entries.clear();
    for (std::size_t k = 0; k < mine.size(); ++k) {
      const auto i = std::size_t(mine[k]);
      for (auto e = std::size_t(A.row_start()[i]); e < std::size_t(A.row_start()[i + 1]); ++e)
        entries.emplace_back(int(k), place[std::size_t(A.column()[e])], A.value()[e]);
    }
    Sparse S(Index(mine.size()), Index(mine.size()));
    S.setFromTriplets(entries.begin(), entries.end());
    if (Index(mine.size()) <= largest_block) {
      p.factors[std::size_t(c)] = std::make_shared<Factors>();
      p.factors[std::size_t(c)]->factorise_dense(S, definiteness, name, where(c));
      continue;
    }
    const auto same =
        std::find_if(large.begin(), large.end(), [&](const Large& other) { return equal(other.S, S); });
    shared[std::size_t(c)] = std::size_t(same - large.begin());
    if (same == large.end()) {
      large.push_back({{}, c, std::vector<char>(mine.size(), 0)});
      large.back().S.swap(S);
    }
    if (!touched.empty())
      for (std::size_t k = 0; k < mine.size(); ++k)
        if (touched[std::size_t(mine[k])]) large[shared[std::size_t(c)]].touched[k] = 1;
  }
  std::vector<std::shared_ptr<Factors>> made;
  for (const Large& one : large) {
    made.push_back(std::make_shared<Factors>());
    for (std::size_t k = 0; k < one.touched.size(); ++k)
      if (one.touched[k]) made.back()->touched.push_back(int(k));
    if (made.back()->touched.size() > most_touched) made.back()->touched.clear();
    made.back()->factorise_sparse(one.S, definiteness, name, where(one.first), stop);
  }
  for (Index c = 0; c < p.components; ++c)
    if (!p.factors[std::size_t(c)]) p.factors[std::size_t(c)] = made[shared[std::size_t(c)]];
}

Factorisation::~Factorisation() = default;
Factorisation::Factorisation(Factorisation&&) noexcept = default;
Factorisation& Factorisation::operator=(Factorisation&&) noexcept = default;

void Factorisation::solve(std::span<double> x) const { solve(x, 1); }

void Factorisation::solve(std::span<double> X, int columns) const {
  const Parts& p = *parts_;
  if (p.components == 1) return solve_component(0, X.data(), columns);
  Eigen::Map<Eigen::MatrixXd> B(X.data(), p.size, columns);
  for (Index c = 0; c < p.components; ++c) {
    const auto body = rows(c);
    p.gathered.resize(body.size() * std::size_t(columns));
    Eigen::Map<Eigen::MatrixXd> part(p.gathered.data(), Index(body.size()), columns);
    for (std::size_t k = 0; k < body.size(); ++k) part.row(Index(k)) = B.row(body[k]);
    solve_component(c, p.gathered.data(), columns);
    for (std::size_t k = 0; k < body.size(); ++k) B.row(body[k]) = part.row(Index(k));
  }
}

bool Factorisation::by_blocks() const { return parts_->largest <= largest_block; }
std::span<const Index> Factorisation::component() const { return parts_->component; }
Index Factorisation::components() const { return parts_->components; }

std::span<const Index> Factorisation::rows(Index c) const {
  const auto begin = std::size_t(parts_->start[std::size_t(c)]);
  return {parts_->rows.data() + begin, std::size_t(parts_->start[std::size_t(c) + 1]) - begin};
}

void Factorisation::solve_component(Index c, double* X, int columns) const {
  if (columns == 0) return;  // a body that nothing touches
  Eigen::Map<Eigen::MatrixXd> B(X, Index(rows(c).size()), columns);
  B = parts_->factors[std::size_t(c)]->solve(B);
}

std::optional<Factorisation::Compliance> Factorisation::compliance(Index c) const {
  Factors& factors = *parts_->factors[std::size_t(c)];
  if (!factors.cholesky || factors.touched.empty()) return std::nullopt;
  if (!factors.inverse) factors.inverse = factors.cholesky->last_inverse();
  return Compliance{factors.touched, *factors.inverse};
}

}  // namespace stickslip::internal
