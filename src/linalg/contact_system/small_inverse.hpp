// Inverses and products of packed D×D blocks, column-major, D = 1 to 3.
#pragma once

#include <cmath>

#include "linalg/contact_system/small_blocks.hpp"

namespace stickslip::internal {

/// inverse ← A⁻¹. False when A is singular to working precision or not finite.
template <int D>
inline bool invert_block(const double* A, double* inverse) {
  if constexpr (D == 1) {
    inverse[0] = 1 / A[0];
    return std::isfinite(inverse[0]);
  } else {
    double block[padded<D>], inverted[padded<D>];
    pad<D>(A, block);
    if (!invert<D>(block, inverted)) return false;
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) inverse[i + D * j] = inverted[i + stride<D> * j];
    return true;
  }
}

/// C ← A B; C is another block than A and B.
template <int D>
inline void multiply_blocks(const double* A, const double* B, double* C) {
  for (int j = 0; j < D; ++j)
    for (int i = 0; i < D; ++i) {
      double sum = A[i] * B[D * j];
      for (int k = 1; k < D; ++k) sum += A[i + D * k] * B[k + D * j];
      C[i + D * j] = sum;
    }
}

/// y ← A x; y may not be x.
template <int D>
inline void multiply_vector(const double* A, const double* x, double* y) {
  for (int i = 0; i < D; ++i) {
    double sum = A[i] * x[0];
    for (int k = 1; k < D; ++k) sum += A[i + D * k] * x[k];
    y[i] = sum;
  }
}

}  // namespace stickslip::internal
