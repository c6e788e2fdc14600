// What the papers print, in long double and dense matrices: it shares nothing with src/. Normal first.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "problems/dense.hpp"
#include "stickslip/catalog.hpp"

namespace stickslip::tests::printed {

using Real = long double;
using Vector = std::vector<Real>;

inline Real dot(const Vector& a, const Vector& b) {
  Real sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}
inline Real norm(const Vector& a) { return std::sqrt(dot(a, a)); }
/// a + s b.
inline Vector add(Vector a, Real s, const Vector& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += s * b[k];
  return a;
}
inline Vector multiply(const Dense& A, const Vector& x) {
  Vector y(std::size_t(A.rows), 0);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) y[std::size_t(i)] += A(i, j) * x[std::size_t(j)];
  return y;
}
inline Vector solve(const Dense& A, const Vector& b) {
  Dense B(int(b.size()), 1);
  B.value = b;
  return solve_dense(A, B).value;
}
inline Real tangent_norm(const Vector& x) { return x.size() == 3 ? std::hypot(x[1], x[2]) : std::abs(x[1]); }

/// Friction cone, cylinder of a radius: RR (148) corrected, RR (93).
inline Vector on_cone(const Vector& z, Real mu) {
  const Real t = tangent_norm(z);
  if (t <= mu * z[0]) return z;
  if (mu * t <= -z[0]) return Vector(z.size(), 0);
  Vector p(z.size());
  p[0] = (z[0] + mu * t) / (1 + mu * mu);
  for (std::size_t c = 1; c < z.size(); ++c) p[c] = mu * p[0] * z[c] / t;
  return p;
}
inline Vector on_cylinder(Vector z, Real radius) {
  z[0] = std::max<Real>(z[0], 0);
  const Real t = tangent_norm(z);
  for (std::size_t c = 1; c < z.size(); ++c) z[c] *= t > radius ? radius / t : 1;
  return z;
}
/// û = u + g(u), RR (3).
inline Vector shifted(Vector u, Real mu) {
  u[0] += mu * tangent_norm(u);
  return u;
}

struct Problem {
  int d, n;
  Dense W;
  Vector q, mu;

  explicit Problem(const ReducedProblem& p)
      : d(p.dimension()),
        n(p.contacts()),
        W(p.W().to_sparse()),
        q(p.q().begin(), p.q().end()),
        mu(p.mu().begin(), p.mu().end()) {}

  Vector part(const Vector& x, int i) const { return {x.begin() + i * d, x.begin() + (i + 1) * d}; }
  void put(const Vector& from, int i, Vector& to) const {
    std::copy(from.begin(), from.end(), to.begin() + i * d);
  }
  /// W_ij.
  Dense block(int i, int j) const {
    Dense A(d, d);
    for (int a = 0; a < d; ++a)
      for (int b = 0; b < d; ++b) A(a, b) = W(i * d + a, j * d + b);
    return A;
  }
  Vector velocity(const Vector& r) const { return add(multiply(W, r), 1, q); }
  /// F_vi of RR (40).
  Vector force(const Vector& r) const {
    Vector u = velocity(r);
    for (int i = 0; i < n; ++i) put(shifted(part(u, i), mu[std::size_t(i)]), i, u);
    return u;
  }
  /// P_K contact by contact.
  Vector project(Vector z) const {
    for (int i = 0; i < n; ++i) put(on_cone(part(z, i), mu[std::size_t(i)]), i, z);
    return z;
  }
  /// RR (131).
  Real error(const Vector& r) const { return norm(add(r, -1, project(add(r, -1, force(r))))) / norm(q); }
};

/// A regular problem of full rank: n contacts in space, W = size·(B Bᵀ + ½I), loads that press.
inline ReducedProblem regular(int n, std::uint64_t seed, double size = 1, double skew = 0) {
  Random random(seed);
  Dense W = random_positive(3 * n, random, 0.5, skew);
  for (auto& x : W.value) x = double(x * size);
  Numbers q = random_numbers(std::size_t(3 * n), random), mu;
  for (int i = 0; i < n; ++i) {
    q[std::size_t(3 * i)] = -0.2 - std::abs(q[std::size_t(3 * i)]);
    mu.push_back(random.uniform(0.3, 0.8));
  }
  return {BlockMatrix(sparse(W), 3), q, mu};
}

/// A start beside all kinks, r_N > 0.
inline Numbers generic_guess(const ReducedProblem& p, std::uint64_t seed) {
  Random random(seed);
  Numbers r = random_numbers(p.q().size(), random);
  for (std::size_t k = 0; k < r.size(); ++k)
    r[k] = k % std::size_t(p.dimension()) == 0 ? 0.5 + r[k] / 3 : r[k] / 3;
  return r;
}

/// The errors after the iterations 1, 2, … of a solver; NaN where one was not told.
inline Numbers errors_of(const ReducedProblem& p, const std::string& solver, long iterations,
                         const Numbers& guess = {}) {
  const SolveResult result = stickslip::solve(
      p, {.tolerance = 1e-300, .max_iterations = iterations, .guess = guess, .history = true}, solver);
  Numbers errors(std::size_t(iterations), std::nan(""));
  for (const Progress& at : result.history)
    if (at.iteration >= 1 && at.iteration <= iterations) errors[std::size_t(at.iteration - 1)] = at.error;
  return errors;
}

