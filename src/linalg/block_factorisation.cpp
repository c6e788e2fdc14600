#include "linalg/block_factorisation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "linalg/block_lu.hpp"
#include "linalg/body_factorisation.hpp"

namespace stickslip::internal {
namespace {

using Vector = Eigen::VectorXd;

/// A dense factorisation does so many times the operations of a sparse one in the same time.
constexpr double dense_speed = 6;
constexpr Index largest_dense = 6000;
/// Steps of iterative refinement at most, with W and through the bodies.
constexpr int refinements = 3, body_refinements = 6;
/// ‖b − A x‖/‖b‖ that a solve through the bodies must reach, and failures in a row after which they are left.
constexpr double body_accuracy = 1e-11;
constexpr int most_failures = 3;

/// ‖v‖ summed from first to last.
double length(const Vector& v) {
  double sum = 0;
  for (Index k = 0; k < v.size(); ++k) sum += v[k] * v[k];
  return std::sqrt(sum);
}

}  // namespace

struct BlockFactorisation::Parts {
  virtual ~Parts() = default;
  virtual bool shift(std::span<const double> B, bool symmetric) = 0;
  virtual bool transform(std::span<const double> L, std::span<const double> B) = 0;
  virtual void solve(std::span<double> x) = 0;
  long count = 0, fallbacks = 0;
  bool dense = false, bodies_first = false;
};

template <int D>
struct BlockFactorisation::Typed final : Parts {
  using Block = Eigen::Matrix<double, D, D>;
  using ConstView = Eigen::Map<const Block>;
  static constexpr std::size_t area = std::size_t(D) * D;

  Typed(const SparseMatrix& given, bool promised, const std::optional<BodyFactors>& factors)
      : symmetric(promised) {
    n = given.rows() / D;
    // The blocks of A + Aᵀ and the diagonal, by compressed columns: pivots are taken on the diagonal.
    std::vector<std::pair<Index, Index>> all;
    for (Index i = 0; i < n; ++i) all.emplace_back(i, i);
    const auto entries = given.triplets();
    for (const Triplet& e : entries) {
      all.emplace_back(e.column / D, e.row / D);
      all.emplace_back(e.row / D, e.column / D);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    start.assign(std::size_t(n) + 1, 0);
    for (const auto& [c, r] : all) {
      ++start[std::size_t(c) + 1];
      rows.push_back(r);
    }
    for (std::size_t c = 0; c < std::size_t(n); ++c) start[c + 1] += start[c];
    W.assign(rows.size() * area, 0.0);
    for (const Triplet& e : entries)
      W[place(e.row / D, e.column / D) * area + std::size_t(e.row % D + D * (e.column % D))] += e.value;
    for (Index i = 0; i < n; ++i) diagonal.push_back(place(i, i));
    A = W;
    lu.analyse(start, rows);
    const double size = given.rows();
    dense = given.rows() <= largest_dense && lu.work() * dense_speed > size * size * size / 3;
    if (dense) full.resize(given.rows(), given.rows());
    if (!factors || factors->M.rows() >= given.rows()) return;
    bodies.emplace(factors->M, factors->H, D);
    bodies_first = bodies->work() < (dense ? size * size * size / 3 / dense_speed : lu.work());
  }

  std::size_t place(Index r, Index c) const {
    const auto first = rows.begin() + start[std::size_t(c)], last = rows.begin() + start[std::size_t(c) + 1];
    return std::size_t(std::lower_bound(first, last, r) - rows.begin());
  }

  bool shift(std::span<const double> B, bool symmetric_shift) override {
    A = W;
    for (std::size_t i = 0; i < diagonal.size(); ++i) add_block(diagonal[i], &B[i * area]);
    wanted_symmetric = symmetric && symmetric_shift;
    return factorise_first({}, B);
  }

  bool transform(std::span<const double> L, std::span<const double> B) override {
    for (std::size_t k = 0; k < rows.size(); ++k)
      packed_product(&L[std::size_t(rows[k]) * area], &W[k * area], &A[k * area]);
    for (std::size_t i = 0; i < diagonal.size(); ++i) add_block(diagonal[i], &B[i * area]);
    wanted_symmetric = false;
    return factorise_first(L, B);
  }

  /// Through the bodies where that is cheaper; A is there already.
  bool factorise_first(std::span<const double> L, std::span<const double> B) {
    ++count;
    if (!Eigen::Map<const Vector>(A.data(), Index(A.size())).allFinite()) return usable = false;
    through_bodies = bodies_first && failures < most_failures && bodies->factorise(L, B);
    if (!through_bodies) return factorise(wanted_symmetric);
    return usable = true;
  }

  static void packed_product(const double* L, const double* B, double* C) {
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) {
        double sum = 0;
        for (int k = 0; k < D; ++k) sum += L[i + D * k] * B[k + D * j];
        C[i + D * j] = sum;
      }
  }

