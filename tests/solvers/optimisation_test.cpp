// The families that freeze a part of Coulomb's law: their convex programs, the outer fixed points,
// unsymmetric W, and the relaxation that solves another law. Convergence on the tiny problems is in
// suite_test.
#include <gmock/gmock.h>

#include <cmath>

#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/tiny.hpp"
#include "solvers/convex/convex_solver.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;
using tests::Numbers;
using Kind = ConvexSolverOptions::Kind;
using Rows = FrozenOperator::Rows;

const std::function<bool()> go_on = [] { return false; };

ReducedProblem manufactured(int dimension, std::uint64_t seed) {
  return std::get<ReducedProblem>(
      generate("manufactured", {.size = 20, .dimension = dimension, .seed = seed}).problem);
}

class EveryMethod : public ::testing::TestWithParam<std::tuple<int, ContactLaw>> {};
INSTANTIATE_TEST_SUITE_P(Convex, EveryMethod,
                         ::testing::Combine(::testing::Values(2, 3),
                                            ::testing::Values(ContactLaw::cones, ContactLaw::cylinders)));

TEST_P(EveryMethod, FindsTheVelocityOfTheConvexProgram) {
  // The velocity of a convex program is unique, the impulses are where W is regular, as here.
  const auto [dimension, law] = GetParam();
  const ReducedProblem p = manufactured(dimension, 3);
  Numbers size(p.mu().begin(), p.mu().end());
  if (law == ContactLaw::cylinders)
    for (double& x : size) x = 0.3 * x + 0.01;
  std::vector<Numbers> answers;
  for (const Kind kind : {Kind::gs, Kind::fixed_point, Kind::extragradient, Kind::projected_gradient}) {
    ConvexSolver solver({.kind = kind});
    ASSERT_EQ(solver.prepare(p, law, size, Rows::all), "");
    for (std::size_t k = 0; k < solver.b().size(); ++k) solver.b()[k] = p.q()[k] + (k % 3 == 0 ? 0.1 : 0);
    Numbers r(p.q().size(), 0.0);
    const ConvexResult result = solver.solve(1, 1e-12, 100000, go_on, r);
    EXPECT_TRUE(result.converged) << int(kind) << ' ' << result.residual;
    answers.push_back(r);
    // Again from its own answer: nothing to do. With a goal relative to the first residual: at least one
    // step.
    EXPECT_EQ(solver.solve(1, 1e-11, 100000, go_on, r).iterations, 0);
    for (double& x : r) x *= 1.01;
    EXPECT_GE(solver.solve(0.1, 1e9, 100000, go_on, r).iterations, 1);
  }
  // A residual of 1e-12 ‖q‖ and a condition number below 1e3.
  for (const Numbers& r : answers) EXPECT_LE(tests::difference(r, answers[0]), 1e-8 * (1 + p.q_norm()));
}

TEST(ConvexSolver, TangentsLeaveTheNormalImpulsesAlone) {
  const ReducedProblem p = manufactured(3, 4);
  for (const Kind kind : {Kind::fixed_point, Kind::extragradient, Kind::projected_gradient}) {
    ConvexSolver solver({.kind = kind});
    Numbers radius(p.mu().size()), r(p.q().size(), 0.0), u(r.size());
    for (std::size_t i = 0; i < radius.size(); ++i) {
      r[3 * i] = 1 + double(i);
      radius[i] = p.mu()[i] * r[3 * i];
    }
    ASSERT_EQ(solver.prepare(p, ContactLaw::cylinders, radius, Rows::tangents), "");
    EXPECT_TRUE(solver.solve(1, 1e-10, 100000, go_on, r).converged);
    p.W().multiply(r, p.q(), u);
    for (std::size_t i = 0; i < radius.size(); ++i) {
      EXPECT_EQ(r[3 * i], 1 + double(i));
      EXPECT_LE(std::hypot(r[3 * i + 1], r[3 * i + 2]), radius[i] * (1 + 1e-12));
      // Friction brakes: −u_T in the normal cone of the disk; the residual was 1e-10 ‖q‖.
      EXPECT_LE(r[3 * i + 1] * u[3 * i + 1] + r[3 * i + 2] * u[3 * i + 2], 1e-8 * (1 + p.q_norm()));
    }
  }
}

TEST(ConvexSolver, StopsWhenToldTo) {
  const ReducedProblem p = manufactured(3, 4);
  for (const Kind kind : {Kind::gs, Kind::fixed_point, Kind::extragradient, Kind::projected_gradient}) {
    ConvexSolver solver({.kind = kind});
    ASSERT_EQ(solver.prepare(p, ContactLaw::cones, p.mu(), Rows::all), "");
    Numbers r(p.q().size(), 0.0);
    int calls = 0;
    const std::function<bool()> third = [&] { return ++calls == 3; };
    EXPECT_EQ(solver.solve(1, 1e-14, 100000, third, r).iterations, 2) << int(kind);
    EXPECT_EQ(solver.solve(1, 1e-14, 1, go_on, r).iterations, 1) << int(kind);
  }
}

