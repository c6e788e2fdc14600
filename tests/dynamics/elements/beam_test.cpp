// Natural frequencies of a cantilever: the first of bending, by inverse iteration.
//
//   ω₁ = 1.8751041² √(E I/(ρ A L⁴))                               (Euler–Bernoulli)
//   with shear and rotary inertia (Timoshenko), to first order: ω₁ (1 − 1.19 … (h/L)²): at h/L = 1/20 it is 0.4 % lower
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/elements/step_matrix.hpp"

namespace stickslip::internal {
namespace {

constexpr double L = 20, height = 1, width = 2, young = 1e7, density = 10;

double first_frequency(ElementKind kind, Modes modes, const std::array<int, 3>& divisions, MassKind mass) {
  const ElementModel model(std::make_shared<ElementMesh>(block_mesh({L, width, height}, divisions, kind)),
                           {.density = density, .elastic = lame(young, 0), .modes = modes, .mass = mass});
  std::vector<char> held(std::size_t(model.rows()), 0);
  for (int a = 0; a < model.nodes(); ++a)
    if (model.X()[std::size_t(a)][0] < -L / 2 + 1e-9)
      held[std::size_t(3 * a)] = held[std::size_t(3 * a + 1)] = held[std::size_t(3 * a + 2)] = 1;
  const StepMatrix K(model, 0, 1, nullptr, held);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(model.rows()), p;
  for (int a = 0; a < model.nodes(); ++a)
    if (!held[std::size_t(3 * a)]) x[3 * a + 2] = 1;
  double omega = 0;
  for (int k = 0; k < 30; ++k) {
    model.apply_mass(x, p);
    Eigen::VectorXd y = p;
    for (Eigen::Index i = 0; i < y.size(); ++i)
      if (held[std::size_t(i)]) y[i] = 0;
    K.solve(y);
    omega = std::sqrt(x.dot(p) / y.dot(p));
    x = y / y.norm();
  }
  return omega;
}

const double slender =
    std::pow(1.8751040687, 2) * std::sqrt(young * height * height / (12 * density * std::pow(L, 4)));

TEST(beam, quadratic_tetrahedra_and_incompatible_hexahedra_are_within_one_per_cent) {
  EXPECT_NEAR(first_frequency(ElementKind::t10, Modes::none, {20, 2, 1}, MassKind::consistent) / slender, 1,
              0.01);
  EXPECT_NEAR(first_frequency(ElementKind::h8, Modes::incompatible, {20, 2, 2}, MassKind::lumped) / slender,
              1, 0.01);
  EXPECT_NEAR(
      first_frequency(ElementKind::h8, Modes::incompatible, {20, 2, 2}, MassKind::consistent) / slender, 1,
      0.01);
}

TEST(beam, plain_hexahedra_lock_and_converge_with_order_two) {
  // Elements twice as long as high bend too stiffly; halving all edges quarters the error against the fine value.
  const double exact =
      first_frequency(ElementKind::h8, Modes::incompatible, {80, 2, 8}, MassKind::consistent);
  double error[3];
  for (int level = 0; level < 3; ++level)
    error[level] =
        first_frequency(ElementKind::h8, Modes::none, {20 << level, 1, 2 << level}, MassKind::consistent) /
            exact -
        1;
  EXPECT_GT(error[0], 0.05);
  for (int level = 0; level < 2; ++level)
    EXPECT_NEAR(std::log2(error[level] / error[level + 1]), 2, 0.2) << error[level];
}

TEST(beam, incompatible_hexahedra_do_not_lock) {
  EXPECT_NEAR(
      first_frequency(ElementKind::h8, Modes::incompatible, {10, 1, 1}, MassKind::consistent) / slender, 1,
      0.01);
}

}  // namespace
}  // namespace stickslip::internal
