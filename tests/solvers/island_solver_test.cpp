// Islands: each gets its part of the time, and what is solved does not depend on the others.
#include "solvers/parts/island_solver.hpp"

#include <gtest/gtest.h>

#include "problem/islands.hpp"
#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/side_by_side.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"

namespace stickslip::internal {
namespace {

using tests::Numbers;
using tests::side_by_side;

TEST(Islands, AreFoundLargestFirst) {
  const ReducedProblem small = tests::reduced(tests::tiny_problem("slip_2d")),
                       large = tests::reduced(tests::tiny_problem("cycling_2d"));
  const ReducedProblem p = side_by_side(side_by_side(small, large), small);
  Islands islands;
  islands.find(p.W());
  ASSERT_EQ(islands.count(), 3u);
  EXPECT_EQ(islands[0].size(), std::size_t(large.contacts()));
  EXPECT_EQ(islands[0][0], 1);
  EXPECT_EQ(islands[1][0], 0);
  EXPECT_EQ(islands[2][0], p.contacts() - 1);
  // The part is the problem that went in, also in memory that was used before.
  ReducedProblem part = extract(p, islands[1]);
  part = extract(p, islands[0], std::move(part).release());
  EXPECT_EQ(Numbers(part.q().begin(), part.q().end()), Numbers(large.q().begin(), large.q().end()));
  EXPECT_EQ(part.W().to_sparse().nonzeros(), large.W().to_sparse().nonzeros());
  EXPECT_EQ(part.q_norm(), large.q_norm());
}

TEST(IslandSolver, AnIslandThatTakesItsTimeLeavesTheOthersTheirs) {
  // Gauss–Seidel cycles on the large island, which comes first.
  const ReducedProblem cycling = tests::reduced(tests::tiny_problem("cycling_2d")),
                       easy = tests::reduced(tests::tiny_problem("slip_2d"));
  const ReducedProblem p = side_by_side(cycling, easy);
  const SolveResult result = solve(p, {.tolerance = 1e-8, .time_limit = 0.003}, "gs(islands=on)");
  EXPECT_FALSE(result.converged());
  const Numbers r(result.r.end() - 2, result.r.end());
  EXPECT_LE(tests::judge(easy, r).error, 1e-8) << "the small island is solved all the same";
}

TEST(IslandSolver, FindsTheSolutionsOfTheParts) {
  const ReducedProblem a = tests::reduced(tests::tiny_problem("manufactured_2d")),
                       b = tests::reduced(tests::tiny_problem("random_2d"));
  const SolveResult both = solve(side_by_side(a, b), {.tolerance = 1e-10, .time_limit = 20}, "NSGS-ANDERSON");
  ASSERT_TRUE(both.converged());
  const SolveResult again = solve(side_by_side(a, b), {.tolerance = 1e-10}, "NSGS-ANDERSON");
  EXPECT_EQ(both.r, again.r) << "a time limit that is not reached changes nothing";
}

}  // namespace
}  // namespace stickslip::internal
