// SSN Table 1: bodies and contacts of CUBE, WALL and DOME, which stay what they are from step to step.

#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/simulation.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {
namespace {

struct Row {
  const char* scene;
  long bodies, contacts;
};

class Masonry : public testing::TestWithParam<Row> {};

TEST_P(Masonry, HasTheContactsOfTable1) {
  const Row row = GetParam();
  Simulation simulation(row.scene);
  long bodies = 0;
  for (std::size_t b = 0; b < simulation.scene().bodies.size(); ++b)
    bodies += simulation.mass(BodyIndex(b)) > 0;
  EXPECT_EQ(bodies, row.bodies);
  for (int k = 0; k < 4; ++k) {
    ASSERT_TRUE(simulation.step());
    EXPECT_EQ(simulation.report().contacts, row.contacts) << "step " << k;
  }
  EXPECT_EQ(simulation.counters().unconverged, 0);
}

/// Scaled inertia (SSN 6) changes how fast cubes give way, not what they weigh: after a few steps the foundation carries 27 cubes of 2.2 kg, g = 10,
/// to the tolerance of the solver; and HYB needs the few iterations that the paper reports (Figure 5: below 5), the first step included.
TEST(MasonryScaled, CarriesTheWeightAndHybridConverges) {
  Scene scene = Simulation("cube1").scene();
  scene.solver.name = "SSN-HYB-G";
  scene.solver.tolerance = 1e-9;
  Simulation simulation(scene);
  for (int k = 0; k < 300; ++k) ASSERT_TRUE(simulation.step());
  EXPECT_EQ(simulation.counters().unconverged, 0);
  EXPECT_LT(simulation.counters().iterations_sum, 5.0 * 300);
  double carried = 0;
  for (const TouchingPoint& c : simulation.contacts())
    if (simulation.mass(c.body[0]) == 0 || simulation.mass(c.body[1]) == 0) carried += std::abs(c.impulse[2]);
  EXPECT_NEAR(carried, 27 * 2.2 * 10, 1e-3 * 594);  // what still gives way in the twentieth step
}

/// Scaled masses are a billion times the real ones: in N·s the residual would end at the rounding of impulses, near 2e-8 of ‖q‖.
TEST(MasonryScaled, HandsOutProblemsThatCanBeSolved) {
  Simulation simulation("cube2");
  for (int k = 0; k < 2; ++k) ASSERT_TRUE(simulation.step());
  const double unit = simulation.problem_unit();
  EXPECT_GT(unit, 1e6);
  const SolveResult result = Solver("auto").solve(*simulation.problem(), {.tolerance = 1e-8});
  EXPECT_TRUE(result.converged()) << result.error();
  // They are those of the step but for their unit: together they carry the same, to the tolerance of both.
  double whole = 0, carried = 0;
  for (std::size_t c = 0; c < simulation.contacts().size(); ++c) {
    const TouchingPoint& touching = simulation.contacts()[c];
    for (int d = 0; d < 3; ++d) whole += touching.impulse[std::size_t(d)] * touching.normal[std::size_t(d)];
    carried += unit * result.r[3 * c];
  }
  EXPECT_NEAR(carried, whole, 1e-3 * whole);
  // Where nothing is scaled they are in N·s.
  Simulation incline("incline");
  ASSERT_TRUE(incline.step());
  EXPECT_EQ(incline.problem_unit(), 1);
}

INSTANTIATE_TEST_SUITE_P(Table1, Masonry,
                         testing::Values(Row{"cube1", 27, 63}, Row{"cube2", 125, 325}, Row{"cube3", 343, 931},
                                         Row{"wall1", 56, 147}, Row{"wall2", 162, 451},
                                         Row{"wall3", 338, 963}, Row{"dome1", 60, 120},
                                         Row{"dome2", 220, 440}, Row{"dome3", 480, 960}),
                         [](const testing::TestParamInfo<Row>& which) {
                           return std::string(which.param.scene);
                         });

}  // namespace
}  // namespace stickslip
