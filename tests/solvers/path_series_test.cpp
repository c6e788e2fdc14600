// Points on a curve from its Taylor series: polynomials exactly, rational functions beyond their poles.
#include "solvers/semismooth/path_series.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip::internal {
namespace {

using Sum = PathSeries::Sum;

TEST(PathSeries, SumsPolynomials) {
  PathSeries series(2, 3);
  const double cubic[] = {1, -2, 0.5, 3};
  for (std::size_t k = 0; k <= 3; ++k) {
    series.terms(0)[k] = cubic[k];
    series.terms(1)[k] = k == 0 ? 1 : 0;
  }
  ASSERT_EQ(series.prepare(), 3);
  std::vector<double> x(2);
  ASSERT_TRUE(series.positive_point(0.5, 3, Sum::taylor, x));
  EXPECT_DOUBLE_EQ(x[0], 1 - 1 + 0.125 + 0.375);
  EXPECT_DOUBLE_EQ(x[1], 1);
  // 1 − 2s + s²/2 is negative at 0.8.
  EXPECT_FALSE(series.positive_point(0.8, 2, Sum::taylor, x));
}

TEST(PathSeries, ContinuesRationalFunctionsBeyondTheirRadius) {
  // 1/(1 + 4s) and 1/(1 + 3s)(1 + 2s) have poles at −1/4, −1/3 and −1/2; their Taylor sums are useless at 1.
  constexpr int order = 8;
  PathSeries series(3, order);
  for (std::size_t k = 0; k <= order; ++k) {
    const double p = double(k);
    series.terms(0)[k] = std::pow(-4, p);
    series.terms(1)[k] = 3 * std::pow(-3, p) - 2 * std::pow(-2, p);
    series.terms(2)[k] = std::pow(-3, p);
  }
  ASSERT_EQ(series.prepare(), order);
  std::vector<double> x(3);
  ASSERT_TRUE(series.positive_point(1, order, Sum::rational, x));
  // Three ratios are met exactly by sums of four; the ridge of 1e-12 leaves about its root.
  EXPECT_NEAR(x[0], 0.2, 1e-4);
  EXPECT_NEAR(x[1], 1.0 / 12, 1e-4);
  EXPECT_NEAR(x[2], 0.25, 1e-4);
}

TEST(PathSeries, OneDenominatorKeepsLinearRelations) {
  constexpr int order = 10;
  PathSeries series(3, order);
  for (std::size_t k = 0; k <= order; ++k) {
    series.terms(0)[k] = k % 3 == 0 ? 1 : -0.3;
    series.terms(1)[k] = k == 0 ? 1 : 1.0 / double(k);
    series.terms(2)[k] = k == 0 ? 1 : series.terms(0)[k] + 2 * series.terms(1)[k];
  }
  series.prepare();
  std::vector<double> x(3);
  ASSERT_TRUE(series.positive_point(0.7, order, Sum::rational, x));
  // In the terms but the first, x_2 − 1 = (x_0 − 1) + 2 (x_1 − 1); rounding only.
  EXPECT_NEAR(x[2], x[0] + 2 * x[1] - 2, 1e-10);
}

TEST(PathSeries, LeavesOutTermsThatOverflow) {
  PathSeries series(1, 5);
  for (std::size_t k = 0; k <= 5; ++k) series.terms(0)[k] = k < 3 ? 1 : 1e200;
  EXPECT_EQ(series.prepare(), 2);
  series.terms(0)[1] = NAN;
  EXPECT_EQ(series.prepare(), 0);
}

}  // namespace
}  // namespace stickslip::internal
