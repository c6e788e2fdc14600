#include "cone/jordan.hpp"

#include <algorithm>
#include <cmath>

#include "cone/axial.hpp"
#include "cone/project.hpp"
#include "cone/small_matrix.hpp"

namespace stickslip::internal {

template <int D>
Vec<D> jordan_product(const Vec<D>& x, const Vec<D>& y) {
  Vec<D> p = add<D>(add<D>({}, y[0], x), x[0], y);
  p[0] = dot<D>(x, y);
  return p;
}

template <int D>
Spectrum<D> spectrum(const Vec<D>& x) {
  const double t = tangent_norm<D>(x);
  return {x[0] - t, x[0] + t, unit_tangent<D>(x)};
}

template <int D>
Vec<D> compose(const Spectrum<D>& s) {
  return axial_vector<D>(0.5 * (s.lambda_1 + s.lambda_2), 0.5 * (s.lambda_2 - s.lambda_1), s.e);
}

template <int D>
Vec<D> jordan_sqrt(const Vec<D>& x) {
  Spectrum<D> s = spectrum<D>(x);
  s.lambda_1 = std::sqrt(std::max(0.0, s.lambda_1));
  s.lambda_2 = std::sqrt(std::max(0.0, s.lambda_2));
  return compose<D>(s);
}

template <int D>
Vec<D> jordan_abs(const Vec<D>& x) {
  Spectrum<D> s = spectrum<D>(x);
  s.lambda_1 = std::abs(s.lambda_1);
  s.lambda_2 = std::abs(s.lambda_2);
  return compose<D>(s);
}

template <int D>
Vec<D> jordan_inverse(const Vec<D>& x) {
  const double scale = 1 / jordan_determinant<D>(x);
  Vec<D> y = add<D>({}, -scale, x);
  y[0] = scale * x[0];
  return y;
}

template <int D>
double jordan_determinant(const Vec<D>& x) {
  const double t = tangent_norm<D>(x);
  return (x[0] - t) * (x[0] + t);
}

template <int D>
Mat<D> arrow(const Vec<D>& x) {
  Mat<D> m = scaled_identity<D>(x[0]);
  for (int i = 1; i < D; ++i) m[i] = m[D * i] = x[i];
  return m;
}

template <int D>
Mat<D> quadratic_representation(const Vec<D>& x) {
  const double det = jordan_determinant<D>(x);
  Mat<D> m = scaled_identity<D>(det);
  m[0] = -det;
  for (int j = 0; j < D; ++j)
    for (int i = 0; i < D; ++i) m[i + D * j] += 2 * x[i] * x[j];
  return m;
}

#define STICKSLIP_INSTANTIATE(D)                                   \
  template Vec<D> jordan_product<D>(const Vec<D>&, const Vec<D>&); \
  template Spectrum<D> spectrum<D>(const Vec<D>&);                 \
  template Vec<D> compose<D>(const Spectrum<D>&);                  \
  template Vec<D> jordan_sqrt<D>(const Vec<D>&);                   \
  template Vec<D> jordan_abs<D>(const Vec<D>&);                    \
  template Vec<D> jordan_inverse<D>(const Vec<D>&);                \
  template double jordan_determinant<D>(const Vec<D>&);            \
  template Mat<D> arrow<D>(const Vec<D>&);                         \
  template Mat<D> quadratic_representation<D>(const Vec<D>&);
STICKSLIP_INSTANTIATE(2)
STICKSLIP_INSTANTIATE(3)
#undef STICKSLIP_INSTANTIATE

}  // namespace stickslip::internal
