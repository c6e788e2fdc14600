// Projected quasi-Newton: its linear system, its rate, the fallback, its own goal, and global problems
// without W. Convergence on the tiny problems is in suite_test.
#include "solvers/quasi_newton/quasi_newton.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/tiny.hpp"
#include "solvers/quasi_newton/smoothed_system.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

using tests::Numbers;

class System : public ::testing::TestWithParam<std::tuple<std::string, bool>> {
 protected:
  const ReducedProblem p = tests::reduced(tests::tiny_problem(std::get<0>(GetParam())));
  const MatrixOperator op{p};
  const Scaled scaled = std::get<1>(GetParam()) ? Scaled::on : Scaled::off;
  SmoothedSystem system;

  /// C at r.
  Numbers C(const Numbers& r) {
    Numbers u(r.size());
    op.velocity(r, u);
    system.linearise(r, u, 0);
    return {system.C().begin(), system.C().end()};
  }
};
INSTANTIATE_TEST_SUITE_P(Problems, System,
                         ::testing::Combine(::testing::Values("manufactured_2d", "manufactured_3d",
                                                              "mixed_friction", "manufactured_unsymmetric"),
                                            ::testing::Bool()));

TEST_P(System, ProductsAreDerivatives) {
  // Smooth enough for differences: ω = 0.1, steps of 1e-5, so that truncation and rounding are below 1e-8.
  system.prepare(op, scaled, 0.1);
  Random random(1);
  const std::size_t n = p.q().size();
  const Numbers r = tests::random_numbers(n, random), x = tests::random_numbers(n, random);
  const double h = 1e-5;
  Numbers move = x, forward(n), backward(n);
  if (scaled == Scaled::on) {
    const ContactProblem contact(p);
    ScaledProblem units;
    units.prepare(contact, scaled);
    units.to_physical(x, move);
  }
  for (std::size_t i = 0; i < n; ++i) {
    forward[i] = r[i] + h * move[i];
    backward[i] = r[i] - h * move[i];
  }
  const Numbers plus = C(forward), minus = C(backward);
  C(r);
  Numbers product(n);
  system.apply(x, product);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(product[i], (plus[i] - minus[i]) / (2 * h), 1e-6 * (1 + std::abs(product[i]))) << i;
}

TEST_P(System, DeltaIsAddedToTheDiagonal) {
  system.prepare(op, scaled, 1e-6);
  Random random(2);
  const Numbers r = tests::random_numbers(p.q().size(), random),
                x = tests::random_numbers(p.q().size(), random);
  Numbers u(r.size()), without(r.size()), with(r.size());
  op.velocity(r, u);
  system.linearise(r, u, 0);
  system.apply(x, without);
  system.linearise(r, u, 0.25);
  system.apply(x, with);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(with[i] - without[i], 0.25 * x[i], 1e-12);
}

TEST(SystemOfOneContact, IsInvertedByItsPreconditioner) {
  for (const char* name : {"slip_3d", "stick_3d", "slip_2d", "frictionless_3d"}) {
    const ReducedProblem p = tests::reduced(tests::tiny_problem(name));
    const MatrixOperator op(p);
    SmoothedSystem system;
    system.prepare(op, Scaled::on, 1e-6);
    Random random(3);
    const Numbers r = tests::random_numbers(p.q().size(), random),
                  x = tests::random_numbers(p.q().size(), random);
    Numbers u(r.size()), y(r.size()), back(r.size());
    op.velocity(r, u);
    system.linearise(r, u, 0.1);
    system.precondition(x, y);
    system.apply(y, back);
    EXPECT_LE(tests::difference(back, x), 1e-12) << name;
  }
}

TEST(QuasiNewton, ConvergesQuadraticallyWhenItIsNewton) {
  // δ = 0 and exact linear systems near a solution: 1e-4, 1e-8, then the smoothing.
  for (const char* name : {"manufactured_2d", "manufactured_3d", "manufactured_unsymmetric"}) {
    const ProblemFile file = tests::tiny_problem(name);
    Random random(4);
    Numbers guess = file.solution->r;
    for (double& x : guess) x *= 1 + 1e-4 * random.uniform(-1, 1);
    const SolveResult result = solve(
        file, {.guess = guess},
        "quasi_newton(delta=0, fallback=none, linear=gmres(accuracy=1e-10, iterations=200, restart=100))");
    EXPECT_TRUE(result.converged()) << name << ", error " << result.error();
    EXPECT_LE(result.iterations, 4) << name;
  }
}

TEST(QuasiNewton, FallsBackOnGaussSeidel) {
  const ProblemFile file = tests::tiny_problem("manufactured_3d");
  const SolveResult alone = solve(file, {}, "quasi_newton(iterations=1, fallback=none)"),
                    helped = solve(file, {}, "quasi_newton(iterations=1)");
  EXPECT_EQ(alone.status, Status::stalled);
  EXPECT_EQ(alone.iterations, 1);
  EXPECT_TRUE(helped.converged());
  EXPECT_GT(helped.iterations, 1);
  EXPECT_EQ(solve(file, {}, "quasi_newton(products=1, fallback=none)").status, Status::stalled);
}

TEST(QuasiNewton, EndsAtItsOwnGoalWhenAsked) {
  const ProblemFile file = tests::tiny_problem("manufactured_3d");
  const SolveResult result = solve(file, {.tolerance = 1e-12}, "quasi_newton(energy=1e-6, fallback=none)");
  EXPECT_EQ(result.status, Status::converged_reduced);
  EXPECT_THAT(result.message, ::testing::HasSubstr("spurious energy"));
  EXPECT_LE(tests::judge(file, result.r).energy, 1.001e-6);
  EXPECT_GT(result.error(), 1e-12);
}

TEST(QuasiNewton, EveryUnitOfDeltaSolves) {
  for (const char* unit : {"none", "min", "avg", "max"})
    EXPECT_TRUE(solve(tests::tiny_problem("manufactured_3d"), {},
                      std::string("quasi_newton(fallback=none, relative=") + unit + ")")
                    .converged())
        << unit;
}

TEST(QuasiNewton, GlobalProblemsNeedNoW) {
  for (const char* name : {"chain_slip", "chain_stick", "stack_of_boxes", "incline_slip"}) {
    const ProblemFile file = tests::tiny_problem(name);
    const auto& global = std::get<GlobalProblem>(file.problem);
    const SolveResult bodies = solve(file, {}, "quasi_newton(form=velocity)"),
                      matrix = solve(file, {}, "quasi_newton(form=matrix)");
    ASSERT_TRUE(bodies.converged() && matrix.converged()) << name;
    EXPECT_LE(tests::judge(file, bodies.r).error, 1.001e-8) << name;
    EXPECT_LE(tests::difference(bodies.u, matrix.u), 1e-6) << name;
    Numbers u(global.w().begin(), global.w().end());
    global.H().transpose_multiply_add(1, bodies.v, u);
    EXPECT_LE(tests::difference(u, bodies.u), 1e-12) << name;
    // And with the fallback on the bodies.
    EXPECT_TRUE(solve(file, {.time_limit = 20}, "quasi_newton(form=velocity, iterations=1)").converged())
        << name;
  }
}

TEST(QuasiNewton, NoContactsNoWork) {
  const ReducedProblem empty(BlockMatrix(SparseMatrix(0, 0, {}), 2), {}, {});
  EXPECT_TRUE(solve(empty, {}, "quasi_newton").converged());
}

}  // namespace
}  // namespace stickslip::internal
