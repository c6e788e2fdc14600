// Small fixed-size vectors and matrices for one contact. Normal component first.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace stickslip::internal {

template <int D>
using Vec = std::array<double, D>;

/// D×D, column-major: entry (i, j) is m[i + D·j], as in the blocks of W.
template <int D>
using Mat = std::array<double, D * D>;

/// The part of contact i of a vector that holds D numbers a contact, times a factor.
template <int D>
inline Vec<D> load(const double* x, std::size_t i, double factor = 1) {
  Vec<D> v;
  for (std::size_t c = 0; c < D; ++c) v[c] = factor * x[i * D + c];
  return v;
}

template <int D>
inline Vec<D> load(std::span<const double> x, std::size_t i) {
  return load<D>(x.data(), i);
}

/// The block at A, times a factor.
template <int D>
inline Mat<D> load_block(const double* A, double factor = 1) {
  Mat<D> m;
  for (std::size_t k = 0; k < D * D; ++k) m[k] = factor * A[k];
  return m;
}

}  // namespace stickslip::internal
