// Fixed point and extragradient: step rules, convergence on tiny problems, units, and what a divergent ρ ends
// with.
#include <gmock/gmock.h>

#include "cone/project.hpp"
#include "cone/small_matrix.hpp"
#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/refused.hpp"
#include "problems/tiny.hpp"
#include "solvers/projection/projection_method.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;
using tests::Numbers;
using Rule = StepOptions::Rule;
using Correction = ExtragradientOptions::Correction;

/// W·α, q·β.
ReducedProblem rescaled(const ReducedProblem& p, double alpha, double beta) {
  auto entries = p.W().to_sparse().triplets();
  for (Triplet& e : entries) e.value *= alpha;
  Numbers q(p.q().begin(), p.q().end());
  for (double& x : q) x *= beta;
  const Index rows = Index(q.size());
  return {BlockMatrix(SparseMatrix(rows, rows, entries), p.dimension()), q, {p.mu().begin(), p.mu().end()}};
}

TEST(StepRule, RefusesShortensAndLengthens) {
  StepRule rule{StepOptions{}};
  rule.start(1);
  // A Lipschitz constant of 2 along the move: ratio 2ρ. 1 → 2/3 → 4/9, where 8/9 ≤ L.
  const TrialStep stiff{.size = 1, .move = 1, .change = 4, .product = 2};
  EXPECT_FALSE(rule.accept(stiff));
  EXPECT_FALSE(rule.accept(stiff));
  EXPECT_TRUE(rule.accept(stiff));
  EXPECT_NEAR(rule.rho(), 4.0 / 9, 1e-15);
  EXPECT_NEAR(rule.ratio(), 8.0 / 9, 1e-15);
  rule.end_step();
  EXPECT_NEAR(rule.rho(), 4.0 / 9, 1e-15);
  // A soft move, ratio 2/9 < L_min: the next ρ is longer by 3/2.
  EXPECT_TRUE(rule.accept({.size = 1, .move = 1, .change = 0.25, .product = 0.5}));
  rule.end_step();
  EXPECT_NEAR(rule.rho(), 2.0 / 3, 1e-15);
}

TEST(StepRule, TheRatiosDiffer) {
  // A turn by a right angle: Khobotov sees ‖ΔF‖ = 2‖Δz‖, Solodov and Tseng see Δz·ΔF = 0.
  const TrialStep turn{.size = 1, .move = 1, .change = 4, .product = 0};
  StepRule khobotov{StepOptions{}}, solodov_tseng{StepOptions{.rule = Rule::solodov_tseng}};
  khobotov.start(1);
  solodov_tseng.start(1);
  EXPECT_FALSE(khobotov.accept(turn));
  EXPECT_TRUE(solodov_tseng.accept(turn));
  EXPECT_EQ(khobotov.ratio(), 2);
  EXPECT_EQ(solodov_tseng.ratio(), 0);
}

TEST(StepRule, RoundingSaysNothing) {
  StepRule rule{StepOptions{}};
  rule.start(1);
  EXPECT_TRUE(rule.accept({.size = 1, .move = 1e-34, .change = 1e-10}));
  EXPECT_TRUE(rule.accept({.size = 1, .move = 0, .change = 0}));
  rule.end_step();
  EXPECT_EQ(rule.rho(), 1);
  // The trials of one step are limited.
  StepRule twice{StepOptions{.backtracks = 2}};
  twice.start(1);
  const TrialStep stiff{.size = 1, .move = 1, .change = 1e20, .product = 1e10};
  EXPECT_FALSE(twice.accept(stiff));
  EXPECT_FALSE(twice.accept(stiff));
  EXPECT_TRUE(twice.accept(stiff));
}

TEST(StepRule, ContradictingParametersAreRefused) {
  const VariationalOptions bad{.step = {.L = 0.2, .L_min = 0.3}};
  EXPECT_THAT(tests::refusal([&] { make_fixed_point(bad); }),
              HasSubstr("option 'L_min' must be below L = 0.2, got 0.3"));
}

