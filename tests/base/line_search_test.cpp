#include "base/line_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip::internal {
namespace {

TEST(GoldsteinPrice, TakesTheFullStepWhereItLiesBetweenTheLines) {
  // q(t) = ½(1 − t)²: q(0) = ½, q'(0) = −1, q(1) = 0 lies between −0.1 and −0.9 below ½.
  EXPECT_EQ(goldstein_price(0.5, -1, [](double t) { return 0.5 * (1 - t) * (1 - t); }), 1);
}

TEST(GoldsteinPrice, ShortensAndLengthens) {
  const auto narrow = [](double t) { return 0.5 * (1 - 8 * t) * (1 - 8 * t); };  // slope −8, minimum at 1/8
  const double s = goldstein_price(0.5, -8, narrow);
  EXPECT_LE(narrow(s), 0.5 - 0.1 * 8 * s);
  EXPECT_GE(narrow(s), 0.5 - 0.9 * 8 * s);
  const auto wide = [](double t) { return 0.5 * (1 - t / 16) * (1 - t / 16); };  // slope −1/16, minimum at 16
  const double l = goldstein_price(0.5, -1.0 / 16, wide);
  EXPECT_GT(l, 1);
  EXPECT_LE(wide(l), 0.5 - 0.1 / 16 * l);
}

TEST(Armijo, HalvesUntilTheMeritFalls) {
  const auto steep = [](double t) { return std::abs(1 - 10 * t); };  // falls for t < 0.2 only
  const double t = armijo(1, -10, steep);
  EXPECT_EQ(t, 0.125);
  EXPECT_LT(steep(t), 1);
}

TEST(LineSearches, EndAndAreFiniteWhereTheMeritIsNotANumber) {
  int calls = 0;
  const auto broken = [&](double) { return ++calls, std::nan(""); };
  EXPECT_GT(armijo(1, -1, broken), 0);
  EXPECT_GT(goldstein_price(1, -1, broken), 0);
  EXPECT_LE(calls, 20);
}

TEST(NonmonotoneReference, IsTheLargestOfTheLast) {
  NonmonotoneReference reference(3);
  for (double merit : {5.0, 1.0, 2.0}) reference.push(merit);
  EXPECT_EQ(reference.value(), 5);
  reference.push(0.5);  // 5 is forgotten
  EXPECT_EQ(reference.value(), 2);
  // A step that rises above the last value but not above the largest is accepted as it is.
  EXPECT_EQ(armijo(reference.value(), -1, [](double) { return 1.5; }), 1);
  EXPECT_LT(armijo(0.5, -1, [](double) { return 1.5; }), 1);
}

}  // namespace
}  // namespace stickslip::internal
