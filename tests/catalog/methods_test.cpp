// Typed options and the names that they stand for.
#include "stickslip/methods.hpp"

#include <gtest/gtest.h>

#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

TEST(Methods, WhatIsLeftAloneIsTheFamilysOwn) {
  EXPECT_EQ(GaussSeidel{}.name(), "gs");
  EXPECT_EQ(Newton{}.name(), "newton");
  EXPECT_EQ(Proximal{}.name(), "proximal");
  EXPECT_EQ(Admm{}.name(), "admm");
  EXPECT_EQ(InteriorPoint{}.name(), "nipm");
}

TEST(Methods, EveryOptionIsOneOfTheFamily) {
  const ProblemFile file = tests::tiny_problem("manufactured_3d");
  for (const std::string& name :
       {GaussSeidel{.relaxation = 0.9, .anderson = 3, .order = GaussSeidel::Order::shuffled, .seed = 2}
            .name(),
        Newton{.map = Newton::Map::fischer_burmeister,
        .search = Newton::Search::goldstein_price,
        .regularisation = 1e-8,
        .sweeps = 10}
            .name(),
        Newton{.map = Newton::Map::natural}.name(), Newton{.map = Newton::Map::jean_moreau}.name(),
        Proximal{.alpha0 = 0.1, .alpha_max = 100, .inner_factor = 0.1}.name(),
        Admm{.rho = 1, .relaxation = 1.5, .anderson = 0}.name(), InteriorPoint{.paths = 5}.name()})
    EXPECT_TRUE(solve(file, {.tolerance = 1e-6}, name).converged()) << name;
  for (int k = 0; k <= int(GaussSeidel::Order::coloured); ++k)
    EXPECT_NO_THROW(Solver(GaussSeidel{.order = GaussSeidel::Order(k)}.name())) << k;
}

TEST(Methods, ValuesAreChecked) {
  EXPECT_THROW(Solver(GaussSeidel{.relaxation = 3}.name()), InputError);
  EXPECT_THROW(Solver(Proximal{.alpha0 = -1}.name()), InputError);
}

}  // namespace
}  // namespace stickslip::internal
