// Steps in which contacts land while others carry: when the weight passes on, what the two solves leave, and which steps are split.

#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

constexpr double g = 9.81;

/// A block that is let go while it stands on an edge (validation D4), and how high it gets after its impacts (Housner 1963).
struct Rocking {
  double half_width, half_height, share;  ///< share: of the angle at which it would tip over
  double angle() const { return std::atan(half_width / half_height); }
  double amplitude(int impacts) const {
    const double ratio = 1 - 1.5 * std::pow(std::sin(angle()), 2);
    const double start = std::cos((1 - share) * angle()) - std::cos(angle());
    return angle() - std::acos(std::cos(angle()) + std::pow(ratio, 2 * impacts) * start);
  }
  Scene scene(double h, Landing landing) const {
    Scene scene{.step = h, .landing = landing, .contact = {.friction = 2}};
    scene.add_fixed(Plane{});
    const double r = std::hypot(half_width, half_height), lean = (1 - share) * angle();
    scene.add_rigid(Box{2 * half_width, 0.2, 2 * half_height},
                    {.density = 1000,
                     .position = {-r * std::sin(lean), 0, r * std::cos(lean)},
                     .rotation = rotation_about({0, 1, 0}, share * angle() * 180 / M_PI)});
    return scene;
  }
};

double tilt(const Simulation& s, BodyIndex block) {
  const Quaternion& q = s.orientation(block);
  return std::atan2(2 * (q[1] * q[3] + q[0] * q[2]), 1 - 2 * (q[1] * q[1] + q[2] * q[2]));
}

/// Relative errors of the first amplitudes.
std::vector<double> amplitude_errors(const Rocking& block, double h, Landing landing, int impacts) {
  Simulation s(block.scene(h, landing));
  std::vector<double> highest(std::size_t(impacts) + 1, 0.0);
  std::size_t swing = 0;
  double side = 1;
  s.run(10, [&](const Simulation& now) {
    const double at = tilt(now, 1);
    if (at * side < -1e-12) {
      side = -side;
      if (++swing == highest.size()) return true;
    }
    highest[swing] = std::max(highest[swing], std::abs(at));
    return false;
  });
  EXPECT_LE(s.counters().penetration_max, 1e-14);  // it lands on the floor: rounding
  std::vector<double> errors;
  for (int n = 1; n <= impacts; ++n) errors.push_back(highest[std::size_t(n)] / block.amplitude(n) - 1);
  return errors;
}

struct Spread {
  double mean = 0, furthest = 0;
};

/// Over sixteen steps between h and 7h/8: wherever in its step the impact falls.
std::vector<Spread> over_phases(const Rocking& block, double h, Landing landing, int impacts) {
  constexpr int phases = 16;
  std::vector<Spread> all(static_cast<std::size_t>(impacts));
  for (int k = 0; k < phases; ++k) {
    const auto errors = amplitude_errors(block, h * (1 - 0.125 * k / phases), landing, impacts);
    for (std::size_t n = 0; n < errors.size(); ++n) {
      all[n].mean += errors[n] / phases;
      all[n].furthest = std::max(all[n].furthest, std::abs(errors[n]));
    }
  }
  return all;
}

TEST(Landing, TheWeightPassesOnInTheMean) {
  // The weight passes on up to half a step too early or too late, a share of 0.1 % of the amplitude at 1e-4 s, and more for small angles. What is left of
  // the mean is the scatter of sixteen: 0.1 % by four.
  for (const Rocking& block : {Rocking{0.1, 0.5, 0.5}, Rocking{0.05, 0.5, 0.5}, Rocking{0.2, 0.8, 0.5},
                               Rocking{0.1, 0.3, 0.5}, Rocking{0.1, 0.5, 0.8}}) {
    SCOPED_TRACE(testing::Message() << block.half_width << ' ' << block.half_height << ' ' << block.share);
    const Spread first = over_phases(block, 1e-4, Landing::automatic, 1)[0];
    EXPECT_LE(std::abs(first.mean), 4e-4);
    EXPECT_LE(first.furthest, 1.5e-3);
  }
}

TEST(Landing, AfterSeveralImpactsToo) {
  const auto found = over_phases({0.1, 0.5, 0.5}, 2e-4, Landing::automatic, 4);
  for (std::size_t n = 0; n < found.size(); ++n) {
    // Twice the step of the test above, and errors of n impacts add up by chance.
    EXPECT_LE(std::abs(found[n].mean), 8e-4 * std::sqrt(double(n + 1))) << n;
    EXPECT_LE(found[n].furthest, 3e-3 * double(n + 1)) << n;
  }
}

TEST(Landing, InOneSolveItPassesOnAStepEarly) {
  const Spread whole = over_phases({0.1, 0.5, 0.5}, 1e-4, Landing::whole, 1)[0];
  EXPECT_NEAR(whole.mean, -2.4e-3, 4e-4);  // the scatter of sixteen, as above
}

