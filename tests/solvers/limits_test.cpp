// The limits of a request hold for every entry of the catalogue.
#include <gtest/gtest.h>

#include <chrono>

#include "problems/judge.hpp"
#include "problems/solvers.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

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

TEST(Limits, TheTimeLimitHoldsWhileWIsFormed) {
  // M fills up when it is factorised, and W is full: seconds of work before the first iteration.
  const ProblemFile file = generate("random", {.size = 2200});
  for (const char* solver : {"auto", "NSGS-EXACT", "NSN-AC"}) {
    const auto start = std::chrono::steady_clock::now();
    const SolveResult result = solve(file, {.time_limit = 2}, solver);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    // Asked every tenth of a second of work; the machine may be busy, or a sanitizer slow it down: far below the minutes that it would take.
    EXPECT_LE(seconds, 30) << solver;
    EXPECT_LE(result.timing.total, seconds) << solver;
    EXPECT_TRUE(result.status == Status::time_limit || result.converged())
        << solver << ": " << name(result.status);
    EXPECT_EQ(result.r.size(), 6600u) << solver;
  }
}

}  // namespace
}  // namespace stickslip::internal
