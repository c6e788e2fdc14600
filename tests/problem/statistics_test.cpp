// What a problem looks like, for problems that were built to look so.
#include "stickslip/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/dense.hpp"

namespace stickslip::internal {
namespace {

using tests::Dense;
using tests::Numbers;

TEST(Statistics, OfThreeIslands) {
  // Contacts 0–2–3 in a row, 1 and 4 alone; d = 2.
  std::vector<Triplet> entries;
  for (Index i = 0; i < 10; ++i) entries.push_back({i, i, i < 2 ? 4.0 : i == 9 ? 0.5 : 1.0});
  for (const auto& [i, j] : {std::pair{0, 4}, {4, 6}})
    entries.insert(entries.end(), {{i, j, 0.25}, {j, i, 0.25}});
  ReducedProblem problem(BlockMatrix(SparseMatrix(10, 10, entries), 2), Numbers(10, -2.0),
                         {0.1, 0.9, 0, 0.3, 0.2});
  problem.degrees_of_freedom = 5;
  const Statistics s = statistics(problem);
  EXPECT_EQ(s.contacts, 5);
  EXPECT_EQ(s.dimension, 2);
  EXPECT_EQ(s.degrees_of_freedom, 5);
  EXPECT_EQ(s.density, 2);
  EXPECT_EQ(s.blocks, 9);
  EXPECT_DOUBLE_EQ(s.blocks_per_row, 1.8);
  EXPECT_EQ(s.asymmetry, 0);
  EXPECT_DOUBLE_EQ(s.smallest_block, 0.75);
  EXPECT_DOUBLE_EQ(s.largest_block, 4);
  EXPECT_EQ(s.islands, 3);
  EXPECT_EQ(s.mu_min, 0);
  EXPECT_EQ(s.mu_max, 0.9);
  EXPECT_DOUBLE_EQ(s.q_norm, 2 * std::sqrt(10.0));
  EXPECT_EQ(s.rank_ratio, 1);
}

TEST(Statistics, CountsIslandsThroughOneSidedCoupling) {
  // Block (2, 0) without (0, 2): still one island of both.
  const BlockMatrix W(2, {0, 0, 0, 1}, {0}, {1, 0, 0, 0}, {4, 0, 0, 4, 4, 0, 0, 4, 4, 0, 0, 4});
  EXPECT_EQ(statistics({W, Numbers(6), Numbers(3)}).islands, 2);
}

TEST(Statistics, RankRatioOfAConstructedRank) {
  // W = Hᵀ H with H of k rows: rank k.
  Random random(1);
  for (const auto& [contacts, k] : {std::pair{4, 5}, {10, 3}, {10, 30}, {150, 6}}) {
    const Dense H = tests::random_dense(k, 3 * contacts, random);
    const ReducedProblem problem(BlockMatrix(tests::sparse(transpose(H) * H), 3),
                                 Numbers(std::size_t(3 * contacts)), Numbers(std::size_t(contacts)));
    const auto ratio = statistics(problem).rank_ratio;
    ASSERT_TRUE(ratio.has_value());
    EXPECT_DOUBLE_EQ(*ratio, double(std::min(k, 3 * contacts)) / (3 * contacts)) << contacts << ' ' << k;
    EXPECT_FALSE(statistics(problem, 3 * contacts - 1).rank_ratio.has_value()) << "beyond the limit";
  }
}

TEST(Statistics, OfNoContacts) {
  const Statistics s = statistics({BlockMatrix{}, {}, {}});
  EXPECT_EQ(s.contacts, 0);
  EXPECT_EQ(s.blocks, 0);
  EXPECT_EQ(s.islands, 0);
  EXPECT_FALSE(s.density.has_value());
}

TEST(Spectrum, IsTheSameByBothWaysWhereTheLoadFeelsAll) {
  Random random(3);
  const Dense B = tests::random_dense(12, 7, random);
  const ReducedProblem problem(BlockMatrix(tests::sparse(B * transpose(B)), 3),
                               tests::random_numbers(12, random), Numbers(4, 0.5));
  const Spectrum all = spectrum(problem), iterated = spectrum(problem, 0);
  EXPECT_EQ(all.rank, 7);
  EXPECT_FALSE(iterated.rank.has_value());
  EXPECT_GT(iterated.steps, 0);
  // Rounding, enlarged by the condition of a random 7×7 part.
  EXPECT_NEAR(iterated.largest, all.largest, 1e-10 * all.largest);
  EXPECT_NEAR(iterated.smallest, all.smallest, 1e-8 * all.largest);
  EXPECT_DOUBLE_EQ(all.condition(), all.largest / all.smallest);
}

}  // namespace
}  // namespace stickslip::internal
