#include "dynamics/bodies/rotation.hpp"

#include <gtest/gtest.h>

#include "dynamics/bodies/rigid_motion.hpp"

namespace stickslip::internal {
namespace {

TEST(Rotation, ExponentialAndLogarithmAreInverse) {
  for (const Vector& theta : {Vector(0, 0, 0), Vector(1e-9, -2e-9, 0), Vector(1e-3, 2e-4, 0),
                              Vector(0.5, -1, 2), Vector(3, 0.1, 0)})
    EXPECT_NEAR((log_rotation(exp_rotation(theta)) - theta).norm(), 0, 1e-14 * (1 + theta.norm()));
}

TEST(Rotation, PolarDecompositionGivesTheRotation) {
  const Matrix R = exp_rotation({0.4, 1.0, -0.6}).toRotationMatrix();
  Matrix U;
  U << 1.2, 0.1, 0, 0.1, 0.9, 0.05, 0, 0.05, 1.1;
  EXPECT_NEAR((polar_rotation(R * U) - R).norm(), 0, 1e-14);
}

TEST(RigidMotion, TheMiddleSolvesItsEquation) {
  Matrix J = Vector(1, 2, 4).asDiagonal();
  J(0, 1) = J(1, 0) = 0.3;
  const Matrix inverse = J.inverse();
  const Rotation Q = exp_rotation({0.3, 0.2, -0.9});
  const Vector L(3, -2, 5);
  for (double h : {1e-3, 0.1, 0.5}) {
    const Rotation middle = middle_rotation(Q, L, J, inverse, h);
    const Vector omega = in_world(middle.toRotationMatrix(), inverse) * L;
    const Rotation expected = turned(Q, 0.5 * h * omega);
    EXPECT_NEAR((middle.coeffs() - expected.coeffs()).norm(), 0, 1e-14) << h;
  }
}

TEST(RigidMotion, IsReversible) {
  // A step forwards and one backwards end where they began: the rule is symmetric.
  const Matrix J = Vector(1, 2, 4).asDiagonal(), inverse = J.inverse();
  const Rotation Q = exp_rotation({0.3, 0.2, -0.9});
  const Vector L(3, -2, 5);
  const auto step = [&](const Rotation& from, double h) {
    const Rotation middle = middle_rotation(from, L, J, inverse, h);
    return turned(middle, 0.5 * h * (in_world(middle.toRotationMatrix(), inverse) * L));
  };
  const Rotation back = step(step(Q, 0.05), -0.05);
  EXPECT_NEAR((back.coeffs() - Q.coeffs()).norm(), 0, 1e-14);
}

}  // namespace
}  // namespace stickslip::internal
