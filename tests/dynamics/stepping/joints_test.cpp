// Joints where masses and arms differ by many orders.
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <iterator>
#include <numbers>
#include <vector>

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

/// Rods on hinges that have nothing to do with each other: one of a thousand tons, one of a gram and a millimetre. Both swing as each would alone.
TEST(Joints, HeavyAndLightHingesHold) {
  const auto swing = [](std::initializer_list<double> lengths) {
    Scene scene{.step = 1e-3};
    std::vector<BodyIndex> rods;
    double x = 0;
    for (const double length : lengths) {
      rods.push_back(scene.add_rigid(Box{length, length / 10, length},
                                     {.density = 1000, .position = {x + length / 2, 0, 0}}));
      scene.add_joint(
          {.kind = JointKind::hinge, .first = rods.back(), .point = {x, 0, 0}, .axis = {0, 1, 0}});
      x += 2 * length;
    }
    Simulation simulation(scene);
    simulation.run(0.02);
    return simulation.position(rods.back())[2] / *std::prev(lengths.end());
  };
  const double alone = swing({1e-4});
  EXPECT_GT(alone, -0.75);  // in free fall it would be −20; half a diagonal is 0.71
  // Rounding of poses by x = 20 m: 1e-15 of them, which is 1e-11 of the rod, in twenty steps.
  EXPECT_NEAR(swing({10, 1e-4}), alone, 1e-9);
}

/// Forty links are 200 rows of joints, factorised as a sparse matrix: the same in metres and in tenths of millimetres.
TEST(Joints, LongChainsHoldAtAnyScale) {
  for (const double length : {1.0, 1e-4}) {
    Scene scene{.step = 1e-3 * std::sqrt(length)};
    BodyIndex last{};
    for (int k = 0; k < 40; ++k) {
      const auto link = scene.add_rigid(Box{length, length / 10, length / 10},
                                        {.density = 1000, .position = {(k + 0.5) * length, 0, 0}});
      Joint joint{.kind = JointKind::hinge, .first = link, .point = {k * length, 0, 0}, .axis = {0, 1, 0}};
      if (k > 0) joint.second = last;
      scene.add_joint(joint);
      last = link;
    }
    Simulation simulation(scene);
    for (int k = 0; k < 50; ++k) ASSERT_TRUE(simulation.step());
    const Point& p = simulation.position(last);
    // Fifty steps of free fall at the end of the chain, which hardly knows of the wall yet; joints that let go would move it along x.
    EXPECT_LT(std::hypot(p[0], p[1], p[2]), 39.5 * length * (1 + 1e-6));
    EXPECT_NEAR(p[2] / length, -0.5 * 9.81 * 0.05 * 0.05, 1e-3);
  }
}

