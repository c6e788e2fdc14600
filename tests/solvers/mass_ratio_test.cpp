// Heavy on light: a column of bodies whose masses alternate by a factor of 1e5 has a closed form, and systems that punish an order of
// elimination without pivots.
#include <gtest/gtest.h>

#include "problems/judge.hpp"
#include "stickslip/catalog.hpp"

namespace stickslip::internal {
namespace {

constexpr double step = 0.01, gravity = 9.81, heavy = 1e5;

/// Points one above the other, contact k between k and k − 1 (the ground). At rest r_N = h g Σ_{j≥k} m_j, r_T = 0.
GlobalProblem column(Index bodies) {
  std::vector<Triplet> M, H;
  std::vector<double> f;
  for (Index b = 0; b < bodies; ++b)
    for (Index c = 0; c < 3; ++c) {
      const double mass = b % 2 ? heavy : 1;
      M.push_back({3 * b + c, 3 * b + c, mass});
      f.push_back(c == 0 ? -mass * gravity * step : 0);
      H.push_back({3 * b + c, 3 * b + c, 1});
      if (b > 0) H.push_back({3 * (b - 1) + c, 3 * b + c, -1});
    }
  const Index n = 3 * bodies;
  return {3,
          {n, n, M},
          {n, n, H},
          f,
          std::vector<double>(std::size_t(n), 0.0),
          std::vector<double>(std::size_t(bodies), 0.5)};
}

TEST(MassRatio, AHeavyOnALightBodyIsSolvedToItsClosedForm) {
  for (Index bodies : {2, 12, 40}) {
    const GlobalProblem p = column(bodies);
    const ReducedProblem reduced = Reduction(p).reduced();
    for (const char* solver : {"auto", "newton", "proximal", "nipm"}) {
      const auto check = [&](const SolveResult& result, const char* form) {
        // Impulses up to 2e6·h g in units of q = h g: rounding is worth 1e-16 · 2e6 of the error.
        EXPECT_TRUE(result.converged())
            << solver << ", " << form << ", " << bodies << " bodies: " << name(result.status) << ' '
            << result.message << ", error " << result.error();
        EXPECT_LE(tests::judge(p, result.r).error, 1.01e-7) << solver << ", " << form;
        double above = 0;
        for (Index k = bodies - 1; k >= 0; --k) {
          above += (k % 2 ? heavy : 1) * gravity * step;
          // An error of 1e-7 ‖q‖ in u is worth the heaviest mass as much in r.
          EXPECT_NEAR(result.r[std::size_t(3 * k)], above, 1e-7 * gravity * step * 7 * heavy * bodies)
              << solver << ", " << form << ", contact " << k;
        }
      };
      const SolveRequest request{.tolerance = 1e-7, .time_limit = 30};
      check(solve(p, request, solver), "global form");
      check(solve(reduced, request, solver), "reduced form");
    }
  }
}

}  // namespace
}  // namespace stickslip::internal
