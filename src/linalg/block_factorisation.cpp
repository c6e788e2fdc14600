#include "linalg/block_factorisation.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/front_lu.hpp"

namespace stickslip {
namespace {

/// Where the factors of the fronts hold this share of a full matrix, W + B is factorised as a full one by LLᵀ
/// when it is symmetric: half the operations.
constexpr double filled = 0.5;
constexpr double largest_dense = 6000;
/// Steps of iterative refinement at most.
constexpr int refinements = 3;

/// ‖v‖ summed from first to last.
double length(const std::vector<double>& v) {
  double sum = 0;
  for (double x : v) sum += x * x;
  return std::sqrt(sum);
}

bool finite(std::span<const double> v) {
  return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

struct BlockFactorisation::Parts {
  Parts(const SparseMatrix& given, int block, bool promised)
      : W(given, block), symmetric(promised), d(std::size_t(block)), all(std::size_t(W.size()), 1) {
    const double size = given.rows();
    lu.analyse(W);
    lu.select(all);
    dense = size <= largest_dense && double(lu.stored()) > filled * size * size;
    zero.assign(all.size() * d, 0.0);
    for (auto* v : {&b, &x, &error, &trial, &product}) *v = zero;
  }

  bool factorise(std::span<const double> L, std::span<const double> B, bool of_symmetric) {
    ++count;
    left.assign(L.begin(), L.end());
    right.assign(B.begin(), B.end());
    by_llt = false;
    usable = finite(L) && finite(B);
    if (usable && dense && symmetric && of_symmetric) by_llt = factorise_symmetric();
    if (usable && !by_llt)
      usable = lu.factorise(all, left.empty() ? nullptr : left.data(), right.data(), 0) == 0;
    return usable;
  }

  bool factorise_symmetric() {
    full.setZero(Eigen::Index(zero.size()), Eigen::Index(zero.size()));
    const auto put = [&](Index i, Index j, const double* block) {
      const auto D = Eigen::Index(d);
      full.block(i * D, j * D, D, D) += Eigen::Map<const Eigen::MatrixXd>(block, D, D);
    };
    for (Index i = 0; i < W.size(); ++i) {
      put(i, i, W.diagonal(i));
      put(i, i, &right[std::size_t(i) * d * d]);
      for (Index k = W.row_start()[std::size_t(i)]; k < W.row_start()[std::size_t(i) + 1]; ++k)
        put(i, W.column()[std::size_t(k)], W.block(k));
    }
    llt.compute(full);
    return llt.info() == Eigen::Success;
  }

  /// out ← b − (L W + B) y.
  void residual(const std::vector<double>& y, std::vector<double>& out) {
    W.multiply(y, zero, product);
    out = b;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t c = 0; c < d; ++c) {
        const std::size_t column = i * d + c;
        if (left.empty()) out[column] -= product[column];
        for (std::size_t a = 0; a < d; ++a) {
          if (!left.empty()) out[i * d + a] -= left[column * d + a] * product[column];
          out[i * d + a] -= right[column * d + a] * y[column];
        }
      }
  }

  void apply(std::vector<double>& v) {
    if (!usable)
      std::fill(v.begin(), v.end(), std::nan(""));
    else if (by_llt)
      llt.solveInPlace(Eigen::Map<Eigen::VectorXd>(v.data(), Eigen::Index(v.size())));
    else
      lu.solve(v);
  }

  void solve(std::span<double> given) {
    b.assign(given.begin(), given.end());
    x = b;
    apply(x);
    residual(x, error);
    double best = length(error);
    const double enough = 1e-15 * length(b);
    for (int k = 0; k < refinements && best > enough; ++k) {
      apply(error);
      for (std::size_t i = 0; i < x.size(); ++i) error[i] += x[i];
      residual(error, trial);
      const double next = length(trial);
      if (!(next < best)) break;
      x.swap(error);
      error.swap(trial);
      const bool slow = next > 0.5 * best;
      best = next;
      if (slow) break;
    }
    std::copy(x.begin(), x.end(), given.begin());
  }

  const BlockMatrix W;
  const bool symmetric;
  const std::size_t d;
  const std::vector<std::uint8_t> all;
  bool usable = false, by_llt = false, dense = false;
  long count = 0;
  std::vector<double> left, right;  // L, empty for the identity, and B
  FrontLu lu;
  Eigen::MatrixXd full;
  Eigen::LLT<Eigen::MatrixXd> llt;
  std::vector<double> zero, b, x, error, trial, product;
};

BlockFactorisation::BlockFactorisation(const SparseMatrix& W, int block, bool symmetric)
    : parts_(std::make_unique<Parts>(W, block, symmetric)) {}
BlockFactorisation::~BlockFactorisation() = default;
BlockFactorisation::BlockFactorisation(BlockFactorisation&&) noexcept = default;

bool BlockFactorisation::factorise(std::span<const double> B, bool symmetric) {
  return parts_->factorise({}, B, symmetric);
}
bool BlockFactorisation::factorise(std::span<const double> L, std::span<const double> B) {
  return parts_->factorise(L, B, false);
}
void BlockFactorisation::solve(std::span<double> x) { parts_->solve(x); }
long BlockFactorisation::count() const { return parts_->count; }
bool BlockFactorisation::dense() const { return parts_->dense; }

}  // namespace stickslip
