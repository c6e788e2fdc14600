// The generator must give the same numbers for ever: generated problems are named by their seeds.
#include "base/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace stickslip::internal {
namespace {

TEST(Random, BitsAreThoseOfXoshiro) {
  // From an independent program (Python) after Blackman and Vigna, the state filled by splitmix64.
  const std::uint64_t known[][5] = {
      {0, 0x53175d61490b23df, 0x61da6f3dc380d507, 0x5c0fdf91ec9a7bfc, 0x02eebf8c3bbe5e1a},
      {1, 0xcfc5d07f6f03c29b, 0xbf424132963fe08d, 0x19a37d5757aaf520, 0xbf08119f05cd56d6},
      {42, 0xd0764d4f4476689f, 0x519e4174576f3791, 0xfbe07cfb0c24ed8c, 0xb37d9f600cd835b8}};
  for (const auto& row : known) {
    Random random(row[0]);
    for (int k = 1; k < 5; ++k) EXPECT_EQ(random.bits(), row[k]) << "seed " << row[0] << ", number " << k;
  }
}

TEST(Random, UniformIsTheTopBits) {
  Random random(1);
  EXPECT_EQ(random.uniform(), double(0xcfc5d07f6f03c29b >> 11) / 9007199254740992.0);
  EXPECT_EQ(random.uniform(-2, 6), -2 + 8 * (double(0xbf424132963fe08d >> 11) / 9007199254740992.0));
  EXPECT_EQ(random.below(1000), 0x19a37d5757aaf520 % 1000);
}

TEST(Random, UniformStaysInRangeWithTheRightMoments) {
  Random random(2);
  constexpr int n = 100000;
  double sum = 0, squares = 0;
  for (int k = 0; k < n; ++k) {
    const double x = random.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x, squares += x * x;
  }
  // Variance 1/12 of x and 4/45 of x²; five standard deviations of the mean.
  EXPECT_NEAR(sum / n, 0.5, 5 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(squares / n, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / n));
}

TEST(Random, NormalHasTheRightMoments) {
  Random random(3);
  constexpr int n = 200000;
  double first = 0, second = 0, third = 0, fourth = 0;
  for (int k = 0; k < n; ++k) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    first += x, second += x * x, third += x * x * x, fourth += x * x * x * x;
  }
  // Variances of x, x², x³, x⁴: 1, 2, 15, 96; five standard deviations of the mean.
  EXPECT_NEAR(first / n, 0, 5 * std::sqrt(1.0 / n));
  EXPECT_NEAR(second / n, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(third / n, 0, 5 * std::sqrt(15.0 / n));
  EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96.0 / n));
}

TEST(Random, BelowReachesEveryValueEvenly) {
  Random random(4);
  constexpr int n = 70000, values = 7;
  std::vector<int> count(values);
  for (int k = 0; k < n; ++k) ++count.at(random.below(values));
  // Binomial: standard deviation √(n p (1 − p)); five of them.
  for (int c : count) EXPECT_NEAR(c, n / values, 5 * std::sqrt(n * (1.0 / 7) * (6.0 / 7)));
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, SeedsGiveDifferentStreams) {
  Random a(5), b(6), again(5);
  int same = 0;
  for (int k = 0; k < 100; ++k) {
    const auto x = a.bits();
    same += x == b.bits();
    EXPECT_EQ(x, again.bits());
  }
  EXPECT_EQ(same, 0);
}

}  // namespace
}  // namespace stickslip::internal
