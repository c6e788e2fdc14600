// The proximal point algorithm: its parameter, its options, and the hyperstatic problems that resist other
// methods.
#include "solvers/proximal/proximal.hpp"

#include <gtest/gtest.h>

#include "problems/data_folder.hpp"
#include "problems/judge.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/io.hpp"

namespace stickslip::internal {
namespace {

TEST(ProximalParameter, FollowsSuccess) {
  ProximalParameter alpha({.alpha0 = 1, .shrink = 10, .grow = 5, .least = 0.1, .largest = 2});
  alpha.start();
  EXPECT_EQ(alpha.next(0.5), 1);
  alpha.failed();
  EXPECT_EQ(alpha.next(0.5), 2);  // 5, clamped
  alpha.succeeded();
  EXPECT_DOUBLE_EQ(alpha.next(0.5), 0.2);
  alpha.succeeded();
  EXPECT_EQ(alpha.next(0.5), 0.1);  // 0.02, clamped
  alpha.start();
  EXPECT_EQ(alpha.next(0.5), 1);
}

TEST(ProximalParameter, FollowsTheError) {
  ProximalParameter alpha({.rule = ProximalParameterOptions::Rule::error, .grow = 3, .sigma = 5, .nu = 2});
  alpha.start();
  EXPECT_DOUBLE_EQ(alpha.next(0.1), 0.05);
  EXPECT_DOUBLE_EQ(alpha.next(0.01), 5e-4);
  alpha.failed();
  EXPECT_DOUBLE_EQ(alpha.next(0.01), 15e-4);  // a failure must change something
  alpha.succeeded();
  EXPECT_DOUBLE_EQ(alpha.next(0.01), 5e-4);
}

TEST(Proximal, SolvesWithEveryInnerSolverRuleAndRelaxation) {
  for (const char* problem :
       {"manufactured_3d", "manufactured_2d", "stack_of_boxes", "duplicated_contacts"}) {
    const ProblemFile file = tests::tiny_problem(problem);
    for (const char* inner : {"newton", "newton(search=armijo)", "newton(map=fb)", "gs", "gs(anderson=5)"})
      for (const char* rule : {"success", "success(shrink=10, grow=5)", "error", "error(sigma=5, nu=0.5)"})
        for (const char* relaxation : {"0.8", "1", "1.4"}) {
          const std::string name =
              std::string("proximal(inner=") + inner + ", rule=" + rule + ", relaxation=" + relaxation + ")";
          const SolveResult result = solve(file, {.tolerance = 1e-9, .time_limit = 20}, name);
          EXPECT_TRUE(result.converged()) << problem << " " << name << " " << result.error();
          EXPECT_LE(tests::judge(file, result.r).error, 1.001e-9) << name;
        }
  }
}

TEST(Proximal, DoesNotDependOnUnits) {
  // The proximal term is relative to the blocks of W: the same steps in other units, up to rounding.
  const SolveResult a = solve(tests::tiny_problem("units_small"), {.tolerance = 1e-10}, "proximal"),
                    b = solve(tests::tiny_problem("units_large"), {.tolerance = 1e-10}, "proximal");
  ASSERT_TRUE(a.converged() && b.converged());
  // The error itself (ρ = 1) depends on units, so that the end may differ by a step or two.
  EXPECT_NEAR(double(a.iterations), double(b.iterations), 3);
}

TEST(Proximal, SolvesHyperstaticMasonry) {
  // Measured: 58 to 1100 Newton steps. Gauss–Seidel and Newton with a line search stop at 1e-4 to 1e-7 on all
  // of them.
  int files = 0;
  for (const char* set : {"Aqueduct", "Bridge", "MasonryWall", "KaplasTower"})
    for (const auto& path : tests::data_files(set)) {
      const ReducedProblem p = tests::reduced(read_problem(path));
      if (p.contacts() > 500) continue;
      ++files;
      const SolveResult result = solve(p, {.tolerance = 1e-8, .max_iterations = 5000}, "proximal");
      EXPECT_TRUE(result.converged()) << path << " " << result.error();
      EXPECT_LE(tests::judge(p, result.r).error, 1.001e-8) << path;
    }
  if (files == 0) GTEST_SKIP() << "no problem files in " << tests::data_folder() << " (set STICKSLIP_DATA)";
}

}  // namespace
}  // namespace stickslip::internal
