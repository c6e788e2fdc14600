// What users of other systems complain about, each as a test. Creep, headings, capstan, mass ratios, elastic bounces and gyroscopic terms are
// among the validation problems (B1, B2, E6, E2, D1, A2), pegs and margins among the tests of detection.

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>

#include "stickslip/errors.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

using ::testing::HasSubstr;

Scene stack(int boxes, double step = 1e-3) {
  Scene scene{.step = step};
  scene.add_fixed(Plane{});
  for (int k = 0; k < boxes; ++k)
    scene.add_rigid(Box{0.2, 0.2, 0.1}, {.mass = 1.0, .position = {0, 0, 0.05 + 0.1 * k}});
  return scene;
}

TEST(Complaints, ContactForcesCarryTheWeight) {
  Simulation simulation(stack(5));
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(simulation.step());
  Point sum = {0, 0, 0};
  for (const TouchingPoint& c : simulation.contacts())
    if (c.body[0] == 0)
      for (std::size_t d = 0; d < 3; ++d) sum[d] += c.impulse[d] / 1e-3;
  // The solver's share: 1e-12 of the velocities a step brings; the rest is rounding of five masses.
  EXPECT_NEAR(sum[2], 5 * 9.81, 1e-10 * 5 * 9.81);
  // Nothing pushes sideways: zero to 1e-9 of the weight.
  EXPECT_NEAR(sum[0], 0, 1e-9 * 5 * 9.81);
  EXPECT_NEAR(sum[1], 0, 1e-9 * 5 * 9.81);
}

TEST(Complaints, ForcesBelongToTheStepThatMadeThem) {
  // A box that is taken off the floor has no contact force left in that very step.
  Simulation simulation(stack(1));
  ASSERT_TRUE(simulation.step());
  EXPECT_EQ(simulation.contacts().size(), 4u);
  simulation.apply_force(1, {0, 0, 20});
  ASSERT_TRUE(simulation.step());
  for (const TouchingPoint& c : simulation.contacts()) {
    EXPECT_EQ(c.impulse, (Point{0, 0, 0}));
    EXPECT_EQ(c.status, ContactStatus::open);
  }
  ASSERT_TRUE(simulation.step());
  double sum = 0;
  for (const TouchingPoint& c : simulation.contacts()) sum += c.impulse[2];
  EXPECT_GE(sum, 0);
  EXPECT_GT(simulation.velocity(1)[2], 0);
}

TEST(Complaints, FacesTouchByWholePolygons) {
  // Two bricks crosswise: the polygon is a square of 0.1, and its corners are the contact points.
  Scene scene;
  scene.add_fixed(Box{0.3, 0.1, 0.1}, {.position = {0, 0, 0}});
  const auto upper = scene.add_rigid(Box{0.1, 0.3, 0.1}, {.mass = 1.0, .position = {0, 0, 0.1}});
  Simulation simulation(scene);
  ASSERT_TRUE(simulation.step());
  ASSERT_EQ(simulation.contacts().size(), 4u);
  for (const TouchingPoint& c : simulation.contacts()) {
    EXPECT_NEAR(std::abs(c.point[0]), 0.05, 1e-12);
    EXPECT_NEAR(std::abs(c.point[1]), 0.05, 1e-12);
    EXPECT_EQ(c.body[1], upper);
  }
}

TEST(Complaints, SpheresKeepTheirContacts) {
  // Three balls in a column, held by a box around them: the same keys for a thousand steps, and no sinking.
  Scene scene{.contact = {.friction = 0.5}};
  scene.add_fixed(Plane{});
  for (int k = 0; k < 3; ++k) scene.add_rigid(Sphere{0.1}, {.mass = 1.0, .position = {0, 0, 0.1 + 0.2 * k}});
  Simulation simulation(scene);
  ASSERT_TRUE(simulation.step());
  std::set<std::uint64_t> first;
  for (const TouchingPoint& c : simulation.contacts()) first.insert(c.key);
  ASSERT_EQ(first.size(), 3u);
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(simulation.step());
    ASSERT_EQ(simulation.contacts().size(), 3u);
    for (const TouchingPoint& c : simulation.contacts()) ASSERT_TRUE(first.count(c.key)) << k;
  }
  EXPECT_LT(simulation.counters().penetration_max, 1e-12);  // a thousand steps of rounding
  EXPECT_NEAR(simulation.position(3)[2], 0.5, 1e-11);
}

