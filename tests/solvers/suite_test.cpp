// Every family and every label of the literature on every tiny problem, judged by code that shares nothing with the library.
//
// A family must solve them all but for the marks in problems/tiny.cpp. A label, which runs what its reference prints, must
// solve those that problems/published.hpp does not list for it; on the others it must end, keep its best iterate, and claim
// nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/published.hpp"
#include "problems/solvers.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"

namespace stickslip::internal {
namespace {

using tests::Numbers;
using Entry = std::pair<std::string, std::string>;  // solver, problem

std::vector<Entry> pairs(const std::vector<std::string>& solvers) {
  std::vector<Entry> pairs;
  for (const auto& solver : solvers)
    for (const auto& problem : tests::tiny_problems())
      if (solver != "FP-DS")  // it has a test of its own
        pairs.emplace_back(solver, problem.name);
  return pairs;
}

std::string plain(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

std::string name_of(const ::testing::TestParamInfo<Entry>& test) {
  return plain(test.param.first + "_" + test.param.second);
}

std::string name_of_solver(const ::testing::TestParamInfo<std::string>& test) { return plain(test.param); }

/// A slipping impulse can lie on the edge of its cone to 2⁻⁵³‖r‖ only: what that is worth in the error, a few
/// times over.
double unresolved(const ProblemFile& file, const Numbers& r) {
  double size = 0;
  for (double x : r) size += x * x;
  return 4 * 0x1p-53 * std::sqrt(size) / tests::reduced(file).q_norm();
}

/// A solver and a problem.
struct Trial {
  std::string solver, problem;
  ProblemFile file = tests::tiny_problem(problem);

  explicit Trial(const Entry& entry) : solver(entry.first), problem(entry.second) {}

  /// Whether this solver or its family is known to fail on this problem.
  bool resists() const {
    // A single projection a visit is another path, which does not cycle there.
    if (solver.find("iterations=1)") != std::string::npos && problem == "cycling_2d") return false;
    for (const auto& tiny : tests::tiny_problems())
      if (tiny.name == problem)
        return std::ranges::find(tiny.resists, tests::family_of(solver)) != tiny.resists.end() ||
               std::ranges::find(tiny.resists, solver) != tiny.resists.end();
    return false;
  }

  /// Whether rounding decides if this solver converges on this problem: with and without fused multiply-adds NEWT with a
  /// nonmonotone search finds the solution of `cycling_2d` and cycles around it.
  bool is_a_toss() const { return solver == "semismooth(linearisation=newt)" && problem == "cycling_2d"; }

  /// Whether the solver does not apply; then it has to say so.
  bool applies() const { return tests::reduced(file).dimension() == 3 || !tests::in_space_only(solver); }

  void expect_refusal() const {
    const SolveResult result = solve(file, {}, solver);
    // r = 0 may be seen to solve the problem before.
    if (result.converged()) {
      EXPECT_EQ(result.iterations, 0);
      return;
    }
    EXPECT_EQ(result.status, Status::not_applicable) << name(result.status);
    EXPECT_NE(result.message.find("three dimensions"), std::string::npos) << result.message;
  }

  void expect_agreement(const SolveResult& result) const {
    const auto report = tests::judge(file, result.r);
    EXPECT_NEAR(result.error(), report.error, 1e-6 * report.error + 1e-15 + unresolved(file, result.r));
    EXPECT_NEAR(result.measures.energy, report.energy, 1e-6 * std::abs(report.energy) + 1e-15);
  }

  /// Whether every contact moves apart or presses by more than the accuracy asked for: a singular system, taken as it is, may
  /// leave one that does neither.
  static bool decided(const SolveResult& result, std::size_t d, double q_norm) {
    double largest = 0;
    for (double x : result.r) largest = std::max(largest, std::abs(x));
    for (std::size_t k = 0; k < result.r.size(); k += d)
      if (result.r[k] < 1e-7 * largest && result.u[k] < 1e-7 * q_norm) return false;
    return true;
  }

  /// Converged, and every law holds.
  void expect_solution(const SolveResult& result) const {
    expect_agreement(result);
    ASSERT_EQ(result.status, Status::converged)
        << name(result.status) << ": " << result.message << ", error " << result.error() << " after "
        << result.iterations << " iterations";
    EXPECT_LE(result.error(), 1e-8);
    const auto report = tests::judge(file, result.r);

    // u = W r + q to rounding: relative to |W||r| + |q|, which `rounding` measures in units of 2⁻⁵³‖q‖; some
    // hundred terms, and the factorisation of M for global problems.
    const ReducedProblem p = tests::reduced(file);
    EXPECT_LE(tests::difference(result.u, report.u), 1000 * report.rounding * p.q_norm());
    ASSERT_EQ(result.contacts.size(), std::size_t(p.contacts()));
    if (decided(result, std::size_t(p.dimension()), p.q_norm())) {
      EXPECT_EQ(result.count(ContactStatus::open), std::size_t(report.open));
      EXPECT_EQ(result.count(ContactStatus::stick), std::size_t(report.stick));
      EXPECT_EQ(result.count(ContactStatus::slip), std::size_t(report.slip));
    }

    // What a status says must hold to the accuracy asked for. A component's residual is at most 1e-8 ‖q‖; ρ =
    // 1, so that r and u are compared as they are.
    const double slack = 4e-8 * p.q_norm();
    const auto d = std::size_t(p.dimension());
    double dissipation = 0;
    for (std::size_t i = 0; i < result.contacts.size(); ++i) {
      const double* r = &result.r[i * d];
      const double* u = &result.u[i * d];
      const double rT = std::hypot(r[1], d == 3 ? r[2] : 0), uT = std::hypot(u[1], d == 3 ? u[2] : 0),
                   mu = p.mu()[i];
      const double power = r[1] * u[1] + (d == 3 ? r[2] * u[2] : 0);
      EXPECT_GE(u[0], -slack) << "penetration at contact " << i;
      EXPECT_LE(rT, mu * r[0] + slack * (1 + mu)) << "outside the cone at contact " << i;
      switch (result.contacts[i]) {
        case ContactStatus::open:
          EXPECT_LE(std::hypot(r[0], rT), slack * (1 + mu)) << "contact " << i;
          break;
        case ContactStatus::stick:
          EXPECT_LE(std::hypot(u[0], uT), slack * (1 + mu)) << "contact " << i;
          break;
        case ContactStatus::slip:
          EXPECT_LE(std::abs(u[0]), slack * (1 + mu)) << "contact " << i;
          EXPECT_GE(rT, mu * r[0] - slack * (1 + mu)) << "contact " << i;
          EXPECT_LE(power, slack * (rT + uT)) << "friction must brake, contact " << i;
          break;
      }
      dissipation -= power;
    }
    EXPECT_GE(dissipation,
              -slack * double(result.contacts.size()) * (1 + largest(tests::column(result.r)) + p.q_norm()));
  }
};

using Families = ::testing::TestWithParam<Entry>;
INSTANTIATE_TEST_SUITE_P(Catalogue, Families, ::testing::ValuesIn(pairs(tests::family_solvers())), name_of);

using Published = ::testing::TestWithParam<Entry>;
INSTANTIATE_TEST_SUITE_P(Catalogue, Published, ::testing::ValuesIn(pairs(tests::published_labels())),
                         name_of);

/// On all problems in one test.
using EverySolver = ::testing::TestWithParam<std::string>;
INSTANTIATE_TEST_SUITE_P(Families, EverySolver, ::testing::ValuesIn(tests::family_solvers()), name_of_solver);
INSTANTIATE_TEST_SUITE_P(Published, EverySolver, ::testing::ValuesIn(tests::published_labels()),
                         name_of_solver);

TEST_P(Families, Converge) {
  const Trial trial(GetParam());
  if (!trial.applies()) return trial.expect_refusal();
  SolveRequest request{.tolerance = 1e-8, .time_limit = 20};
  if (trial.resists()) request.max_iterations = 2000;
  const SolveResult result = solve(trial.file, request, trial.solver);
  if (trial.is_a_toss() && !result.converged()) return trial.expect_agreement(result);
  if (!trial.resists()) return trial.expect_solution(result);
  // Known to fail (problems/tiny.cpp says why): it must say so. When it learns to solve it, take the mark away.
  trial.expect_agreement(result);
  EXPECT_FALSE(result.converged()) << name(result.status);
  EXPECT_GT(result.error(), 1e-8);
}

TEST_P(Published, SolveWhatTheyMustAndClaimNothingElse) {
  const Trial trial(GetParam());
  if (!trial.applies()) return trial.expect_refusal();
  const bool hard = tests::may_fail(trial.solver, trial.problem);
  SolveRequest request{.tolerance = 1e-8, .time_limit = 20};
  if (hard) request.max_iterations = 2000;
  const SolveResult result = solve(trial.file, request, trial.solver);
  if (!hard) return trial.expect_solution(result);
  trial.expect_agreement(result);
  for (double x : result.r) ASSERT_TRUE(std::isfinite(x));
  if (result.converged()) {
    EXPECT_LE(result.error(), 1e-8);
    return;
  }
  // It must end for a reason, with the best point that it has seen: never worse than where it began, r = 0.
  EXPECT_TRUE(result.status == Status::stalled || result.status == Status::iteration_limit ||
              result.status == Status::numerical_failure)
      << name(result.status);
  EXPECT_TRUE(result.status == Status::iteration_limit || !result.message.empty());
  EXPECT_GT(result.error(), 1e-8);
  if (!trial.solver.starts_with("CADOUX")) {  // which begins at s₀, not at r
    EXPECT_LE(result.error(), tests::judge(trial.file, Numbers(result.r.size())).error * (1 + 1e-12));
  }
}

TEST_P(EverySolver, TakesTheAnswerAsAGuess) {
  for (const auto& entry : pairs({GetParam()})) {
    const Trial trial(entry);
    SCOPED_TRACE(trial.problem);
    if (!trial.applies()) continue;
    const ReducedProblem p = tests::reduced(trial.file);
    Solver one(trial.solver);
    if (trial.resists() || tests::may_fail(trial.solver, trial.problem)) {
      const Numbers answer = trial.file.solution ? trial.file.solution->r : solve(p, {.time_limit = 20}).r;
      const SolveResult known = one.solve(p, {.guess = answer});
      EXPECT_TRUE(known.converged());
      EXPECT_EQ(known.iterations, 0);
      continue;
    }
    const SolveResult first = one.solve(p, {.time_limit = 20});
    if (trial.is_a_toss() && !first.converged()) continue;
    const SolveResult again = one.solve(p, {.guess = first.r});
    EXPECT_TRUE(again.converged());
    EXPECT_EQ(again.iterations, 0);
    EXPECT_EQ(again.r, first.r);
    // And the same object from the same start gives the same bits.
    const SolveResult third = one.solve(p, {.time_limit = 20});
    EXPECT_EQ(third.r, first.r);
    EXPECT_EQ(third.iterations, first.iterations);
  }
}

TEST_P(EverySolver, SolvesGlobalProblemsAsTheirReducedForm) {
  for (const auto& entry : pairs({GetParam()})) {
    const Trial trial(entry);
    SCOPED_TRACE(trial.problem);
    if (!trial.file.is_global() || !trial.applies()) continue;
    const auto& global = std::get<GlobalProblem>(trial.file.problem);
    const SolveRequest request{.time_limit = 20, .max_iterations = 20000};
    const SolveResult a = solve(global, request, trial.solver),
                      b = solve(tests::reduced(trial.file), request, trial.solver);
    if (trial.solver.starts_with("CADOUX")) {
      // s₀ is that of w or of q: another start, and another solution where there are several.
      EXPECT_TRUE((a.converged() && b.converged()) || tests::may_fail(trial.solver, trial.problem));
    } else if (trial.solver.starts_with("cadoux") || trial.solver == "nipm" || trial.solver == "admm") {
      // Factorised through the bodies, admm with another ρ where contacts are redundant: so only u, which both have to 1e-8 of ‖q‖ ≤ 1.
      EXPECT_TRUE(a.converged() && b.converged());
      EXPECT_LE(tests::difference(a.u, b.u), 1e-7);
    } else {
      EXPECT_EQ(a.r, b.r);
      EXPECT_EQ(a.iterations, b.iterations);
    }
    // Hᵀ v + w = u; numbers of order 1 to 10, condition of M below 1e3.
    Numbers u(global.w().begin(), global.w().end());
    ASSERT_EQ(a.v.size(), std::size_t(global.degrees_of_freedom()));
    global.H().transpose_multiply_add(1, a.v, u);
    EXPECT_LE(tests::difference(u, a.u), 1e-11 * (1 + largest(tests::column(a.u))));
  }
}

/// With ρ = 1 it converges only where W is small enough; elsewhere it must say so.
TEST(FixedPointOfDeSaxce, ConvergesOrSaysWhyNot) {
  int converged = 0;
  for (const auto& problem : tests::tiny_problems()) {
    const SolveResult result = solve(problem.make(), {.tolerance = 1e-4, .max_iterations = 20000}, "FP-DS");
    converged += result.converged();
    if (result.status == Status::numerical_failure || result.status == Status::stalled) {
      EXPECT_NE(result.message.find("rho"), std::string::npos) << problem.name << ": " << result.message;
    } else {
      EXPECT_TRUE(result.converged() || result.status == Status::iteration_limit) << problem.name;
    }
    for (double x : result.r) EXPECT_TRUE(std::isfinite(x)) << problem.name;
  }
  EXPECT_GE(converged, 3);
}

TEST(KnownSolutions, OfTheManufacturedProblemsAreAccepted) {
  for (const char* name : {"manufactured_2d", "cycling_2d", "manufactured_3d", "manufactured_unsymmetric",
                           "units_small", "units_large"}) {
    const ProblemFile file = tests::tiny_problem(name);
    const auto report = tests::judge(file, file.solution->r);
    EXPECT_LE(report.error, 1e-14 + unresolved(file, file.solution->r))
        << name << ": the stored solution, to rounding";
    const SolveResult result = solve(file, {.tolerance = 1e-8, .time_limit = 20, .guess = file.solution->r});
    EXPECT_EQ(result.iterations, 0) << name;
  }
}

}  // namespace
}  // namespace stickslip::internal
