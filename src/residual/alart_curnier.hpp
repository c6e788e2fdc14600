// The Alart–Curnier and Jean–Moreau maps, inline for local Newton solvers.
//
//   Φ_N = r_N − (r_N − ρ_N u_N)₊
//   Φ_T = r_T − P_{D(R)}(r_T − ρ_T u_T),   R = μ (r_N − ρ_N u_N)₊   Alart–Curnier, RR (62)–(63)
//                                          R = μ (r_N)₊             Jean–Moreau,   RR (60)–(61)
//
// Jacobians: RR (160)–(170), corrected: with d_T = r_T − ρ_T u_T, e = d_T/‖d_T‖, Γ = (I − e eᵀ)/‖d_T‖
//
//   stick (‖d_T‖ ≤ R)    Φ_T,u = ρ_T I
//   slide (‖d_T‖ > R)    Φ_T,r_T = I − RΓ,  Φ_T,u_T = ρ_T RΓ,  Φ_T,r_N = −μe,  Φ_T,u_N = μρ_N e (Jean–Moreau: 0)
//   take-off (R = 0)     Φ_T,r = I
//
// Ties belong to stick and to take-off.
#pragma once

#include "cone/project.hpp"
#include "cone/vec.hpp"

namespace stickslip::internal {

/// A map Φ(u, r) and one element (Φ_u, Φ_r) of its generalised Jacobian; the Newton matrix is Φ_r + Φ_u W.
template <int D>
struct MapValue {
  Vec<D> value{};
  Mat<D> by_u{}, by_r{};
};

namespace detail {

/// The tangential rows for a disk of radius R ≥ 0 with the slopes ∂R/∂r_N, ∂R/∂u_N (used where R > 0).
template <int D>
inline void disk_map(MapValue<D>& phi, const Vec<D>& u, const Vec<D>& r, double R, double R_r, double R_u,
                     double rho_T) {
  if (!(R > 0)) {
    for (int i = 1; i < D; ++i) {
      phi.value[i] = r[i];
      phi.by_r[i + D * i] = 1;
    }
    return;
  }
  Vec<D> d;
  for (int i = 1; i < D; ++i) d[i] = r[i] - rho_T * u[i];
  const double t = tangent_norm<D>(d);
  if (t <= R) {
    for (int i = 1; i < D; ++i) {
      phi.value[i] = rho_T * u[i];
      phi.by_u[i + D * i] = rho_T;
    }
    return;
  }
  const double shrink = R / t;
  for (int i = 1; i < D; ++i) {
    const double e_i = d[i] / t;
    phi.value[i] = r[i] - shrink * d[i];
    phi.by_r[i] = -R_r * e_i;
    phi.by_u[i] = -R_u * e_i;
    if constexpr (D == 2) {
      phi.by_r[3] = 1;
    } else {
      for (int j = 1; j < D; ++j) {
        const double R_gamma = shrink * ((i == j ? 1 : 0) - e_i * (d[j] / t));
        phi.by_r[i + D * j] = (i == j ? 1 : 0) - R_gamma;
        phi.by_u[i + D * j] = rho_T * R_gamma;
      }
    }
  }
}

/// The normal row; returns r_N − ρ_N u_N.
template <int D>
inline double half_line_map(MapValue<D>& phi, const Vec<D>& u, const Vec<D>& r, double rho_N) {
  const double d = r[0] - rho_N * u[0];
  if (d > 0) {
    phi.value[0] = rho_N * u[0];
    phi.by_u[0] = rho_N;
  } else {
    phi.value[0] = r[0];
    phi.by_r[0] = 1;
  }
  return d;
}

/// r_T − P_{D(R)}(r_T − ρ_T u_T) into the tangent of `value`.
template <int D>
inline void disk_residual(Vec<D>& value, const Vec<D>& u, const Vec<D>& r, double R, double rho_T) {
  Vec<D> d;
  for (int i = 1; i < D; ++i) d[i] = r[i] - rho_T * u[i];
  const double t = tangent_norm<D>(d);
  const double shrink = t <= R ? 1.0 : R / t;
  for (int i = 1; i < D; ++i) value[i] = r[i] - shrink * d[i];
}

}  // namespace detail

/// Precondition of all: μ ≥ 0, ρ_N > 0, ρ_T > 0.
template <int D>
inline MapValue<D> alart_curnier(const Vec<D>& u, const Vec<D>& r, double mu, double rho_N, double rho_T) {
  MapValue<D> phi;
  const double d = detail::half_line_map<D>(phi, u, r, rho_N);
  detail::disk_map<D>(phi, u, r, mu * project_on_half_line(d), mu, -mu * rho_N, rho_T);
  return phi;
}

template <int D>
inline MapValue<D> jean_moreau(const Vec<D>& u, const Vec<D>& r, double mu, double rho_N, double rho_T) {
  MapValue<D> phi;
  detail::half_line_map<D>(phi, u, r, rho_N);
  detail::disk_map<D>(phi, u, r, mu * project_on_half_line(r[0]), mu, 0, rho_T);
  return phi;
}

/// The residuals alone, for line searches.
template <int D>
inline Vec<D> alart_curnier_residual(const Vec<D>& u, const Vec<D>& r, double mu, double rho_N,
                                     double rho_T) {
  Vec<D> value;
  const double d = project_on_half_line(r[0] - rho_N * u[0]);
  value[0] = r[0] - d;
  detail::disk_residual<D>(value, u, r, mu * d, rho_T);
  return value;
}

template <int D>
inline Vec<D> jean_moreau_residual(const Vec<D>& u, const Vec<D>& r, double mu, double rho_N, double rho_T) {
  Vec<D> value;
  value[0] = r[0] - project_on_half_line(r[0] - rho_N * u[0]);
  detail::disk_residual<D>(value, u, r, mu * project_on_half_line(r[0]), rho_T);
  return value;
}

}  // namespace stickslip::internal
