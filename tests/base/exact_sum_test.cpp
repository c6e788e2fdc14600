// Exact sums: against sums of whole numbers and of quadruple precision, in any order, and at the ends of the range.
#include "base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"

namespace stickslip::internal {
namespace {

double sum_of(const std::vector<double>& numbers) {
  ExactSum sum;
  for (const double x : numbers) sum.add(x);
  return sum.value();
}

using Limits = std::numeric_limits<double>;
__extension__ typedef __float128 Quadruple;

TEST(ExactSum, OneNumberIsItself) {
  Random random(5);
  std::vector<double> numbers = {0,   1,   -1,   Limits::max(),        -Limits::max(),       Limits::min(),
                                 0.1, 1e9, 1e-9, Limits::denorm_min(), -Limits::denorm_min()};
  for (int k = 0; k < 2000; ++k)
    numbers.push_back(std::ldexp(random.uniform(-1, 1), int(random.below(2090)) - 1070));
  for (const double x : numbers) EXPECT_EQ(sum_of({x}), x);
}

TEST(ExactSum, LosesNothing) {
  EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1);
  EXPECT_EQ(sum_of({Limits::max(), Limits::max(), -Limits::max()}), Limits::max());
  EXPECT_EQ(sum_of({Limits::max(), Limits::max()}), Limits::infinity());
  EXPECT_EQ(sum_of({-Limits::max(), -Limits::max()}), -Limits::infinity());
  EXPECT_EQ(sum_of({1, Limits::denorm_min(), -1}), Limits::denorm_min());
  EXPECT_EQ(sum_of({Limits::min(), -Limits::denorm_min()}), Limits::min() - Limits::denorm_min());
  EXPECT_EQ(sum_of({0.1, -0.1}), 0);
  EXPECT_EQ(sum_of({}), 0);
}

TEST(ExactSum, RoundsOnceToTheEven) {
  const double unit = 0x1p-53;                            // half a unit in the last place of 1
  EXPECT_EQ(sum_of({1, unit}), 1);                        // a tie: 1 is even
  EXPECT_EQ(sum_of({1, unit, 0x1p-1074}), 1 + 2 * unit);  // beyond the tie
  EXPECT_EQ(sum_of({1 + 2 * unit, unit}), 1 + 4 * unit);  // a tie: up to the even one
  EXPECT_EQ(sum_of({-1, -unit, -0x1p-1000}), -1 - 2 * unit);
  EXPECT_EQ(sum_of({1, -unit / 2}), 1);  // a tie below a power of two, whose neighbour is odd
  EXPECT_EQ(sum_of({1, -unit / 2, -0x1p-900}), 1 - unit);
}

TEST(ExactSum, AgreesWithQuadruplePrecision) {
  // 113 bits hold sums of a thousand numbers of 53 bits whose exponents lie within 45 of each other.
  Random random(6);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> numbers;
    Quadruple expected = 0;
    for (int k = 0; k < 1000; ++k) {
      numbers.push_back(std::ldexp(random.uniform(-1, 1), int(random.below(40))));
      expected += numbers.back();
    }
    EXPECT_EQ(sum_of(numbers), double(expected));
  }
}

TEST(ExactSum, KnowsNoOrderAndNoCut) {
  Random random(7);
  std::vector<double> numbers;
  for (int k = 0; k < 3000; ++k)
    numbers.push_back(std::ldexp(random.uniform(-1, 1), int(random.below(300)) - 150));
  const double all = sum_of(numbers);
  for (int round = 0; round < 20; ++round) {
    for (std::size_t k = numbers.size(); k > 1; --k) std::swap(numbers[k - 1], numbers[random.below(k)]);
    EXPECT_EQ(sum_of(numbers), all);
    ExactSum parts[5], sum;
    for (const double x : numbers) parts[random.below(5)].add(x);
    for (const ExactSum& part : parts) sum += part;
    EXPECT_EQ(sum.value(), all);
    // As ranks do it: limb by limb.
    std::vector<std::int64_t> limbs(ExactSum::size, 0);
    for (ExactSum& part : parts)
      for (std::size_t k = 0; k < ExactSum::size; ++k) limbs[k] += part.limbs()[k];
    ExactSum back;
    std::copy(limbs.begin(), limbs.end(), back.limbs().begin());
    EXPECT_EQ(back.value(), all);
  }
}

TEST(ExactSum, WhatIsNotFiniteShows) {
  EXPECT_TRUE(std::isnan(sum_of({1, Limits::infinity()})));
  EXPECT_TRUE(std::isnan(sum_of({Limits::quiet_NaN(), 1})));
  ExactSum sum, bad;
  bad.add(-Limits::infinity());
  sum += bad;
  EXPECT_TRUE(std::isnan(sum.value()));
}

}  // namespace
}  // namespace stickslip::internal
