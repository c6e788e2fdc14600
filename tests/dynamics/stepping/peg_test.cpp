// A peg with a clearance of a millionth of its radius falls into its hole as if nothing were there.

#include <gtest/gtest.h>

#include <cmath>
#include <variant>

#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

TEST(PegThatFalls, SlidesIn) {
  // Half of the clearance off the axis, turned by a part of what the clearance allows, with friction on the walls.
  const double half = 0.1, clearance = 1e-6 * half;
  Scene scene{.step = 1e-3, .contact = {.friction = 0.3}};
  for (const double side : {-1.0, 1.0}) {
    scene.add_fixed(Box{0.2, 0.6, 1}, {.position = {side * (half + 0.1), 0, -0.5}});
    scene.add_fixed(Box{0.2, 0.2, 1}, {.position = {0, side * (half + 0.1), -0.5}});
  }
  const double edge = 2 * (half - clearance);
  const auto peg =
      scene.add_rigid(Box{edge, edge, 0.3}, {.density = 1000,
                                             .position = {0.5 * clearance, -0.5 * clearance, 0.15 + 1e-3},
                                             .rotation = rotation_about({0, 0, 1}, 1e-5)});
  Simulation simulation(scene);
  ASSERT_TRUE(simulation.run(0.4));
  EXPECT_EQ(simulation.counters().unconverged, 0);
  // Free fall from rest: walls push with rounding only, and friction with 0.3 of that.
  EXPECT_NEAR(simulation.position(peg)[2], 0.151 - 0.5 * 9.81 * 0.4 * 0.4, 1e-7);
  EXPECT_NEAR(simulation.velocity(peg)[2], -9.81 * 0.4, 1e-6);
}

TEST(PegThatFalls, RoundOnesToo) {
  // Into a pipe, whose hole is a polygon, and into a square hole of a mesh. On the axis: nothing pushes.
  constexpr int pieces = 32;
  const double half = 0.1, inner = half / std::cos(M_PI / pieces), radius = half * (1 - 1e-6);
  Mesh plate;
  for (const double size : {half, 5 * half})
    for (const double z : {0.0, -1.0})
      for (int k = 0; k < 4; ++k)
        plate.vertices.push_back({k % 3 == 0 ? -size : size, k < 2 ? -size : size, z});
  for (int k = 0; k < 4; ++k) {  // the upper side, then the walls of the hole
    const int next = (k + 1) % 4;
    plate.triangles.insert(
        plate.triangles.end(),
        {{8 + k, 8 + next, next}, {8 + k, next, k}, {k, next, 4 + next}, {k, 4 + next, 4 + k}});
  }
  for (const Shape& hole : {Shape(Pipe{inner, 2 * half, 1, pieces}), Shape(plate)}) {
    Scene scene{.step = 1e-3, .contact = {.friction = 0.3}};
    const bool pipe = std::holds_alternative<Pipe>(hole);
    scene.add_fixed(hole, {.position = {0, 0, pipe ? -0.5 : 0}});
    const auto peg = scene.add_rigid(Cylinder{radius, 0.3}, {.density = 1000, .position = {0, 0, 0.151}});
    Simulation simulation(scene);
    ASSERT_TRUE(simulation.run(0.3));
    EXPECT_NEAR(simulation.position(peg)[2], 0.151 - 0.5 * 9.81 * 0.3 * 0.3, 1e-7)
        << (pipe ? "pipe" : "mesh");
  }
}

}  // namespace
}  // namespace stickslip
