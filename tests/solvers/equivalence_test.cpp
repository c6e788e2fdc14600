// The same problem written in another way has the same solution: permuted contacts, turned tangents, other
// units.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/published.hpp"
#include "problems/solvers.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

using tests::Dense;
using tests::Numbers;

/// Qᵀ W Q, Qᵀ q for an orthogonal Q that maps contacts on contacts.
ReducedProblem transformed(const ReducedProblem& p, const Dense& Q, Numbers mu) {
  const Dense Qt = transpose(Q);
  return {BlockMatrix(tests::sparse(Qt * Dense(p.W().to_sparse()) * Q), p.dimension()),
          tests::numbers(Qt * tests::column(p.q())), std::move(mu)};
}

class Equivalence : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Problems, Equivalence,
                         ::testing::Values("manufactured_3d", "manufactured_2d", "manufactured_unsymmetric",
                                           "mixed_friction", "incline_slip", "incline_stick", "random_3d",
                                           "chain_slip", "stack_of_boxes"),
                         [](const auto& test) { return test.param; });

/// Friction allows several solutions, so that what is compared must have gone the same way: with turned
/// tangents or other units Gauss–Seidel makes the same steps up to rounding; in another order it does not.
/// The tolerance leaves the error far below what is compared.
constexpr double tight = 1e-12;

TEST_P(Equivalence, PermutedContacts) {
  const ReducedProblem p = tests::reduced(tests::tiny_problem(GetParam()));
  const int n = p.contacts(), d = p.dimension();
  Random random(1);
  std::vector<int> where(static_cast<std::size_t>(n));
  std::iota(where.begin(), where.end(), 0);
  for (std::size_t i = where.size(); i > 1; --i) std::swap(where[i - 1], where[random.below(i)]);
  Dense Q(n * d, n * d);
  Numbers mu(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    mu[std::size_t(i)] = p.mu()[std::size_t(where[std::size_t(i)])];
    for (int c = 0; c < d; ++c) Q(where[std::size_t(i)] * d + c, i * d + c) = 1;
  }
  const ReducedProblem other = transformed(p, Q, mu);
  const SolveResult a = solve(p, {.tolerance = tight, .time_limit = 20}),
                    b = solve(other, {.tolerance = tight, .time_limit = 20});
  ASSERT_TRUE(a.converged() && b.converged());
  EXPECT_LE(tests::judge(other, b.r).error, 1.001 * tight);
  // The permuted answer solves the other problem with the same error and statuses.
  const Numbers r = tests::numbers(transpose(Q) * tests::column(a.r));
  EXPECT_NEAR(tests::judge(other, r).error, a.error(), 1e-15);
  const SolveResult c = solve(other, {.tolerance = tight, .guess = r});
  EXPECT_EQ(c.iterations, 0);
  for (int i = 0; i < n; ++i)
    EXPECT_EQ(c.contacts[std::size_t(i)], a.contacts[std::size_t(where[std::size_t(i)])]) << i;
  EXPECT_LE(tests::difference(c.u, tests::numbers(transpose(Q) * tests::column(a.u))),
            1e-13 * (1 + p.q_norm()));
}

