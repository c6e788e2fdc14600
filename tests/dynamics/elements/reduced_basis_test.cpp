// Reduced bases: modes of a free beam, statics of an interface, coordinates that do not feel each other.
#include "dynamics/elements/reduced_basis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/elements/step_matrix.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

constexpr double L = 20, height = 1, width = 2, young = 1e7, density = 10;

ElementModel beam() {
  return ElementModel(std::make_shared<ElementMesh>(block_mesh({L, width, height}, {20, 2, 2})),
                      {.density = density,
                       .elastic = lame(young, 0),
                       .modes = Modes::incompatible,
                       .mass = MassKind::consistent});
}

std::vector<int> end_nodes(const ElementModel& model) {
  std::vector<int> nodes;
  for (int a = 0; a < model.nodes(); ++a)
    if (std::abs(model.X()[std::size_t(a)][0]) > L / 2 - 1e-9) nodes.push_back(a);
  return nodes;
}

TEST(reduced_basis, is_orthonormal_in_the_mass_and_diagonal_in_the_stiffness) {
  const ElementModel model = beam();
  const ReducedBasis basis(model, 6, end_nodes(model));
  const Eigen::MatrixXd& Phi = basis.Phi();
  EXPECT_EQ(basis.size(),
            6 + (2 * 9 * 3 - 6) + 6);  // the constraint modes contain the motions of a rigid body
  Eigen::MatrixXd MPhi(Phi.rows(), Phi.cols());
  Eigen::VectorXd y;
  for (Eigen::Index k = 0; k < Phi.cols(); ++k) {
    model.apply_mass(Phi.col(k), y);
    MPhi.col(k) = y;
  }
  // Rounding of Gram and Schmidt, and of ω² relative to the largest.
  EXPECT_LT(
      (Phi.transpose() * MPhi - Eigen::MatrixXd::Identity(basis.size(), basis.size())).cwiseAbs().maxCoeff(),
      1e-10);
  Eigen::MatrixXd K = Phi.transpose() * (model.K() * Phi);
  K.diagonal() -= basis.squares();
  EXPECT_LT(K.cwiseAbs().maxCoeff(), 1e-10 * basis.squares().maxCoeff());
}

TEST(reduced_basis, a_free_beam_has_the_frequencies_of_the_formula) {
  // β L = 4.73004074 for the first bending of a free beam, about both axes; shear and rotary inertia divide ω² by
  // 1 + 6.585 (t/L)² − 0.868 (t/L)⁴ − 8.34 (t/L)⁴/(1 + 6.338 (t/L)²) at ν = 0 (Pickett 1945, ASTM E1876). 1 %: twenty elements.
  const ReducedBasis basis(beam(), 4, {});
  const auto slender = [](double thick) {
    const double t2 = thick * thick / (L * L),
                 shear = 1 + 6.585 * t2 - 0.868 * t2 * t2 - 8.34 * t2 * t2 / (1 + 6.338 * t2);
    return std::pow(4.73004074 / L, 2) * std::sqrt(young * thick * thick / (12 * density * shear));
  };
  ASSERT_EQ(basis.size(), 10);
  EXPECT_NEAR(std::sqrt(basis.squares()[6]) / slender(height), 1, 0.01);
  EXPECT_NEAR(std::sqrt(basis.squares()[7]) / slender(width), 1, 0.01);
}

TEST(reduced_basis, fixed_interface_modes_bring_the_free_frequencies_closer) {
  // Craig and Bampton's basis holds the free modes better with each mode: from above, by Rayleigh.
  const ElementModel model = beam();
  const double exact = ReducedBasis(model, 2, {}).squares()[6];
  double last = std::numeric_limits<double>::infinity();
  for (int modes : {0, 2, 6, 12}) {
    const double error = ReducedBasis(model, modes, end_nodes(model)).squares()[6] / exact - 1;
    EXPECT_GT(error, -1e-9);
    EXPECT_LE(error, last);
    last = error;
  }
  EXPECT_LT(last, 1e-3);
}

TEST(reduced_basis, loads_on_the_interface_deform_it_exactly) {
  // Statics of a body that floats: loads in equilibrium, and displacements up to a motion of a rigid body.
  const ElementModel model = beam();
  const std::vector<int> nodes = end_nodes(model);
  const ReducedBasis basis(model, 0, nodes);
  Eigen::VectorXd load = Eigen::VectorXd::Zero(model.rows());
  // Couples that bend, and a pull.
  for (int a : nodes) {
    const Vector& X = model.X()[std::size_t(a)];
    load[3 * a] = (X[0] > 0 ? 1 : -1) * (1 + 3 * X[2] + 2 * X[1]);
  }
  const double shift = 1e-8;  // of the mass: what makes K invertible changes nothing in equilibrium
  const StepMatrix whole(model, shift, 1, nullptr, {});
  const StepMatrix reduced(model, shift, 1, std::make_shared<ReducedBasis>(basis));
  Eigen::VectorXd x = load, y = load;
  whole.solve(x);
  reduced.solve(y);
  EXPECT_NEAR(load.dot(y) / load.dot(x), 1, 1e-8);
  // The rounding of the loads moves and turns the body, which hardly anything holds.
  Eigen::VectorXd difference = x - y;
  difference -= basis.Phi().leftCols<rigid_motions>() * basis.coordinates(difference).head<rigid_motions>();
  for (int a : nodes) EXPECT_LT(difference.segment<3>(3 * a).norm(), 1e-6 * x.lpNorm<Eigen::Infinity>());
}

TEST(reduced_basis, an_interface_must_hold_the_body) {
  const ElementModel model = beam();
  const std::vector<int> one = {0};
  try {
    ReducedBasis basis(model, 2, one);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("three nodes"));
  }
  EXPECT_THROW(ReducedBasis(model, 100000, {}), InputError);
}

}  // namespace
}  // namespace stickslip::internal
