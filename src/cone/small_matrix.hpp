// Dense algebra of one contact: D×D matrices (column-major, as in vec.hpp) and D-vectors, all inline.
#pragma once

#include <cmath>
#include <utility>

#include "cone/vec.hpp"

namespace stickslip::internal {

template <int D>
inline double dot(const Vec<D>& a, const Vec<D>& b) {
  double sum = 0;
  for (int i = 0; i < D; ++i) sum += a[i] * b[i];
  return sum;
}

template <int D>
inline double norm(const Vec<D>& a) {
  return std::sqrt(dot<D>(a, a));
}

/// a + factor·b.
template <int D>
inline Vec<D> add(const Vec<D>& a, double factor, const Vec<D>& b) {
  Vec<D> c;
  for (int i = 0; i < D; ++i) c[i] = a[i] + factor * b[i];
  return c;
}

/// factor·I.
template <int D>
inline Mat<D> scaled_identity(double factor) {
  Mat<D> m{};
  for (int i = 0; i < D; ++i) m[i + D * i] = factor;
  return m;
}

template <int D>
inline Mat<D> scaled(double factor, Mat<D> A) {
  for (double& entry : A) entry *= factor;
  return A;
}

/// alpha·A + beta·B.
template <int D>
inline Mat<D> combine(double alpha, const Mat<D>& A, double beta, const Mat<D>& B) {
  Mat<D> C;
  for (int k = 0; k < D * D; ++k) C[k] = alpha * A[k] + beta * B[k];
  return C;
}

template <int D>
inline Vec<D> multiply(const Mat<D>& A, const Vec<D>& x) {
  Vec<D> y{};
  for (int j = 0; j < D; ++j)
    for (int i = 0; i < D; ++i) y[i] += A[i + D * j] * x[j];
  return y;
}

template <int D>
inline Vec<D> transpose_multiply(const Mat<D>& A, const Vec<D>& x) {
  Vec<D> y{};
  for (int j = 0; j < D; ++j)
    for (int i = 0; i < D; ++i) y[j] += A[i + D * j] * x[i];
  return y;
}

/// A B.
template <int D>
inline Mat<D> product(const Mat<D>& A, const Mat<D>& B) {
  Mat<D> C{};
  for (int j = 0; j < D; ++j)
    for (int k = 0; k < D; ++k)
      for (int i = 0; i < D; ++i) C[i + D * j] += A[i + D * k] * B[k + D * j];
  return C;
}

template <int D>
inline Mat<D> transpose(const Mat<D>& A) {
  Mat<D> T;
  for (int j = 0; j < D; ++j)
    for (int i = 0; i < D; ++i) T[j + D * i] = A[i + D * j];
  return T;
}

/// adj(A), with A adj(A) = det(A) I; defined for singular A too.
template <int D>
inline Mat<D> adjugate(const Mat<D>& A) {
  static_assert(D == 2 || D == 3);
  if constexpr (D == 2) {
    return {A[3], -A[1], -A[2], A[0]};
  } else {
    return {A[4] * A[8] - A[5] * A[7], A[2] * A[7] - A[1] * A[8], A[1] * A[5] - A[2] * A[4],
            A[5] * A[6] - A[3] * A[8], A[0] * A[8] - A[2] * A[6], A[2] * A[3] - A[0] * A[5],
            A[3] * A[7] - A[4] * A[6], A[1] * A[6] - A[0] * A[7], A[0] * A[4] - A[1] * A[3]};
  }
}

template <int D>
inline double determinant(const Mat<D>& A) {
  if constexpr (D == 2)
    return A[0] * A[3] - A[1] * A[2];
  else
    return A[0] * (A[4] * A[8] - A[5] * A[7]) + A[3] * (A[2] * A[7] - A[1] * A[8]) +
           A[6] * (A[1] * A[5] - A[2] * A[4]);
}

/// A⁻¹ by the adjugate: fast, accurate for well-conditioned blocks. Precondition: det(A) ≠ 0.
template <int D>
inline Mat<D> inverse(const Mat<D>& A) {
  return scaled<D>(1 / determinant<D>(A), adjugate<D>(A));
}

/// Solves A x = b by elimination with row pivots. False, with x untouched, when a pivot vanishes or is not
/// finite.
template <int D>
inline bool solve(Mat<D> A, Vec<D> b, Vec<D>& x) {
  for (int k = 0; k < D; ++k) {
    int pivot = k;
    for (int i = k + 1; i < D; ++i)
      if (std::abs(A[i + D * k]) > std::abs(A[pivot + D * k])) pivot = i;
    const double p = A[pivot + D * k];
    if (p == 0 || !std::isfinite(p)) return false;
    if (pivot != k) {
      for (int j = k; j < D; ++j) std::swap(A[k + D * j], A[pivot + D * j]);
      std::swap(b[k], b[pivot]);
    }
    for (int i = k + 1; i < D; ++i) {
      const double factor = A[i + D * k] / p;
      for (int j = k + 1; j < D; ++j) A[i + D * j] -= factor * A[k + D * j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = D - 1; k >= 0; --k) {
    for (int j = k + 1; j < D; ++j) b[k] -= A[k + D * j] * b[j];
    b[k] /= A[k + D * k];
  }
  x = b;
  return true;
}

}  // namespace stickslip::internal