TEST(Complaints, AStackComesToRestAndStays) {
  // Dropped from 1 mm each: kinetic energy falls to what the solver's tolerance leaves.
  Scene scene{.step = 1e-3};
  scene.add_fixed(Plane{});
  for (int k = 0; k < 10; ++k)
    scene.add_rigid(Box{0.2, 0.2, 0.1}, {.mass = 1.0, .position = {0, 0, 0.051 + 0.101 * k}});
  Simulation simulation(scene);
  ASSERT_TRUE(simulation.run(0.5));
  EXPECT_EQ(simulation.counters().unconverged, 0);
  EXPECT_LT(simulation.kinetic(), 1e-16);
  const Point top = simulation.position(10);
  ASSERT_TRUE(simulation.run(0.5));
  EXPECT_NEAR(simulation.position(10)[2], top[2], 1e-10);
  EXPECT_NEAR(simulation.position(10)[0], 0, 1e-10);
}

TEST(Complaints, PenetrationStaysBounded) {
  // A ball that rolls on for 1e4 steps sinks in by no more than rounding.
  Scene scene{.contact = {.friction = 0.5}};
  scene.add_fixed(Plane{});
  scene.add_rigid(Sphere{0.1}, {.mass = 1.0, .position = {0, 0, 0.1}, .velocity = {1, 0, 0}});
  Simulation simulation(scene);
  ASSERT_TRUE(simulation.run(10));
  EXPECT_LT(simulation.counters().penetration_max, 1e-11);
  EXPECT_NEAR(simulation.velocity(1)[0], 5.0 / 7, 1e-6);
}

TEST(Complaints, AFastBodyIsWarnedOf) {
  Scene scene;
  scene.add_fixed(Plane{});
  scene.add_rigid(Box{0.1, 0.1, 0.01},
                  {.name = "plate", .mass = 1.0, .position = {0, 0, 1}, .velocity = {0, 0, -50}});
  Simulation simulation(scene);
  ASSERT_TRUE(simulation.step());
  ASSERT_EQ(simulation.messages().size(), 1u);
  EXPECT_THAT(simulation.messages()[0], HasSubstr("body 'plate' moves"));
}

TEST(Complaints, AStateThatIsNotFiniteEndsTheRunAndKeepsTheLastOne) {
  Simulation simulation(stack(1));
  ASSERT_TRUE(simulation.step());
  const Point before = simulation.position(1);
  simulation.apply_force(1, {std::numeric_limits<double>::infinity(), 0, 0});
  EXPECT_FALSE(simulation.step());
  EXPECT_EQ(simulation.steps(), 1);
  EXPECT_EQ(simulation.position(1), before);
  ASSERT_FALSE(simulation.messages().empty());
  EXPECT_THAT(simulation.messages().back(), HasSubstr("not finite"));
}

Scene unsolvable_in_time(OnFailure policy) {
  // One sweep cannot solve a stack of twenty.
  Scene scene = stack(20);
  scene.solver = {.name = "gs(islands=off)", .tolerance = 1e-14, .time_limit = 1e-6, .on_failure = policy};
  return scene;
}

TEST(Complaints, AStepThatFailsIsCountedAndTheRunGoesOn) {
  Simulation simulation(unsolvable_in_time(OnFailure::proceed));
  EXPECT_TRUE(simulation.step());
  EXPECT_TRUE(simulation.step());
  EXPECT_EQ(simulation.counters().unconverged, 2);
  EXPECT_FALSE(simulation.report().converged);
  for (BodyIndex b = 1; b <= 20; ++b) EXPECT_TRUE(std::isfinite(simulation.position(b)[2]));
}

TEST(Complaints, AStepThatFailsStopsTheRunWhereAsked) {
  Simulation simulation(unsolvable_in_time(OnFailure::stop));
  const Point before = simulation.position(20);
  EXPECT_FALSE(simulation.step());
  EXPECT_EQ(simulation.position(20), before);
  EXPECT_THAT(simulation.messages().back(), HasSubstr("was not solved"));
}

TEST(Complaints, AStepThatFailsIsHalvedWhereAsked) {
  Simulation simulation(unsolvable_in_time(OnFailure::halve));
  EXPECT_TRUE(simulation.step());
  EXPECT_EQ(simulation.counters().halved, 63);  // 1 + 2 + … + 32: six times over
  EXPECT_DOUBLE_EQ(simulation.time(), 1e-3);
}

TEST(Complaints, BadScenesNameTheBody) {
  Scene scene;
  scene.add_rigid(Box{1, 1, 1}, {.name = "light"});
  try {
    Simulation simulation(scene);
    FAIL() << "a body without mass was taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("body 'light': has no mass"));
  }
}

}  // namespace
}  // namespace stickslip
