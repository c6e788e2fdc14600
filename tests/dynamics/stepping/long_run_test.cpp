// A hundred thousand steps: what rests stays where it is, and nothing sinks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

constexpr long steps = 100000;

double moved(const Simulation& s, BodyIndex body, const Point& start) {
  const Point& p = s.position(body);
  return std::sqrt(std::pow(p[0] - start[0], 2) + std::pow(p[1] - start[1], 2) +
                   std::pow(p[2] - start[2], 2));
}

/// Validation B1 allows 1e-9 m; rounding of 1e5 steps leaves 1e-14.
TEST(LongRun, ABoxBelowTheFrictionAngleDoesNotCreep) {
  const double slope = 0.99 * std::atan(0.5), c = std::cos(slope), s = std::sin(slope);
  Scene scene{.step = 1e-3, .contact = {.friction = 0.5}};
  scene.add_fixed(Plane{.normal = {s, 0, c}});
  const auto box =
      scene.add_rigid(Box{0.2, 0.1, 0.05}, {.mass = 1.0,
                                            .position = {0.025 * s, 0, 0.025 * c},
                                            .rotation = rotation_about({0, 1, 0}, slope * 180 / M_PI)});
  Simulation simulation(scene);
  const Point start = simulation.position(box);
  for (long k = 0; k < steps; ++k) ASSERT_TRUE(simulation.step());
  EXPECT_LT(moved(simulation, box, start), 1e-9);
  EXPECT_LT(simulation.counters().penetration_max, 1e-9);
  EXPECT_EQ(simulation.counters().unconverged, 0);
}

/// Boxes of 1 kg under one of 1000 kg: neither height nor place changes, and no step needs positions to be corrected.
TEST(LongRun, AStackDoesNotSink) {
  Scene scene{.step = 1e-3};
  scene.add_fixed(Plane{});
  for (int k = 0; k < 4; ++k)
    scene.add_rigid(Box{0.2, 0.2, 0.1}, {.mass = k == 3 ? 1000.0 : 1.0, .position = {0, 0, 0.05 + 0.1 * k}});
  Simulation simulation(scene);
  for (long k = 0; k < steps; ++k) ASSERT_TRUE(simulation.step());
  for (int k = 0; k < 4; ++k) EXPECT_LT(moved(simulation, k + 1, {0, 0, 0.05 + 0.1 * k}), 1e-9) << k;
  EXPECT_LT(simulation.counters().penetration_max, 1e-9);
  EXPECT_EQ(simulation.counters().corrections, 0);
  EXPECT_EQ(simulation.counters().unconverged, 0);
}

/// A ball that rolls on and on keeps its height and its speed.
TEST(LongRun, ABallThatRollsDoesNotSinkOrSlow) {
  Scene scene{.step = 1e-3};
  scene.add_fixed(Plane{});
  const auto ball = scene.add_rigid(
      Sphere{0.1},
      {.mass = 1.0, .position = {0, 0, 0.1}, .velocity = {1, 0, 0}, .angular_velocity = {0, 10, 0}});
  Simulation simulation(scene);
  for (long k = 0; k < steps; ++k) ASSERT_TRUE(simulation.step());
  EXPECT_NEAR(simulation.position(ball)[2], 0.1, 1e-9);
  EXPECT_NEAR(simulation.velocity(ball)[0], 1, 1e-9);
  EXPECT_NEAR(simulation.position(ball)[0], 1e-3 * steps, 1e-6);
}

}  // namespace
}  // namespace stickslip
