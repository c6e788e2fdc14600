// Memory: a step allocates nothing once sizes have settled.

#include <gtest/gtest.h>

#include "problems/counted_memory.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

struct Case {
  const char* name;
  const char* scene;
  std::vector<Parameter> parameters;
  const char* solver;
  long before;              ///< steps until sizes have settled
  double tolerance = 1e-8;  ///< that every step meets: one that does not is looked into, which takes memory
};

class Steps : public testing::TestWithParam<Case> {};

TEST_P(Steps, AllocateNothing) {
  const Case& given = GetParam();
  Scene scene = parse_scene(built_in_scene(given.scene).text, given.parameters);
  scene.solver.name = given.solver;
  scene.solver.tolerance = given.tolerance;
  Simulation simulation(scene);
  for (long k = 0; k < given.before; ++k) ASSERT_TRUE(simulation.step());
  const long used = tests::count([&] {
    for (long k = 0; k < 100; ++k) simulation.step();
  });
  EXPECT_GT(simulation.report().contacts, 0);
  EXPECT_EQ(simulation.counters().unconverged, 0);
  EXPECT_EQ(used, 0) << simulation.counters().contacts_max << " contacts at most";
}

// A pile of spheres is given to sweeps: `auto` goes on to factorisations there, and those analyse every new pattern of contacts.
INSTANTIATE_TEST_SUITE_P(Scenes, Steps,
                         testing::Values(Case{"stack", "stack", {}, "auto", 100},
                                         Case{"tower", "kapla", {{"levels", 6}}, "auto", 20},
                                         Case{"drum", "drum", {{"n", 20}}, "auto", 1500},
                                         Case{"pile", "spheres", {{"n", 50}}, "gs(anderson=8)", 800, 1e-2}),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace stickslip
