// The friction cone K = { r : ‖r_T‖ ≤ μ r_N }, its dual K* = { û : μ‖û_T‖ ≤ û_N }, disk and cylinder:
// projections, and the De Saxcé shift; inline for the hot loops.
#pragma once

#include <cmath>

#include "cone/vec.hpp"

namespace stickslip::internal {

/// ‖x_T‖.
template <int D>
inline double tangent_norm(const Vec<D>& x) {
  if constexpr (D == 2)
    return std::abs(x[1]);
  else
    return std::sqrt(x[1] * x[1] + x[2] * x[2]);
}

/// Projects x onto the friction cone K.
///
///   μ‖x_T‖ ≤ −x_N :  0                                              (polar cone: take-off)
///   ‖x_T‖ ≤ μ x_N :  x                                              (inside: stick)
///   otherwise     :  r_N = (x_N + μ‖x_T‖)/(1 + μ²), r_T = μ r_N x_T/‖x_T‖     (slide)
///
/// Take-off is asked first: for μ = 0 and x_T = 0 the second test holds for x_N < 0 too. Non-expansive,
/// idempotent up to rounding. μ = 0 gives the half line. Precondition: μ ≥ 0, finite.
template <int D>
inline Vec<D> project_on_cone(const Vec<D>& x, double mu) {
  const double t = tangent_norm<D>(x);
  if (mu * t <= -x[0]) return {};
  if (t <= mu * x[0]) return x;
  Vec<D> p;
  p[0] = (x[0] + mu * t) / (1 + mu * mu);
  const double scale = t > 0 ? mu * p[0] / t : 0.0;
  for (int i = 1; i < D; ++i) p[i] = scale * x[i];
  return p;
}

/// Projects x onto the polar cone −K*: x − P_K(x), Moreau's decomposition.
template <int D>
inline Vec<D> project_on_polar_cone(const Vec<D>& x, double mu) {
  Vec<D> p = project_on_cone<D>(x, mu);
  for (int i = 0; i < D; ++i) p[i] = x[i] - p[i];
  return p;
}

/// Projects x onto the dual cone K*: x + P_K(−x). μ = 0 gives the half space x_N ≥ 0.
template <int D>
inline Vec<D> project_on_dual_cone(const Vec<D>& x, double mu) {
  Vec<D> minus;
  for (int i = 0; i < D; ++i) minus[i] = -x[i];
  Vec<D> p = project_on_cone<D>(minus, mu);
  for (int i = 0; i < D; ++i) p[i] += x[i];
  return p;
}

/// max(0, x).
inline double project_on_half_line(double x) { return x > 0 ? x : 0.0; }

/// Projects r onto { r_N ≥ 0, ‖r_T‖ ≤ radius }, the set of Tresca's friction. Precondition: radius ≥ 0.
template <int D>
inline Vec<D> project_on_cylinder(Vec<D> r, double radius) {
  r[0] = project_on_half_line(r[0]);
  const double t = tangent_norm<D>(r);
  if (t > radius)
    for (int i = 1; i < D; ++i) r[i] *= radius / t;
  return r;
}

/// Projects the tangent x (D − 1 numbers) onto the disk ‖x‖ ≤ radius. Precondition: radius ≥ 0.
template <int D>
inline Vec<D - 1> project_on_disk(Vec<D - 1> x, double radius) {
  double t = 0;
  for (double component : x) t += component * component;
  t = std::sqrt(t);
  if (t > radius)
    for (double& component : x) component *= radius / t;
  return x;
}

/// û = u + g(u), g(u) = (μ‖u_T‖, 0, 0).
template <int D>
inline Vec<D> desaxce_shift(Vec<D> u, double mu) {
  u[0] += mu * tangent_norm<D>(u);
  return u;
}

/// The natural map r − P_K(r − û), ρ = 1, as û + (z − P_K(z)) with z = r − û: a small û is not lost beside a
/// large r.
///
///   z in the polar cone :  r          z ∈ K :  û
///   otherwise           :  û + (‖z_T‖ − μ z_N)/(1 + μ²) · (−μ, z_T/‖z_T‖)
template <int D>
inline Vec<D> shifted_residual(const Vec<D>& r, Vec<D> residual, double mu) {
  Vec<D> z;
  for (int i = 0; i < D; ++i) z[i] = r[i] - residual[i];
  const double t = tangent_norm<D>(z);
  if (mu * t <= -z[0]) return r;
  if (t <= mu * z[0]) return residual;
  const double outside = (t - mu * z[0]) / (1 + mu * mu);
  residual[0] -= mu * outside;
  for (int i = 1; i < D; ++i) residual[i] += outside / t * z[i];
  return residual;
}

/// The same from u.
template <int D>
inline Vec<D> natural_residual(const Vec<D>& r, const Vec<D>& u, double mu) {
  return shifted_residual<D>(r, desaxce_shift<D>(u, mu), mu);
}

}  // namespace stickslip::internal
