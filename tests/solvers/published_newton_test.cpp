// Upper case is the literature: the iterates of NSN-*, PPA-*, PQN and CADOUX beside what RR, PQN and CAD print.
#include <gmock/gmock.h>

#include "problems/printed.hpp"
#include "problems/refused.hpp"
#include "problems/tiny.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

using namespace tests::printed;
using tests::Dense;
using tests::Numbers;

/// What differences leave of a few Newton steps.
constexpr double differences = 1e-6;

/// √(x²) + … of the Jordan algebra: x + y − (x² + y²)^½ by RR (77)–(78).
Vector fischer_burmeister(const Vector& x, const Vector& y) {
  const Vector mixed = {0, x[0] * x[1] + y[0] * y[1], x[0] * x[2] + y[0] * y[2]};
  const Real sum = dot(x, x) + dot(y, y), length = tangent_norm(mixed);
  const Real one = std::sqrt(std::max<Real>(0, sum - 2 * length)), two = std::sqrt(sum + 2 * length);
  Vector value = {x[0] + y[0] - (one + two) / 2, x[1] + y[1], x[2] + y[2]};
  for (std::size_t c = 1; c < 3; ++c) value[c] -= (two - one) / 2 * mixed[c] / length;
  return value;
}

/// The function of a label at one contact, u its velocity; `spectral` is ρ of (110).
Vector function_of(const std::string& map, const Rho& rho, Real spectral, const Vector& u, const Vector& r,
                   Real mu) {
  const Real slip = tangent_norm(u);
  if (map == "NM") return add(r, -1, on_cone(add(r, -spectral, shifted(u, mu)), mu));  // (51) with (110)
  if (map == "AC" || map == "JM") return disk_map(u, r, mu, rho, map == "AC");
  if (map == "FB")
    return fischer_burmeister({mu * r[0], r[1], r[2]}, {u[0] / mu + slip, u[1], u[2]});  // (79)
  const Real d_N = r[0] - rho.normal * u[0];
  const Vector d = {0, r[1] - rho.tangent * u[1], r[2] - rho.tangent * u[2]};
  if (map == "HSW") {  // (66); open contacts lose their impulse, SSN NEWT line 5
    if (d_N <= 0) return r;
    const Real larger = std::max(mu * d_N, tangent_norm(d));
    return {r[0] - d_N, larger * r[1] - mu * d_N * d[1], larger * r[2] - mu * d_N * d[2]};
  }
  return {std::min(u[0], r[0]), std::min(slip, mu * r[0] - tangent_norm(r)),  // (65), corrected
          std::abs(u[1] * r[2] - u[2] * r[1]) + std::max<Real>(0, u[1] * r[1] + u[2] * r[2])};
}

/// G of the whole problem.
std::function<Vector(const Vector&)> whole(const Problem& p, const std::string& map) {
  std::vector<Rho> rho;
  Vector spectral;
  for (int i = 0; i < p.n; ++i) {
    rho.push_back(split_rho(p.block(i, i)));
    spectral.push_back(1 / largest_eigenvalue(p.block(i, i)));
  }
  return [=](const Vector& r) {
    const Vector u = p.velocity(r);
    Vector value(r.size());
    for (int i = 0; i < p.n; ++i) {
      const auto k = std::size_t(i);
      p.put(function_of(map, rho[k], spectral[k], p.part(u, i), p.part(r, i), p.mu[k]), i, value);
    }
    return value;
  };
}

TEST(Published, NonsmoothNewton) {
  const std::vector<std::pair<std::string, Search>> searches = {
      {"", Search::none}, {"-GP", Search::goldstein_price}, {"-A", Search::armijo}};
  for (const std::string map : {"NM", "AC", "JM", "FB", "HSW", "XSW"})
    for (const auto& [suffix, search] : searches) {
      int compared = 0;
      for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const ReducedProblem p = regular(2, seed);
        const Problem printed(p);
        const Numbers guess = generic_guess(p, seed);
        const auto G = whole(printed, map);
        const auto steps = [&](Real lean) {
          return errors_of(printed, start(printed, guess), 3,
                           [&](const Vector& r) { return newton(G, r, 1, search, lean); });
        };
        const Numbers expected = steps(1), again = steps(0.1L);
        bool smooth = true;  // a path that runs into a kink depends on the differences
        for (std::size_t k = 0; k < expected.size(); ++k)
          smooth = smooth && std::abs(expected[k] - again[k]) <= 1e-5 * expected[k] + 1e-9;
        if (!smooth) continue;
        ++compared;
        expect_same(errors_of(p, "NSN-" + map + suffix, 3, guess), expected, differences,
                    "NSN-" + map + suffix);
      }
      EXPECT_GE(compared, 4) << map << suffix;
    }
}

