// Steps shared by several ranks, here threads: after every step the whole state has the bytes of one process, wherever the line of bodies is cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "distributed/shared_solve.hpp"
#include "dynamics/stepping/body_line.hpp"
#include "problems/random_cut.hpp"
#include "problems/thread_ranks.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip::internal {
namespace {

using Bytes = std::vector<std::byte>;

Scene built_in(const std::string& name, std::vector<Parameter> parameters, int threads = 1,
               double tolerance = 1e-2) {
  const BuiltInScene& found = built_in_scene(name);
  Scene scene = parse_scene(found.text, parameters, found.name);
  scene.solver.name = "gs(form=velocity)";
  scene.solver.tolerance = tolerance;
  scene.threads = threads;
  return scene;
}

/// Anything between the steps, on rank 0.
using Change = std::function<void(Simulation&, int step)>;

std::vector<Bytes> alone(const Scene& scene, int steps, const Change& change = {}) {
  Simulation simulation(scene);
  long iterations = 0;
  std::vector<Bytes> states;
  for (int k = 0; k < steps; ++k) {
    if (change) change(simulation, k);
    EXPECT_TRUE(simulation.step());
    states.push_back(simulation.save());
    iterations += simulation.report().iterations;
  }
  EXPECT_GT(iterations, 0) << "nothing was solved";
  return states;
}

/// Cuts at random, the same ones on all ranks: parts without bodies, and bodies that pass from any rank to any other.
using MakeCut = std::function<BodyCut()>;
MakeCut random_body_cut(std::uint64_t seed) {
  return [seed]() -> BodyCut {
    return [random = Random(seed)](std::span<const std::int64_t> work, int ranks) mutable {
      std::vector<int> cut = {0, int(work.size())};
      for (int k = 1; k < ranks; ++k) cut.push_back(int(random.below(work.size() + 1)));
      std::ranges::sort(cut);
      return cut;
    };
  };
}

void expect_same_on(int ranks, const Scene& scene, const std::vector<Bytes>& expected,
                    const MakeCut& cut = {}, const Change& change = {}) {
  SCOPED_TRACE(ranks);
  const std::size_t left = tests::on_ranks(ranks, [&](Ranks& mine) {
    Random random(5);
    SharedSolve others(mine, scene.solver.name, tests::random_cut(random), cut ? cut() : BodyCut());
    Simulation simulation(scene);
    simulation.set_processes(others);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      if (mine.rank() == 0 && change) change(simulation, int(k));
      ASSERT_TRUE(simulation.step());
      simulation.gather();
      if (mine.rank() == 0) {
        ASSERT_TRUE(simulation.save() == expected[k]) << "step " << k;
      }
    }
  });
  EXPECT_EQ(left, 0u);
}

TEST(SharedSteps, TheNumberOfRanksChangesNoBit) {
  // More than 10,000 contacts: solved in shares.
  const Scene scene = built_in("family_spheres_hcp", {{"size", 12500}, {"load", 0.2}}, 1, 5e-2);
  const auto one = alone(scene, 3);
  for (const int ranks : {1, 2, 3, 4}) expect_same_on(ranks, scene, one);
}

TEST(SharedSteps, NeitherCutsNorThreadsDo) {
  const Scene scene = built_in("family_spheres", {{"size", 11000}, {"load", 0.2}}, 1, 5e-2);
  const auto one = alone(scene, 3);
  Scene threaded = scene;
  threaded.threads = 2;
  for (std::uint64_t seed : {1, 2})
    expect_same_on(4, seed == 1 ? scene : threaded, one, random_body_cut(seed));
}

TEST(SharedSteps, FinerStepsToo) {
  Scene scene = built_in("family_spheres_hcp", {{"size", 12500}}, 1, 0.1);
  const double rough = [&] {
    Simulation simulation(scene);
    simulation.step();
    return simulation.report().error;
  }();
  scene.solver.finer = 80;
  const auto one = alone(scene, 2);
  Simulation simulation(scene);
  simulation.step();
  EXPECT_LT(simulation.report().error, 0.5 * rough);
  expect_same_on(3, scene, one);
}

TEST(SharedSteps, RelaxedPathsToo) {
  Scene scene = built_in("family_spheres_hcp", {{"size", 12500}, {"load", 0.2}}, 1, 1e-3);
  scene.solver.name = "relaxed(horizon=0, patience=1, warm_horizon=0, warm_patience=1)";
  expect_same_on(3, scene, alone(scene, 2), random_body_cut(17));
}

