// Smoothed projections and their gradients: PQN's polar projection and shift, and the spectral smoothing of
// the second-order cone used by non-interior-point methods. Instantiated for D = 2 and 3.
#pragma once

#include "cone/vec.hpp"

namespace stickslip::internal {

template <int D>
struct Smoothed {
  Vec<D> value;
  Mat<D> jacobian;
};

/// PQN (24), (31) with gradient (27), (34)–(38), normal component first: tends to z − P_K(z) as ω → 0.
///   λ₁ = (−z_N − μ‖z_T‖)/(1+μ²),  λ₂ = (‖z_T‖ − μ z_N)/(1+μ²),  gᵢ = ½(λᵢ + √(λᵢ² + 4κᵢ²ω²)),  κ = (1, μ)
///   value = (−g₁ − μ g₂,  (g₂ − μ g₁) z_T/‖z_T‖),  where (g₂ − μ g₁)/‖z_T‖ = a of (35): no division at z_T = 0
/// μ = 0: (−g₁, z_T) with the gradient diag(ġ₁, 1, 1), also at z_T = 0 (where PQN (27) prints ġ₁ I).
/// Precondition: ω > 0.
template <int D>
Smoothed<D> smoothed_polar_projection(const Vec<D>& z, double mu, double omega);

/// PQN (39): (u_N + μ(√(‖u_T‖² + ω²) − ω), u_T). Precondition: ω > 0.
template <int D>
Smoothed<D> smoothed_desaxce_shift(const Vec<D>& u, double mu, double omega);

/// P_m(z) = h(λ₁)u₁ + h(λ₂)u₂ with h(λ) = ½(λ + √(λ² + 4m²)) on the second-order cone (Fukushima, Luo, Tseng
/// 2001). x = P_m(z) and y = P_m(z) − z = P_m(−z) lie inside the cone and x∘y = m² e; tends to the projection
/// as m → 0. Precondition: m > 0.
template <int D>
Smoothed<D> smoothed_projection(const Vec<D>& z, double m);

}  // namespace stickslip::internal
