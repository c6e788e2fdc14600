// CADOUX and NIPM on the problems of CAD section 5.
#include <gmock/gmock.h>

#include <cmath>

#include "problems/judge.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;

/// CAD 5.4. It begins at s₀: that r = 0 solves the problem is not looked at before.
SolveResult bad_boy(const std::string& s0) {
  return solve(generate("bad_boy", {}), {}, "CADOUX(s0=" + s0 + ")");
}

TEST(Cadoux, BadBoyEndsInTheLocalMinimumFromBelowTwo) {
  for (const char* s0 : {"0", "1", "1.9"}) {
    const SolveResult result = bad_boy(s0);
    EXPECT_EQ(result.status, Status::stalled) << s0;
    EXPECT_THAT(result.message, HasSubstr("local minimum")) << s0;
    EXPECT_THAT(result.message, HasSubstr("= 0.5 ")) << s0;
  }
}

TEST(Cadoux, BadBoyIsSolvedFromAboveTwo) {
  for (const char* s0 : {"2.1", "5", "40"}) {
    const SolveResult result = bad_boy(s0);
    ASSERT_TRUE(result.converged()) << s0 << ' ' << result.message;
    EXPECT_LE(result.iterations, 3) << s0;
    EXPECT_NEAR(result.u[0], 3, 1e-7);  // take-off, u = (3, 5); error 1e-8 of ‖q‖ ≈ 6
    EXPECT_NEAR(result.u[1], 5, 1e-7);
  }
}

TEST(Cadoux, BeadHasBothSolutionsFromTwoWarmStarts) {
  const ProblemFile file = generate("bead", {});
  std::vector<double> wedged = file.solution->r, loose(wedged.size(), 0.0);
  for (double& x : wedged) x *= 0.9;
  loose[0] = 1e-3;
  const SolveResult stays = solve(file, {.guess = wedged}, "CADOUX"),
                    leaves = solve(file, {.guess = loose}, "CADOUX");
  ASSERT_TRUE(stays.converged() && leaves.converged()) << stays.message << leaves.message;
  EXPECT_EQ(stays.count(ContactStatus::stick), 2U);
  EXPECT_EQ(leaves.count(ContactStatus::open), 2U);
}

/// CAD Tables 1 and 2: 1 to 4 Newton iterations; one more counted here is the program of s₀.
TEST(Cadoux, RandomInstancesTakeAFewIterationsFromEitherStart) {
  for (const int d : {2, 3})
    for (const long n : {10, 20, 30})
      for (const char* solver : {"cadoux", "cadoux(s0=0)"}) {
        const SolveResult result =
            solve(generate("random", {.size = n, .dimension = d, .seed = 1}), {}, solver);
        ASSERT_TRUE(result.converged()) << d << ' ' << n << ' ' << result.message;
        EXPECT_LE(result.iterations, 1 + 4) << d << ' ' << n;
      }
}

TEST(Cadoux, StaysInThePublishedRange) {
  for (const int d : {2, 3})
    for (const long n : {10, 20, 40, 60})
      for (const unsigned seed : {1U, 2U, 3U}) {
        const ProblemFile file = generate("random", {.size = n, .dimension = d, .seed = seed});
        const SolveResult result = solve(file, {.tolerance = 1e-12}, "cadoux(s0=0)");
        ASSERT_TRUE(result.converged()) << d << ' ' << n << ' ' << seed << ' ' << result.message;
        EXPECT_LE(tests::judge(file, result.r).error, 1.001e-12);
        EXPECT_LE(result.iterations, 1 + 4) << d << ' ' << n << ' ' << seed;
      }
}

/// In the plane F is piecewise linear: in the right piece one step leaves rounding only.
TEST(Cadoux, EndsExactlyInThePlane) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const ProblemFile file = generate("random", {.size = 20, .dimension = 2, .seed = seed});
    const SolveResult result = solve(file, {.tolerance = 1e-14}, "CADOUX(s0=0, ahead=0)");
    ASSERT_TRUE(result.converged()) << seed << ' ' << result.message;
    EXPECT_LE(result.iterations, 6) << seed;  // five Newton steps, and the program of s₀
  }
}

TEST(Cadoux, ConvergesSuperlinearly) {
  const SolveResult result = solve(generate("random", {.size = 20, .seed = 1}),
                                   {.tolerance = 1e-11, .history = true}, "cadoux(ahead=0)");
  ASSERT_TRUE(result.converged());
  const auto& h = result.history;
  // From 1e-3 on the error is at least squared, up to a constant of the problem (about 1).
  for (std::size_t k = 0; k + 1 < h.size(); ++k)
    if (h[k].error < 1e-2 && h[k].error > 1e-5) {
      EXPECT_LE(h[k + 1].error, 10 * h[k].error * h[k].error + 1e-11);
    }
}

/// Through the bodies, where contacts are redundant: the global form, the reduced form, the same velocities.
TEST(Cadoux, GlobalFormsGoThroughTheBodies) {
  const ProblemFile file = generate("blocks", {.size = 64, .density = 8.0});
  const ReducedProblem reduced = tests::reduced(file);
  for (const char* solver : {"CADOUX", "NIPM"}) {
    const SolveResult bodies = solve(file, {}, solver),
                      matrix = solve(ProblemFile{reduced, {}, {}, {}}, {}, solver);
    ASSERT_TRUE(bodies.converged() && matrix.converged()) << solver << bodies.message << matrix.message;
    EXPECT_LE(tests::judge(file, bodies.r).error, 1e-8) << solver;
    EXPECT_FALSE(bodies.v.empty());
  }
}

/// Redundant contacts: a square brick on a table held by many points, far more contacts than degrees of
/// freedom.
TEST(Nipm, SolvesHyperstaticProblems) {
  for (const double angle : {5.0, 25.0}) {
    const ProblemFile file = generate("incline", {.mu = 0.3, .angle = angle});
    const SolveResult result = solve(file, {.time_limit = 20}, "NIPM");
    ASSERT_TRUE(result.converged()) << angle << ' ' << result.message;
    EXPECT_LE(result.iterations, 40) << angle;
    EXPECT_LE(tests::judge(file, result.r).error, 1e-8);
  }
}

}  // namespace
}  // namespace stickslip::internal
