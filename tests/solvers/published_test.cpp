// Upper case is the literature: the iterates of the first-order labels beside what RR prints (docs/published.md).
#include <gtest/gtest.h>

#include "problems/printed.hpp"

namespace stickslip::internal {
namespace {

using namespace tests::printed;
using tests::Dense;
using tests::Numbers;

/// Rounding in a few dozen operations on numbers of order one, some iterations long.
constexpr double rounding = 1e-10;

TEST(Published, VariationalInequalities) {
  // W large and small beside ρ₀ = 1: ρ is shortened and lengthened on the way.
  for (const double size : {10.0, 0.05})
    for (const std::string label : {"FP-VI-UPK", "FP-VI-UPTS", "EG-VI-UPK", "EG-VI-UPTS"}) {
      const ReducedProblem p = regular(3, 1, size);
      const Problem printed(p);
      StepRule rule{label.ends_with("UPTS")};
      const auto next = [&](const Vector& r) {
        return rule.step(
            r, [&](const Vector& x) { return printed.force(x); },
            [&](const Vector& x) { return printed.project(x); }, label.starts_with("EG"));
      };
      expect_same(errors_of(p, label, 12), errors_of(printed, start(printed), 12, next), rounding, label);
    }
}

TEST(Published, DeSaxce) {
  const ReducedProblem p = regular(3, 2, 0.1);
  const Problem printed(p);
  const auto next = [&](const Vector& r) { return printed.project(add(r, -1, printed.force(r))); };
  expect_same(errors_of(p, "FP-DS", 8), errors_of(printed, start(printed), 8, next), rounding, "FP-DS");
}

/// One sweep of RR Algorithm 7: local(A, b, μ, r_α) solves the problem of a contact, A = W_αα/ω and b as in (119).
using Local = std::function<Vector(int contact, const Dense& A, const Vector& b, Real mu, const Vector& r)>;
Vector sweep(const Problem& p, Vector r, Real omega, const Local& local) {
  for (int i = 0; i < p.n; ++i) {
    const Dense A = p.block(i, i);
    Dense divided = A;
    for (auto& x : divided.value) x /= omega;
    const Vector old = p.part(r, i), b = add(p.part(p.velocity(r), i), -1, multiply(divided, old));
    p.put(local(i, divided, b, p.mu[std::size_t(i)], old), i, r);
  }
  return r;
}

TEST(Published, GaussSeidelWithALocalNewton) {
  // Ten Newton steps a visit and no other solver: on strongly coupled unsymmetric contacts they often fail.
  int failures = 0, compared = 0;
  for (const std::string label : {"NSGS-AC", "NSGS-JM", "NSGS-AC-GP", "NSGS-JM-GP"})
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      const ReducedProblem p = regular(1, seed, 1, 3.0);
      const Problem printed(p);
      const Numbers guess = generic_guess(p, seed);
      bool failed = false;
      const auto visit = [&](Real lean) {
        return errors_of(printed, start(printed, guess), 1, [&](const Vector& r) {
          return sweep(printed, r, 1, [&](int, const Dense& A, const Vector& b, Real mu, const Vector& old) {
            const auto G = [&](const Vector& x) {
              return disk_map(add(multiply(A, x), 1, b), x, mu, split_rho(A), label.substr(5, 2) == "AC");
            };
            const Vector found =
                newton(G, old, 10, label.ends_with("GP") ? Search::goldstein_price : Search::none, lean);
            failed = norm(G(found)) > 1e-6L;
            return found;
          });
        });
      };
      // A path that runs into a kink depends on the differences, and proves nothing.
      const Numbers expected = visit(1), again = visit(0.1L);
      if (std::abs(expected[0] - again[0]) > 1e-3 * expected[0] + 1e-9) continue;
      ++compared;
      failures += failed;
      // Differences leave 1e-11 of a step; steps that do not converge repeat and enlarge it.
      expect_same(errors_of(p, label, 1, guess), expected, 1e-5, label);
    }
  EXPECT_GE(compared, 100);
  EXPECT_GE(failures, 5);  // otherwise an exact solver behind Newton would not have been seen
}

TEST(Published, GaussSeidelWithOneProjection) {
  const ReducedProblem p = regular(4, 3, 0.2);
  const Problem printed(p);
  const auto next = [&](const Vector& r) {
    return sweep(printed, r, 1, [](int, const Dense& A, const Vector& b, Real mu, const Vector& old) {
      return on_cone(add(old, -1, shifted(add(multiply(A, old), 1, b), mu)), mu);
    });
  };
  expect_same(errors_of(p, "NSGS-FP-DS-One", 6), errors_of(printed, start(printed), 6, next), rounding,
              "DS-One");
}

TEST(Published, GaussSeidelWithAnAdaptedFixedPoint) {
  for (const double size : {5.0, 0.05}) {
    const ReducedProblem p = regular(3, 4, size);
    const Problem printed(p);
    std::vector<StepRule> rules(3);
    const auto next = [&](const Vector& r) {
      return sweep(printed, r, 1, [&](int i, const Dense& A, const Vector& b, Real mu, Vector x) {
        const auto F = [&](const Vector& z) { return shifted(add(multiply(A, z), 1, b), mu); };
        const auto P = [&](const Vector& z) { return on_cone(z, mu); };
        for (int k = 0; k < 3; ++k) x = rules[std::size_t(i)].step(x, F, P, false);
        return x;
      });
    };
    expect_same(errors_of(p, "NSGS-FP-VI-UPK(local=fixed_point(iterations=3))", 6),
                errors_of(printed, start(printed), 6, next), rounding, "FP-VI-UPK");
  }
}

/// The fixed point of (98) for one contact, to the last digit: W_αα is regular and well conditioned here.
Vector exact_contact(const Dense& A, const Vector& b, Real mu, Vector r) {
  const Real rho = 0.3L / (A(0, 0) + A(1, 1) + A(2, 2));
  for (int k = 0; k < 100000; ++k) r = on_cone(add(r, -rho, shifted(add(multiply(A, r), 1, b), mu)), mu);
  return r;
}

TEST(Published, RelaxationIsInTheLocalProblem) {
  for (const std::string label : {"PSOR-AC", "PSOR-AC-GP"})
    for (const double omega : {0.6, 1.4}) {
      const ReducedProblem p = regular(3, 5);
      const Problem printed(p);
      const auto next = [&](const Vector& r) {
        return sweep(printed, r, omega, [](int, const Dense& A, const Vector& b, Real mu, const Vector& old) {
          return exact_contact(A, b, mu, old);
        });
      };
      const std::string relaxed = label + "(relaxation=" + std::to_string(omega) + ")";
      const Numbers found = errors_of(p, relaxed, 4),
                    average = errors_of(p, relaxed.substr(0, relaxed.size() - 1) + ", relaxed=average)", 4);
      expect_same(found, errors_of(printed, start(printed), 4, next), 1e-8, relaxed);
      EXPECT_GT(std::abs(found[1] - average[1]), 1e-4 * found[1]) << relaxed;
    }
}

TEST(Published, HybridLocalSolversTakeTheBetterHalf) {
  // One projection with ρ₀ = 1 shortened as Algorithm 3 does, one step of Newton with its search; the better one stays.
  for (const std::string label : {"NSGS-AC-GP-HYBRID", "NSGS-AC-GP-HYBRID2"})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const ReducedProblem p = regular(1, seed, 2);
      const Problem printed(p);
      const Numbers guess = generic_guess(p, seed);
      const auto next = [&](const Vector& r) {
        return sweep(printed, r, 1, [&](int, const Dense& A, const Vector& b, Real mu, const Vector& old) {
          const auto G = [&](const Vector& x) {
            return disk_map(add(multiply(A, x), 1, b), x, mu, split_rho(A), true);
          };
          const auto error = [&](const Vector& x) { return norm(G(x)) / (norm(x) + norm(b) / A(0, 0)); };
          StepRule rule;
          Vector x = old, best = old;
          Real least = HUGE_VALL;
          const auto keep = [&] {
            if (error(x) < least) least = error(best = x);
            x = best;
          };
          if (label.ends_with("2")) x = newton(G, x, 1, Search::goldstein_price), keep();
          x = rule.step(
              x, [&](const Vector& z) { return shifted(add(multiply(A, z), 1, b), mu); },
              [&](const Vector& z) { return on_cone(z, mu); }, false);
          keep();
          x = newton(G, x, 1, Search::goldstein_price), keep();
          return best;
        });
      };
      expect_same(errors_of(p, label + "(local=hybrid(projections=1, iterations=1))", 1, guess),
                  errors_of(printed, start(printed, guess), 1, next), 1e-7, label);
    }
}