TEST(SharedSteps, RedundantContactsAreLeftToAutoOnTheFirst) {
  for (const char* name : {"family_wall", "family_dome"}) {
    SCOPED_TRACE(name);
    Scene scene = built_in(name, {{"size", 10500}, {"load", 0.1}}, 1, 1e-4);
    scene.solver.name = "auto";
    const auto one = alone(scene, 2);
    for (const int ranks : {2, 3, 4}) expect_same_on(ranks, scene, one, random_body_cut(23));
    tests::on_ranks(2, [&](Ranks& mine) {
      SharedSolve others(mine, scene.solver.name);
      Simulation simulation(scene);
      simulation.set_processes(others);
      ASSERT_TRUE(simulation.step());
      EXPECT_GE(simulation.report().contacts, 10000);
      EXPECT_TRUE(simulation.report().converged);
      const SharedReport report = others.report();
      EXPECT_EQ(report.solves, 0);
      EXPECT_GE(report.alone, 1);
    });
  }
}

TEST(SharedSteps, AutoIsRelaxedOnPackings) {
  Scene scene = built_in("family_spheres", {{"size", 11000}, {"load", 0.2}}, 1, 5e-2);
  scene.solver.name = "relaxed";
  const auto one = alone(scene, 1);  // the second step has a small problem besides: positions are corrected
  scene.solver.name = "auto";
  expect_same_on(3, scene, one);
}

/// The bodies of a scene in a random order: those beside each other have any numbers.
Scene mixed(Scene scene, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t k = scene.bodies.size() - 1; k > 0; --k)
    std::swap(scene.bodies[k], scene.bodies[random.below(k + 1)]);
  return scene;
}

TEST(SharedSteps, MixedGrains) {
  const Scene scene = mixed(built_in("family_spheres_hcp", {{"size", 12500}, {"load", 0.2}}, 1, 5e-2), 3);
  const auto one = alone(scene, 3);
  for (const int ranks : {2, 3, 4}) expect_same_on(ranks, scene, one);
  expect_same_on(4, scene, one, random_body_cut(21));
  // A pile that falls apart, for longer than a cut holds.
  const Scene pile = mixed(built_in("spheres", {{"n", 200}}, 1, 1e-4), 4);
  const auto states = alone(pile, 120);
  for (const int ranks : {2, 3}) expect_same_on(ranks, pile, states);
}

TEST(SharedSteps, PositionsAreCorrectedAlike) {
  // So little penetration is allowed that each step corrects positions, around what is too deep and no farther.
  Scene scene = built_in("family_spheres_hcp", {{"size", 12500}, {"load", 0.2}}, 1, 5e-2);
  scene.penetration = 1e-7;
  Simulation simulation(scene);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(simulation.step());
  EXPECT_GT(simulation.counters().corrections, 0);
  expect_same_on(3, scene, alone(scene, 3), random_body_cut(13));
}

TEST(SharedSteps, PositionsAreCorrectedAlikeWhereBodiesBounce) {
  // Gaps that are open and no contacts yet take part in corrections.
  Scene scene = built_in("spheres", {{"n", 60}}, 1, 1e-4);
  scene.contact.restitution = 0.2;
  scene.pairs.clear();
  scene.step = 4e-3;
  Simulation simulation(scene);
  for (int k = 0; k < 150; ++k) ASSERT_TRUE(simulation.step());
  EXPECT_GT(simulation.counters().corrections, 0);
  expect_same_on(3, scene, alone(scene, 150), random_body_cut(5));
}

TEST(SharedSteps, OtherKindsOfBodies) {
  // Small problems are solved by rank 0; detection, memory and impulses are shared. Piles that fall apart, deep contacts that are pushed apart,
  // joints, pseudo-rigid bodies, and elements, which stay on rank 0.
  struct Case {
    const char* scene;
    std::vector<Parameter> parameters;
    int steps;
  };
  for (const Case& c : {Case{"spheres", {{"n", 200}}, 120}, Case{"boxes_stack", {}, 30},
                        Case{"drum", {{"n", 60}}, 500}, Case{"drum", {{"n", 40}, {"deformable", 1}}, 500},
                        Case{"rover", {}, 20}, Case{"dominoes", {}, 60}, Case{"cubes_h8", {}, 3}}) {
    SCOPED_TRACE(c.scene);
    const Scene scene = built_in(c.scene, c.parameters, 1, 1e-4);
    const auto one = alone(scene, c.steps);
    expect_same_on(3, scene, one, random_body_cut(7));
  }
}

