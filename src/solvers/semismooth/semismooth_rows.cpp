#include "solvers/semismooth/semismooth_rows.hpp"

#include <algorithm>
#include <cmath>

#include "cone/project.hpp"

namespace stickslip::internal {
namespace {

/// d_T has no direction where it is less than this part of the radius: e would not be finite.
constexpr double least_part = 1e-100;

/// Row i: W_ii δr_i = −W_ii r_i.
template <int D>
void vanish(SemismoothRows<D>& rows, const SemismoothContact<D>& c, int i) {
  rows.by_r[i + D * i] = c.diagonal[i];
  rows.right[i] = -c.diagonal[i] * c.r[i];
}

}  // namespace

template <int D>
SemismoothRows<D> semismooth_rows(Linearisation linearisation, const SemismoothContact<D>& c) {
  SemismoothRows<D> rows;
  const double d_N = c.r[0] - c.rho * c.U[0];
  Vec<D> d{};
  for (int i = 1; i < D; ++i) d[i] = c.r[i] - c.rho * c.U[i];
  const double t = tangent_norm<D>(d);
  const bool fixed = linearisation == Linearisation::fix, hybrid = linearisation == Linearisation::hyb;
  const double radius = c.mu * (fixed ? c.bound : d_N), threshold = hybrid ? c.mu * c.r[0] : radius;
  if (c.closed || fixed || hybrid)
    rows.state = t < threshold ? SemismoothState::stick : SemismoothState::slip;
  if (c.closed) {
    rows.by_u[0] = 1;
    rows.right[0] = -c.U[0] - c.T[0];
  } else {
    vanish<D>(rows, c, 0);
  }
  rows.vanish = !c.closed && (c.open == OpenStick::vanish || rows.state != SemismoothState::stick);

  if (rows.vanish || linearisation == Linearisation::unil || c.mu == 0) {
    for (int i = 1; i < D; ++i) vanish<D>(rows, c, i);
  } else if (rows.state == SemismoothState::stick) {
    const double slope = linearisation == Linearisation::newt ? 1 / d_N : 0.0;
    for (int i = 1; i < D; ++i) {
      rows.by_u[i + D * i] = 1;
      rows.by_r[i] = slope * c.U[i];
      rows.right[i] = -(1 + slope * c.rho * c.U[0]) * c.U[i] - c.T[i];
    }
  } else if (!(radius > 0) || !(t > least_part * radius)) {
    for (int i = 1; i < D; ++i) vanish<D>(rows, c, i);
  } else {
    const double e = radius / t, inside = std::max(radius, tangent_norm<D>(c.r));
    for (int i = 1; i < D; ++i) {
      const double w = c.diagonal[i], v = d[i] / t;
      double pushed = 0;  // (M T_T)_i
      for (int j = 1; j < D; ++j) {
        const double m = e * ((i == j) - c.r[i] / inside * (d[j] / t));
        rows.by_u[i + D * j] = w * c.rho * m;
        rows.by_r[i + D * j] = w * ((i == j) - m);
        pushed += m * c.T[j];
      }
      rows.by_r[i] = fixed ? 0.0 : -w * c.mu * v;
      rows.right[i] = w * (c.mu * v * (fixed ? c.bound : c.r[0]) - c.r[i] - c.rho * pushed);
    }
  }
  return rows;
}

template SemismoothRows<2> semismooth_rows<2>(Linearisation, const SemismoothContact<2>&);
template SemismoothRows<3> semismooth_rows<3>(Linearisation, const SemismoothContact<3>&);

}  // namespace stickslip::internal
