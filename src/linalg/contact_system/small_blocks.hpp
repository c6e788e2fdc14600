// Products of D×D blocks, column-major with columns padded to `stride` numbers, so that a column is one
// vector of the machine. The order of every sum is fixed: a result does not depend on where the blocks lie in
// memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

namespace stickslip::internal {

template <int D>
struct Lanes;
template <>
struct Lanes<2> {
  typedef double Column __attribute__((vector_size(16)));
};
template <>
struct Lanes<3> {
  typedef double Column __attribute__((vector_size(32)));
};

/// Numbers from one column of a block to the next, and of a whole block.
template <int D>
inline constexpr int stride = D == 3 ? 4 : 2;
template <int D>
inline constexpr std::size_t padded = std::size_t(D) * stride<D>;

/// Column j of a block, wherever it lies.
template <int D>
inline typename Lanes<D>::Column column(const double* A, int j) {
  typename Lanes<D>::Column c;
  std::memcpy(&c, A + stride<D> * j, sizeof c);
  return c;
}
template <int D>
inline void set_column(double* A, int j, typename Lanes<D>::Column c) {
  std::memcpy(A + stride<D> * j, &c, sizeof c);
}

/// C ← C − A B.
template <int D>
inline void subtract_product(double* C, const double* A, const double* B) {
  for (int j = 0; j < D; ++j) {
    auto sum = column<D>(C, j);
    for (int k = 0; k < D; ++k) sum -= column<D>(A, k) * B[k + stride<D> * j];
    set_column<D>(C, j, sum);
  }
}

/// C ← A B; C is another block than A and B.
template <int D>
inline void assign_product(double* C, const double* A, const double* B) {
  for (int j = 0; j < D; ++j) {
    auto sum = column<D>(A, 0) * B[stride<D> * j];
    for (int k = 1; k < D; ++k) sum += column<D>(A, k) * B[k + stride<D> * j];
    set_column<D>(C, j, sum);
  }
}

/// y ← y − A x; y has `stride` numbers.
template <int D>
inline void subtract_product_vector(double* y, const double* A, const double* x) {
  auto sum = column<D>(y, 0);
  for (int k = 0; k < D; ++k) sum -= column<D>(A, k) * x[k];
  set_column<D>(y, 0, sum);
}

/// Between padded blocks and packed ones (D·D numbers).
template <int D>
inline void pad(const double* packed, double* block) {
  for (int j = 0; j < D; ++j)
    for (int i = 0; i < stride<D>; ++i) block[i + stride<D> * j] = i < D ? packed[i + D * j] : 0.0;
}

/// inverse ← A⁻¹ by cofactors. False, and inverse untouched, where these may have lost more than some digits.
inline bool invert_regular(const double* A, double* inverse) {
  constexpr double regular = 1e-3;  // det/(the longest column)³
  const double *a = A, *b = A + 4, *c = A + 8;
  const double x0 = b[1] * c[2] - b[2] * c[1], x1 = b[2] * c[0] - b[0] * c[2], x2 = b[0] * c[1] - b[1] * c[0];
  const double determinant = a[0] * x0 + a[1] * x1 + a[2] * x2;
  const double longest =
      std::max({a[0] * a[0] + a[1] * a[1] + a[2] * a[2], b[0] * b[0] + b[1] * b[1] + b[2] * b[2],
                c[0] * c[0] + c[1] * c[1] + c[2] * c[2]});
  if (!(determinant * determinant > regular * regular * longest * longest * longest)) return false;
  const double f = 1 / determinant;
  const double rows[12] = {x0 * f, (c[1] * a[2] - c[2] * a[1]) * f, (a[1] * b[2] - a[2] * b[1]) * f, 0,
                           x1 * f, (c[2] * a[0] - c[0] * a[2]) * f, (a[2] * b[0] - a[0] * b[2]) * f, 0,
                           x2 * f, (c[0] * a[1] - c[1] * a[0]) * f, (a[0] * b[1] - a[1] * b[0]) * f, 0};
  std::memcpy(inverse, rows, sizeof rows);
  return std::isfinite(f);
}

/// inverse ← A⁻¹, by elimination with row pivots where that is needed. False when a pivot vanishes or is not
/// finite.
template <int D>
inline bool invert(const double* A, double* inverse) {
  constexpr int S = stride<D>;
  if constexpr (D == 3)
    if (invert_regular(A, inverse)) return true;
  double a[padded<D>];
  for (int j = 0; j < D; ++j)
    for (int i = 0; i < S; ++i) {
      a[i + S * j] = i < D ? A[i + S * j] : 0.0;
      inverse[i + S * j] = i == j ? 1.0 : 0.0;
    }
  for (int k = 0; k < D; ++k) {
    int pivot = k;
    for (int i = k + 1; i < D; ++i)
      if (std::abs(a[i + S * k]) > std::abs(a[pivot + S * k])) pivot = i;
    const double p = a[pivot + S * k];
    if (p == 0 || !std::isfinite(p)) return false;
    const double reciprocal = 1 / p;
    for (int j = 0; j < D; ++j) {
      std::swap(a[k + S * j], a[pivot + S * j]);
      std::swap(inverse[k + S * j], inverse[pivot + S * j]);
      a[k + S * j] *= reciprocal;
      inverse[k + S * j] *= reciprocal;
    }
    for (int i = 0; i < D; ++i) {
      if (i == k) continue;
      const double factor = a[i + S * k];
      for (int j = 0; j < D; ++j) {
        a[i + S * j] -= factor * a[k + S * j];
        inverse[i + S * j] -= factor * inverse[k + S * j];
      }
    }
  }
  for (std::size_t k = 0; k < padded<D>; ++k)
    if (!std::isfinite(inverse[k])) return false;
  return true;
}

}  // namespace stickslip::internal
