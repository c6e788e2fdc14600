// The free motion of a rigid body: a rule of the middle point on rotations that keeps the angular momentum.
//
//   (L constant)   Q̇ = ω Q,   ω = J(Q)⁻¹ L,   J(Q) = R J_b Rᵀ
//   first half     Q_m = exp((h/2) J(Q_m)⁻¹ L⁻) Q⁻        implicit: three unknowns
//   second half    Q⁺  = exp((h/2) J(Q_m)⁻¹ L⁺) Q_m       explicit
//
// The state is the angular momentum L in world axes, so that free flight keeps it to the last bit. Symmetric in time: order
// two, and the energy error is O(h²) without trend. Impulses change L in between, with the inertia and the arms of the
// middle: so the angular velocity J(Q_m)⁻¹ L⁺ that the contact law governs is the one that moves the body on.
#pragma once

#include "dynamics/bodies/rotation.hpp"

namespace stickslip::internal {

/// The rotation at the middle of a step of length h: Q_m above. `inertia` and `inverse` are J_b and J_b⁻¹.
/// Where |ω| h is so large that the equation is not solved (beyond about 2) the explicit half step is taken.
Rotation middle_rotation(const Rotation& Q, const Vector& L, const Matrix& inertia, const Matrix& inverse,
                         double h);

/// exp(θ) Q, normalised.
inline Rotation turned(const Rotation& Q, const Vector& theta) {
  return (exp_rotation(theta) * Q).normalized();
}

/// R A Rᵀ.
inline Matrix in_world(const Matrix& R, const Matrix& A) { return R * A * R.transpose(); }

}  // namespace stickslip::internal