/// A first ρ of 1 on W = 10 I with normal moves alone: the ratio is 10 ρ.
TEST(VariationalMap, FollowsAlgorithm3) {
  const ReducedProblem p = tests::one_contact(3, {10, 0, 0, 0, 10, 0, 0, 0, 10}, {-1, 0, 0}, 0.5);
  const MatrixOperator W(p);
  const Numbers zero(3), q = {-1, 0, 0};
  Numbers next(3), u(3);
  VariationalMap map(VariationalOptions{.step = {.rho = 1}, .scaling = Scaled::off});
  map.prepare(W);
  map.step(zero, q, next, u);
  const double rho = std::pow(2.0 / 3, 6);  // the first with 10 ρ ≤ 0.9
  EXPECT_NEAR(map.rho(), rho, 1e-15);
  EXPECT_NEAR(next[0], rho, 1e-15);
  EXPECT_NEAR(u[0], 10 * rho - 1, 1e-14);
  VariationalMap slow(VariationalOptions{.step = {.rho = 0.01}, .scaling = Scaled::off});
  slow.prepare(W);
  slow.step(zero, q, next, u);
  EXPECT_NEAR(next[0], 0.01, 1e-16);
  EXPECT_NEAR(slow.rho(), 0.015, 1e-16);
  // The estimate finds ‖W‖ = 10, or 1 where the contact is scaled.
  VariationalMap raw(VariationalOptions{.scaling = Scaled::off}), scaled(VariationalOptions{});
  raw.prepare(W);
  EXPECT_NEAR(raw.rho(), 0.1, 1e-15);
  scaled.prepare(W);
  EXPECT_NEAR(scaled.rho(), 1, 1e-14);
}

TEST(VariationalMap, OneIterationByHand) {
  const ReducedProblem p =
      tests::one_contact(3, {2, 0.5, -0.3, 0.5, 1.5, 0.2, -0.3, 0.2, 1}, {-1, 4, -3}, 0.5);
  const MatrixOperator W(p);
  const double rho = 0.1, mu = 0.5;
  const auto velocity = [&](const Vec<3>& r) {
    Numbers x(r.begin(), r.end()), u(3);
    W.velocity(x, u);
    return Vec<3>{u[0], u[1], u[2]};
  };
  const auto step = [&](const Vec<3>& from, const Vec<3>& at) {
    return project_on_cone<3>(add<3>(from, -rho, desaxce_shift<3>(velocity(at), mu)), mu);
  };
  const Vec<3> r = {0.4, 0.1, -0.1}, trial = step(r, r);
  const Vec<3> expected[3] = {trial, step(r, trial), step(trial, trial)};
  ExtragradientOptions options;
  options.step = {.rule = Rule::fixed, .rho = rho};
  options.scaling = Scaled::off;
  VariationalMap fixed_point(static_cast<const VariationalOptions&>(options));
  VariationalMap from_trial(options);
  options.correction = Correction::start;
  VariationalMap from_start(options);
  VariationalMap* maps[3] = {&fixed_point, &from_start, &from_trial};
  for (int k = 0; k < 3; ++k) {
    const Vec<3> u = velocity(r);
    Numbers next(3), next_u(3);
    maps[k]->prepare(W);
    maps[k]->step(r, u, next, next_u);
    const Vec<3> u_expected = velocity(expected[k]);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(next[c], expected[k][c], 1e-15) << k;
      EXPECT_NEAR(next_u[c], u_expected[c], 1e-14) << k;
    }
  }
}

