// The stored problems of the hyperstatic heart (problems/hard): Gauss–Seidel does not solve them, `auto` does.
#include <gtest/gtest.h>

#include <filesystem>

#include "problems/judge.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/io.hpp"

namespace stickslip::internal {
namespace {

const std::filesystem::path folder = std::filesystem::path(STICKSLIP_SOURCE_DIR) / "tests/problems/hard";

class Hard : public ::testing::TestWithParam<std::string> {
 protected:
  const ProblemFile file = read_problem(folder / (GetParam() + ".hdf5"));
};
INSTANTIATE_TEST_SUITE_P(Stored, Hard,
                         ::testing::Values("arch_2d", "arch_3d", "aqueduct", "dome", "tower", "wall",
                                           "blocks", "pyramid", "stack", "spheres"),
                         [](const auto& test) { return test.param; });

TEST_P(Hard, IsSolvedByAuto) {
  const SolveResult result =
      solve(file, {.tolerance = 1e-8, .time_limit = 60});  // milliseconds on a free machine
  EXPECT_TRUE(result.converged()) << name(result.status) << ": " << result.message;
  EXPECT_LE(tests::judge(file, result.r).error, 1.000001e-8);  // the checker's rounding
  // Both forms.
  const ReducedProblem reduced = Reduction(std::get<GlobalProblem>(file.problem)).reduced();
  const SolveResult of_reduced = solve(reduced, {.tolerance = 1e-8, .time_limit = 60});
  EXPECT_TRUE(of_reduced.converged()) << name(of_reduced.status) << ": " << of_reduced.message;
  EXPECT_LE(tests::judge(reduced, of_reduced.r).error, 1.000001e-8);
}

TEST_P(Hard, IsNotSolvedByTenThousandSweeps) {
  // When Gauss–Seidel learns it, the problem is no longer hard: store another.
  const SolveResult result = solve(file, {.tolerance = 1e-8, .max_iterations = 10000}, "gs(local=exact)");
  EXPECT_EQ(name(result.status), "iteration_limit");
  EXPECT_GT(tests::judge(file, result.r).error, 3e-8);  // not by a hair
}

TEST(HardProblems, AreSmallFiles) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_LE(entry.file_size(), 50000u) << entry.path();
    files += entry.path().extension() == ".hdf5";
  }
  EXPECT_EQ(files, 10);
}

}  // namespace
}  // namespace stickslip::internal
