#include "linalg/contact_system/small_system.hpp"

#include <gtest/gtest.h>

#include "linalg/contact_system/front_lu.hpp"
#include "linalg/newton_case.hpp"

namespace stickslip::internal {
namespace {

using tests::Numbers;

TEST(SmallSystem, AgreesWithTheFronts) {
  Random random(5);
  SmallSystem small;
  for (int d : {2, 3})
    for (Index n = 1; n <= SmallSystem::most; ++n)
      for (int trial = 0; trial < 5; ++trial) {
        auto c = tests::newton_case(n, d, 1, random);
        Numbers expected = c.x;
        FrontLu fronts;
        fronts.analyse(c.W);
        const std::vector<std::uint8_t> all(std::size_t(n), 1);
        ASSERT_EQ(fronts.factorise(all, c.left.data(), c.right.data(), 0.1), 0);
        fronts.solve(expected);
        small.set(c.W);
        ASSERT_TRUE(small.solve(c.left.data(), c.right.data(), 0.1, c.x));
        for (std::size_t k = 0; k < c.x.size(); ++k)  // condition below 1e3
          ASSERT_NEAR(c.x[k], expected[k], 1e-12) << n << " contacts, d = " << d;
      }
}

TEST(SmallSystem, ExchangesRows) {
  // L turns the rows of W round: without an exchange the first pivot would vanish.
  const double W[9] = {2, 0, 0, 0, 3, 0, 0, 0, 4}, L[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}, R[9] = {};
  SmallSystem small;
  small.set(BlockMatrix(3, {0, 0}, {}, {}, {W, W + 9}));
  Numbers x = {3, 4, 2};
  ASSERT_TRUE(small.solve(L, R, 0, x));
  EXPECT_EQ(x, (Numbers{1, 1, 1}));
}

TEST(SmallSystem, RefusesASingularMatrixAndLeavesTheRightHandSide) {
  const double W[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, R[9] = {};
  SmallSystem small;
  small.set(BlockMatrix(3, {0, 0}, {}, {}, {W, W + 9}));
  Numbers x = {1, 2, 3};
  EXPECT_FALSE(small.solve(I, R, 0, x));
  EXPECT_EQ(x, (Numbers{1, 2, 3}));
  EXPECT_TRUE(small.solve(I, R, 0.5, x));
}

}  // namespace
}  // namespace stickslip::internal