TEST(VariationalMap, UnitsDoNotMatter) {
  // Powers of four are exact in binary: the iterates are the same to the last bit, r·β/α and u·β.
  const double alpha = 0x1p20, beta = 0x1p-20;
  for (const char* name : {"manufactured_3d", "manufactured_2d", "stack_of_boxes"}) {
    const ReducedProblem p = tests::reduced(tests::tiny_problem(name)), other = rescaled(p, alpha, beta);
    const MatrixOperator W(p), V(other);
    for (const Rule rule : {Rule::fixed, Rule::khobotov, Rule::solodov_tseng}) {
      ExtragradientOptions options;
      options.step.rule = rule;
      VariationalMap first(options), second(options);
      first.prepare(W);
      second.prepare(V);
      const std::size_t n = p.q().size();
      Numbers r(n), u(p.q().begin(), p.q().end()), s(n), v(other.q().begin(), other.q().end()), next(n),
          next_u(n);
      for (int k = 0; k < 100; ++k) {
        first.step(r, u, next, next_u);
        r.swap(next), u.swap(next_u);
        second.step(s, v, next, next_u);
        s.swap(next), v.swap(next_u);
        for (std::size_t c = 0; c < n; ++c) {
          ASSERT_EQ(s[c], r[c] * beta / alpha) << name << ", iteration " << k;
          ASSERT_EQ(v[c], u[c] * beta) << name << ", iteration " << k;
        }
        ASSERT_EQ(first.rho(), second.rho());
      }
    }
  }
}

struct Variant {
  std::string name;
  std::unique_ptr<internal::Method> (*make)();
};

template <Rule rule>
std::unique_ptr<internal::Method> fixed_point() {
  return make_fixed_point({.step = {.rule = rule}});
}
template <Rule rule, Correction correction>
std::unique_ptr<internal::Method> extragradient() {
  ExtragradientOptions options;
  options.step.rule = rule;
  options.correction = correction;
  return make_extragradient(options);
}

class Variational : public ::testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(
    Methods, Variational,
    ::testing::Values(Variant{"FP_VI_UPK", fixed_point<Rule::khobotov>},
                      Variant{"FP_VI_UPTS", fixed_point<Rule::solodov_tseng>},
                      Variant{"EG_VI_UPK", extragradient<Rule::khobotov, Correction::trial>},
                      Variant{"EG_VI_UPTS", extragradient<Rule::solodov_tseng, Correction::trial>},
                      Variant{"EG_VI_UPK_start", extragradient<Rule::khobotov, Correction::start>},
                      Variant{"EG_VI_UPTS_start", extragradient<Rule::solodov_tseng, Correction::start>}),
    [](const auto& test) { return test.param.name; });

TEST_P(Variational, SolvesTinyProblems) {
  const auto solver = GetParam().make();
  for (const char* name :
       {"stick_3d", "slip_3d", "slip_2d", "frictionless_3d", "rough_3d", "tie_3d", "manufactured_2d",
        "manufactured_3d", "manufactured_frictionless", "manufactured_unsymmetric", "mixed_friction",
        "duplicated_contacts", "incline_stick", "incline_slip", "random_3d", "chain_slip", "bead"}) {
    const ProblemFile file = tests::tiny_problem(name);
    const ReducedProblem p = tests::reduced(file);
    const SolveResult result = solver->solve(p, {.tolerance = 1e-8, .time_limit = 20});
    ASSERT_TRUE(result.converged()) << name << ", " << result.message << ", error " << result.error();
    const auto report = tests::judge(p, result.r);
    EXPECT_LE(report.error, 1.001e-8) << name;
    EXPECT_NEAR(result.error(), report.error, 1e-6 * report.error + 1e-15) << name;
    EXPECT_LE(report.impulse_violation, 1e-12 * (1 + largest(tests::column(result.r)))) << name;
  }
}

