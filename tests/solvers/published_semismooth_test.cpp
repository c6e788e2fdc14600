// Upper case is the literature: the iterates of SSN-* beside algorithms UNIL, NEWT, HYB, FIX, SCSOL and SCALE of SSN section 5.
#include <gtest/gtest.h>

#include "problems/printed.hpp"

namespace stickslip::internal {
namespace {

using namespace tests::printed;
using tests::Dense;
using tests::Numbers;

enum class Algorithm { newt, hyb, fix, unil };

/// SSN Table 2.
constexpr Real shrink = 0.9L, decrease = 0.1L, shortest = 0.034L, accuracy = 1e-10L, factor = 10;
constexpr int most_scalings = 6;

/// SCSOL, normal first. `remember` tells whether M⁰ is in the memory of the search.
struct Scsol {
  const Problem& p;
  Algorithm algorithm;
  std::size_t J;
  bool remember = true;

  Vector R = Vector(p.q.size(), 0), U = R, rho{}, bound = Vector(p.mu.size(), 0), merits{};
  std::vector<int> state = std::vector<int>(p.mu.size(), 0),
                   scalings = state;  // 0 in neither tangential set, 1 stick, 2 slip
  int k = 0;
  bool settled = false;  // UNIL: the active set is the last one

  Scsol(const Problem& problem, Algorithm which, std::size_t memory, bool m0 = true)
      : p(problem), algorithm(which), J(memory), remember(m0) {
    for (int i = 0; i < p.n; ++i) rho.push_back(1 / largest_eigenvalue(p.block(i, i)));
  }

  /// ½ CᵀC, (43), (44), (63).
  Real merit(const Vector& r) const {
    const Vector u = p.velocity(r);
    Real sum = 0;
    for (int i = 0; i < p.n; ++i) {
      const auto at = std::size_t(3 * i);
      const Real mu = p.mu[std::size_t(i)], own = rho[std::size_t(i)], d_N = r[at] - own * u[at];
      const Vector d = {0, r[at + 1] - own * u[at + 1], r[at + 2] - own * u[at + 2]};
      const Real larger = std::max(mu * d_N, tangent_norm(d)), C_N = r[at] - std::max<Real>(0, d_N);
      sum += C_N * C_N;
      for (std::size_t c = 1; c < 3; ++c) {
        const Real C = larger * r[at + c] - mu * std::max<Real>(0, d_N) * d[c];
        sum += C * C;
      }
    }
    return sum / 2;
  }

  /// Ω δR = Π, lines 2 to 9.
  Vector direction(const Vector& T) {
    Dense Omega(p.W.rows, p.W.columns);
    Vector Pi(R.size(), 0);
    bool changed = false;
    for (int i = 0; i < p.n; ++i) {
      const int at = 3 * i;
      const auto j = std::size_t(at);
      const Real mu = p.mu[std::size_t(i)], own = rho[std::size_t(i)], d_N = R[j] - own * U[j];
      const Vector d = {0, R[j + 1] - own * U[j + 1], R[j + 2] - own * U[j + 2]};
      const Real length = tangent_norm(d), b = bound[std::size_t(i)];
      const bool fixed = algorithm == Algorithm::fix;
      const Real threshold = algorithm == Algorithm::newt ? d_N : algorithm == Algorithm::hyb ? R[j] : b;
      const bool closed = d_N >= 0,
                 apart = algorithm == Algorithm::hyb || fixed;  // line 3: of all contacts, or of closed ones
      int next = !closed && !apart ? 0 : length - mu * threshold < 0 ? 1 : 2;
      if (algorithm == Algorithm::unil && next > 0) next = 2;
      changed = changed || next != state[std::size_t(i)];
      if (next + state[std::size_t(i)] == 3 && algorithm != Algorithm::fix && k + 1 > most_scalings &&
          scalings[std::size_t(i)] < most_scalings)
        turned.push_back(i);
      state[std::size_t(i)] = next;
      const auto row_of_W = [&](int row, Real times) {
        for (int c = 0; c < Omega.columns; ++c) Omega(at + row, c) += times * p.W(at + row, c);
      };
      if (closed) {  // line 6
        row_of_W(0, 1);
        Pi[j] = -U[j] - T[j];
      } else {  // line 5
        Omega(at, at) = 1;
        Pi[j] = -R[j];
      }
      const Real radius = mu * (fixed ? b : d_N);
      for (int a = 1; a < 3; ++a) {
        const auto ja = j + std::size_t(a);
        if (next == 1 && closed) {  // line 7; of an open contact line 5 has all rows
          const Real slope = algorithm == Algorithm::newt ? 1 / d_N : 0;
          row_of_W(a, 1);
          Omega(at + a, at) += slope * U[ja];
          Pi[ja] = -(1 + slope * own * U[j]) * U[ja] - T[ja];
        } else if (!closed || !(radius > 0) || algorithm == Algorithm::unil) {  // lines 5, 8
          Omega(at + a, at + a) = 1;
          Pi[ja] = -R[ja];
        } else {  // line 9 with (55), (57)–(59)
          const Real v = d[std::size_t(a)] / length;
          const Real inside = std::max(radius, std::hypot(R[j + 1], R[j + 2]));
          Pi[ja] = mu * v * (fixed ? b : R[j]) - R[ja];
          Omega(at + a, at + a) += 1;
          if (!fixed) Omega(at + a, at) -= mu * v;
          for (int e = 1; e < 3; ++e) {
            const Real M = radius / length * ((a == e) - R[ja] * d[std::size_t(e)] / (inside * length));
            for (int c = 0; c < Omega.columns; ++c) Omega(at + a, c) += own * M * p.W(at + e, c);
            Omega(at + a, at + e) -= M;
            Pi[ja] -= own * M * T[j + std::size_t(e)];
          }
        }
      }
    }
    settled = k > 0 && !changed;
    return tests::printed::solve(Omega, Pi);
  }

