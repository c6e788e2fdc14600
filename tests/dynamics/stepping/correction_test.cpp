// Positions are corrected into nothing, and what they are corrected to stays.
#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

constexpr double share = 1e-4;  // Scene::penetration

/// Two balls above each other, the lower one too deep in the floor, the upper one a little above it: no contact yet where e > 0.
TEST(Correction, PushesIntoNothingThatIsOpen) {
  const double radius = 0.1, deep = 2e-3, gap = 5e-4;
  for (const double e : {0.0, 0.1, 0.7}) {
    Scene scene{.step = 1e-3};
    scene.contact = {.friction = 0.3, .restitution = e};
    scene.allow_overlap = true;
    scene.add_fixed(Plane{});
    const auto lower = scene.add_rigid(Sphere{radius}, {.mass = 1.0, .position = {0, 0, radius - deep}});
    const auto upper =
        scene.add_rigid(Sphere{radius}, {.mass = 1.0, .position = {0, 0, 3 * radius - deep + gap}});
    Simulation simulation(scene);
    for (int k = 0; k < 3; ++k) {
      ASSERT_TRUE(simulation.step());
      // e = 0 lifts to the surface, e > 0 leaves the contact closed; the upper ball falls g h² in a step.
      EXPECT_NEAR(simulation.position(lower)[2], radius, share * 2 * radius + 9.81e-6) << e;
      // Before: 1.5 mm.
      if (e > 0) {
        EXPECT_GE(simulation.position(upper)[2] - simulation.position(lower)[2],
                  2 * radius - 2e-5 * (k + 1) * (k + 1))
            << e;
      }
    }
  }
}

/// A box with a long edge deep in the floor, at rest. The displacement turns it, so that it leaves some corners open by its square; these may fall for a
/// step and are corrected once more. Before they were at every step, 90 times.
TEST(Correction, OfWhatRestsEnds) {
  Scene scene{.step = 4e-3};
  scene.contact = {.friction = 0.5, .restitution = 0.1};
  scene.allow_overlap = true;
  scene.add_fixed(Plane{});
  scene.add_rigid(Box{0.15, 0.1, 0.08},
                  {.mass = 1.0, .position = {0, 0, 0.038}, .rotation = rotation_about({1, 0, 0}, 20)});
  Simulation simulation(scene);
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(simulation.step());
  // Two corners or four, each twice.
  EXPECT_LE(simulation.counters().corrections, 8);
  // The weight over the depth of the edge, once.
  EXPECT_LE(simulation.counters().correction_energy, 9.81 * simulation.counters().penetration_max);
}

/// Three boxes fall onto each other and bounce a little.
TEST(Correction, AddsLittleEnergyToWhatBounces) {
  for (const double e : {0.1, 0.5}) {
    Scene scene{.step = 2e-3};
    scene.contact = {.friction = 0.5, .restitution = e};
    scene.add_fixed(Plane{});
    const Quaternion turned[] = {
        {0.6100061839757498, -0.7638575467969289, 0.12496471778007319, -0.16969950802187994},
        {-0.2161482816740278, -0.10295157232738465, -0.964580169306915, -0.11075193481166688},
        {-0.25011750245246633, 0.9606192538517028, 0.06527083944559238, -0.10193920548251376}};
    double height = 0.12;
    for (const Quaternion& rotation : turned) {
      scene.add_rigid(Box{0.15, 0.1, 0.08}, {.mass = 0.84, .position = {0, 0, height}, .rotation = rotation});
      height += 0.22;
    }
    Simulation simulation(scene);
    for (int k = 0; k < 500; ++k) ASSERT_TRUE(simulation.step());
    // The uppermost falls half a metre, and no impact goes deeper than its speed in a step.
    const double fastest = std::sqrt(2 * 9.81 * 0.5);
    EXPECT_LE(simulation.counters().penetration_max, fastest * scene.step) << e;
    // All three lifted once out of such a depth. Before: 0.2 J with e = 0.1.
    EXPECT_LE(simulation.counters().correction_energy, 3 * 0.84 * 9.81 * fastest * scene.step) << e;
  }
}

}  // namespace
}  // namespace stickslip