TEST(Unsymmetric, TheProjectedGradientLagsTheSkewPartOrRefuses) {
  const ProblemFile file = tests::tiny_problem("manufactured_unsymmetric");
  for (const char* label : {"TRESCA-CONVEXQP-PG", "ACLM-CONVEXQP-PG", "PANA-PGS-CONVEXQP-PG"})
    EXPECT_TRUE(solve(file, {.time_limit = 20}, label).converged()) << label;
  for (const char* solver : {"tresca(inner=projected_gradient(unsymmetric=refused))",
                             "aclm(inner=projected_gradient(unsymmetric=refused))",
                             "panagiotopoulos(tangent=projected_gradient(unsymmetric=refused))",
                             "panagiotopoulos(normal=projected_gradient(unsymmetric=refused))",
                             "convex_relaxation(inner=projected_gradient(unsymmetric=refused))"}) {
    const SolveResult result = solve(file, {.time_limit = 20}, solver);
    EXPECT_EQ(name(result.status), "not_applicable") << solver;
    EXPECT_THAT(result.message, HasSubstr("not symmetric")) << solver;
    EXPECT_TRUE(solve(tests::tiny_problem("stick_3d"), {.time_limit = 20}, solver).converged()) << solver;
  }
}

TEST(Successive, MixingTakesFewerProgramsThanTheFixedPoint) {
  for (const char* label : {"TRESCA-EG-VI-UPK", "ACLM-EG-VI-UPK"}) {
    long plain = 0, mixed = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const ReducedProblem p = manufactured(3, seed);
      const SolveRequest request{.tolerance = 1e-10, .max_iterations = 10000};
      const SolveResult a = solve(p, request, label),
                        b = solve(p, request, std::string(label) + "(acceleration=anderson)");
      EXPECT_TRUE(a.converged() && b.converged()) << label << ", seed " << seed;
      plain += a.iterations, mixed += b.iterations;
    }
    EXPECT_LT(mixed, plain) << label;
  }
}

TEST(Successive, SaysWhenAFixedStepOfTheInnerMethodDiverges) {
  const SolveResult result = solve(manufactured(3, 1), {.max_iterations = 100000},
                                   "aclm(inner=fixed_point(step=fixed(rho=1000), scaling=off))");
  EXPECT_EQ(name(result.status), "numerical_failure");
  EXPECT_THAT(result.message, HasSubstr("rho"));
}

/// K* ∋ u ⊥ r ∈ K to the slack.
void expect_relaxed_law(const ReducedProblem& p, const SolveResult& result, double slack) {
  const auto d = std::size_t(p.dimension());
  for (std::size_t i = 0; i < p.mu().size(); ++i) {
    const double *r = &result.r[i * d], *u = &result.u[i * d];
    const double rT = std::hypot(r[1], d == 3 ? r[2] : 0), uT = std::hypot(u[1], d == 3 ? u[2] : 0);
    EXPECT_LE(rT, p.mu()[i] * r[0] + slack);
    EXPECT_LE(p.mu()[i] * uT, u[0] + slack);
    EXPECT_NEAR(r[0] * u[0] + r[1] * u[1] + (d == 3 ? r[2] * u[2] : 0), 0, slack * (1 + rT + r[0]));
  }
}

TEST(ConvexRelaxation, SolvesItsOwnLawAndSaysSo) {
  for (const char* inner : {"", "(inner=projected_gradient)", "(inner=extragradient)"})
    for (const char* problem : {"slip_2d", "slip_3d", "manufactured_3d", "manufactured_2d", "chain_slip",
                                "manufactured_unsymmetric"}) {
      const ReducedProblem p = tests::reduced(tests::tiny_problem(problem));
      const SolveResult result = solve(p, {.time_limit = 20}, std::string("convex_relaxation") + inner);
      EXPECT_EQ(name(result.status), "converged_reduced") << problem << ": " << result.message;
      EXPECT_FALSE(result.converged());
      EXPECT_THAT(result.message, HasSubstr("another law")) << problem;
      EXPECT_GT(result.error(), 1e-8) << problem << ": the error is that of Coulomb's law";
      EXPECT_NEAR(result.error(), tests::judge(p, result.r).error, 1e-6 * result.error());
      // The relaxed natural map is at most 1e-8 ‖q‖; W of order 1 to 10.
      expect_relaxed_law(p, result, 1e-6 * (1 + p.q_norm()));
    }
}

TEST(ConvexRelaxation, AgreesWithCoulombWhereNothingSlides) {
  for (const char* problem :
       {"open_3d", "stick_2d", "stick_3d", "frictionless_3d", "manufactured_frictionless", "incline_stick"}) {
    const SolveResult result = solve(tests::tiny_problem(problem), {.time_limit = 20}, "SOCLCP-NSGS-PLI");
    EXPECT_EQ(name(result.status), "converged") << problem << ": " << result.message;
  }
}

TEST(ConvexRelaxation, KeepsItsLimits) {
  const ReducedProblem p = manufactured(3, 1);
  const SolveResult result = solve(p, {.tolerance = 1e-12, .max_iterations = 2}, "SOCLCP-NSGS-PLI");
  EXPECT_EQ(name(result.status), "iteration_limit");
  EXPECT_EQ(result.iterations, 2);
  EXPECT_NE(result.r, Numbers(result.r.size(), 0.0)) << "the iterate is kept";
}

}  // namespace
}  // namespace stickslip::internal
