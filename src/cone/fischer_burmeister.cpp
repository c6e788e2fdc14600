#include "cone/fischer_burmeister.hpp"

#include <algorithm>
#include <limits>

#include "cone/axial.hpp"
#include "cone/small_matrix.hpp"

namespace stickslip::internal {
namespace {

/// x_T + factor·c.
template <int D>
Vec<D - 1> tangent_plus(const Vec<D>& x, double factor, const Vec<D - 1>& c) {
  Vec<D - 1> p;
  for (int i = 1; i < D; ++i) p[i - 1] = x[i] + factor * c[i - 1];
  return p;
}

/// What the spectral decomposition of x² + y² offers, lengths scaled so that the largest component of (x, y)
/// is 1.
template <int D>
struct RootOfSquares {
  Vec<D - 1> c;
  double a, b;  ///< spectral values of z
  bool kink;    ///< a = 0 up to rounding
};

template <int D>
RootOfSquares<D> root_of_squares(const Vec<D>& x, const Vec<D>& y) {
  RootOfSquares<D> z;
  Vec<D> w{};
  for (int i = 1; i < D; ++i) w[i] = x[0] * x[i] + y[0] * y[i];
  z.c = unit_tangent<D>(w);
  const auto root = [&](double sign) {
    return std::hypot(norm<D - 1>(tangent_plus<D>(x, sign * x[0], z.c)),
                      norm<D - 1>(tangent_plus<D>(y, sign * y[0], z.c)));
  };
  z.a = root(-1);
  z.b = root(1);
  // x_T − x_N c is formed from numbers of size ≤ 1 with about 4 roundings.
  z.kink = z.a <= 4 * std::numeric_limits<double>::epsilon();
  return z;
}

/// I − L_z⁻¹ L_x, from L_z⁻¹ = e₊e₊ᵀ/b + e₋e₋ᵀ/a + 2Π/(a+b), e± = (1, ±c)/√2, Π = I − ccᵀ on the tangent.
template <int D>
Mat<D> derivative(const RootOfSquares<D>& z, const Vec<D>& x) {
  const Vec<D - 1>& c = z.c;
  double x_c = 0;
  for (int i = 1; i < D; ++i) x_c += x[i] * c[i - 1];
  // √2 e₊ᵀL_x / b and √2 e₋ᵀL_x / a; with p = x_T − x_N c the second is (−cᵀp, pᵀ)/a, at most √2 long.
  const Vec<D - 1> s = tangent_plus<D>(x, x[0], c), p = tangent_plus<D>(x, -x[0], c);
  Vec<D> plus, minus;
  plus[0] = (x[0] + x_c) / z.b;
  minus[0] = z.kink ? std::sqrt(0.5) : (x[0] - x_c) / z.a;
  for (int i = 1; i < D; ++i) {
    plus[i] = s[i - 1] / z.b;
    minus[i] = z.kink ? -std::sqrt(0.5) * c[i - 1] : p[i - 1] / z.a;
  }
  const double across = 2 / (z.a + z.b);
  Mat<D> m = scaled_identity<D>(1);
  for (int j = 0; j < D; ++j) {
    m[D * j] -= 0.5 * (plus[j] + minus[j]);
    for (int i = 1; i < D; ++i) {
      m[i + D * j] -= 0.5 * (plus[j] - minus[j]) * c[i - 1];
      // Π L_x: column 0 is Πx_T, the tangent columns are x_N Π.
      const double column = j == 0 ? x[i] - x_c * c[i - 1] : x[0] * ((i == j ? 1 : 0) - c[i - 1] * c[j - 1]);
      if constexpr (D == 3) m[i + D * j] -= across * column;
    }
  }
  return m;
}

}  // namespace

template <int D>
FischerBurmeister<D> fischer_burmeister(const Vec<D>& x, const Vec<D>& y) {
  double scale = 0;
  for (int i = 0; i < D; ++i) scale = std::max({scale, std::abs(x[i]), std::abs(y[i])});
  FischerBurmeister<D> phi;
  if (scale == 0) {
    phi.value = {};
    phi.by_x = phi.by_y = scaled_identity<D>(1 - std::sqrt(0.5));
    return phi;
  }
  Vec<D> xs, ys;
  for (int i = 0; i < D; ++i) {
    xs[i] = x[i] / scale;
    ys[i] = y[i] / scale;
  }
  const RootOfSquares<D> z = root_of_squares<D>(xs, ys);
  const Vec<D> root = axial_vector<D>(0.5 * scale * (z.a + z.b), 0.5 * scale * (z.b - z.a), z.c);
  phi.value = add<D>(add<D>(x, 1, y), -1, root);
  phi.by_x = derivative<D>(z, xs);
  phi.by_y = derivative<D>(z, ys);
  return phi;
}

template FischerBurmeister<2> fischer_burmeister<2>(const Vec<2>&, const Vec<2>&);
template FischerBurmeister<3> fischer_burmeister<3>(const Vec<3>&, const Vec<3>&);

}  // namespace stickslip::internal
