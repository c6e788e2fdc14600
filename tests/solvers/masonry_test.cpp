// What docs/masonry_study.md and docs/theory/quasi_newton.md say, held on the smaller real problems
// (problems/data_folder).
#include <gtest/gtest.h>

#include "problems/data_folder.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/io.hpp"

namespace stickslip::internal {
namespace {

/// The files of a set with at most so many contacts, read.
std::vector<ProblemFile> problems_of(const std::string& set, Index contacts) {
  std::vector<ProblemFile> files;
  for (const auto& path : tests::data_files(set)) {
    ProblemFile file = read_problem(path);
    if (std::visit([](const auto& p) { return p.contacts(); }, file.problem) <= contacts)
      files.push_back(std::move(file));
  }
  return files;
}

ReducedProblem without_friction(const ProblemFile& file) {
  const ReducedProblem p = tests::reduced(file);
  return {p.W(), {p.q().begin(), p.q().end()}, std::vector<double>(p.mu().size(), 0.0)};
}

TEST(Masonry, FullRankWallsTakeAFewFactorisations) {
  const auto walls = problems_of("LowWallH8_gen", 300);
  if (walls.empty()) GTEST_SKIP() << "no problem files in " << tests::data_folder();
  for (const ProblemFile& file : walls) {
    const SolveResult hybrid = solve(file, {.max_iterations = 15}, "semismooth");  // 8 to 11
    EXPECT_TRUE(hybrid.converged()) << hybrid.iterations << " iterations, error " << hybrid.error();
    const SolveResult active_set = solve(without_friction(file), {.max_iterations = 5},
                                         "semismooth(linearisation=unil)");  // SSN Table 3
    EXPECT_TRUE(active_set.converged())
        << active_set.iterations << " iterations, error " << active_set.error();
  }
}

TEST(Masonry, TheHybridSolvesArchesThatTheOthersDoNot) {
  const auto arches = problems_of("Bridge_gen", 100);
  if (arches.empty()) GTEST_SKIP() << "no problem files in " << tests::data_folder();
  int hybrid = 0, newton = 0, fixed = 0, frictionless = 0;
  for (const ProblemFile& file : arches) {
    hybrid += solve(file, {}, "semismooth").converged();
    newton += solve(file, {}, "semismooth(linearisation=newt)").converged();
    fixed += solve(file, {}, "semismooth(linearisation=fix, search=none)").converged();
    frictionless += solve(without_friction(file), {.max_iterations = 40}, "semismooth(linearisation=unil)")
                        .converged();  // 5 to 27
  }
  // 5, 1, 0 and 5 of 5; other compilers round in other ways, and one arch may go the other way.
  EXPECT_GE(hybrid, 4);
  EXPECT_GT(hybrid, newton + 1);
  EXPECT_GT(hybrid, fixed + 1);
  EXPECT_EQ(frictionless, int(arches.size()));
}

TEST(QuasiNewton, RigidSetsReachTheEnergyGoalWithoutFallback) {
  int solved = 0, all = 0;
  for (const char* set : {"BoxesStack_gen", "Bridge_gen", "Capsules_gen", "Chute_gen", "MasonryWall_gen",
                          "PR_Box_gen", "Spheres_lowmu_gen", "Tiny_gen"})
    for (const ProblemFile& file : problems_of(set, 150)) {
      const SolveResult result =
          solve(file, {.tolerance = 1e-12}, "quasi_newton(fallback=none, energy=1e-8)");
      solved += result.measures.energy <= 1e-8;
      ++all;
    }
  if (all == 0) GTEST_SKIP() << "no problem files in " << tests::data_folder();
  EXPECT_GE(solved, 0.95 * all) << solved << " of " << all;
}

}  // namespace
}  // namespace stickslip::internal
