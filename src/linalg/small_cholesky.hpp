// A = L Lᵀ of packed N×N blocks, column-major, in loops whose bits do not hang on where the block lies: Eigen's peel sizes that are not
// known at compile time by addresses, and those of stacks differ from thread to thread.
#pragma once

#include <cmath>

namespace stickslip::internal {

/// A ← L, zeros above. False: A is not positive definite, and is undefined.
template <int N>
inline bool cholesky(double* A) {
  for (int k = 0; k < N; ++k) {
    double* const own = A + N * k;
    for (int j = 0; j < k; ++j) {
      const double* const before = A + N * j;
      for (int i = k; i < N; ++i) own[i] -= before[k] * before[i];
    }
    if (!(own[k] > 0)) return false;
    const double root = std::sqrt(own[k]);
    own[k] = root;
    for (int i = k + 1; i < N; ++i) own[i] /= root;
    for (int i = 0; i < k; ++i) own[i] = 0;
  }
  return true;
}

/// x ← L⁻¹ x.
template <int N>
inline void solve_lower(const double* L, double* x) {
  for (int k = 0; k < N; ++k) {
    x[k] /= L[k + N * k];
    for (int i = k + 1; i < N; ++i) x[i] -= L[i + N * k] * x[k];
  }
}

/// x ← L⁻ᵀ x.
template <int N>
inline void solve_lower_transposed(const double* L, double* x) {
  for (int k = N; k-- > 0;) {
    for (int i = k + 1; i < N; ++i) x[k] -= L[i + N * k] * x[i];
    x[k] /= L[k + N * k];
  }
}

}  // namespace stickslip::internal