/// The errors of the iterates r ← next(r), as printed.
inline Numbers errors_of(const Problem& p, Vector r, long iterations,
                         const std::function<Vector(const Vector&)>& next) {
  Numbers errors;
  for (long k = 0; k < iterations; ++k) errors.push_back(double(p.error(r = next(r))));
  return errors;
}

/// `accuracy`, relative: what rounding in double, or a derivative by differences, leaves of an iterate. Below 1e-11 both are
/// solutions.
inline void expect_same(const Numbers& found, const Numbers& printed, double accuracy,
                        const std::string& what) {
  ASSERT_EQ(found.size(), printed.size()) << what;
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k], printed[k], accuracy * printed[k] + 1e-11) << what << ", iteration " << k + 1;
}

inline Vector start(const Problem& p, const Numbers& guess = {}) {
  return guess.empty() ? Vector(p.q.size(), 0) : Vector(guess.begin(), guess.end());
}

/// RR Algorithm 3 with ρ₀ = 1, around P_X and F that may change from step to step.
struct StepRule {
  bool solodov_tseng = false;
  Real rho = 1;

  using Map = std::function<Vector(const Vector&)>;

  /// RR Algorithm 1 or, with `extragradient`, Algorithm 2: (98), (99).
  Vector step(const Vector& z, const Map& F, const Map& P, bool extragradient) {
    for (;;) {
      const Vector trial = P(add(z, -rho, F(z))), move = add(z, -1, trial), change = add(F(z), -1, F(trial));
      const Real ratio = solodov_tseng ? rho * dot(move, change) / dot(move, move)  // (102)
                                       : rho * norm(change) / norm(move);           // (101)
      if (ratio > 0.9L) {
        rho *= 2.0L / 3;
        continue;
      }
      const Vector next = extragradient ? P(add(z, -rho, F(trial))) : trial;
      if (ratio < 0.3L) rho /= 2.0L / 3;
      return next;
    }
  }
};

/// ρ_N and ρ_T of the rule (111); λ of the symmetric part.
struct Rho {
  Real normal, tangent;
};
inline Rho split_rho(const Dense& A) {
  const Real half = (A(1, 1) + A(2, 2)) / 2, off = (A(1, 2) + A(2, 1)) / 2;
  return {1 / A(0, 0), 1 / (half + std::hypot((A(1, 1) - A(2, 2)) / 2, off))};
}

/// λ_max of the symmetric part of a 3×3 block.
inline Real largest_eigenvalue(const Dense& A) {
  Vector x = {1, 0.7L, -0.4L};
  Real value = 0;
  for (int k = 0; k < 5000; ++k) {
    x = add(multiply(A, x), 1, multiply(transpose(A), x));
    value = norm(x) / 2;
    for (Real& c : x) c /= 2 * value;
  }
  return value;
}

/// Alart and Curnier's function of one contact, RR (62), or with the radius of Jean and Moreau, RR (60).
inline Vector disk_map(const Vector& u, const Vector& r, Real mu, const Rho& rho, bool alart_curnier) {
  const Real d_N = std::max<Real>(0, r[0] - rho.normal * u[0]);
  const Real radius = mu * (alart_curnier ? d_N : std::max<Real>(0, r[0]));
  const Vector d = on_cylinder({0, r[1] - rho.tangent * u[1], r[2] - rho.tangent * u[2]}, radius);
  return {r[0] - d_N, r[1] - d[1], r[2] - d[2]};
}

enum class Search { none, goldstein_price, armijo };

/// RR Algorithm 4 on G, the Jacobian by differences, with Algorithm 5 or 6, corrected, on ½‖G‖². lean ≠ 1: differences that
/// lean forward, to find a kink out.
inline Vector newton(const std::function<Vector(const Vector&)>& G, Vector r, int steps, Search search,
                     Real lean = 1) {
  for (int k = 0; k < steps && norm(G(r)) > 1e-15L; ++k) {
    const Vector g = G(r);
    Dense J(int(r.size()), int(r.size()));
    for (int j = 0; j < J.columns; ++j) {
      constexpr Real h = 1e-8L;
      Vector plus = r, minus = r;
      plus[std::size_t(j)] += h, minus[std::size_t(j)] -= lean * h;
      const Vector slope = add(G(plus), -1, G(minus));
      for (int i = 0; i < J.rows; ++i) J(i, j) = slope[std::size_t(i)] / ((1 + lean) * h);
    }
    const Vector step = solve(J, g);
    const Real q0 = dot(g, g) / 2, slope = -2 * q0;
    const auto q = [&](Real t) {
      const Vector at = G(add(r, -t, step));
      return dot(at, at) / 2;
    };
    Real t = 1, low = 0, high = 0;
    if (search == Search::armijo)
      for (int trial = 1; trial < 10 && q(t) > q0 + 1e-4L * t * slope; ++trial) t /= 2;
    for (int trial = 0; search == Search::goldstein_price && trial < 10; ++trial) {
      const Real rise = (q(t) - q0) / t;
      if (rise > 0.1L * slope)
        high = t;
      else if (rise < 0.9L * slope)
        low = t;
      else
        break;
      t = high > 0 ? (low + high) / 2 : 2 * t;
    }
    r = add(r, -t, step);
  }
  return r;
}

}  // namespace stickslip::tests::printed
