// The limits of a request hold for every entry of the catalogue.
#include <gtest/gtest.h>

#include "problems/another_law.hpp"
#include "problems/judge.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"

namespace stickslip::internal {
namespace {

TEST(Limits, NoSolverExceedsTheIterationLimit) {
  const ProblemFile file = tests::tiny_problem("manufactured_3d");
  for (const auto& entry : catalogue())
    for (long limit : {0L, 1L, 2L, 7L, 60L}) {
      const SolveResult result = solve(file, {.tolerance = 1e-14, .max_iterations = limit}, entry.label);
      EXPECT_LE(result.iterations, limit) << entry.label;
      const auto report = tests::judge(file, result.r);
      EXPECT_NEAR(result.error(), report.error, 1e-6 * report.error + 1e-15)
          << entry.label << ", limit " << limit;
    }
}

TEST(Limits, EverySolverCanBeCancelled) {
  const ProblemFile file = tests::tiny_problem("manufactured_3d");
  for (const auto& entry : catalogue()) {
    if (tests::another_law(entry)) continue;
    std::atomic<bool> cancel = true;
    const SolveResult result =
        solve(file, {.tolerance = 1e-14, .time_limit = 20, .cancel = &cancel}, entry.label);
    EXPECT_EQ(name(result.status), "cancelled") << entry.label;
    EXPECT_LE(result.iterations, 1) << entry.label;
  }
}

}  // namespace
}  // namespace stickslip::internal
