#include "linalg/contact_system/contact_lu.hpp"

#include <gtest/gtest.h>

#include "linalg/contact_system/front_lu.hpp"
#include "linalg/newton_case.hpp"

namespace stickslip::internal {
namespace {

using tests::Numbers;

TEST(ContactLu, AgreesWithTheFronts) {
  Random random(3);
  ContactLu blocks;
  for (int d : {2, 3})
    for (Index n : {1, 2, 9, 30, 64, 150})
      for (double density : {0.0, 3.0 / double(n), n <= 64 ? 0.3 : 0.02}) {
        auto c = tests::newton_case(n, d, density, random);
        ASSERT_TRUE(blocks.analyse(c.W));
        for (int pass = 0; pass < 2; ++pass, c.active.assign(std::size_t(n), 1)) {
          Numbers expected = c.x, x = c.x;
          FrontLu fronts;
          fronts.analyse(c.W);
          ASSERT_EQ(fronts.factorise(c.active, c.left.data(), c.right.data(), 0.1), 0);
          fronts.solve(expected);
          ASSERT_TRUE(blocks.factorise(c.active, c.left.data(), c.right.data(), 0.1));
          blocks.solve(x);
          for (std::size_t k = 0; k < x.size(); ++k)
            ASSERT_NEAR(x[k], expected[k], 1e-11) << n << " contacts, d = " << d << ", density " << density;
        }
      }
}

TEST(ContactLu, ExchangesRowsInsideAContact) {
  // L turns the rows of W round; twice the same row makes the block singular.
  const double W[9] = {2, 0, 0, 0, 3, 0, 0, 0, 4}, L[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}, R[9] = {};
  const BlockMatrix one(3, {0, 0}, {}, {}, {W, W + 9});
  ContactLu blocks;
  ASSERT_TRUE(blocks.analyse(one));
  ASSERT_TRUE(blocks.factorise(std::vector<std::uint8_t>{1}, L, R, 0));
  Numbers x = {3, 4, 2};
  blocks.solve(x);
  for (double number : x) EXPECT_NEAR(number, 1, 1e-15);
  const double twice[9] = {1, 1, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_FALSE(blocks.factorise(std::vector<std::uint8_t>{1}, twice, R, 0));
}

TEST(ContactLu, RefusesWhatDoesNotFit) {
  Random random(7);
  ContactLu blocks;
  EXPECT_FALSE(blocks.analyse(tests::newton_case(90, 2, 1, random).W)) << "a full W is for dense fronts";
  const BlockMatrix oneway(2, {0, 1, 1}, {1}, {1, 0, 0, 1}, {1, 0, 0, 1, 1, 0, 0, 1});
  EXPECT_FALSE(blocks.analyse(oneway)) << "W₁₂ without W₂₁";
  EXPECT_TRUE(blocks.analyse(tests::newton_case(10, 3, 1, random).W))
      << "after a refusal the next matrix is new";
}

}  // namespace
}  // namespace stickslip::internal
