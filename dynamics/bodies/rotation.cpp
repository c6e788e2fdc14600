#include "dynamics/bodies/rotation.hpp"

#include <Eigen/LU>
#include <cmath>

namespace stickslip::internal {

Rotation exp_rotation(const Vector& theta) {
  const double half = 0.5 * theta.norm();
  // sin(x)/x by its series near 0, where the quotient is 0/0.
  const double square = half * half;
  const double sinc = half < 1e-4 ? 1 - square / 6 * (1 - square / 20) : std::sin(half) / half;
  const Vector v = (0.5 * sinc) * theta;
  return {std::cos(half), v[0], v[1], v[2]};
}

Vector log_rotation(const Rotation& Q) {
  const double sign = Q.w() < 0 ? -1 : 1;
  const Vector v = sign * Q.vec();
  const double sine = v.norm(), half = std::atan2(sine, sign * Q.w());
  return sine < 1e-8 ? Vector(2 * v) : Vector((2 * half / sine) * v);
}

Matrix polar_rotation(const Matrix& F) {
  Matrix R = F;
  for (int k = 0; k < 60; ++k) {
    const Matrix next = 0.5 * (R + R.inverse().transpose());
    const double change = (next - R).cwiseAbs().maxCoeff();
    R = next;
    if (change < 1e-15) break;
  }
  return R;
}

}  // namespace stickslip::internal
