// x·y with vector instructions and bits that hang on nothing but the numbers: sixteen sums side by side, added up in pairs.
#pragma once

#include <cstddef>

namespace stickslip::internal {

inline double dot(const double* x, const double* y, std::size_t n) {
  constexpr std::size_t lanes = 16;
  double sum[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    for (std::size_t i = 0; i < lanes; ++i) sum[i] += x[k + i] * y[k + i];
  for (std::size_t i = 0; k < n; ++k, ++i) sum[i] += x[k] * y[k];
  for (std::size_t half = lanes / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) sum[i] += sum[i + half];
  return sum[0];
}

}  // namespace stickslip::internal