  void add_block(std::size_t at, const double* block) {
    for (std::size_t k = 0; k < area; ++k) A[at * area + k] += block[k];
  }

  bool factorise(bool of_symmetric) {
    by_llt = false;
    if (!dense) return usable = lu.factorise(A);
    full.setZero();
    for (Index c = 0; c < n; ++c)
      for (Index k = start[std::size_t(c)]; k < start[std::size_t(c) + 1]; ++k)
        full.template block<D, D>(rows[std::size_t(k)] * D, c * D) = ConstView(&A[std::size_t(k) * area]);
    if (of_symmetric) {
      llt.compute(full);
      by_llt = llt.info() == Eigen::Success;
      if (by_llt) return usable = true;
    }
    dense_lu.compute(full);
    const auto pivots = dense_lu.matrixLU().diagonal().cwiseAbs();
    return usable = pivots.size() == 0 || (pivots.minCoeff() > 0 && std::isfinite(pivots.maxCoeff()));
  }

  /// out ← b − A x.
  void residual(const Vector& y, Vector& out) const {
    out = b;
    for (Index c = 0; c < n; ++c)
      for (Index k = start[std::size_t(c)]; k < start[std::size_t(c) + 1]; ++k)
        for (Index j = 0; j < D; ++j)
          for (Index a = 0; a < D; ++a)
            out[rows[std::size_t(k)] * D + a] -=
                A[std::size_t(k) * area + std::size_t(a + D * j)] * y[c * D + j];
  }

  void apply(Vector& v) {
    if (!usable)
      v.setConstant(std::nan(""));
    else if (through_bodies)
      bodies->solve({v.data(), std::size_t(v.size())});
    else if (!dense)
      lu.solve({v.data(), std::size_t(v.size())});
    else if (by_llt)
      llt.solveInPlace(v);
    else
      v = dense_lu.solve(v).eval();
  }

  void solve(std::span<double> given) override {
    Eigen::Map<Vector> out(given.data(), Index(given.size()));
    b = out;
    const double left = refine(through_bodies ? body_refinements : refinements);
    if (through_bodies && !(left <= body_accuracy * length(b))) {
      through_bodies = false;
      ++fallbacks, ++failures;
      factorise(wanted_symmetric);
      refine(refinements);
    } else if (through_bodies) {
      failures = 0;
    }
    out = x;
  }

  /// x ← A⁻¹ b with refinement; ‖b − A x‖.
  double refine(int steps) {
    x = b;
    apply(x);
    residual(x, error);
    double best = length(error);
    const double enough = 1e-15 * length(b);
    for (int k = 0; k < steps && best > enough; ++k) {
      apply(error);
      error += x;
      residual(error, trial);
      const double next = length(trial);
      if (!(next < best)) break;
      x.swap(error);
      error.swap(trial);
      const bool slow = next > 0.5 * best;
      best = next;
      if (slow) break;
    }
    return best;
  }

  Index n;
  bool symmetric, usable = false, by_llt = false, through_bodies = false, wanted_symmetric = false;
  int failures = 0;
  std::vector<Index> start, rows;
  std::vector<std::size_t> diagonal;
  std::vector<double> W, A;
  BlockLu<D> lu;
  std::optional<BodyFactorisation> bodies;
  Eigen::MatrixXd full;
  Eigen::LLT<Eigen::MatrixXd> llt;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_lu;
  Vector b, x, error, trial;
};

BlockFactorisation::BlockFactorisation(const SparseMatrix& W, int block, bool symmetric,
                                       const std::optional<BodyFactors>& bodies) {
  if (block == 3)
    parts_ = std::make_unique<Typed<3>>(W, symmetric, bodies);
  else
    parts_ = std::make_unique<Typed<2>>(W, symmetric, bodies);
}

BlockFactorisation::~BlockFactorisation() = default;
BlockFactorisation::BlockFactorisation(BlockFactorisation&&) noexcept = default;

bool BlockFactorisation::factorise(std::span<const double> B, bool symmetric) {
  return parts_->shift(B, symmetric);
}
bool BlockFactorisation::factorise(std::span<const double> L, std::span<const double> B) {
  return parts_->transform(L, B);
}
void BlockFactorisation::solve(std::span<double> x) { parts_->solve(x); }
long BlockFactorisation::count() const { return parts_->count; }
bool BlockFactorisation::dense() const { return parts_->dense; }
bool BlockFactorisation::by_bodies() const { return parts_->bodies_first; }
long BlockFactorisation::fallbacks() const { return parts_->fallbacks; }

}  // namespace stickslip::internal