TEST(SharedSteps, SplitStepsToo) {
  // A ball falls on the third of three boxes, one hits the second: contacts that land and those that carry are on several ranks.
  Scene scene{.step = 1e-3, .landing = Landing::split};
  scene.add_fixed(Plane{});
  for (int k = 0; k < 3; ++k)
    scene.add_rigid(Box{0.2, 0.2, 0.1}, {.mass = 1.0, .position = {0, 0, 0.05 + 0.1 * k}});
  scene.add_rigid(Sphere{0.05}, {.mass = 0.3, .position = {0.03, 0, 0.362}, .velocity = {0, 0, -1}});
  scene.add_rigid(Sphere{0.05}, {.mass = 0.3, .position = {-0.17, 0, 0.15}, .velocity = {2, 0, 0}});
  const auto split = alone(scene, 30);
  scene.landing = Landing::whole;
  EXPECT_NE(split.back(), alone(scene, 30).back());
  scene.landing = Landing::split;
  expect_same_on(3, scene, split, random_body_cut(7));
}

/// A box of balls with a plate on top that is larger than all of them, of the smallest index, or the largest.
Scene under_a_plate(bool first) {
  Scene scene{.gravity = {0, 0, -9.81}, .step = 1e-3};
  scene.solver.name = "gs(form=velocity)";
  scene.solver.tolerance = 5e-2;
  const auto plate = [&] { scene.add_rigid(Box{10, 10, 0.1}, {.density = 100, .position = {0, 0, 0.25}}); };
  if (first) plate();
  scene.add_fixed(Plane{});
  constexpr int side = 72;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      scene.add_rigid(Sphere{0.05},
                      {.density = 1000, .position = {0.1 * (i - side / 2), 0.1 * (j - side / 2), 0.05}});
  if (!first) plate();
  return scene;
}

TEST(SharedSteps, ABodyThatTouchesEverything) {
  for (const bool first : {true, false}) {
    const Scene scene = under_a_plate(first);
    Simulation simulation(scene);
    ASSERT_TRUE(simulation.step());
    EXPECT_GT(simulation.contacts().size(), 10000u);
    const auto one = alone(scene, 2);
    expect_same_on(3, scene, one);
    expect_same_on(4, scene, one, random_body_cut(11));
    // Its contacts are where the balls are that it touches.
    tests::on_ranks(3, [&](Ranks& mine) {
      SharedSolve others(mine, scene.solver.name);
      Simulation shared(scene);
      shared.set_processes(others);
      ASSERT_TRUE(shared.step());
      const double part = double(simulation.contacts().size()) / 3;
      EXPECT_NEAR(double(shared.contacts().size()), part, 0.1 * part) << mine.rank();
    });
  }
}

/// The rank that has a body, where the line is cut into equal numbers of bodies.
int rank_of(const Simulation& simulation, BodyIndex body, int ranks) {
  const auto n = simulation.scene().bodies.size();
  std::vector<BodyState> states(n);
  std::vector<float> extent(n);
  for (std::size_t b = 0; b < n; ++b) {
    states[b].x = vector(simulation.position(BodyIndex(b)));
    extent[b] =
        simulation.scene().bodies[b].kind == BodyKind::rigid ? 0.1F : std::numeric_limits<float>::infinity();
  }
  const std::vector<int> line = line_through_space(states, extent),
                         cut = cut_by_work(std::vector<std::int64_t>(n, 1), ranks);
  const auto place = int(std::ranges::find(line, int(body)) - line.begin());
  return int(std::ranges::upper_bound(cut, place) - cut.begin()) - 1;
}

TEST(SharedSteps, ABodyThatCrossesSeveralRanksInAStep) {
  // Over four heaps, from one corner to the other in a step, while the line follows at every step.
  Scene scene{.gravity = {0, 0, -9.81}, .step = 1e-3};
  scene.solver.name = "gs(form=velocity)";
  scene.add_fixed(Plane{});
  for (int heap = 0; heap < 4; ++heap)
    for (int k = 0; k < 27; ++k)
      scene.add_rigid(Sphere{0.05},
                      {.density = 1000,
                       .position = {(heap % 2 == 0 ? -1 : 1) + 0.1 * (k % 3),
                                    (heap / 2 == 0 ? -1 : 1) + 0.1 * (k / 3 % 3), 0.05 + 0.1 * (k / 9)}});
  const auto shot =
      scene.add_rigid(Sphere{0.05}, {.density = 1000, .position = {-3, -3, 1}, .velocity = {2000, 2000, 0}});
  Simulation simulation(scene);
  int most = 0, last = rank_of(simulation, shot, 4);
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(simulation.step());
    const int now = rank_of(simulation, shot, 4);
    most = std::max(most, std::abs(now - last));
    last = now;
  }
  EXPECT_EQ(most, 3);
  expect_same_on(4, scene, alone(scene, 30), []() -> BodyCut {
    return [](std::span<const std::int64_t> work, int ranks) {
      return cut_by_work(std::vector<std::int64_t>(work.size(), 1), ranks);
    };
  });
}

