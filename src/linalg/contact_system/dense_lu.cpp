#include "linalg/contact_system/dense_lu.hpp"

#include <Eigen/Core>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/pieces.hpp"

namespace stickslip::internal {
namespace {

using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

/// Columns are eliminated one by one in panels of this width; halves above are joined by products of
/// matrices.
constexpr std::ptrdiff_t panel = 16;
/// A pivot smaller than this, relative to the largest entry of its column before elimination, counts as zero.
constexpr double vanishing = 1e-14;

/// y ← y − a x.
inline void subtract(double* y, double a, const double* x, std::ptrdiff_t n) {
  for (std::ptrdiff_t i = 0; i < n; ++i) y[i] -= a * x[i];
}

/// Eliminates at most `panel` columns; pivots come from the first `candidates` rows.
long eliminate_panel(double* A, std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t lead,
                     std::ptrdiff_t candidates, Index* exchanges) {
  long replaced = 0;
  double size[panel];
  for (std::ptrdiff_t k = 0; k < columns; ++k) {
    double largest = 0;
    for (std::ptrdiff_t i = 0; i < rows; ++i) largest = std::max(largest, std::abs(A[i + lead * k]));
    size[k] = largest;
  }
  for (std::ptrdiff_t k = 0; k < columns; ++k) {
    double* column = A + lead * k;
    std::ptrdiff_t pivot = k;
    for (std::ptrdiff_t i = k + 1; i < candidates; ++i)
      if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
    exchanges[k] = Index(pivot);
    if (pivot != k)
      for (std::ptrdiff_t j = 0; j < columns; ++j) std::swap(A[k + lead * j], A[pivot + lead * j]);
    const double least = std::max(vanishing * size[k], 1e-300);
    if (!(std::abs(column[k]) > least)) {
      const double stand_in = std::max(least, vanishing);
      column[k] = column[k] < 0 ? -stand_in : stand_in;
      ++replaced;
    }
    const double inverse = 1 / column[k];
    for (std::ptrdiff_t i = k + 1; i < rows; ++i) column[i] *= inverse;
    for (std::ptrdiff_t j = k + 1; j < columns; ++j)
      subtract(A + lead * j + k + 1, A[k + lead * j], column + k + 1, rows - k - 1);
  }
  return replaced;
}

/// The left half, its effect on the right half, the right half (Toledo 1997).
long eliminate(double* A, std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t lead,
               std::ptrdiff_t candidates, Index* exchanges) {
  if (columns <= panel) return eliminate_panel(A, rows, columns, lead, candidates, exchanges);
  const std::ptrdiff_t half = (columns / 2 + panel - 1) / panel * panel, rest = columns - half;
  long replaced = eliminate(A, rows, half, lead, candidates, exchanges);
  double* right = A + lead * half;
  exchange_rows(right, half, lead, rest, exchanges);
  unit_lower_solve(A, lead, half, right, lead, rest);
  Matrix below(right + half, rows - half, rest, Eigen::OuterStride<>(lead));
  below.noalias() -= ConstMatrix(A + half, rows - half, half, Eigen::OuterStride<>(lead)) *
                     ConstMatrix(right, half, rest, Eigen::OuterStride<>(lead));
  replaced += eliminate(right + half, rows - half, rest, lead, candidates - half, exchanges + half);
  exchange_rows(A + half, rest, lead, half, exchanges + half);
  for (std::ptrdiff_t k = half; k < columns; ++k) exchanges[k] += Index(half);
  return replaced;
}

}  // namespace

long dense_lu(double* A, std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t lead, Index* exchanges) {
  return eliminate(A, rows, columns, lead, columns, exchanges);
}

long shared_dense_lu(double* A, std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t lead,
                     Index* exchanges, ThreadTeam* team) {
  constexpr std::ptrdiff_t block = 64, strip = 128;
  long replaced = 0;
  for (std::ptrdiff_t from = 0; from < columns; from += block) {
    const std::ptrdiff_t width = std::min(block, columns - from), to = from + width;
    double* own = A + from + lead * from;
    replaced += eliminate(own, rows - from, width, lead, columns - from, exchanges + from);
    exchange_rows(A + from, width, lead, from, exchanges + from);  // of what was eliminated before
    share(team, std::size_t((columns - to + strip - 1) / strip), [&](std::size_t piece) {
      const std::ptrdiff_t first = to + strip * std::ptrdiff_t(piece),
                           count = std::min(strip, columns - first);
      double* right = A + from + lead * first;
      exchange_rows(right, width, lead, count, exchanges + from);
      unit_lower_solve(own, lead, width, right, lead, count);
      Matrix below(right + width, rows - to, count, Eigen::OuterStride<>(lead));
      below.noalias() -= ConstMatrix(own + width, rows - to, width, Eigen::OuterStride<>(lead)) *
                         ConstMatrix(right, width, count, Eigen::OuterStride<>(lead));
    });
    for (std::ptrdiff_t k = from; k < to; ++k) exchanges[k] += Index(from);
  }
  return replaced;
}

void exchange_rows(double* B, std::ptrdiff_t rows, std::ptrdiff_t lead, std::ptrdiff_t columns,
                   const Index* exchanges) {
  for (std::ptrdiff_t j = 0; j < columns; ++j, B += lead)
    for (std::ptrdiff_t k = 0; k < rows; ++k)
      if (exchanges[k] != k) std::swap(B[k], B[exchanges[k]]);
}

void exchange_columns(double* X, std::ptrdiff_t columns, std::ptrdiff_t rows, std::ptrdiff_t X_lead,
                      const Index* exchanges) {
  for (std::ptrdiff_t k = 0; k < columns; ++k)
    if (exchanges[k] != k) std::swap_ranges(X + X_lead * k, X + X_lead * k + rows, X + X_lead * exchanges[k]);
}

void unit_lower_solve(const double* L, std::ptrdiff_t lead, std::ptrdiff_t n, double* B,
                      std::ptrdiff_t B_lead, std::ptrdiff_t columns) {
  if (n > 2 * panel) {
    const ConstMatrix lower(L, n, n, Eigen::OuterStride<>(lead));
    Matrix right(B, n, columns, Eigen::OuterStride<>(B_lead));
    lower.triangularView<Eigen::UnitLower>().solveInPlace(right);
    return;
  }
  for (std::ptrdiff_t j = 0; j < columns; ++j, B += B_lead)
    for (std::ptrdiff_t k = 0; k < n; ++k) subtract(B + k + 1, B[k], L + lead * k + k + 1, n - k - 1);
}

void transposed_unit_lower_solve(const double* L, std::ptrdiff_t lead, std::ptrdiff_t n, double* X,
                                 std::ptrdiff_t rows, std::ptrdiff_t X_lead) {
  if (n > 2 * panel) {
    const ConstMatrix lower(L, n, n, Eigen::OuterStride<>(lead));
    Matrix right(X, rows, n, Eigen::OuterStride<>(X_lead));
    lower.transpose().triangularView<Eigen::UnitUpper>().solveInPlace<Eigen::OnTheRight>(right);
    return;
  }
  // Strips of rows: column i of a strip stays in registers while those before it are taken off.
  constexpr std::ptrdiff_t strip = 16;
  std::ptrdiff_t from = 0;
  for (; from + strip <= rows; from += strip)
    for (std::ptrdiff_t i = 1; i < n; ++i) {
      double sum[strip];
      std::copy_n(X + from + X_lead * i, strip, sum);
      for (std::ptrdiff_t k = 0; k < i; ++k) subtract(sum, L[i + lead * k], X + from + X_lead * k, strip);
      std::copy_n(sum, strip, X + from + X_lead * i);
    }
  for (std::ptrdiff_t i = 1; from < rows && i < n; ++i)
    for (std::ptrdiff_t k = 0; k < i; ++k)
      subtract(X + from + X_lead * i, L[i + lead * k], X + from + X_lead * k, rows - from);
}

}  // namespace stickslip::internal
