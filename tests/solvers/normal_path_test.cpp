// The central path of contact without friction: it ends at the solution and tells closed from open contacts.
#include "solvers/semismooth/normal_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace stickslip::internal {
namespace {

/// Two contacts that share one load, W_NN = [1 1; 1 1], and one that is driven apart: rank deficient, the
/// first two impulses only known as their sum, 2.
BlockMatrix shared_load() {
  std::vector<Triplet> entries;
  for (Index i = 0; i < 3; ++i)
    for (Index c = 0; c < 2; ++c) entries.push_back({2 * i + c, 2 * i + c, 1.0});
  entries.push_back({0, 2, 1.0});
  entries.push_back({2, 0, 1.0});
  return {SparseMatrix(6, 6, entries), 2};
}

TEST(NormalPath, EndsAtTheSolutionOfARankDeficientProblem) {
  const NormalMatrix W(shared_load());
  const std::vector<double> q = {-2, -2, 3};
  NormalPath path(W, q);
  path.sweep(20);
  int steps = 0;
  for (; path.gap() > 1e-12 && steps < 30; ++steps) ASSERT_GT(path.step(), 0);
  // From a gap of 0.1; each step aims at 1e-5 of the gap when the last one got there.
  EXPECT_LE(steps, 5);
  const auto r = path.impulses();
  // A gap of 1e-12 leaves about its size in products of numbers near 1.
  EXPECT_NEAR(r[0] + r[1], 2, 1e-9);
  EXPECT_GT(std::min(r[0], r[1]), 0.1);
  EXPECT_NEAR(r[2], 0, 1e-9);
  std::vector<std::uint8_t> closed(3);
  path.closed(closed);
  EXPECT_EQ(closed, (std::vector<std::uint8_t>{1, 1, 0}));
}

TEST(NormalPath, TheSweepsSayHowWellTheyDid) {
  const NormalMatrix W(shared_load());
  const std::vector<double> q = {-2, -2, 3};
  NormalPath path(W, q);
  const double few = path.sweep(2), many = path.sweep(100);
  EXPECT_GT(few, 1e-4);
  // The barrier m/r² = 0.1 beside W = 1 makes each sweep a factor of about 0.83 in the square.
  EXPECT_LT(many, 1e-8);
  EXPECT_NEAR(path.gap(), 0.1, 1e-12);
}

TEST(NormalPath, NoContactsNoSteps) {
  const NormalMatrix W(BlockMatrix(SparseMatrix(0, 0, {}), 3));
  NormalPath path(W, {});
  EXPECT_EQ(path.sweep(3), 0);
  EXPECT_EQ(path.step(), 0);
}

}  // namespace
}  // namespace stickslip::internal
