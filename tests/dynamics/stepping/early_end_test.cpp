// A run that ends before its time: the state, the contacts and the forces are those of the last good step.

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>

#include "stickslip/errors.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

using ::testing::HasSubstr;

/// A box on a floor, pushed by a force along x.
Scene pushed(Signal force, OnFailure policy = OnFailure::proceed) {
  Scene scene{.step = 1e-3, .solver = {.on_failure = policy}};
  scene.add_fixed(Plane{});
  const auto box = scene.add_rigid(Box{0.2, 0.2, 0.1}, {.mass = 1.0, .position = {0, 0, 0.05}});
  scene.add_force({.body = box, .force = {std::move(force), 0, 0}});
  return scene;
}

void expect_as_after_ten_steps(const Simulation& simulation, const Simulation& other) {
  EXPECT_EQ(simulation.steps(), 10);
  EXPECT_EQ(simulation.position(1), other.position(1));
  EXPECT_EQ(simulation.velocity(1), other.velocity(1));
  ASSERT_EQ(simulation.contacts().size(), other.contacts().size());
  for (std::size_t c = 0; c < other.contacts().size(); ++c)
    EXPECT_EQ(simulation.contacts()[c].impulse, other.contacts()[c].impulse);
}

TEST(EarlyEnd, AnExpressionWithoutAValueEndsTheRun) {
  // 20 N for ten steps; at the middle of the eleventh the root has no value.
  Simulation simulation(pushed("20 + 0*sqrt(0.0102 - t)")), other(pushed(20));
  EXPECT_FALSE(simulation.run(0.1));
  EXPECT_THAT(simulation.messages().back(), HasSubstr("not a finite number"));
  other.run(0.01);
  expect_as_after_ten_steps(simulation, other);
}

TEST(EarlyEnd, AFunctionThatThrowsLeavesTheStateBefore) {
  // The second half of a halved step throws too: nothing of the first half may stay.
  for (const OnFailure policy : {OnFailure::proceed, OnFailure::halve}) {
    Scene scene = pushed(
        [](double t) -> double {
          if (t > 0.0102) throw std::runtime_error("no more");
          return 20;
        },
        policy);
    Simulation simulation(scene), other(pushed(20, policy));
    EXPECT_THROW(simulation.run(0.1), std::runtime_error);
    other.run(0.01);
    expect_as_after_ten_steps(simulation, other);
  }
}

TEST(EarlyEnd, ContactsAreThoseOfTheLastGoodStep) {
  // After ten good steps no step is solved any more: a force that is not finite, with the policy to stop or not.
  Simulation simulation(pushed([](double t) { return t > 0.0102 ? 1e308 : 20.0; })), other(pushed(20));
  EXPECT_FALSE(simulation.run(0.1));
  EXPECT_THAT(simulation.messages().back(), HasSubstr("not finite"));
  other.run(0.01);
  expect_as_after_ten_steps(simulation, other);
}

TEST(EarlyEnd, AStepThatIsNotSolvedLeavesNoContacts) {
  // It stops at the first step: what that step tried is not shown.
  Scene scene{
      .step = 1e-3,
      .solver = {
          .name = "gs(islands=off)", .tolerance = 1e-14, .time_limit = 1e-6, .on_failure = OnFailure::stop}};
  scene.add_fixed(Plane{});
  for (int k = 0; k < 20; ++k)
    scene.add_rigid(Box{0.2, 0.2, 0.1}, {.mass = 1.0, .position = {0, 0, 0.05 + 0.1 * k}});
  Simulation simulation(scene);
  EXPECT_FALSE(simulation.step());
  EXPECT_TRUE(simulation.contacts().empty());
}

TEST(EarlyEnd, BodiesBeyondWhatNumbersHoldAreRefused) {
  for (const double radius : {1e-320, 1e-120, 1e200}) {
    Scene scene;
    scene.add_rigid(Sphere{radius}, {.name = "odd", .mass = 1.0});
    try {
      Simulation simulation(scene);
      ADD_FAILURE() << radius << " was taken";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("body 'odd': is too small, too large or too thin")) << radius;
    }
  }
}

TEST(EarlyEnd, LengthsAndThreadsHaveBounds) {
  const auto refusal = [](const Scene& scene) -> std::string {
    try {
      Simulation simulation(scene);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({.duration = 1e300}), "duration is 1e+300; it must be at most 1e15 steps");
  EXPECT_EQ(refusal({.threads = 100000}), "threads is 1e+05; it must be from 1 to 1024");
}

}  // namespace
}  // namespace stickslip