/// The sets that are left when a part of Coulomb's law is frozen, RR Algorithms 10 to 12.
struct Frozen {
  const Problem& p;
  Vector size;  ///< radii of cylinders, or empty: cones

  Vector project(Vector z) const {
    for (int i = 0; i < p.n; ++i)
      p.put(size.empty() ? on_cone(p.part(z, i), p.mu[std::size_t(i)])
                         : on_cylinder(p.part(z, i), size[std::size_t(i)]),
            i, z);
    return z;
  }
};

/// One step of RR Algorithm 9 with ρ₀ = 1, l = 2/3, σ = 0.01, the gradient W r + b. It begins in C.
Vector gradient_step(const Problem& p, const Vector& b, Vector r,
                     const std::function<Vector(const Vector&)>& P) {
  r = P(r);
  const auto q = [&](const Vector& x) { return dot(x, multiply(p.W, x)) / 2 + dot(b, x); };
  const Vector g = add(multiply(p.W, r), 1, b);
  for (Real rho = 1;; rho *= 2.0L / 3) {
    const Vector next = P(add(r, -rho, g));
    if (q(next) - q(r) - 0.01L * dot(g, add(next, -1, r)) <= 0) return next;
  }
}

TEST(Published, ConvexProgramsOfTrescaAndAclm) {
  const ReducedProblem p = regular(3, 6, 0.7);
  const Problem printed(p);
  for (const std::string family : {"TRESCA", "ACLM"})
    for (const std::string inner : {"-CONVEXQP-PG", "-FP-VI-UPK", "-EG-VI-UPK"}) {
      StepRule rule;  // ρ goes on from program to program
      const auto next = [&](const Vector& r) {
        Vector b = printed.q;
        Frozen set{printed, {}};
        const Vector u = printed.velocity(r);
        for (int i = 0; i < printed.n; ++i) {
          const Real mu = printed.mu[std::size_t(i)];
          if (family == "TRESCA")
            set.size.push_back(mu * std::max<Real>(0, r[std::size_t(3 * i)]));
          else
            b[std::size_t(3 * i)] += mu * tangent_norm(printed.part(u, i));
        }
        const auto P = [&](const Vector& z) { return set.project(z); };
        if (inner == "-CONVEXQP-PG") return gradient_step(printed, b, r, P);
        return rule.step(
            r, [&](const Vector& x) { return add(multiply(printed.W, x), 1, b); }, P, inner == "-EG-VI-UPK");
      };
      const std::string label = family + inner;
      expect_same(errors_of(p, label + "(inner_iterations=1)", 8),
                  errors_of(printed, start(printed), 8, next), rounding, label);
    }
}