TEST(SharedSteps, ABodyThatCrossesEverythingAndRanksWithoutBodies) {
  // Shot through a pile, past the bodies of all ranks in a few steps; the cut leaves ranks 0 and 2 without bodies.
  Scene scene = built_in("spheres", {{"n", 150}}, 1, 1e-4);
  scene.add_rigid(Sphere{0.05}, {.density = 20000, .position = {-0.2, 0, 2}, .velocity = {0, 0, -40}});
  scene.gravity = {0, 0, -9.81};
  const auto one = alone(scene, 60);
  expect_same_on(4, scene, one);
  expect_same_on(4, scene, one, []() -> BodyCut {
    return [](std::span<const std::int64_t> work, int) {
      const int n = int(work.size());
      return std::vector<int>{0, 0, n / 2, n / 2, n};
    };
  });
}

TEST(SharedSteps, WhatChangesOnTheFirstRankReachesAll) {
  const Scene scene = built_in("spheres", {{"n", 100}}, 1, 1e-4);
  const Change change = [&](Simulation& simulation, int step) {
    const auto last = BodyIndex(scene.bodies.size()) - 1;
    if (step == 65) simulation.apply_force(last, {50, 0, 0});
    if (step == 69) simulation.set_velocity(last, {0, 1, -2});
  };
  const auto one = alone(scene, 80, change);
  EXPECT_FALSE(one == alone(scene, 80));
  expect_same_on(3, scene, one, {}, change);
}

TEST(SharedSteps, AnotherNumberOfRanksGoesOn) {
  const Scene scene = built_in("spheres", {{"n", 200}}, 1, 1e-4);
  const auto one = alone(scene, 80);
  tests::on_ranks(3, [&](Ranks& mine) {
    SharedSolve others(mine, scene.solver.name);
    Simulation simulation(scene);
    simulation.set_processes(others);
    if (mine.rank() == 0) simulation.restore(one[59]);
    simulation.synchronise();
    EXPECT_EQ(simulation.steps(), 60);
    for (std::size_t k = 60; k < one.size(); ++k) ASSERT_TRUE(simulation.step());
    simulation.gather();
    if (mine.rank() == 0) {
      EXPECT_TRUE(simulation.save() == one.back());
    }
  });
}

/// Two steps, so that what the plan foretells is added up over solves.
TEST(SharedSteps, TheReportCountsMessages) {
  const Scene scene = built_in("family_spheres_hcp", {{"size", 12500}}, 1, 5e-2);
  for (const int ranks : {2, 3, 4})
    tests::on_ranks(ranks, [&](Ranks& mine) {
      SharedSolve others(mine, scene.solver.name);
      Simulation simulation(scene);
      simulation.set_processes(others);
      for (int step = 0; step < 2; ++step) ASSERT_TRUE(simulation.step());
      const long contacts = simulation.report().contacts;
      const SharedReport report = others.report();
      EXPECT_GE(report.solves, 1);
      EXPECT_EQ(std::accumulate(report.contacts.begin(), report.contacts.end(), 0L), contacts);
      EXPECT_GT(report.plan.sweep().messages, 0);
      const Ranks::Traffic& solving = report.phases[std::size_t(SharedPhase::solving)].traffic;
      EXPECT_EQ(report.planned.messages, solving.messages);
      EXPECT_EQ(report.planned.bytes, solving.bytes);
      EXPECT_GT(report.phases[std::size_t(SharedPhase::sharing)].traffic.bytes, 0);
      EXPECT_GT(report.phases[std::size_t(SharedPhase::detection)].seconds, 0);
      // All have the same figures.
      double bytes = double(report.planned.bytes);
      mine.largest({&bytes, 1});
      EXPECT_EQ(bytes, double(report.planned.bytes));
    });
}

}  // namespace
}  // namespace stickslip::internal