TEST_P(Equivalence, TurnedTangents) {
  const ReducedProblem p = tests::reduced(tests::tiny_problem(GetParam()));
  const int n = p.contacts(), d = p.dimension();
  Random random(2);
  Dense Q(n * d, n * d);
  for (int i = 0; i < n; ++i) {
    Q(i * d, i * d) = 1;
    if (d == 2) {
      Q(i * d + 1, i * d + 1) = random.uniform() < 0.5 ? -1 : 1;
    } else {
      const double angle = random.uniform(0, 2 * M_PI), c = std::cos(angle), s = std::sin(angle);
      Q(i * d + 1, i * d + 1) = Q(i * d + 2, i * d + 2) = c;
      Q(i * d + 1, i * d + 2) = -s, Q(i * d + 2, i * d + 1) = s;
    }
  }
  const ReducedProblem other = transformed(p, Q, {p.mu().begin(), p.mu().end()});
  const SolveResult a = solve(p, {.tolerance = tight, .time_limit = 20}),
                    b = solve(other, {.tolerance = tight, .time_limit = 20});
  ASSERT_TRUE(a.converged() && b.converged());
  // Gauss–Seidel with an exact local solver does not see the frame: the same iterates up to rounding.
  const Numbers r = tests::numbers(transpose(Q) * tests::column(a.r));
  EXPECT_NEAR(tests::judge(other, r).error, a.error(), 1e-14);
  EXPECT_EQ(b.contacts, a.contacts);
  EXPECT_LE(tests::difference(b.r, r), 1e-8 * (1 + largest(tests::column(r))));
  EXPECT_LE(tests::difference(b.u, tests::numbers(transpose(Q) * tests::column(a.u))), 1e-8 * p.q_norm());
}

TEST_P(Equivalence, OtherUnits) {
  // W·α, q·β: r·β/α, u·β. The error (ρ = 1) is not invariant, so that the sweeps end at different places.
  const ReducedProblem p = tests::reduced(tests::tiny_problem(GetParam()));
  for (const auto& [alpha, beta] : {std::pair{0x1p-10, 0x1p3}, {0x1p12, 0x1p-8}}) {
    auto entries = p.W().to_sparse().triplets();
    for (Triplet& e : entries) e.value *= alpha;
    Numbers q(p.q().begin(), p.q().end());
    for (double& x : q) x *= beta;
    const Index rows = Index(q.size());
    const ReducedProblem other(BlockMatrix(SparseMatrix(rows, rows, entries), p.dimension()), q,
                               {p.mu().begin(), p.mu().end()});
    // Solved to the error, each in its own units.
    const SolveResult x = solve(p, {.tolerance = tight, .time_limit = 20}),
                      y = solve(other, {.tolerance = tight, .time_limit = 20});
    ASSERT_TRUE(x.converged() && y.converged());
    Numbers u = x.u;
    for (double& c : u) c *= beta;
    // The same way, another end: with W·α an error of 1e-12 in r is worth ‖W‖α ≤ 1e5 times that in u.
    EXPECT_LE(tests::difference(y.u, u), 1e-7 * beta * p.q_norm());
  }
}

std::vector<std::string> every_solver() {
  std::vector<std::string> all = tests::family_solvers();
  for (const auto& label : tests::published_labels()) all.push_back(label);
  return all;
}

TEST(Physics, TheInclineSlipsBeyondTheFrictionAngle) {
  // One step of h = 0.01 s from rest: v = h g (sin α − μ cos α) for tan α > μ, else 0.
  for (double mu : {0.0, 0.3, 0.5, 1.2})
    for (double angle : {0.0, 10.0, 20.0, 26.0, 27.0, 40.0, 60.0}) {
      const auto file = generate("incline", {.mu = mu, .angle = angle});
      for (const auto& solver : every_solver()) {
        const bool published = !tests::is_family(solver);
        const SolveResult result =
            solve(file, {.tolerance = 1e-10, .time_limit = 20, .max_iterations = published ? 3000 : 1000000},
                  solver);
        if (published && !result.converged()) continue;  // the suite says which must converge
        ASSERT_TRUE(result.converged()) << solver << ' ' << angle << ' ' << mu;
        const double a = angle * M_PI / 180,
                     expected = std::max(0.0, 0.0981 * (std::sin(a) - mu * std::cos(a)));
        // W has eigenvalues from about 1 to 10: the error in u is a few times 1e-10 ‖q‖, ‖q‖ < 0.4.
        EXPECT_NEAR(result.v[0], expected, 1e-9) << solver << ' ' << angle << ' ' << mu;
        for (std::size_t c = 1; c < 6; ++c)
          EXPECT_NEAR(result.v[c], 0, 1e-9) << solver << ", component " << c;
        if (!published) {  // four impulses carry one brick: which of them vanish is a method's choice
          EXPECT_EQ(result.count(ContactStatus::slip), expected > 0 ? 4u : 0u)
              << solver << ' ' << angle << ' ' << mu;
          EXPECT_EQ(result.count(ContactStatus::open), 0u);
        }
        // The normal impulses carry the weight.
        double weight = 0;
        for (std::size_t i = 0; i < 4; ++i) weight += result.r[3 * i];
        EXPECT_NEAR(weight, 0.0981 * std::cos(a), 1e-9);
      }
    }
}