TEST(Published, AlternatingOptimisation) {
  const ReducedProblem p = regular(3, 7, 0.7);
  const Problem printed(p);
  // RR Algorithm 10, a step on each program: only normals or only tangents move.
  for (const std::string label :
       {"PANA-CONVEXQP-PG", "PANA-PGS-CONVEXQP-PG", "PANA-PGS-FP-VI-UPK", "PANA-PGS-EG-VI-UPK"}) {
    StepRule rule;
    const auto next = [&](Vector r) {
      const Vector old = r;
      if (label == "PANA-CONVEXQP-PG") {
        const auto normals = [&](Vector z) {
          for (std::size_t k = 0; k < z.size(); ++k) z[k] = k % 3 == 0 ? std::max<Real>(0, z[k]) : old[k];
          return z;
        };
        r = gradient_step(printed, printed.q, r, normals);
      } else {
        for (std::size_t k = 0; k < r.size(); k += 3)  // projected Gauss–Seidel, RR (126)
          r[k] = std::max<Real>(0, r[k] - printed.velocity(r)[k] / printed.W(int(k), int(k)));
      }
      const Vector held = r;
      const auto tangents = [&](Vector z) {
        for (int i = 0; i < printed.n; ++i) {
          Vector x = printed.part(z, i);
          x = on_cylinder(x, printed.mu[std::size_t(i)] * held[std::size_t(3 * i)]);
          x[0] = held[std::size_t(3 * i)];
          printed.put(x, i, z);
        }
        return z;
      };
      const auto gradient = [&](const Vector& x) {
        Vector u = printed.velocity(x);
        for (std::size_t k = 0; k < u.size(); k += 3) u[k] = 0;
        return u;
      };
      if (label.ends_with("CONVEXQP-PG")) return gradient_step(printed, printed.q, r, tangents);
      return rule.step(r, gradient, tangents, label == "PANA-PGS-EG-VI-UPK");
    };
    expect_same(errors_of(p, label + "(inner_iterations=1)", 6), errors_of(printed, start(printed), 6, next),
                rounding, label);
  }
}

}  // namespace
}  // namespace stickslip::internal
