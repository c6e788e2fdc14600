#include "dynamics/bodies/rigid_motion.hpp"

#include <Eigen/LU>

namespace stickslip::internal {

Rotation middle_rotation(const Rotation& Q, const Vector& L, const Matrix& inertia, const Matrix& inverse,
                         double h) {
  // In body axes, Q_m = Q exp(θ): J θ = (h/2) exp(−θ) P with P = Q⁻¹ L. Newton's method with the derivative
  // of exp(−θ) P by θ replaced by its value at no rotation, [exp(−θ) P]×.
  const Vector P = Q.conjugate() * L;
  const Vector explicit_half = (0.5 * h) * (inverse * P);
  // Balls and cubes turn about the axis of P.
  if (inertia == Matrix(inertia(0, 0) * Matrix::Identity()))
    return (Q * exp_rotation(explicit_half)).normalized();
  Vector theta = explicit_half;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 40; ++k) {
    const Vector turned_P = exp_rotation(-theta) * P;
    const Vector residual = inertia * theta - (0.5 * h) * turned_P;
    const Matrix derivative = inertia - (0.5 * h) * cross_matrix(turned_P);
    const Vector change = derivative.inverse() * residual;
    const double size = change.norm();
    if (!(size < last)) {  // at rounding, or diverging
      if (!(last <= 1e-12 * (1 + theta.norm()))) theta = explicit_half;
      break;
    }
    theta -= change;
    last = size;
    if (size <= 1e-17 * theta.norm()) break;
  }
  return (Q * exp_rotation(theta)).normalized();
}

}  // namespace stickslip::internal
