#include "linalg/contact_system/small_system.hpp"

#include <algorithm>
#include <cmath>

#include "base/dimension.hpp"

namespace stickslip::internal {
namespace {

/// A pivot smaller than this counts as zero: the matrix is scaled.
constexpr double vanishing = 1e-14;
/// Numbers of a row that are changed together.
constexpr std::size_t lanes = 8;

inline void subtract(double* __restrict y, double a, const double* __restrict x) {
  for (std::size_t l = 0; l < lanes; ++l) y[l] -= a * x[l];
}

}  // namespace

void SmallSystem::set(const BlockMatrix& W) {
  d_ = std::size_t(W.dimension());
  n_ = std::size_t(W.size()) * d_;
  for (std::size_t i = 0; i < n_; ++i) std::fill_n(W_[i], width, 0.0);
  const auto put = [&](std::size_t i, std::size_t j, const double* block) {
    for (std::size_t b = 0; b < d_; ++b)
      for (std::size_t a = 0; a < d_; ++a) W_[i * d_ + a][j * d_ + b] = block[a + d_ * b];
  };
  for (std::size_t i = 0; i < std::size_t(W.size()); ++i) {
    put(i, i, W.diagonal(Index(i)));
    for (Index k = W.row_start()[i]; k < W.row_start()[i + 1]; ++k)
      put(i, std::size_t(W.column()[std::size_t(k)]), W.block(k));
  }
}

template <int D>
void SmallSystem::assemble(const double* left, const double* right, double alpha) {
  const std::size_t end = n_ / lanes * lanes + lanes;  // with a place for x
  if (!left) {
    for (std::size_t i = 0; i < n_; ++i) {
      std::copy_n(W_[i], end, A_[i]);
      A_[i][i] += alpha;
      for (std::size_t b = 0; b < D; ++b) A_[i][i / D * D + b] += right[i / D * D * D + i % D + D * b];
    }
    return;
  }
  for (std::size_t first = 0; first < n_; first += D, left += D * D, right += D * D)
    for (std::size_t a = 0; a < D; ++a) {
      double* row = A_[first + a];
      for (std::size_t c = 0; c < end; c += lanes)
        for (std::size_t l = 0; l < lanes; ++l) {
          double sum = left[a] * W_[first][c + l];
          for (std::size_t b = 1; b < D; ++b) sum += left[a + D * b] * W_[first + b][c + l];
          row[c + l] = sum;
        }
      for (std::size_t b = 0; b < D; ++b) row[first + b] += alpha * left[a + D * b] + right[a + D * b];
    }
}

bool SmallSystem::solve(const double* left, const double* right, double alpha, std::span<double> x) {
  with_dimension<3, 2, 1>(int(d_), [&]<int D>() { assemble<D>(left, right, alpha); });
  double* row[rows];  // in the order of elimination
  double column[rows + lanes] = {}, inverse[rows];
  for (std::size_t i = 0; i < n_; ++i) {
    row[i] = A_[i];
    row[i][n_] = x[i];
    column[i] = std::abs(row[i][0]);
  }
  for (std::size_t k = 0; k < n_; ++k) {
    // |A_ik|, i ≥ k, are in `column`: the largest, side by side.
    double largest[lanes] = {};
    for (std::size_t i = k; i < n_; i += lanes)
      for (std::size_t l = 0; l < lanes; ++l) largest[l] = std::max(largest[l], column[i + l]);
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
      for (std::size_t l = 0; l < half; ++l) largest[l] = std::max(largest[l], largest[l + half]);
    if (!(largest[0] > vanishing)) return false;
    if (column[k] < largest[0])
      std::swap(row[k], row[std::size_t(std::find(column + k, column + n_, largest[0]) - column)]);
    const double* top = row[k];
    inverse[k] = 1 / top[k];
    for (std::size_t i = k + 1; i < n_; ++i) {
      const double factor = row[i][k] * inverse[k];
      for (std::size_t c = k / lanes * lanes; c <= n_; c += lanes) subtract(row[i] + c, factor, top + c);
      column[i] = std::abs(row[i][k + 1]);
    }
  }
  for (std::size_t k = n_; k-- > 0;) {
    x[k] = row[k][n_] * inverse[k];
    for (std::size_t i = 0; i < k; ++i) row[i][n_] -= row[i][k] * x[k];
  }
  return true;
}

}  // namespace stickslip::internal
