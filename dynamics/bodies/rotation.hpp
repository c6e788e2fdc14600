// Rotations: quaternions, rotation vectors, cross products as matrices.
#pragma once

#include <Eigen/Geometry>

#include "dynamics/shapes/vectors.hpp"
#include "stickslip/scene.hpp"

namespace stickslip::internal {

using Rotation = Eigen::Quaterniond;

/// [a]×: the matrix with [a]× b = a × b.
inline Matrix cross_matrix(const Vector& a) {
  Matrix A;
  A << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return A;
}

/// exp(θ): the rotation by |θ| about θ. Accurate to rounding for every θ, zero included.
Rotation exp_rotation(const Vector& theta);
/// The rotation vector of a unit quaternion, |θ| ≤ π.
Vector log_rotation(const Rotation& Q);

inline Rotation rotation(const Quaternion& q) { return {q[0], q[1], q[2], q[3]}; }
inline Quaternion quaternion(const Rotation& Q) { return {Q.w(), Q.x(), Q.y(), Q.z()}; }

/// The rotation of the polar decomposition F = R U, det F > 0; Newton's iteration R ← (R + R⁻ᵀ)/2.
Matrix polar_rotation(const Matrix& F);

}  // namespace stickslip::internal