/// Joints to the world that leave a contact no normal motion, or none at all: every step converges, what is held stays, what turns or slides does,
/// and what lies on top is carried.
TEST(Joints, ContactsThatJointsHoldAreHarmless) {
  struct Case {
    const char* what;
    Joint joint;
    Point velocity, spin;
  };
  for (const Case& now :
       {Case{
            "hinge", {.kind = JointKind::hinge, .point = {0, 0, 0}, .axis = {0, 0, 1}}, {0, 0, 0}, {0, 0, 5}},
        Case{"prismatic", {.kind = JointKind::prismatic, .axis = {1, 0, 0}}, {1, 0, 0}, {0, 0, 0}},
        Case{"fixed", {.kind = JointKind::fixed}, {0, 0, 0}, {0, 0, 0}},
        Case{"ball", {.kind = JointKind::ball, .point = {0.1, 0.05, 0}}, {0, 0, 0}, {0, 0, 0}},
        Case{"distance",
             {.kind = JointKind::distance, .point = {0, 0, 1}, .other = in_place},
             {0, 0, 0},
             {0, 0, 0}}}) {
    SCOPED_TRACE(now.what);
    Scene scene{.step = 1e-3, .contact = {.friction = 0.3}};
    scene.add_fixed(Plane{});
    const auto held = scene.add_rigid(
        Box{0.2, 0.1, 0.05},
        {.mass = 1.0, .position = {0, 0, 0.025}, .velocity = now.velocity, .angular_velocity = now.spin});
    const auto above = scene.add_rigid(
        Box{0.1, 0.05, 0.05},
        {.mass = 1.0, .position = {0, 0, 0.075}, .velocity = now.velocity, .angular_velocity = now.spin});
    Joint joint = now.joint;
    (joint.kind == JointKind::distance ? joint.second : joint.first) = held;
    scene.add_joint(joint);
    Simulation simulation(scene);
    for (int k = 0; k < 50; ++k) {
      ASSERT_TRUE(simulation.step());
      ASSERT_LE(simulation.report().error, 1e-8) << k;
    }
    EXPECT_EQ(simulation.counters().unconverged, 0);
    // Nothing sinks or rises: the joints hold to 1e-12 of a metre.
    EXPECT_NEAR(simulation.position(held)[2], 0.025, 1e-9);
    EXPECT_NEAR(simulation.position(above)[2], 0.075, 1e-9);
    double carried = 0;
    for (const TouchingPoint& c : simulation.contacts())
      if (c.body[0] == held && c.body[1] == above) carried += c.impulse[2] / 1e-3;
    EXPECT_NEAR(carried, 9.81, 1e-6);
  }
}

/// A rope of five nodes over half a turn of a drum, its taut end pulled with a share of what friction holds. Nodes of a gram would get to a metre per second
/// in a step; joints that are made for that motion, and not for the one that contacts leave, push the nodes along the drum.
TEST(Joints, ARopeOfLightNodesHolds) {
  const int n = 5;
  const double mu = 0.5, R = 0.2, r = 2e-4, delta = std::numbers::pi / n, t = std::tan(delta / 2);
  const double limit = std::pow((1 + mu * t) / (1 - mu * t), n);  // each node turns the rope by delta
  const auto way = [&](double mass, double share) {
    Scene scene{.gravity = {0, 0, 0}, .step = 1e-3, .contact = {.friction = mu}};
    const auto on_drum = [&](double radius, double angle) {
      return Point{radius * std::cos(angle), 0, radius * std::sin(angle)};
    };
    for (int k = 0; k < n; ++k) {
      const double angle = delta * (k + 0.5);
      scene.add_fixed(Box{0.004, 0.02, 0.008},
                      {.position = on_drum(R - r - 0.002, angle),
                       .rotation = rotation_about({0, 1, 0}, -angle * 180 / std::numbers::pi)});
    }
    std::vector<BodyIndex> nodes;
    for (int k = 0; k < n; ++k)
      nodes.push_back(scene.add_rigid(Sphere{r}, {.mass = mass,
                                                  .inertia = Point{1, 1, 1},  // it slides, not rolls
                                                  .position = on_drum(R, delta * (k + 0.5))}));
    for (std::size_t k = 1; k < nodes.size(); ++k)
      scene.add_joint({.kind = JointKind::distance, .first = nodes[k - 1], .second = nodes[k]});
    scene.add_force({.body = nodes.front(), .force = {0, 0, -1}});
    scene.add_force({.body = nodes.back(), .force = {0, 0, -limit * share}});
    Simulation simulation(scene);
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(simulation.step());
    return R * std::sin(delta / 2) - simulation.position(nodes.back())[2];
  };
  for (const double mass : {1e-3, 1.0}) {
    // What is left is noise of the solves beside 1 m/s: 1e-8 m/s over 20 ms.
    EXPECT_NEAR(way(mass, 0.999), 0, 1e-9) << mass;
    EXPECT_NEAR(way(mass, 0.9), 0, 1e-9) << mass;
  }
  // 5 mN too much for five grams: ½ a t² is 0.2 mm, and the slack side goes with it.
  EXPECT_GT(way(1e-3, 1.001), 5e-5);
}

}  // namespace
}  // namespace stickslip
