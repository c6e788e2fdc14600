// Joints where masses and arms differ by many orders.
#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

/// A ball of 4 mg in the middle of a rod of two metres, hung up at one end, 4 kg at the other: S has entries from 0.24 to 1e12 kg⁻¹.
TEST(Joints, ALightLinkOnALongArmHolds) {
  Scene scene{.step = 1e-3};
  const auto link = scene.add_rigid(Sphere{0.001}, {.density = 1000, .position = {1, 0, 0}});
  const auto bob = scene.add_rigid(Sphere{0.1}, {.density = 1000, .position = {2, 0, 0}});
  scene.add_joint({.kind = JointKind::ball, .first = link, .point = {0, 0, 0}});
  scene.add_joint({.kind = JointKind::ball, .first = link, .second = bob, .point = {2, 0, 0}});
  Simulation simulation(scene);
  double largest = 0;
  simulation.run(1, [&](const Simulation& now) {
    const Point& p = now.position(bob);
    largest = std::max(largest, std::abs(std::hypot(p[0], p[1], p[2]) - 2));
    return false;
  });
  // The ends of steps are off by O(h²): 2.5e-6 m with a heavy link. Rounding of S adds as much at most.
  EXPECT_LT(largest, 1e-5);
}

}  // namespace
}  // namespace stickslip
