// The central path of contact without friction: it ends at the solution and tells closed from open contacts.
#include "solvers/normal_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "stickslip/problem.hpp"

namespace stickslip {
namespace {

/// Two contacts that share one load, W_NN = [1 1; 1 1], and one that is driven apart: rank deficient, the
/// first two impulses only known as their sum, 2.
ReducedProblem shared_load() {
  std::vector<Triplet> entries;
  for (Index i = 0; i < 3; ++i)
    for (Index c = 0; c < 2; ++c) entries.push_back({2 * i + c, 2 * i + c, 1.0});
  entries.push_back({0, 2, 1.0});
  entries.push_back({2, 0, 1.0});
  return {BlockMatrix(SparseMatrix(6, 6, entries), 2), {-2, 0, -2, 0, 3, 0}, {0, 0, 0}};
}

TEST(NormalPath, EndsAtTheSolutionOfARankDeficientProblem) {
  HybridSystem<2> system(shared_load(), Linearisation::unil, HybridSystem<2>::Scaled::off);
  NormalPath<2> path(system, 1e-10);
  int steps = 0;
  for (; path.gap() > 1e-12 && steps < 30; ++steps) ASSERT_GT(path.step(), 0);
  // Quadratic in the end: a dozen steps from a gap of about 1, with room to spare.
  EXPECT_LE(steps, 15);
  std::vector<double> r(6);
  path.impulses(r);
  // A gap of 1e-12 leaves about its size in products of numbers near 1.
  EXPECT_NEAR(r[0] + r[2], 2, 1e-9);
  EXPECT_GT(std::min(r[0], r[2]), 0.1);
  EXPECT_NEAR(r[4], 0, 1e-9);
  std::vector<std::uint8_t> closed(3);
  path.closed(closed);
  EXPECT_EQ(closed, (std::vector<std::uint8_t>{1, 1, 0}));
}

}  // namespace
}  // namespace stickslip
