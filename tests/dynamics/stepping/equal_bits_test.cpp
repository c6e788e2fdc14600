// The same scene gives the same bits: twice, with one and with two threads, and from a saved state at a crowded step.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

/// Where and how fast everything is, and all impulses, as bytes.
std::vector<std::byte> bytes_of(const Simulation& simulation) {
  std::vector<std::byte> all;
  const auto add = [&](const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    all.insert(all.end(), from, from + size);
  };
  for (std::size_t b = 0; b < simulation.scene().bodies.size(); ++b) {
    const auto body = BodyIndex(b);
    add(simulation.position(body).data(), 24);
    add(simulation.orientation(body).data(), 32);
    add(simulation.velocity(body).data(), 24);
    add(simulation.angular_velocity(body).data(), 24);
    add(simulation.deformation(body).data(), 72);
  }
  for (const TouchingPoint& c : simulation.contacts()) {
    add(&c.key, 8);
    add(c.impulse.data(), 24);
    add(c.velocity.data(), 24);
  }
  return all;
}

struct Case {
  const char* name;
  std::vector<Parameter> parameters;
  long before, after;  ///< steps up to the crowded one, and on from there
};

Simulation start(const Case& given, int threads) {
  const BuiltInScene& built_in = built_in_scene(given.name);
  Scene scene = parse_scene(built_in.text, given.parameters);
  scene.threads = threads;
  return Simulation(scene);
}

std::vector<Case> cases() {
  return {{"capsules", {{"n", 3}, {"layers", 3}}, 130, 30},
          {"drum", {{"n", 20}, {"deformable", 1}}, 150, 30},
          {"rover", {}, 30, 20},
          {"dominoes", {{"n", 8}}, 150, 50},
          {"cube1", {}, 5, 3}};
}

class EqualBits : public testing::TestWithParam<std::size_t> {};

TEST_P(EqualBits, TwiceThreadsAndFromASavedState) {
  const Case given = cases()[GetParam()];
  Simulation once = start(given, 1), threads = start(given, 2);
  for (long k = 0; k < given.before; ++k) {
    ASSERT_TRUE(once.step());
    ASSERT_TRUE(threads.step());
  }
  const std::vector<std::byte> saved = once.save();
  EXPECT_EQ(saved, threads.save());
  Simulation resumed = start(given, 1);
  resumed.restore(saved);
  EXPECT_EQ(bytes_of(resumed), bytes_of(once));
  for (long k = 0; k < given.after; ++k) {
    ASSERT_TRUE(once.step());
    ASSERT_TRUE(threads.step());
    ASSERT_TRUE(resumed.step());
  }
  EXPECT_EQ(bytes_of(once), bytes_of(threads));
  EXPECT_EQ(bytes_of(once), bytes_of(resumed));
  EXPECT_EQ(once.save(), resumed.save());
  // The case is one: something touches when the state is saved.
  EXPECT_GT(once.counters().contacts_max, 0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, EqualBits, testing::Range(std::size_t(0), cases().size()),
                         [](const testing::TestParamInfo<std::size_t>& which) {
                           return std::string(cases()[which.param].name);
                         });

TEST(EqualMotion, WhateverTheOrderOfBodies) {
  // A ball hits two of three boxes; listed the other way round it is the same motion to rounding.
  const auto make = [](bool turned) {
    Scene scene{.step = 1e-3};
    scene.add_fixed(Plane{});
    for (int k = 0; k < 3; ++k) {
      const int at = turned ? 2 - k : k;
      scene.add_rigid(Box{0.2, 0.2, 0.1},
                      {.name = "box" + std::to_string(at), .mass = 1.0, .position = {0, 0, 0.05 + 0.1 * at}});
    }
    scene.add_rigid(Sphere{0.05},
                    {.name = "ball", .mass = 0.3, .position = {-0.5, 0, 0.1}, .velocity = {5, 0, 0.5}});
    return scene;
  };
  Simulation one(make(false)), other(make(true));
  ASSERT_TRUE(one.run(0.12));
  ASSERT_TRUE(other.run(0.12));
  EXPECT_GT(std::abs(one.velocity(one.scene().find("box1"))[0]), 0.1);  // it was hit
  for (const char* name : {"box0", "box1", "box2", "ball"})
    for (std::size_t d = 0; d < 3; ++d)
      // Solutions agree to the solver's 1e-12, and the few steps after the impact multiply that.
      EXPECT_NEAR(one.position(one.scene().find(name))[d], other.position(other.scene().find(name))[d], 1e-9)
          << name;
}

}  // namespace
}  // namespace stickslip