TEST(Landing, TheCornerThatLeavesHasCarriedTheWeight) {
  const Rocking block{0.1, 0.5, 0.5};
  Simulation s(block.scene(1e-4, Landing::split));
  const double energy = s.kinetic() + s.potential(), weight = 1000 * 0.2 * 0.2 * 1.0 * g;
  int landings = 0;
  double last = 0;
  s.run(0.4, [&](const Simulation& now) {
    int open = 0, loaded = 0;
    double up = 0;
    for (const TouchingPoint& c : now.contacts()) {
      up += c.impulse[2];
      if (c.impulse[2] > 0) ++(c.status == ContactStatus::open ? open : loaded);
      if (c.status == ContactStatus::open && c.impulse[2] > 0) {
        EXPECT_GT(c.velocity[2], 0);
      }
    }
    const double momentum = now.mass(1) * now.velocity(1)[2];
    // Momentum by the sum of both solves; 1e-10 of what an impact brings.
    EXPECT_NEAR(up - weight * 1e-4, momentum - last, 1e-10 * weight);
    last = momentum;
    if (open > 0) {
      ++landings;
      EXPECT_EQ(open, 2);
      EXPECT_EQ(loaded, 2);
      EXPECT_LT(now.report().contact_work, 0);
    }
    return false;
  });
  EXPECT_EQ(landings, 1);
  // The work of the sums of both solves is what the block has lost. Of order two while it turns: 1e-8 of the step squared.
  EXPECT_NEAR(s.kinetic() + s.potential() + s.counters().dissipated, energy, 1e-8 * energy);
  EXPECT_GT(s.counters().dissipated, 1e-4 * energy);
}

/// A block rocks beside one that rests.
Scene beside_one_at_rest(Landing landing, int resting = 1) {
  Scene scene = Rocking{0.1, 0.5, 0.5}.scene(1e-3, landing);
  for (int k = 0; k < resting; ++k)
    scene.add_rigid(Box{0.1, 0.1, 0.1}, {.mass = 1.0, .position = {1 + 0.2 * (k % 5), 0.2 * (k / 5), 0.05}});
  return scene;
}

TEST(Landing, WhatRestsElsewhereKnowsNothingOfIt) {
  Simulation s(beside_one_at_rest(Landing::split));
  int landings = 0;
  s.run(0.5, [&](const Simulation& now) {
    double up = 0;
    for (const TouchingPoint& c : now.contacts()) {
      landings += c.status == ContactStatus::open && c.impulse[2] > 0 ? 1 : 0;
      if (c.body[1] != 2) continue;
      EXPECT_EQ(c.status, ContactStatus::stick);
      up += c.impulse[2];
    }
    EXPECT_NEAR(up, 1e-3 * g, 1e-10 * g);  // of steps with an impact beside it: 1e-12 of its velocities
    EXPECT_LE(std::abs(now.velocity(2)[2]), 1e-10);
    return false;
  });
  EXPECT_EQ(landings, 2);  // two corners, once
}

TEST(Landing, OfManyContactsOnlyWhereTheSceneAsksForIt) {
  // 24 boxes at rest and the two or four corners of the block: up to 100 contacts; with 25 of them more.
  const auto end = [](Landing landing, int resting) {
    Simulation s(beside_one_at_rest(landing, resting));
    EXPECT_TRUE(s.run(0.45));
    return s.save();
  };
  for (const auto& [resting, split] : {std::pair{24, true}, std::pair{25, false}}) {
    EXPECT_NE(end(Landing::split, resting), end(Landing::whole, resting));
    EXPECT_EQ(end(Landing::automatic, resting), end(split ? Landing::split : Landing::whole, resting));
  }
}

TEST(Landing, TheSameBitsFromASavedState) {
  const Scene scene = beside_one_at_rest(Landing::split);
  Scene two = scene;
  two.threads = 2;
  Simulation once(scene), threads(two);
  ASSERT_TRUE(once.run(0.34));
  ASSERT_TRUE(threads.run(0.34));
  for (int k = 0; k < 15; ++k) {  // the impact comes in 0.347 s
    Simulation resumed(scene);
    resumed.restore(once.save());
    ASSERT_TRUE(once.step());
    ASSERT_TRUE(threads.step());
    ASSERT_TRUE(resumed.step());
    EXPECT_EQ(once.save(), resumed.save());
    EXPECT_EQ(once.save(), threads.save());
  }
}

TEST(Landing, AddsNoEnergyWhereForcesAreStrong) {
  // A plate is pressed against two posts. A ball hits the pin that touches the plate between them: neither feels the force, so the impact is a landing. In two
  // solves the plate would move off against ten times the momentum of the ball.
  Scene scene{.gravity = {0, 0, 0}, .step = 1e-3, .contact = {.friction = 0}};
  for (double z : {-0.2, 0.2}) scene.add_fixed(Box{0.1, 0.1, 0.1}, {.position = {-0.05, 0, z}});
  const auto plate = scene.add_rigid(Box{0.1, 0.1, 0.6}, {.mass = 1.0, .position = {0.05, 0, 0}});
  const auto pin = scene.add_rigid(Box{0.2, 0.05, 0.05}, {.mass = 1.0, .position = {-0.1, 0, 0}});
  const auto ball =
      scene.add_rigid(Sphere{0.05}, {.mass = 1.0, .position = {-0.2553, 0, 0}, .velocity = {1, 0, 0}});
  scene.add_force({.body = plate, .force = {-1e4, 0, 0}});
  Simulation s(scene);
  s.run(0.02, [&](const Simulation& now) {
    EXPECT_LE(now.kinetic(), 0.5 * (1 + 1e-12));  // that of the ball at the start; rounding
    EXPECT_NEAR(now.position(plate)[0], 0.05, 1e-12);
    return false;
  });
  // Everything has been stopped by the plate.
  EXPECT_NEAR(s.velocity(ball)[0], 0, 1e-9);
  EXPECT_NEAR(s.velocity(pin)[0], 0, 1e-9);
}

}  // namespace
}  // namespace stickslip
