// Newton's impact law where some contacts close and others open.
#include <gtest/gtest.h>

#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

/// A ball on the floor under another one that follows it more slowly: the contact between them opens while the floor is hit.
TEST(Restitution, ImpactsWithoutFrictionAddNoEnergy) {
  for (const double e : {0.2, 0.8, 1.0}) {
    Scene scene{.gravity = {0, 0, 0}, .step = 1e-3};
    scene.contact = {.friction = 0, .restitution = e};
    scene.allow_overlap = true;
    scene.add_fixed(Plane{});
    const auto lower =
        scene.add_rigid(Sphere{0.1}, {.mass = 1.0, .position = {0, 0, 0.102}, .velocity = {0, 0, -5}});
    const auto upper =
        scene.add_rigid(Sphere{0.1}, {.mass = 10.0, .position = {0, 0, 0.3}, .velocity = {0, 0, -1}});
    Simulation simulation(scene);
    const double before = simulation.kinetic();
    ASSERT_TRUE(simulation.step());
    // u⁻ = 4 between them: u⁺ ≥ −4e. The floor: u⁺ ≥ 5e. So the upper ball, at −1, is pushed to e.
    EXPECT_NEAR(simulation.velocity(lower)[2], 5 * e, 1e-12) << e;
    EXPECT_NEAR(simulation.velocity(upper)[2], e, 1e-12) << e;
    for (int k = 0; k < 20; ++k) {
      EXPECT_LE(simulation.kinetic(), before * (1 + 1e-12)) << e;
      ASSERT_TRUE(simulation.step());
    }
  }
}

}  // namespace
}  // namespace stickslip
