// One element of the B-subdifferential of each projection and of the De Saxcé shift.
//
// Where the map is smooth the element is its Jacobian. On a kink it is the limit from one side, always the
// same: from the inside of the set for a set's own boundary, from the inside of the polar cone for that
// cone's boundary (so the apex of K gives 0), and along the first tangent axis where only a direction is
// missing (x_T = 0). Finite for every finite argument. Instantiated for D = 2 and 3.
#pragma once

#include "cone/vec.hpp"

namespace stickslip::internal {

/// ∂P_K(x): I inside K, 0 in the polar cone; on the slide zone, with e = x_T/‖x_T‖ (RR (149)–(152),
/// corrected),
///   ∂_N P = (1, μe)/(1+μ²),  ∂_T P_N = μ eᵀ/(1+μ²),
///   ∂_T P_T = μ/((1+μ²)‖x_T‖) · [ (x_N + μ‖x_T‖) I − x_N e eᵀ ].
/// μ = 0: diag(1, 0, 0) for x_N > 0.
template <int D>
Mat<D> cone_projection_jacobian(const Vec<D>& x, double mu);

/// ∂P_{−K*}(x) = I − ∂P_K(x).
template <int D>
Mat<D> polar_cone_projection_jacobian(const Vec<D>& x, double mu);

/// ∂P_{K*}(x) = I − ∂P_K(−x).
template <int D>
Mat<D> dual_cone_projection_jacobian(const Vec<D>& x, double mu);

/// 1 for x > 0, 0 otherwise.
inline double half_line_projection_derivative(double x) { return x > 0 ? 1.0 : 0.0; }

/// The derivatives of the projection of a tangent on the disk of radius R: by the tangent (I inside,
/// R (I/‖x‖ − xxᵀ/‖x‖³) outside) and by the radius (0 inside, x/‖x‖ outside).
template <int D>
struct DiskJacobian {
  Mat<D - 1> by_tangent{};
  Vec<D - 1> by_radius{};
};
template <int D>
DiskJacobian<D> disk_projection_jacobian(const Vec<D - 1>& x, double radius);

/// By r, the radius being fixed.
template <int D>
Mat<D> cylinder_projection_jacobian(const Vec<D>& r, double radius);

/// ∂û/∂u = I + N sᵀ with s = μ u_T/‖u_T‖ (μ times the first axis where u_T = 0).
template <int D>
Mat<D> desaxce_jacobian(const Vec<D>& u, double mu);

}  // namespace stickslip::internal
