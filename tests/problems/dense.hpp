// Dense matrices in long double: the textbook formulas that the library's sparse code is compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip::tests {

using internal::Random;

using Numbers = std::vector<double>;

/// Stored by rows.
struct Dense {
  int rows = 0, columns = 0;
  std::vector<long double> value;

  Dense() = default;
  Dense(int m, int n) : rows(m), columns(n), value(std::size_t(m) * std::size_t(n), 0) {}
  explicit Dense(const SparseMatrix& A) : Dense(A.rows(), A.columns()) {
    for (const Triplet& e : A.triplets()) (*this)(e.row, e.column) += e.value;
  }

  long double& operator()(int i, int j) {
    return value[std::size_t(i) * std::size_t(columns) + std::size_t(j)];
  }
  long double operator()(int i, int j) const {
    return value[std::size_t(i) * std::size_t(columns) + std::size_t(j)];
  }
};

inline Dense identity(int n) {
  Dense I(n, n);
  for (int i = 0; i < n; ++i) I(i, i) = 1;
  return I;
}

inline Dense transpose(const Dense& A) {
  Dense T(A.columns, A.rows);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) T(j, i) = A(i, j);
  return T;
}

inline Dense operator*(const Dense& A, const Dense& B) {
  Dense C(A.rows, B.columns);
  for (int i = 0; i < A.rows; ++i)
    for (int k = 0; k < A.columns; ++k)
      for (int j = 0; j < B.columns; ++j) C(i, j) += A(i, k) * B(k, j);
  return C;
}

/// A + s B.
inline Dense sum(const Dense& A, long double s, const Dense& B) {
  Dense C = A;
  for (std::size_t k = 0; k < C.value.size(); ++k) C.value[k] += s * B.value[k];
  return C;
}

inline Dense column(std::span<const double> x) {
  Dense c(int(x.size()), 1);
  std::copy(x.begin(), x.end(), c.value.begin());
  return c;
}

inline Numbers numbers(const Dense& c) { return {c.value.begin(), c.value.end()}; }

/// A⁻¹B by elimination with row pivoting.
inline Dense solve_dense(Dense A, Dense B) {
  const int n = A.rows;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    if (A(pivot, k) == 0) throw std::runtime_error("solve_dense: singular");
    for (int j = 0; j < n; ++j) std::swap(A(k, j), A(pivot, j));
    for (int j = 0; j < B.columns; ++j) std::swap(B(k, j), B(pivot, j));
    for (int i = k + 1; i < n; ++i) {
      const long double factor = A(i, k) / A(k, k);
      if (factor == 0) continue;
      for (int j = k; j < n; ++j) A(i, j) -= factor * A(k, j);
      for (int j = 0; j < B.columns; ++j) B(i, j) -= factor * B(k, j);
    }
  }
  for (int k = n - 1; k >= 0; --k)
    for (int j = 0; j < B.columns; ++j) {
      for (int i = k + 1; i < n; ++i) B(k, j) -= A(k, i) * B(i, j);
      B(k, j) /= A(k, k);
    }
  return B;
}

inline double largest(const Dense& A) {
  long double m = 0;
  for (long double x : A.value) m = std::max(m, std::abs(x));
  return double(m);
}

/// Largest |A − B| of an entry; infinite when the sizes differ or an entry is not a number.
inline double difference(const Dense& A, const Dense& B) {
  if (A.rows != B.rows || A.columns != B.columns) return HUGE_VAL;
  long double m = 0;
  for (std::size_t k = 0; k < A.value.size(); ++k) {
    if (std::isnan(A.value[k]) || std::isnan(B.value[k])) return HUGE_VAL;
    m = std::max(m, std::abs(A.value[k] - B.value[k]));
  }
  return double(m);
}

inline double difference(std::span<const double> a, std::span<const double> b) {
  return difference(column(a), column(b));
}

inline SparseMatrix sparse(const Dense& A) {
  std::vector<Triplet> entries;
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j)
      if (A(i, j) != 0) entries.push_back({i, j, double(A(i, j))});
  return {A.rows, A.columns, entries};
}

/// Entries in [−1, 1], each there with the given probability (all are doubles).
inline Dense random_dense(int rows, int columns, Random& random, double density = 1) {
  Dense A(rows, columns);
  for (auto& x : A.value)
    if (const double y = random.uniform(-1, 1); random.uniform() < density) x = y;
  return A;
}

inline Numbers random_numbers(std::size_t n, Random& random) {
  Numbers x(n);
  for (double& y : x) y = random.uniform(-1, 1);
  return x;
}

/// B Bᵀ + least·I + skew (C − Cᵀ), rounded to double.
inline Dense random_positive(int n, Random& random, double least = 0.5, double skew = 0) {
  const Dense B = random_dense(n, n, random), C = random_dense(n, n, random);
  Dense A = sum(sum(B * transpose(B), least, identity(n)), skew, sum(C, -1, transpose(C)));
  for (auto& x : A.value) x = double(x);
  return A;
}

/// Puts `part` on the diagonal of `whole` from row and column `at`.
inline void place(Dense& whole, int at, const Dense& part) {
  for (int i = 0; i < part.rows; ++i)
    for (int j = 0; j < part.columns; ++j) whole(at + i, at + j) = part(i, j);
}

}  // namespace stickslip::tests
