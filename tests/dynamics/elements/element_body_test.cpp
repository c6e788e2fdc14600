// Bodies of elements in motion: what is kept, and what the schemes do to vibrations.
#include "dynamics/elements/element_body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace stickslip::internal {
namespace {

std::shared_ptr<const ElementModel> cube(ElementKind kind, double young, double poisson, int n = 2) {
  return std::make_shared<ElementModel>(
      std::make_shared<ElementMesh>(block_mesh({0.1, 0.2, 0.3}, {n, n, n}, kind)),
      ElementMaterial{.density = 1000, .elastic = lame(young, poisson)});
}

void step(ElementBody& body, StepMatrices& matrices, const ElementStep& how,
          const Vector& gravity = Vector::Zero()) {
  Eigen::VectorXd before(body.rows()), free(body.rows()), none = Eigen::VectorXd::Zero(body.rows());
  body.begin(how, matrices, before.data());
  body.load(before.data(), gravity, Vector::Zero(), 0, none, free.data());
  body.finish(free.data(), none.data());
}

Vector angular_momentum(const ElementBody& body) {
  Eigen::VectorXd p;
  body.model().apply_mass(body.v, p);
  Vector L = Vector::Zero();
  for (Eigen::Index a = 0; a < p.size(); a += 3)
    L += Vector(body.x.segment<3>(a)).cross(Vector(p.segment<3>(a)));
  return L;
}

TEST(element_body, free_flight_keeps_momentum_and_nearly_energy) {
  for (Strain strain : {Strain::small, Strain::green})
    for (Axes axes : {Axes::body, Axes::world}) {
      if (strain == Strain::small && axes == Axes::world) continue;
      ElementBody body({.model = cube(ElementKind::h8, 1e7, 0.3), .strain = strain, .axes = axes},
                       Vector(1, 2, 3), Matrix::Identity());
      body.set_velocity({0.3, -0.2, 0.1}, {2, 5, -3});
      StepMatrices matrices;
      const double before = body.kinetic() + body.elastic();
      const Vector L = angular_momentum(body), x = body.means().x;
      const double h = 1e-4;
      for (int k = 0; k < 1000; ++k) step(body, matrices, {.h = h});
      const ElementMeans mean = body.means();
      EXPECT_LT((mean.x - x - 0.1 * Vector(0.3, -0.2, 0.1)).norm(), 1e-10);
      // Linearly implicit steps keep angular momentum to the order of the step: the tangent is not that of a rotation.
      EXPECT_LT((angular_momentum(body) - L).norm(), 2e-3 * L.norm()) << int(strain) << int(axes);
      EXPECT_NEAR((body.kinetic() + body.elastic()) / before, 1, 2e-3) << int(strain) << int(axes);
      // It has turned like a rigid body, about 0.6 rad.
      EXPECT_NEAR(std::acos((mean.R.trace() - 1) / 2), 0.1 * std::sqrt(38.0), 0.05);
    }
}

TEST(element_body, the_force_in_turning_axes_is_free_of_torque) {
  // A stretched and turned body: internal forces have no resultant.
  ElementBody body({.model = cube(ElementKind::t10, 1e7, 0.3)}, Vector::Zero(), Matrix::Identity());
  const Matrix Q = Eigen::AngleAxisd(1.1, Vector(1, 2, 3).normalized()).toRotationMatrix();
  Matrix U;
  U << 1.05, 0.02, 0.01, 0.02, 0.97, 0.03, 0.01, 0.03, 1.02;
  for (int a = 0; a < body.model().nodes(); ++a) {
    const Vector X = body.model().X()[std::size_t(a)];
    body.x.segment<3>(3 * a) = Q * U * X + 0.2 * Vector(X[1] * X[1], X[2] * X[0], X[0] * X[0]);
  }
  StepMatrices matrices;
  const Vector L = angular_momentum(body);
  const Eigen::VectorXd x = body.x;
  // In an explicit step with v = 0 the change of momentum is h f exactly.
  step(body, matrices, {.h = 1e-6, .kind = ElementStep::Kind::explicit_step});
  Eigen::VectorXd p;
  body.model().apply_mass(body.v, p);
  Vector force = Vector::Zero(), torque = Vector::Zero();
  for (Eigen::Index a = 0; a < p.size(); a += 3) {
    force += p.segment<3>(a);
    torque += Vector(x.segment<3>(a)).cross(Vector(p.segment<3>(a)));
  }
  EXPECT_EQ(L.norm(), 0);
  EXPECT_LT(force.norm(), 1e-12 * p.norm());
  EXPECT_LT(torque.norm(), 1e-12 * p.norm());
}

TEST(element_body, a_bar_vibrates_with_its_frequency_and_order_two) {
  // Free ends, ν = 0: ω = π c/L of the first longitudinal mode; 40 elements are off by 3e-4 (lumped mass lowers it).
  const double L = 1, c = 100;
  const auto model =
      std::make_shared<ElementModel>(std::make_shared<ElementMesh>(block_mesh({L, 0.02, 0.02}, {40, 1, 1})),
                                     ElementMaterial{.density = 1000, .elastic = lame(1000 * c * c, 0)});
  const double omega = std::numbers::pi * c / L * (std::sin(std::numbers::pi / 80) / (std::numbers::pi / 80));
  double error[2];
  for (int level = 0; level < 2; ++level) {
    ElementBody body({.model = model, .axes = Axes::world}, Vector::Zero(), Matrix::Identity());
    for (int a = 0; a < model->nodes(); ++a)
      body.x[3 * a] += 1e-4 * std::sin(std::numbers::pi * model->X()[std::size_t(a)][0] / L);
    StepMatrices matrices;
    const int steps = 100 << level;
    const double T = std::numbers::pi / 2 / omega, h = T / steps, start = body.elastic();
    for (int k = 0; k < steps; ++k) step(body, matrices, {.h = h});
    // After a quarter of a period all energy is kinetic; the phase error shows in what is left.
    error[level] = std::sqrt(body.elastic() / start);
    EXPECT_NEAR(body.kinetic() + body.elastic(), start,
                1e-10 * start);  // the middle-point rule keeps quadratic energies
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1) << error[0];
}

TEST(element_body, theta_above_one_half_damps_and_one_half_does_not) {
  double kept[2];
  for (int which = 0; which < 2; ++which) {
    ElementBody body({.model = cube(ElementKind::h8, 1e7, 0), .axes = Axes::world}, Vector::Zero(),
                     Matrix::Identity());
    for (int a = 0; a < body.model().nodes(); ++a) body.x[3 * a] *= 1.001;
    StepMatrices matrices;
    const double start = body.elastic();
    for (int k = 0; k < 200; ++k) step(body, matrices, {.h = 1e-4, .theta = which == 0 ? 0.5 : 0.55});
    kept[which] = (body.elastic() + body.kinetic()) / start;
  }
  EXPECT_NEAR(kept[0], 1, 1e-9);
  EXPECT_LT(kept[1], 0.9);
}

TEST(element_body, damping_takes_the_energy_that_rayleigh_says) {
  // A mode of frequency ω decays with ζ ω, ζ = (α/ω + β ω)/2; here α alone, for which every mode decays with α/2.
  ElementBody body({.model = cube(ElementKind::h8, 1e7, 0), .axes = Axes::world, .mass_damping = 10},
                   Vector::Zero(), Matrix::Identity());
  for (int a = 0; a < body.model().nodes(); ++a) body.x[3 * a] *= 1.001;
  StepMatrices matrices;
  const double start = body.elastic();
  for (int k = 0; k < 2000; ++k) step(body, matrices, {.h = 1e-5});
  EXPECT_NEAR((body.elastic() + body.kinetic()) / start, std::exp(-10 * 0.02), 0.02);
}

TEST(element_body, held_nodes_move_as_told) {
  const auto model = cube(ElementKind::h8, 1e7, 0.3);
  std::vector<char> held(std::size_t(model->rows()), 0);
  for (int a = 0; a < model->nodes(); ++a)
    if (model->X()[std::size_t(a)][2] < -0.149)
      for (int i = 0; i < 3; ++i) held[std::size_t(3 * a + i)] = 1;
  ElementBody body({.model = model, .axes = Axes::world, .stiffness_damping = 1e-2, .held = held},
                   Vector::Zero(), Matrix::Identity());
  StepMatrices matrices;
  Eigen::VectorXd before(body.rows()), free(body.rows()), none = Eigen::VectorXd::Zero(body.rows()),
                                                          told = none;
  for (int a = 0; a < model->nodes(); ++a) told[3 * a] = 0.1;
  for (int k = 0; k < 4000; ++k) {
    body.begin({.h = 1e-3}, matrices, before.data());
    body.load(before.data(), Vector::Zero(), Vector::Zero(), 0, told, free.data());
    body.finish(free.data(), none.data());
  }
  // After the vibrations have died out the whole body has the velocity of the held nodes.
  EXPECT_NEAR(body.means().v[0], 0.1, 1e-6);
  EXPECT_LT(body.elastic(), 1e-10);
}

TEST(element_body, compliance_of_the_surface_is_that_of_the_inverse) {
  ElementBody body({.model = cube(ElementKind::h8, 1e7, 0.3)}, Vector::Zero(),
                   Eigen::AngleAxisd(0.7, Vector::UnitY()).toRotationMatrix());
  StepMatrices matrices;
  Eigen::VectorXd before(body.rows());
  body.begin({.h = 1e-3}, matrices, before.data());
  const int a = body.model().boundary().nodes[3], b = body.model().boundary().nodes[7];
  Eigen::VectorXd y = Eigen::VectorXd::Zero(body.rows());
  y.segment<3>(3 * b) = Vector(1, 2, 3);
  const Eigen::VectorXd load = y;
  body.apply_inverse(y.data());
  EXPECT_LT((body.compliance(a, b) * Vector(1, 2, 3) - y.segment<3>(3 * a)).norm(), 1e-13 * y.norm());
  Eigen::VectorXd back(body.rows());
  body.apply(y.data(), back.data());
  EXPECT_LT((back - load).norm(), 1e-12 * load.norm());
}

}  // namespace
}  // namespace stickslip::internal