TEST(Published, NewtonOnTheNormalMap) {
  for (const auto& [label, search] : {std::pair{"NSN-NORMAL", Search::none},
                                      {"NSN-NORMAL-GP", Search::goldstein_price},
                                      {"NSN-NORMAL-A", Search::armijo}})
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const ReducedProblem p = regular(2, seed);
      const Problem printed(p);
      const Numbers guess = generic_guess(p, seed);
      Vector rho;
      for (int i = 0; i < printed.n; ++i)
        for (int c = 0; c < 3; ++c) rho.push_back(1 / largest_eigenvalue(printed.block(i, i)));
      const auto scaled = [&](Vector v) {
        for (std::size_t k = 0; k < v.size(); ++k) v[k] *= rho[k];
        return v;
      };
      const auto G = [&](const Vector& x) {  // RR (53), a ρ for each contact
        const Vector r = printed.project(x);
        return add(add(x, -1, r), 1, scaled(printed.force(r)));
      };
      Vector x = start(printed, guess);
      x = add(x, -1, scaled(printed.force(x)));
      Numbers expected;
      for (int k = 0; k < 3; ++k)
        expected.push_back(double(printed.error(printed.project(x = newton(G, x, 1, search)))));
      expect_same(errors_of(p, label, 3, guess), expected, differences, label);
    }
}

TEST(Published, NewtonAfterAHundredExtragradientSteps) {
  const ReducedProblem p = regular(4, 11, 30);  // ill conditioned: a hundred steps do not end it
  const Problem printed(p);
  StepRule rule;
  Vector r = start(printed);
  const auto F = [&](const Vector& x) { return printed.force(x); };
  const auto P = [&](const Vector& x) { return printed.project(x); };
  for (int k = 0; k < 100; ++k) r = rule.step(r, F, P, true);
  const auto G = whole(printed, "AC");
  const Numbers found = errors_of(p, "NSN-AC-HYBRID", 101);
  EXPECT_NEAR(found[99], double(printed.error(r)), 1e-6 * found[99]);
  const double next = double(printed.error(newton(G, r, 1, Search::armijo)));
  EXPECT_NEAR(found[100], next, 1e-4 * next + 1e-11);  // rounding of a hundred steps
}

TEST(Published, XuewenHasNoMeaningInThePlane) {
  for (const std::string label :
       {"NSN-XSW", "NSN-XSW-GP", "NSN-XSW-A", "newton(map=xsw)", "proximal(inner=newton(map=xsw))"}) {
    const SolveResult result = stickslip::solve(tests::tiny_problem("slip_2d"), {}, label);
    EXPECT_EQ(result.status, Status::not_applicable) << label;
    EXPECT_THAT(result.message, ::testing::HasSubstr("three equations")) << label;
  }
}

/// RR Algorithm 8 with NSN-AC inside: the errors of the outer iterates. α_{k+1} from α_k, the error and success.
Numbers proximal(const Problem& p, Vector r, Real alpha, int inner, int outer,
                 const std::function<Real(Real alpha, Real error, bool success)>& rule) {
  Numbers errors;
  for (int k = 0; k < outer; ++k) {
    Problem shifted_problem = p;
    for (int i = 0; i < p.W.rows; ++i) shifted_problem.W(i, i) += alpha;
    shifted_problem.q = add(p.q, -alpha, r);
    const Real before = p.error(r);
    const auto G = [&](const Vector& x) {
      const Vector u = shifted_problem.velocity(x);
      Vector value(x.size());
      for (int i = 0; i < p.n; ++i)
        p.put(disk_map(p.part(u, i), p.part(x, i), p.mu[std::size_t(i)],
                       split_rho(shifted_problem.block(i, i)), true),
              i, value);
      return value;
    };
    const auto inner_error = [&](const Vector& x) {
      return shifted_problem.error(x) * norm(shifted_problem.q) / norm(p.q);
    };
    Vector x = r, best = r;
    bool success = false;
    for (int step = 0; step < inner && !success; ++step) {
      x = newton(G, x, 1, Search::none);
      if (inner_error(x) < inner_error(best)) best = x;
      success = inner_error(x) <= before / 10;
    }
    r = best;
    errors.push_back(double(p.error(r)));
    alpha = rule(alpha, p.error(r), success);
  }
  return errors;
}

