// What the tests of the cone and of the maps share: random points, finite differences, distances.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "cone/small_matrix.hpp"
#include "cone/vec.hpp"

namespace stickslip::internal::testing {

inline constexpr std::array<double, 5> frictions = {0, 0.1, 0.7, 1, 3};
inline constexpr double unit = std::numeric_limits<double>::epsilon();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Seeded, and the same on every machine: only the engine's bits are used.
class Random {
 public:
  explicit Random(unsigned long seed) : engine_(seed) {}
  double uniform(double low, double high) { return low + (high - low) * double(engine_() >> 11) * 0x1p-53; }
  template <int D>
  Vec<D> point(double size = 1) {
    Vec<D> x;
    for (double& component : x) component = uniform(-size, size);
    return x;
  }
  /// A point with ‖x_T‖ = ratio · x_N.
  template <int D>
  Vec<D> inside_second_order_cone() {
    Vec<D> x = point<D>();
    double t = 0;
    for (int i = 1; i < D; ++i) t += x[i] * x[i];
    x[0] = std::sqrt(t) + uniform(0.01, 1);
    return x;
  }

 private:
  std::mt19937_64 engine_;
};

template <std::size_t N>
double distance(const std::array<double, N>& a, const std::array<double, N>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;  // NaN gets through
  }
  return largest;
}

template <std::size_t N>
bool all_finite(const std::array<double, N>& a) {
  return std::all_of(a.begin(), a.end(), [](double x) { return std::isfinite(x); });
}

/// Central differences of f: Vec<D> → Vec<D>. With h = 10⁻⁵ the truncation error is h²·f'''/6 and the
/// rounding error unit·|f|/h ≈ 2·10⁻¹¹|f|.
inline constexpr double step = 1e-5;
template <int D, class Function>
Mat<D> differences(Function f, const Vec<D>& x) {
  Mat<D> m;
  for (int j = 0; j < D; ++j) {
    Vec<D> left = x, right = x;
    left[j] -= step;
    right[j] += step;
    const Vec<D> a = f(left), b = f(right);
    for (int i = 0; i < D; ++i) m[i + D * j] = (b[i] - a[i]) / (2 * step);
  }
  return m;
}

}  // namespace stickslip::internal::testing
