// Memory: a step allocates nothing once sizes have settled.

#include <gtest/gtest.h>

#include "problems/counted_memory.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

struct Case {
  const char* name;
  std::vector<Parameter> parameters;
  long before;  ///< steps until sizes have settled
  long steps;
  long most;  ///< allocations in `steps` steps
};

class Steps : public testing::TestWithParam<Case> {};

TEST_P(Steps, AllocateNothing) {
  const Case& given = GetParam();
  Simulation simulation(given.name, given.parameters);
  for (long k = 0; k < given.before; ++k) ASSERT_TRUE(simulation.step());
  const long used = tests::count([&] {
    for (long k = 0; k < given.steps; ++k) simulation.step();
  });
  EXPECT_GT(simulation.report().contacts, 0);
  EXPECT_LE(used, given.most) << simulation.counters().contacts_max << " contacts at most";
}

INSTANTIATE_TEST_SUITE_P(Scenes, Steps,
                         testing::Values(Case{"stack", {}, 100, 100, 0}, Case{"kapla", {}, 20, 100, 0},
                                         Case{"spheres", {{"n", 200}}, 400, 100, 0},
                                         Case{"drum", {{"n", 20}}, 600, 100, 0}),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace stickslip