TEST_P(Variational, OtherVelocityUnitsTakeTheSameIterations) {
  // q·β leaves the error, and with it the end, as it is.
  const ReducedProblem p = tests::reduced(tests::tiny_problem("manufactured_3d"));
  const auto solver = GetParam().make();
  const SolveResult one = solver->solve(p, {.tolerance = 1e-8, .time_limit = 20});
  ASSERT_TRUE(one.converged());
  for (const double beta : {0x1p20, 0x1p-20}) {
    const SolveResult other = solver->solve(rescaled(p, 1, beta), {.tolerance = 1e-8, .time_limit = 20});
    EXPECT_TRUE(other.converged());
    EXPECT_EQ(other.iterations, one.iterations) << beta;
  }
  // W·α changes the error (ρ = 1) and so the end, but not by much where the iteration converges linearly.
  for (const double alpha : {1e6, 1e-6})
    EXPECT_TRUE(solver->solve(rescaled(p, alpha, 1), {.tolerance = 1e-8, .time_limit = 20}).converged())
        << alpha;
}

TEST_P(Variational, StartsFromTheGuessAndRepeats) {
  const ReducedProblem p = tests::reduced(tests::tiny_problem("manufactured_3d"));
  const auto solver = GetParam().make();
  const SolveResult cold = solver->solve(p, {.tolerance = 1e-8, .time_limit = 20});
  ASSERT_TRUE(cold.converged());
  const SolveResult warm = solver->solve(p, {.tolerance = 1e-10, .time_limit = 20, .guess = cold.r});
  EXPECT_TRUE(warm.converged());
  EXPECT_LT(warm.iterations, cold.iterations);
  EXPECT_EQ(solver->solve(p, {.tolerance = 1e-8, .guess = warm.r}).iterations, 0);
  EXPECT_EQ(solver->solve(p, {.tolerance = 1e-8, .time_limit = 20}).r, cold.r);
}

TEST(FixedPointDeSaxce, SolvesAWellScaledProblem) {
  const auto solver = make_fixed_point({.step = {.rule = Rule::fixed, .rho = 1}, .scaling = Scaled::off});
  const ReducedProblem p = tests::one_contact(3, {0.8, 0.1, 0, 0.1, 0.7, 0, 0, 0, 0.9}, {-1, 0.9, -0.5}, 0.4);
  const SolveResult result = solver->solve(p);
  ASSERT_TRUE(result.converged());
  EXPECT_LE(tests::judge(p, result.r).error, 1.001e-8);
}

TEST(FixedPointDeSaxce, SaysThatItDiverges) {
  const auto published = make_fixed_point({.step = {.rule = Rule::fixed, .rho = 1}, .scaling = Scaled::off});
  const ReducedProblem p = rescaled(tests::reduced(tests::tiny_problem("manufactured_3d")), 1e6, 1);
  const SolveResult result = published->solve(p, {.time_limit = 20});
  EXPECT_EQ(result.status, Status::numerical_failure);
  EXPECT_THAT(result.message, HasSubstr("diverges or cycles with rho=1; try rho="));
  EXPECT_THAT(result.message, HasSubstr("step=khobotov"));
  EXPECT_LE(result.error(), tests::judge(p, Numbers(p.q().size())).error * (1 + 1e-12));
  for (double x : result.r) EXPECT_TRUE(std::isfinite(x));
  // The advice is good: the ρ it names converges.
  const double advised = std::stod(result.message.substr(result.message.find("try rho=") + 8));
  const auto advised_solver =
      make_fixed_point({.step = {.rule = Rule::fixed, .rho = advised}, .scaling = Scaled::off});
  EXPECT_TRUE(advised_solver->solve(p, {.tolerance = 1e-6, .time_limit = 20}).converged()) << advised;
}

TEST(FixedPointDeSaxce, SaysThatItCycles) {
  // W = 3 I, ρ = 1: the normal impulse jumps between 0 and 1 for ever, without growing.
  const ReducedProblem p = tests::one_contact(3, {3, 0, 0, 0, 3, 0, 0, 0, 3}, {-1, 0, 0}, 0.5);
  const auto published = make_fixed_point({.step = {.rule = Rule::fixed, .rho = 1}, .scaling = Scaled::off});
  const SolveResult result = published->solve(p, {.time_limit = 20});
  EXPECT_EQ(result.status, Status::numerical_failure);
  EXPECT_LE(result.iterations, 1024);
  EXPECT_THAT(result.message, HasSubstr("try rho=0.1 or step=khobotov"));
}