/// The errors that were told after each outer iteration.
Numbers outer_errors(const ReducedProblem& p, const std::string& solver, int outer) {
  const SolveResult result =
      stickslip::solve(p, {.tolerance = 1e-300, .max_iterations = 100000, .history = true},
                       solver.substr(0, solver.size() - 1) + ", iterations=" + std::to_string(outer) + ")");
  Numbers errors;
  for (std::size_t k = 1; k < result.history.size(); ++k) errors.push_back(result.history[k].error);
  return errors;
}

TEST(Published, ProximalPoint) {
  const ReducedProblem p = regular(3, 21);
  const Problem printed(p);
  const auto by_success = [](Real alpha, Real, bool success) { return success ? alpha / 10 : 5 * alpha; };
  const auto by_error = [](Real, Real error, bool) { return 5 * std::sqrt(error); };
  const auto fixed = [](Real alpha, Real, bool) { return alpha; };
  // α₀ = 10³ of the label, and as given: never cut.
  expect_same(outer_errors(p, "PPA-NSN-AC(relaxation=1)", 5),
              proximal(printed, start(printed), 1000, 200, 5, by_success), differences, "10³");
  expect_same(outer_errors(p, "PPA-NSN-AC(alpha0=1e4)", 5),
              proximal(printed, start(printed), 1e4, 200, 5, by_success), differences, "10⁴");
  // One Newton step is not enough at a small α: failures, and α rises.
  expect_same(outer_errors(p, "PPA-NSN-AC(alpha0=1e-3, inner_iterations=1)", 5),
              proximal(printed, start(printed), 1e-3L, 1, 5, by_success), differences, "×5");
  // (125) after α₀, and the regularised problem of appendix 3.
  expect_same(outer_errors(p, "PPA-NSN-AC(alpha0=10, rule=error(sigma=5, nu=0.5, grow=1, first=alpha0))", 5),
              proximal(printed, start(printed), 10, 200, 5, by_error), differences, "(125)");
  expect_same(outer_errors(p, "PPA-NSN-AC(alpha0=10, rule=fixed)", 5),
              proximal(printed, start(printed), 10, 200, 5, fixed), differences, "fixed");
}

TEST(Published, NoProximalParameterIsCutWithoutAWord) {
  EXPECT_THAT(tests::refusal([] { Solver("proximal(alpha0=1000)"); }),
              ::testing::HasSubstr("option 'alpha0' must be at most alpha_max = 10, got 1000"));
  EXPECT_THAT(tests::refusal([] { Solver("proximal(alpha0=1e-12)"); }),
              ::testing::HasSubstr("option 'alpha0' must be at least alpha_min"));
  EXPECT_NO_THROW(Solver("proximal(alpha0=1000, alpha_max=1000)"));
  EXPECT_NO_THROW(Solver("PPA-NSN-AC-GP(alpha0=1e4)"));
}

/// PQN (41) with ω → 0, and its gradient by differences: for one contact the preconditioner is exact and so is GMRES.
TEST(Published, ProjectedQuasiNewtonOfOneContact) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const ReducedProblem p = regular(1, seed);
    const Problem printed(p);
    const Numbers guess = generic_guess(p, seed);
    const auto C = [&](const Vector& r) { return add(r, -1, printed.project(add(r, -1, printed.force(r)))); };
    const auto next = [&](const Vector& r) { return printed.project(newton(C, r, 1, Search::none)); };
    expect_same(errors_of(p, "PQN", 2, guess), errors_of(printed, start(printed, guess), 2, next), 1e-5,
                "PQN");
  }
}