  Real step() {
    const Vector T = add(p.velocity(R), -1, U);
    turned.clear();
    const Vector delta = direction(T);
    if (remember || k > 0) merits.push_back(merit(R));
    Real alpha = 1;
    if (k > 0 && algorithm != Algorithm::fix && algorithm != Algorithm::unil) {
      const std::size_t many = std::min(merits.size(), J + 1);
      const Real largest = *std::max_element(merits.end() - std::ptrdiff_t(many), merits.end());
      while (merit(add(R, alpha, delta)) > largest - 2 * decrease * alpha * merits.back() && alpha > shortest)
        alpha *= shrink;
    }
    R = add(R, alpha, delta);
    U = p.velocity(R);
    ++k;
    if (algorithm == Algorithm::fix && norm(delta) / norm(R) <= accuracy)
      for (std::size_t i = 0; i < bound.size(); ++i) bound[i] = R[3 * i];
    for (const int i : turned) rho[std::size_t(i)] *= factor, ++scalings[std::size_t(i)];
    return p.error(R);
  }

  std::vector<int> turned{};
};

Numbers errors_of(Scsol scsol, int iterations) {
  Numbers errors;
  for (int k = 0; k < iterations; ++k) errors.push_back(double(scsol.step()));
  return errors;
}

/// Rounding in Ω⁻¹Π, ten times over.
constexpr double close = 1e-7;

struct Case {
  const char* label;
  Algorithm algorithm;
  std::size_t J;
};
const std::vector<Case> cases = {{"SSN-NEWT-A", Algorithm::newt, 0},
                                 {"SSN-NEWT-G", Algorithm::newt, 10},
                                 {"SSN-HYB-A", Algorithm::hyb, 0},
                                 {"SSN-HYB-G", Algorithm::hyb, 10},
                                 {"SSN-FIX", Algorithm::fix, 0}};

TEST(Published, SemismoothNewton) {
  bool start_matters = false;
  for (const Case& each : cases)
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const ReducedProblem p = regular(3, seed);
      const Problem printed(p);
      const Numbers expected = errors_of(Scsol(printed, each.algorithm, each.J), 9);
      expect_same(tests::printed::errors_of(p, each.label, 9), expected, close, each.label);
      start_matters =
          start_matters || expected != errors_of(Scsol(printed, each.algorithm, each.J, false), 9);
    }
  EXPECT_TRUE(start_matters);  // somewhere M⁰ in the memory made a step longer
}

TEST(Published, SemismoothNewtonGoesOnFromTheLastVelocity) {
  const ReducedProblem p = regular(3, 31);
  const Problem printed(p);
  for (const Case& each : cases)
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Numbers guess = generic_guess(p, seed), velocity = generic_guess(p, seed + 20);
      if (seed % 2 ==
          0) {  // a contact that opens while it sticks: the tangential sets of HYB and FIX are of all contacts
        velocity[0] = 10;
        for (std::size_t i = 1; i < 3; ++i) guess[i] *= 0.01, velocity[i] *= 0.01;
      }
      Scsol scsol(printed, each.algorithm, each.J);
      scsol.R = start(printed, guess);
      scsol.U = start(printed, velocity);
      for (std::size_t i = 0; i < 3; ++i) scsol.bound[i] = std::max<Real>(0, scsol.R[3 * i]);
      const SolveResult result = stickslip::solve(p,
                                                  {.tolerance = 1e-300,
                                                   .max_iterations = 1,
                                                   .guess = guess,
                                                   .guess_velocity = velocity,
                                                   .history = true},
                                                  each.label);
      const double expected = errors_of(scsol, 1)[0];
      EXPECT_NEAR(result.history.back().error, expected, close * expected) << each.label << " " << seed;
    }
}

TEST(Published, UnilateralContact) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ReducedProblem with = regular(5, seed);
    const ReducedProblem p(with.W(), {with.q().begin(), with.q().end()}, Numbers(5, 0.0));
    const Problem printed(p);
    Scsol unil(printed, Algorithm::unil, 0);
    Numbers expected;
    do expected.push_back(double(unil.step()));
    while (!unil.settled);
    // The iterate with the final set is computed once; found again, the algorithm ends (line 4).
    const SolveResult result = stickslip::solve(p, {.tolerance = 1e-13}, "SSN-UNIL");
    EXPECT_TRUE(result.converged()) << result.message;
    EXPECT_EQ(result.iterations, long(expected.size()) - 1) << seed;
    EXPECT_LE(result.iterations, 5) << seed;  // SSN Table 3
  }
}

}  // namespace
}  // namespace stickslip::internal