TEST(Physics, TheBeadHasTwoSolutionsAndTheGuessChooses) {
  const auto file = generate("bead");
  ASSERT_TRUE(file.solution && file.guesses.size() == 1);
  for (const auto& solver : every_solver()) {
    // Single projections do not keep a contact's status, and need not stay near the guess. The plane is not for all.
    if (solver == "FP-DS" || solver == "NSGS-FP-DS-One" ||
        solver.find("iterations=1)") != std::string::npos || tests::in_space_only(solver))
      continue;
    const auto near = [&](Numbers r) {
      for (double& x : r) x *= 1.001;
      return solve(file, {.time_limit = 20, .guess = r}, solver);
    };
    const SolveResult wedged = near(file.solution->r), away = near(file.guesses[0].r);
    if (!tests::is_family(solver) && !(wedged.converged() && away.converged())) {
      EXPECT_EQ(solver, "SSN-FIX");  // W is singular
      continue;
    }
    ASSERT_TRUE(wedged.converged() && away.converged()) << solver;
    // The wedged solution repels the fixed point s ← F(s); auto prefers zero, a solution, to a guess that is
    // none.
    if (!solver.starts_with("aclm") && !solver.starts_with("ACLM") &&
        solver != "cadoux(method=fixed_point)" && solver != "CADOUX-FP" && solver != "auto") {
      EXPECT_LE(tests::difference(wedged.u, Numbers(4)), 1e-6) << solver;
      EXPECT_GT(wedged.r[0], 0.1) << solver;
    }
    EXPECT_EQ(away.r, Numbers(4)) << solver;
    EXPECT_LE(tests::difference(away.u, file.guesses[0].u), 1e-6) << solver;
  }
}

TEST(Physics, TheBadBoyTakesOff) {
  for (const auto& solver : every_solver()) {
    if (tests::may_fail(solver, "bad_boy") || tests::in_space_only(solver)) continue;
    const SolveResult result = solve(generate("bad_boy"), {.time_limit = 20}, solver);
    ASSERT_TRUE(result.converged());
    EXPECT_NEAR(result.u[0], 3, 1e-7) << solver;
    EXPECT_NEAR(result.u[1], 5, 1e-7) << solver;
    EXPECT_EQ(result.count(ContactStatus::open), 1u);
  }
}

TEST(Physics, FrictionNeverGivesEnergy) {
  // With w = 0: r·u ≤ 0 at each slipping contact and 0 elsewhere, to the accuracy of the solution.
  for (const auto& problem : tests::tiny_problems()) {
    const ProblemFile file = problem.make();
    const SolveResult result = solve(file, {.tolerance = 1e-10, .time_limit = 20});
    if (!result.converged()) continue;  // the suite reports that
    const ReducedProblem p = tests::reduced(file);
    const auto d = std::size_t(p.dimension());
    const double size = largest(tests::column(result.r)) + largest(tests::column(result.u));
    for (std::size_t i = 0; i < result.contacts.size(); ++i) {
      double power = 0;
      for (std::size_t c = 0; c < d; ++c) power += result.r[i * d + c] * result.u[i * d + c];
      EXPECT_LE(power, 1e-9 * p.q_norm() * size) << problem.name << ", contact " << i;
    }
  }
}

}  // namespace
}  // namespace stickslip::internal
