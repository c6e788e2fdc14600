#include "cone/nesterov_todd.hpp"

#include <cmath>

#include "cone/axial.hpp"
#include "cone/jordan.hpp"
#include "cone/project.hpp"
#include "cone/small_matrix.hpp"

namespace stickslip::internal {
namespace {

/// factor·(2p̄p̄ᵀ − J) for p̄ = (n, t e), det p̄ = 1.
template <int D>
Mat<D> scaling(double factor, double n, double t, const Vec<D - 1>& e) {
  return axial_matrix<D>(factor * (n * n + t * t), factor * 2 * n * t, factor * (n * n + t * t), factor, e);
}

/// Its square root, factor·[ n  t eᵀ ; t e  I + t² e eᵀ/(1+n) ], where 1 + t²/(1+n) = n.
template <int D>
Mat<D> scaling_root(double factor, double n, double t, const Vec<D - 1>& e) {
  return axial_matrix<D>(factor * n, factor * t, factor * n, factor, e);
}

}  // namespace

template <int D>
NesterovTodd<D> nesterov_todd(const Vec<D>& x, const Vec<D>& y) {
  const double root_x = std::sqrt(jordan_determinant<D>(x)), root_y = std::sqrt(jordan_determinant<D>(y));
  const double eta = root_y / root_x, root_eta = std::sqrt(eta);
  const double gamma = std::sqrt(2 * (1 + dot<D>(x, y) / root_x / root_y));
  Vec<D> p;
  for (int i = 1; i < D; ++i) p[i] = (y[i] / root_y - x[i] / root_x) / gamma;
  const double t = tangent_norm<D>(p);
  // det p̄ = 1 to the last digit, so that the inverses are inverses.
  p[0] = std::hypot(1, t);
  const Vec<D - 1> e = unit_tangent<D>(p);

  NesterovTodd<D> nt;
  nt.point = add<D>({}, root_eta, p);
  nt.F = scaling<D>(eta, p[0], t, e);
  nt.F_inverse = scaling<D>(1 / eta, p[0], -t, e);
  nt.F_root = scaling_root<D>(root_eta, p[0], t, e);
  nt.F_root_inverse = scaling_root<D>(1 / root_eta, p[0], -t, e);
  return nt;
}

template <int D>
NesterovToddAxis<D> nesterov_todd_axis(const Vec<D>& x, const Vec<D>& y, double det_x, double det_y,
                                       double xy) {
  const double root_x = std::sqrt(det_x), root_y = std::sqrt(det_y);
  const double gamma = std::sqrt(2 * (1 + xy / root_x / root_y));
  Vec<D> p{};
  for (int i = 1; i < D; ++i) p[i] = (y[i] / root_y - x[i] / root_x) / gamma;
  const double t = tangent_norm<D>(p);
  return {root_y / root_x, t + std::hypot(1, t), unit_tangent<D>(p)};
}

template NesterovToddAxis<2> nesterov_todd_axis<2>(const Vec<2>&, const Vec<2>&, double, double, double);
template NesterovToddAxis<3> nesterov_todd_axis<3>(const Vec<3>&, const Vec<3>&, double, double, double);
template NesterovTodd<2> nesterov_todd<2>(const Vec<2>&, const Vec<2>&);
template NesterovTodd<3> nesterov_todd<3>(const Vec<3>&, const Vec<3>&);

}  // namespace stickslip::internal
