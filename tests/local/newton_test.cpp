// The one-contact Newton solver: the same answers as the exact one, by both maps, with and without line
// search.
#include "local/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "cone/project.hpp"

namespace stickslip::internal {
namespace {

using Search = LocalNewtonOptions::Search;

struct Case {
  Map map;
  Search search;
  RhoRule rho;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << (c.map == Map::alart_curnier ? "AC" : "JM") << (c.search == Search::none ? "" : "-GP") << " rho "
       << int(c.rho);
}

class LocalNewton : public ::testing::TestWithParam<Case> {
 protected:
  LocalNewtonOptions options() const {
    LocalNewtonOptions o;
    o.map = GetParam().map, o.search = GetParam().search, o.rho = GetParam().rho;
    return o;
  }
};
INSTANTIATE_TEST_SUITE_P(Variants, LocalNewton,
                         ::testing::Values(Case{Map::alart_curnier, Search::none, RhoRule::split},
                                           Case{Map::alart_curnier, Search::goldstein_price, RhoRule::split},
                                           Case{Map::jean_moreau, Search::none, RhoRule::split},
                                           Case{Map::jean_moreau, Search::goldstein_price, RhoRule::split},
                                           Case{Map::alart_curnier, Search::none, RhoRule::spectral},
                                           Case{Map::alart_curnier, Search::none, RhoRule::split_conditioned},
                                           Case{Map::alart_curnier, Search::none, RhoRule::one}));

/// Diagonally dominant with little coupling of the normal, so that one contact has one solution (μ < 1).
template <int D>
Mat<D> tame_block(Random& random) {
  Mat<D> A{};
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j)
      A[std::size_t(i + D * j)] = i == j ? random.uniform(0.8, 1.5) : random.uniform(-0.2, 0.2);
  return A;
}

template <int D>
void compare_with_exact(const LocalNewtonOptions& options, std::uint64_t seed) {
  Random random(seed);
  for (int trial = 0; trial < 2000; ++trial) {
    const Mat<D> A = tame_block<D>(random);
    const double mu = trial % 10 == 0 ? 0 : random.uniform(0.05, 0.9);
    Vec<D> b, start{};
    for (double& x : b) x = random.normal();
    if (trial % 2) start = b;  // any start will do
    Vec<D> r = start, expected{};
    NewtonLocalSolver<D> newton;
    newton.prepare(A.data(), mu, options);
    newton.solve(b.data(), r.data());
    ExactLocalSolver<D> exact;
    exact.prepare(A.data(), mu);
    exact.solve(b.data(), expected.data());
    // Both solve a problem of condition below 10 with numbers of order 1, Newton to 1e-14 relative.
    for (std::size_t c = 0; c < D; ++c)
      ASSERT_NEAR(r[c], expected[c], 1e-11) << "trial " << trial << ", mu " << mu;
  }
}

TEST_P(LocalNewton, AgreesWithTheExactSolver) {
  compare_with_exact<3>(options(), 1);
  compare_with_exact<2>(options(), 2);
}

TEST_P(LocalNewton, FallsBackOnTheExactSolverWhenItsStepsRunOut) {
  LocalNewtonOptions one = options();
  one.iterations = 1;
  compare_with_exact<3>(one, 3);
  compare_with_exact<2>(one, 4);
}

TEST_P(LocalNewton, GivesFiniteImpulsesForSingularBlocks) {
  const LocalNewtonOptions o = options();
  Random random(5);
  for (int trial = 0; trial < 500; ++trial) {
    const double n[3] = {random.uniform(0.5, 1), random.normal(), random.normal()};
    Mat<3> A;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) A[std::size_t(i + 3 * j)] = n[i] * n[j];
    const Vec<3> b = {random.normal(), random.normal(), random.normal()};
    Vec<3> r{};
    NewtonLocalSolver<3> newton;
    newton.prepare(A.data(), 0.5, o);
    newton.solve(b.data(), r.data());
    for (double x : r) ASSERT_TRUE(std::isfinite(x)) << trial;
  }
}

TEST_P(LocalNewton, ObeysTheLawOnUnsymmetricBlocks) {
  const LocalNewtonOptions o = options();
  Random random(6);
  for (int trial = 0; trial < 1000; ++trial) {
    Mat<3> A = tame_block<3>(random);
    const double skew[3] = {random.normal(), random.normal(), random.normal()};
    A[1] += skew[0], A[3] -= skew[0], A[2] += skew[1], A[6] -= skew[1], A[5] += skew[2], A[7] -= skew[2];
    const double mu = random.uniform(0, 2);
    const Vec<3> b = {-std::abs(random.normal()), random.normal(), random.normal()};
    Vec<3> r{};
    NewtonLocalSolver<3> newton;
    newton.prepare(A.data(), mu, o);
    newton.solve(b.data(), r.data());
    Vec<3> u = b;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) u[i] += A[i + 3 * j] * r[j];
    const Vec<3> C = natural_residual<3>(r, u, mu);
    const double size = 1 + std::hypot(r[0], r[1], r[2]);
    ASSERT_LE(std::hypot(C[0], C[1], C[2]), 1e-9 * size) << trial;  // the blocks are of order 1: ρ = 1 suits
  }
}

TEST(GoldsteinPrice, AcceptsAStepBetweenItsLines) {
  // f(t) = ½(1 − t)² from f(0) = ½, slope −1: the full step is a minimum, but below the steep line: t grows
  // at most to 2.
  const auto f = [](double t) { return (1 - t) * (1 - t) / 2; };
  const double t = goldstein_price(f(0), -1, f);
  EXPECT_LE(f(t), f(0) - 0.1 * t);
  EXPECT_GE(f(t), f(0) - 0.9 * t);
  // A function that rises at once beyond 0.01: the step must shrink there.
  const auto steep = [](double x) { return x < 0.01 ? 0.5 - 0.5 * x : 0.5 + x; };
  const double s = goldstein_price(0.5, -1, steep);
  EXPECT_LT(s, 0.01);
  EXPECT_GT(s, 0);
}

}  // namespace
}  // namespace stickslip::internal
