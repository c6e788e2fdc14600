// Coulomb's law, and the convex laws that are left when a part of it is frozen, as the variational inequality
//
//   r ∈ C,   F(u)·(z − r) ≥ 0 for all z ∈ C        ⇔        r = P_C(r − ρ F(u)),   ρ > 0
//
//   law         C                           F(u)        size      frozen
//   coulomb     cone ‖r_T‖ ≤ μ r_N          u + g(u)    μ         nothing, RR (40)
//   cones       cone ‖r_T‖ ≤ μ r_N          u           μ         the shift g(u), then part of q: RR (130)
//   cylinders   r_N ≥ 0, ‖r_T‖ ≤ radius     u           radius    the bound on friction, RR (129)
//
// Types for loops that know their law when they are compiled. Each has the residual r − P_C(r − F) as
// F + (z − P_C(z)), z = r − F, so that a small F is not lost beside a large r.
#pragma once

#include <algorithm>

#include "cone/project.hpp"

namespace stickslip::internal {

enum class ContactLaw { coulomb, cones, cylinders };

struct CoulombLaw {
  template <int D>
  static Vec<D> force(const Vec<D>& u, double mu) {
    return desaxce_shift<D>(u, mu);
  }
  template <int D>
  static Vec<D> project(const Vec<D>& x, double mu) {
    return project_on_cone<D>(x, mu);
  }
  template <int D>
  static Vec<D> residual(const Vec<D>& r, const Vec<D>& u, double mu) {
    return natural_residual<D>(r, u, mu);
  }
};

struct ConeLaw {
  template <int D>
  static Vec<D> force(const Vec<D>& u, double) {
    return u;
  }
  template <int D>
  static Vec<D> project(const Vec<D>& x, double mu) {
    return project_on_cone<D>(x, mu);
  }
  template <int D>
  static Vec<D> residual(const Vec<D>& r, const Vec<D>& u, double mu) {
    return shifted_residual<D>(r, u, mu);
  }
};

struct CylinderLaw {
  template <int D>
  static Vec<D> force(const Vec<D>& u, double) {
    return u;
  }
  template <int D>
  static Vec<D> project(const Vec<D>& x, double radius) {
    return project_on_cylinder<D>(x, radius);
  }
  template <int D>
  static Vec<D> residual(const Vec<D>& r, const Vec<D>& u, double radius) {
    Vec<D> gap = u, z;
    gap[0] = std::min(r[0], u[0]);
    for (int c = 1; c < D; ++c) z[c] = r[c] - u[c];
    const double t = tangent_norm<D>(z);
    if (t > radius)
      for (int c = 1; c < D; ++c) gap[c] += (t - radius) / t * z[c];
    return gap;
  }
};

/// Calls f with the type of the law.
template <class F>
auto with_law(ContactLaw law, F&& f) {
  switch (law) {
    case ContactLaw::cones:
      return f(ConeLaw{});
    case ContactLaw::cylinders:
      return f(CylinderLaw{});
    case ContactLaw::coulomb:
      break;
  }
  return f(CoulombLaw{});
}

}  // namespace stickslip::internal
