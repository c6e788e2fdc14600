// GMRES against dense elimination: symmetric and unsymmetric systems, restarts, preconditioners, singular
// systems.
#include "linalg/gmres.hpp"

#include <gtest/gtest.h>

#include "problems/dense.hpp"

namespace stickslip::internal {
namespace {

using tests::Dense;
using tests::Numbers;

void copy(std::span<const double> x, std::span<double> y) { std::copy(x.begin(), x.end(), y.begin()); }

auto product(const Dense& A) {
  return
      [&A](std::span<const double> x, std::span<double> y) { copy(tests::numbers(A * tests::column(x)), y); };
}

double residual(const Dense& A, const Numbers& x, const Numbers& b) {
  return tests::difference(A * tests::column(x), tests::column(b));
}

TEST(Gmres, SolvesWhatEliminationSolves) {
  Random random(1);
  for (int n : {1, 2, 7, 30})
    for (double skew : {0.0, 1.0}) {
      const Dense A = tests::random_positive(n, random, 0.5, skew);
      const Numbers b = tests::random_numbers(std::size_t(n), random);
      Numbers x(b.size());
      Gmres gmres(n);
      const GmresRun run = gmres.solve(product(A), copy, b, 1e-12, 10 * n, x);
      // After n steps the space is full; rounding times the condition (below 1e3 here) may ask for one
      // restart.
      EXPECT_LE(run.products, n + 2) << n;
      EXPECT_LE(residual(A, x, b), 2e-12) << n;
      EXPECT_LE(tests::difference(tests::column(x), tests::solve_dense(A, tests::column(b))), 1e-9) << n;
    }
}

TEST(Gmres, KnowsItsResidual) {
  Random random(2);
  const Dense A = tests::random_positive(20, random, 0.5, 0.5);
  const Numbers b = tests::random_numbers(20, random);
  Numbers x(b.size());
  Gmres gmres(20);
  double before = HUGE_VAL;
  for (long products : {1, 3, 6, 10, 15}) {
    const GmresRun run = gmres.solve(product(A), copy, b, 0, products, x);
    EXPECT_EQ(run.products, products);
    EXPECT_LE(run.residual, before);  // more directions, never a larger residual
    before = run.residual;
    const Numbers Ax = tests::numbers(A * tests::column(x));
    double sum = 0;
    for (std::size_t i = 0; i < b.size(); ++i) sum += (b[i] - Ax[i]) * (b[i] - Ax[i]);
    EXPECT_NEAR(run.residual, std::sqrt(sum), 1e-12);
  }
}

TEST(Gmres, RestartsReachTheSolutionToo) {
  Random random(3);
  const Dense A = tests::random_positive(25, random, 5, 0.5);
  const Numbers b = tests::random_numbers(25, random);
  Numbers x(b.size());
  Gmres gmres(5);
  const GmresRun run = gmres.solve(product(A), copy, b, 1e-10, 1000, x);
  EXPECT_LE(run.residual, 1e-10);
  EXPECT_LE(residual(A, x, b), 1.1e-10);
}

TEST(Gmres, AnExactPreconditionerNeedsOneProduct) {
  Random random(4);
  const Dense A = tests::random_positive(12, random, 0.5, 0.5),
              inverse = tests::solve_dense(A, tests::identity(12));
  const Numbers b = tests::random_numbers(12, random);
  Numbers x(b.size());
  Gmres gmres(10);
  const GmresRun run = gmres.solve(product(A), product(inverse), b, 1e-10, 100, x);
  EXPECT_EQ(run.products, 1);
  EXPECT_LE(residual(A, x, b), 1e-10);
}

TEST(Gmres, SingularSystemsEndWithWhatCanBeReached) {
  // diag(1, 2, 0): b in the range is reached, b outside leaves its part in the null space as the residual.
  Dense A(3, 3);
  A(0, 0) = 1, A(1, 1) = 2;
  Numbers x(3);
  Gmres gmres(10);
  EXPECT_LE(gmres.solve(product(A), copy, Numbers{1, 1, 0}, 1e-12, 100, x).residual, 1e-12);
  EXPECT_LE(tests::difference(x, Numbers{1, 0.5, 0}), 1e-12);
  EXPECT_NEAR(gmres.solve(product(A), copy, Numbers{1, 1, 3}, 1e-12, 100, x).residual, 3, 1e-6);
  for (double entry : x) EXPECT_TRUE(std::isfinite(entry));
  // The zero matrix can do nothing, and says so.
  const Dense zero(3, 3);
  EXPECT_NEAR(gmres.solve(product(zero), copy, Numbers{0, 4, 3}, 1e-12, 100, x).residual, 5, 1e-12);
  EXPECT_EQ(x, Numbers(3));
}

TEST(Gmres, ZeroIsSolvedByZeroWithoutAProduct) {
  const Dense A = tests::identity(4);
  Numbers x(4, 7.0);
  Gmres gmres(3);
  EXPECT_EQ(gmres.solve(product(A), copy, Numbers(4), 0, 10, x).products, 0);
  EXPECT_EQ(x, Numbers(4));
}

}  // namespace
}  // namespace stickslip::internal
