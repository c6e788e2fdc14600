#include "cone/jacobian.hpp"

#include "cone/axial.hpp"
#include "cone/project.hpp"
#include "cone/small_matrix.hpp"

namespace stickslip::internal {

template <int D>
Mat<D> cone_projection_jacobian(const Vec<D>& x, double mu) {
  const double t = tangent_norm<D>(x);
  if (mu * t <= -x[0]) return {};
  // The half line has no inside: μ = 0 belongs to the slide zone.
  if (mu > 0 && t <= mu * x[0]) return scaled_identity<D>(1);
  const double k = 1 / (1 + mu * mu);
  const double across = t > 0 ? mu * k * (x[0] + mu * t) / t : 0.0;
  return axial_matrix<D>(k, mu * k, mu * mu * k, across, unit_tangent<D>(x));
}

template <int D>
Mat<D> polar_cone_projection_jacobian(const Vec<D>& x, double mu) {
  return combine<D>(1, scaled_identity<D>(1), -1, cone_projection_jacobian<D>(x, mu));
}

template <int D>
Mat<D> dual_cone_projection_jacobian(const Vec<D>& x, double mu) {
  return polar_cone_projection_jacobian<D>(add<D>({}, -1, x), mu);
}

template <int D>
DiskJacobian<D> disk_projection_jacobian(const Vec<D - 1>& x, double radius) {
  const double t = norm<D - 1>(x);
  DiskJacobian<D> jacobian;
  // The disk of radius zero has no inside.
  if (radius > 0 && t <= radius) {
    jacobian.by_tangent = scaled_identity<D - 1>(1);
    return jacobian;
  }
  Vec<D> padded{};
  for (int i = 1; i < D; ++i) padded[i] = x[i - 1];
  const Vec<D - 1> e = unit_tangent<D>(padded);
  jacobian.by_radius = e;
  const double shrink = t > 0 ? radius / t : 0.0;
  if constexpr (D == 3)
    jacobian.by_tangent = {shrink * e[1] * e[1], -shrink * e[0] * e[1], -shrink * e[0] * e[1],
                           shrink * e[0] * e[0]};
  return jacobian;
}

template <int D>
Mat<D> cylinder_projection_jacobian(const Vec<D>& r, double radius) {
  Vec<D - 1> tangent;
  for (int i = 1; i < D; ++i) tangent[i - 1] = r[i];
  const DiskJacobian<D> disk = disk_projection_jacobian<D>(tangent, radius);
  Mat<D> m{};
  m[0] = half_line_projection_derivative(r[0]);
  for (int j = 1; j < D; ++j)
    for (int i = 1; i < D; ++i) m[i + D * j] = disk.by_tangent[(i - 1) + (D - 1) * (j - 1)];
  return m;
}

template <int D>
Mat<D> desaxce_jacobian(const Vec<D>& u, double mu) {
  Mat<D> m = scaled_identity<D>(1);
  const Vec<D - 1> e = unit_tangent<D>(u);
  for (int j = 1; j < D; ++j) m[D * j] = mu * e[j - 1];
  return m;
}

#define STICKSLIP_INSTANTIATE(D)                                                   \
  template Mat<D> cone_projection_jacobian<D>(const Vec<D>&, double);              \
  template Mat<D> polar_cone_projection_jacobian<D>(const Vec<D>&, double);        \
  template Mat<D> dual_cone_projection_jacobian<D>(const Vec<D>&, double);         \
  template DiskJacobian<D> disk_projection_jacobian<D>(const Vec<(D)-1>&, double); \
  template Mat<D> cylinder_projection_jacobian<D>(const Vec<D>&, double);          \
  template Mat<D> desaxce_jacobian<D>(const Vec<D>&, double);
STICKSLIP_INSTANTIATE(2)
STICKSLIP_INSTANTIATE(3)
#undef STICKSLIP_INSTANTIATE

}  // namespace stickslip::internal
