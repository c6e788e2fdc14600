#include "cone/smoothing.hpp"

#include <cmath>

#include "cone/axial.hpp"
#include "cone/project.hpp"
#include "cone/small_matrix.hpp"

namespace stickslip::internal {
namespace {

/// h(λ) = ½(λ + √(λ² + 4m²)), a smooth max(0, λ), for m ≥ 0.
struct SmoothMax {
  double root, value, slope;
  SmoothMax(double lambda, double m)
      : root(std::hypot(lambda, 2 * m)),
        // For λ < 0 the conjugate form keeps the digits.
        value(lambda > 0 ? 0.5 * (lambda + root) : (root > 0 ? 2 * m / (root - lambda) * m : 0.0)),
        slope(root > 0 ? 0.5 * (1 + lambda / root) : 0.5) {}
};

}  // namespace

template <int D>
Smoothed<D> smoothed_polar_projection(const Vec<D>& z, double mu, double omega) {
  const double t = tangent_norm<D>(z), k = 1 / (1 + mu * mu);
  const double lambda_1 = -k * (z[0] + mu * t), lambda_2 = k * (t - mu * z[0]);
  const SmoothMax g_1(lambda_1, omega), g_2(lambda_2, mu * omega);
  // μ = 0 leaves the tangent alone: ġ₂ = a = 1 for every ‖z_T‖ > 0, and by continuity at 0.
  const double slope_2 = mu > 0 ? g_2.slope : 1.0;
  const double a = mu > 0 ? 0.5 * (1 + (lambda_2 + mu * lambda_1) / (g_2.root + mu * g_1.root)) : 1.0;
  const double b = k * (mu * mu * g_1.slope + slope_2);
  const double c = k * mu * (g_1.slope - slope_2);
  const double d = k * (g_1.slope + mu * mu * slope_2);

  Smoothed<D> p;
  p.value = add<D>({}, a, z);
  p.value[0] = -g_1.value - mu * g_2.value;
  p.jacobian = axial_matrix<D>(d, c, b, a, unit_tangent<D>(z));
  return p;
}

template <int D>
Smoothed<D> smoothed_desaxce_shift(const Vec<D>& u, double mu, double omega) {
  const double t = tangent_norm<D>(u), root = std::hypot(t, omega);
  Smoothed<D> p{u, scaled_identity<D>(1)};
  // √(t² + ω²) − ω without cancellation for t ≪ ω.
  p.value[0] += mu * t * (t / (root + omega));
  for (int j = 1; j < D; ++j) p.jacobian[D * j] = mu * u[j] / root;
  return p;
}

template <int D>
Smoothed<D> smoothed_projection(const Vec<D>& z, double m) {
  const double t = tangent_norm<D>(z);
  const SmoothMax h_1(z[0] - t, m), h_2(z[0] + t, m);
  // (h₂ − h₁)/(λ₂ − λ₁), the mean slope, in the form that has no 0/0.
  const double mean = 0.5 * (1 + 2 * z[0] / (h_1.root + h_2.root));

  Smoothed<D> p;
  p.value = add<D>({}, mean, z);
  p.value[0] = 0.5 * (h_1.value + h_2.value);
  const double sum = 0.5 * (h_1.slope + h_2.slope), difference = 0.5 * (h_2.slope - h_1.slope);
  p.jacobian = axial_matrix<D>(sum, difference, sum, mean, unit_tangent<D>(z));
  return p;
}

#define STICKSLIP_INSTANTIATE(D)                                                    \
  template Smoothed<D> smoothed_polar_projection<D>(const Vec<D>&, double, double); \
  template Smoothed<D> smoothed_desaxce_shift<D>(const Vec<D>&, double, double);    \
  template Smoothed<D> smoothed_projection<D>(const Vec<D>&, double);
STICKSLIP_INSTANTIATE(2)
STICKSLIP_INSTANTIATE(3)
#undef STICKSLIP_INSTANTIATE

}  // namespace stickslip::internal