/// Global problems of rigid bodies in the catalogue of tiny problems.
constexpr const char* global_problems[] = {"incline_slip", "stack_of_boxes"};

TEST(VelocityProducts, HaveTheIteratesOfW) {
  for (const char* name : global_problems) {
    const ProblemFile file = tests::tiny_problem(name);
    const auto& problem = std::get<GlobalProblem>(file.problem);
    for (const bool extra : {false, true}) {
      const auto solve = [&](VariationalOptions::Form form) {
        ExtragradientOptions options;
        options.form = form;
        const auto solver = extra ? make_extragradient(options) : make_fixed_point(options);
        return solver->solve(problem, {.tolerance = 1e-6, .max_iterations = 20000});
      };
      const SolveResult a = solve(VariationalOptions::Form::matrix),
                        b = solve(VariationalOptions::Form::velocity);
      ASSERT_TRUE(a.converged() && b.converged()) << name << ": " << b.message;
      // The same steps up to rounding, which the choice of ρ may turn into a few iterations more or less.
      EXPECT_NEAR(double(a.iterations), double(b.iterations), 2 + 0.05 * double(a.iterations)) << name;
      EXPECT_LE(tests::judge(file, b.r).error, 1.001e-6) << name;
      // v belongs to r: Hᵀ v + w = u.
      Numbers u(problem.w().begin(), problem.w().end());
      ASSERT_EQ(b.v.size(), std::size_t(problem.degrees_of_freedom()));
      problem.H().transpose_multiply_add(1, b.v, u);
      EXPECT_LE(tests::difference(u, b.u), 1e-11 * (1 + tests::reduced(file).q_norm())) << name;
    }
  }
}

TEST(VelocityProducts, SayWhyTheyDoNotApply) {
  // Three bodies at one contact.
  const SparseMatrix M(3, 3, std::vector<Triplet>{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {0, 1, 0.1}, {1, 0, 0.1}});
  const SparseMatrix H(3, 2, std::vector<Triplet>{{0, 0, 1}, {1, 1, 1}, {2, 0, 1}});
  const GlobalProblem problem(2, M, H, {-1, 0, 0}, {0, 0}, {0.5},
                              SparseMatrix(3, 1, std::vector<Triplet>{{0, 0, 1}}), {0});
  ExtragradientOptions options;
  options.form = VariationalOptions::Form::velocity;
  const SolveResult result = make_extragradient(options)->solve(problem);
  EXPECT_EQ(name(result.status), "not_applicable");
  EXPECT_THAT(result.message, HasSubstr("velocity form"));
}

TEST(Mixing, TakesFewerIterations) {
  // The sum over several problems: on one alone it may be either way.
  long plain = 0, mixed = 0;
  for (const char* problem : {"manufactured_3d", "manufactured_2d", "mixed_friction", "random_3d",
                              "chain_slip", "stack_of_boxes", "manufactured_unsymmetric"}) {
    const ReducedProblem p = tests::reduced(tests::tiny_problem(problem));
    for (const bool extra : {false, true})
      for (const long window : {0L, 5L}) {
        ExtragradientOptions options;
        options.anderson = window;
        const auto solver = extra ? make_extragradient(options) : make_fixed_point(options);
        const SolveResult result = solver->solve(p, {.tolerance = 1e-8, .max_iterations = 100000});
        EXPECT_TRUE(result.converged()) << problem << ", window " << window;
        (window > 0 ? mixed : plain) += result.iterations;
      }
  }
  EXPECT_LT(mixed, plain);
}

}  // namespace
}  // namespace stickslip::internal
