// Memory counted before it is taken, and the limit on it.
#include "stickslip/memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problems/judge.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"

namespace stickslip {
namespace {

using testing::Contains;
using testing::HasSubstr;

const GlobalProblem& global(const ProblemFile& file) { return std::get<GlobalProblem>(file.problem); }

TEST(Memory, SizesAreReadAndWritten) {
  EXPECT_EQ(parse_size("4G"), 4.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(parse_size("500M"), 500.0 * 1024 * 1024);
  EXPECT_EQ(parse_size("1.5GiB"), 1.5 * 1024 * 1024 * 1024);
  EXPECT_EQ(parse_size("8k"), 8192);
  EXPECT_EQ(parse_size("2e9"), 2e9);
  for (const char* bad : {"", "G", "4X", "-1G", "0", "inf", "4 G", "4GB"})
    EXPECT_THROW(parse_size(bad), InputError) << bad;
  EXPECT_EQ(format_size(parse_size("500M")), "500 MiB");
  EXPECT_EQ(format_size(parse_size("4G")), "4 GiB");
}

TEST(Memory, EstimatesGrowWithTheProblemAndKnowTheRoute) {
  const ProblemFile wall = generate("wall", {.size = 1000}), large = generate("wall", {.size = 4000});
  const MemoryEstimate one = estimate_memory(global(wall)), four = estimate_memory(global(large));
  EXPECT_EQ(one.route, "bodies");
  EXPECT_EQ(one.automatic, one.bodies);
  EXPECT_GT(one.problem, 0);
  EXPECT_LT(one.problem, one.sweeps);
  EXPECT_LT(one.sweeps, one.bodies);
  // Everything but the fronts is linear in the contacts, the fronts of a wall nearly so.
  EXPECT_GT(four.bodies, 3 * one.bodies);
  EXPECT_LT(four.bodies, 8 * one.bodies);
  const MemoryEstimate reduced = estimate_memory(Reduction(global(wall)).reduced());
  EXPECT_EQ(reduced.route, "matrix");
  EXPECT_GT(reduced.factors, reduced.matrix);
  // W is stored twice in both, as blocks; the global form has bodies and sweeps besides.
  EXPECT_NEAR(one.matrix - one.sweeps, 2 * reduced.problem, 0.05 * reduced.problem);
}

TEST(Memory, PackingsAreCountedWithoutFactors) {
  const MemoryEstimate packing = estimate_memory(global(generate("spheres", {.size = 3000})));
  EXPECT_EQ(packing.route, "gradients");
  EXPECT_GT(packing.automatic, packing.sweeps);
  EXPECT_LT(packing.automatic, packing.bodies / 2) << "factors of a packing are large";
}

TEST(Memory, HeapsWhoseFactorsAreLargeAreCountedWithoutThem) {
  const MemoryEstimate heap = estimate_memory(global(generate("boxes", {.size = 100000})));
  EXPECT_EQ(heap.route, "gradients");
  EXPECT_GT(heap.automatic, heap.sweeps);
  EXPECT_LT(heap.automatic, heap.bodies / 2);
}

TEST(Memory, AutoLeavesOutWhatDoesNotFit) {
  // Boxes end by mixing, so that a factorisation is not needed.
  const ProblemFile file = generate("boxes", {.size = 800});
  const MemoryEstimate needed = estimate_memory(global(file));
  const double limit = (needed.sweeps + std::min(needed.bodies, needed.matrix)) / 2;
  const SolveResult result = solve(
      global(file), {.tolerance = 1e-3, .max_iterations = 20000, .memory_limit = limit, .explain = true},
      "auto(horizon=1)");
  EXPECT_TRUE(result.converged()) << result.message;
  EXPECT_LE(tests::judge(file, result.r).error, 1e-3);
  EXPECT_THAT(result.explanation, Contains(HasSubstr("sweeps with mixing only")));
}

TEST(Memory, MethodsThatNeedWRefuse) {
  const ProblemFile file = generate("wall", {.size = 200});
  const SolveResult result = solve(global(file), {.memory_limit = 1000}, "NSN-AC");
  EXPECT_EQ(result.status, Status::not_applicable);
  EXPECT_THAT(result.message, HasSubstr("beyond the limit of"));
  EXPECT_EQ(result.r.size(), global(file).w().size());
  EXPECT_THROW(solve(global(file), {.memory_limit = 0}), InputError);
}

}  // namespace
}  // namespace stickslip
