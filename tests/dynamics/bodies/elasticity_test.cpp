// St Venant–Kirchhoff: energy, stress and stiffness are derivatives of each other, rotations cost nothing.

#include "dynamics/elements/elasticity.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "dynamics/bodies/rotation.hpp"

namespace stickslip::internal {
namespace {

Matrix random_matrix(Random& random, double size) {
  Matrix A;
  for (int i = 0; i < 9; ++i) A.data()[i] = random.uniform(-size, size);
  return A;
}

TEST(Elasticity, StressIsTheDerivativeOfTheEnergy) {
  Random random(1);
  const Lame material = lame(3.0, 0.3);
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix F = Matrix::Identity() + random_matrix(random, 0.3), dF = random_matrix(random, 1);
    const double h = 1e-5;
    const double slope =
        (strain_energy(F + h * dF, material) - strain_energy(F - h * dF, material)) / (2 * h);
    EXPECT_NEAR(stress(F, material).cwiseProduct(dF).sum(), slope,
                1e-8);  // h² beside third derivatives of order 10
  }
}

TEST(Elasticity, StiffnessIsTheDerivativeOfTheStress) {
  Random random(2);
  const Lame material = lame(3.0, 0.3);
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix F = Matrix::Identity() + random_matrix(random, 0.3), dF = random_matrix(random, 1);
    const double h = 1e-5;
    const Matrix slope = (stress(F + h * dF, material) - stress(F - h * dF, material)) / (2 * h);
    const Eigen::Matrix<double, 9, 1> product =
        stiffness(F, material) * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(dF.data());
    EXPECT_NEAR((Eigen::Map<const Matrix>(product.data()) - slope).norm(), 0, 1e-8);
  }
}

TEST(Elasticity, RotationsCostNothing) {
  Random random(3);
  const Lame material = lame(2.0, 0.2);
  const Matrix F = Matrix::Identity() + random_matrix(random, 0.2);
  const Matrix R = exp_rotation({0.3, -1.1, 0.7}).toRotationMatrix();
  EXPECT_NEAR(strain_energy(R, material), 0, 1e-15);
  EXPECT_NEAR(strain_energy(R * F, material), strain_energy(F, material), 1e-14);
}

TEST(Elasticity, YoungsModulusIsWhatABarShows) {
  // Uniaxial stress: stretch ε along x, −ν ε across. P_xx ≈ E ε.
  const double E = 2, nu = 0.3, strain = 1e-6;
  Matrix F = Matrix::Identity();
  F.diagonal() += Vector(strain, -nu * strain, -nu * strain);
  const Matrix P = stress(F, lame(E, nu));
  EXPECT_NEAR(P(0, 0) / strain, E, 1e-5);
  EXPECT_NEAR(P(1, 1) / strain, 0, 1e-5);
}

}  // namespace
}  // namespace stickslip::internal