TEST(Published, ProjectedQuasiNewtonHasTheDefaultsOfTable1) {
  EXPECT_EQ(composition("PQN"),
            "quasi_newton(delta=0, relative=none, decay=0, linear=gmres(accuracy=0.25, iterations=10), "
            "scaling=off)");
  std::string options;
  for (const auto& option : describe("PQN")) options += option.name + "=" + option.value + " ";
  for (const char* each : {"omega=1e-11", "linear.restart=20", " iterations=1000", "products=100000"})
    EXPECT_THAT(options, ::testing::HasSubstr(each));
}

/// r(s): CAD (24) by projected gradient to the last digit, and F(s) = ‖u_T(s)‖.
Vector conic(const Problem& p, const Vector& s) {
  Problem program = p;
  for (int i = 0; i < p.n; ++i) program.q[std::size_t(3 * i)] += p.mu[std::size_t(i)] * s[std::size_t(i)];
  Real trace = 0;
  for (int i = 0; i < p.W.rows; ++i) trace += p.W(i, i);
  Vector r(p.q.size(), 0);
  for (int k = 0; k < 20000; ++k) r = p.project(add(r, -1 / trace, program.velocity(r)));
  return r;
}
Vector slips(const Problem& p, const Vector& s) {
  const Vector u = p.velocity(conic(p, s));
  Vector F;
  for (int i = 0; i < p.n; ++i) F.push_back(tangent_norm(p.part(u, i)));
  return F;
}

TEST(Published, CadouxBeginsAtV0AndMakesNewtonSteps) {
  // W = Hᵀ H with M = I; w presses at some contacts: s₀ = max(−w_N/μ, 0), contact by contact.
  Random random(5);
  const Dense H = tests::random_dense(9, 6, random);
  const Numbers f = tests::random_numbers(9, random), w = {-0.6, 0, 0, 0.4, 0, 0}, mu = {0.5, 0.7};
  const GlobalProblem global(3, tests::sparse(tests::identity(9)), tests::sparse(H), f, w, mu);
  const Problem printed(Reduction(global).reduced());
  Vector s = {0.6L / 0.5L, 0};
  const SolveResult result =
      stickslip::solve(global, {.tolerance = 1e-11, .max_iterations = 3, .history = true}, "CADOUX");
  const auto error_at = [&](long iteration) {
    for (const Progress& at : result.history)
      if (at.iteration == iteration) return at.error;
    return HUGE_VAL;
  };
  const double first = double(printed.error(conic(printed, s)));
  EXPECT_NEAR(error_at(1), first, 1e-7 * first);
  // (I − F') ds = F − s, CAD 4.3.
  const Vector F = slips(printed, s);
  Dense A = tests::identity(2);
  for (int j = 0; j < 2; ++j) {
    Vector plus = s, minus = s;
    plus[std::size_t(j)] += 1e-6L, minus[std::size_t(j)] -= 1e-6L;
    const Vector slope = add(slips(printed, plus), -1, slips(printed, minus));
    for (int i = 0; i < 2; ++i) A(i, j) -= slope[std::size_t(i)] / 2e-6L;
  }
  Vector next = add(s, 1, tests::printed::solve(A, add(F, -1, s)));
  for (Real& x : next) x = std::max<Real>(x, 0);
  const auto phi = [&](const Vector& x) {
    return dot(add(x, -1, slips(printed, x)), add(x, -1, slips(printed, x))) / 2;
  };
  ASSERT_LT(phi(next), phi(s));
  const double second = double(printed.error(conic(printed, next)));
  EXPECT_NEAR(error_at(2), second, 1e-5 * second + 1e-9);
}

TEST(Published, CadouxEndsInTheFalseMinimumOfTheBadBoy) {
  // CAD 5.4: w = 0, so that s₀ = 0; φ(0) = ½ is a local minimum.
  const SolveResult result = stickslip::solve(generate("bad_boy"), {}, "CADOUX");
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_THAT(result.message, ::testing::HasSubstr("= 0.5 "));
  EXPECT_TRUE(stickslip::solve(generate("bad_boy"), {}, "cadoux").converged());
}

}  // namespace
}  // namespace stickslip::internal
