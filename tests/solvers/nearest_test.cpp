// The room that contacts lack: closed forms, the family without solutions, and problems that need none.
#include "stickslip/nearest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "problems/infeasible.hpp"
#include "problems/judge.hpp"
#include "solvers/certificate/certificate.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"

namespace stickslip {
namespace {

using testing::HasSubstr;

/// What the room may exceed the least one by: the part that frees impulses (1e-3), and a settled room is one that fell by less than
/// 5 % when the springs became five times stiffer.
constexpr double slack = 0.07;

/// A body of mass 1 between two walls that approach at the speeds a and b, tangents free to slide at no speed.
ReducedProblem between_walls(double a, double b) {
  std::vector<Triplet> entries = {{0, 3, -1}, {3, 0, -1}};
  for (Index i = 0; i < 6; ++i) entries.push_back({i, i, 1});
  return {BlockMatrix(SparseMatrix(6, 6, entries), 3), {-a, 0, 0, -b, 0, 0}, {0.5, 0.5}};
}

TEST(Nearest, ACertificateTellsTheRoomAtOnce) {
  // d = (1, 1)/√2 in the normals: s = (a + b)/2 at both contacts, and the part that frees impulses.
  const ReducedProblem p = between_walls(0.3, 0.1);
  const SolveResult known = solve(p);
  ASSERT_EQ(known.status, Status::infeasible);
  const NearestResult nearest = nearest_feasible(p, {.known = &known});
  ASSERT_TRUE(nearest.found) << nearest.message;
  EXPECT_TRUE(nearest.settled);
  for (const double s : nearest.room) EXPECT_NEAR(s, 0.2, 0.0021) << "a thousandth or a hundredth more";
  EXPECT_LE(tests::judge(with_room(p, nearest.room), nearest.solution.r).error, 1.001e-8);
}

TEST(Nearest, AKnownFailureIsNotTriedAgain) {
  // What is known is believed: without a certificate the springs are asked, and find that no room is missing.
  const ReducedProblem p = between_walls(-0.5, 0.2);
  SolveResult known;
  known.status = Status::stalled;
  const NearestResult nearest = nearest_feasible(p, {.known = &known});
  ASSERT_TRUE(nearest.found) << nearest.message;
  EXPECT_LE(nearest.size, 1e-6) << "the springs end where their room is below the tolerance";
}

TEST(Nearest, ABodyBetweenTwoWallsLacksTheirGapSpeed) {
  // Σ u_N = −(a + b) whatever r: s₁ + s₂ ≥ a + b, and the shortest such s has both halves equal.
  for (const auto& [a, b] : {std::pair{1.0, 1.0}, std::pair{0.3, 0.1}, std::pair{-0.2, 0.5}}) {
    const ReducedProblem p = between_walls(a, b);
    const NearestResult nearest = nearest_feasible(p);
    ASSERT_TRUE(nearest.found) << nearest.message;
    EXPECT_TRUE(nearest.settled);
    EXPECT_GE(nearest.room[0] + nearest.room[1], a + b);
    EXPECT_NEAR(nearest.room[0], (a + b) / 2, slack * (a + b));
    EXPECT_NEAR(nearest.room[1], (a + b) / 2, slack * (a + b));
    EXPECT_THAT(nearest.squeezed, testing::UnorderedElementsAre(0, 1));
    EXPECT_THAT(nearest.message, HasSubstr("squeezed by"));
    EXPECT_LE(tests::judge(with_room(p, nearest.room), nearest.solution.r).error, 1e-8);
  }
}

TEST(Nearest, TheRoomOfRowsIsTheLeastOne) {
  // One direction d of normals moves nothing: ‖s‖ ≥ −q·d/‖d‖, with equality for s along d.
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const GlobalProblem p = tests::squeezed_row(seed, Index(1 + seed));
    const ReducedProblem reduced = Reduction(p).reduced();
    internal::ContactProblem contact(reduced);
    const auto d = internal::prove_infeasible(contact);  // of unit length
    ASSERT_TRUE(d) << seed;
    double least = 0;
    for (std::size_t k = 0; k < d->size(); ++k) least -= reduced.q()[k] * (*d)[k];
    const NearestResult nearest = nearest_feasible(p);
    ASSERT_TRUE(nearest.found) << seed << ' ' << nearest.message;
    EXPECT_GE(nearest.size, least * (1 - 1e-9)) << seed;  // rounding of d
    EXPECT_LE(tests::judge(with_room(p, nearest.room), nearest.solution.r).error, 1e-8) << seed;
    EXPECT_EQ(nearest.solution.v.size(), p.f().size());
    // Tangential speeds of the walls make friction part of it: the room may be larger than without.
    EXPECT_LE(nearest.size, 3 * least) << seed;
  }
}

TEST(Nearest, TheBuiltInFamilyWithoutSolutionsGetsRoom) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const ProblemFile file = generate("infeasible", {.seed = seed});
    const auto& p = std::get<GlobalProblem>(file.problem);
    const NearestResult nearest = nearest_feasible(p);
    ASSERT_TRUE(nearest.found) << seed << ' ' << nearest.message;
    EXPECT_GT(nearest.size, 0) << seed;
    EXPECT_LE(tests::judge(with_room(p, nearest.room), nearest.solution.r).error, 1e-8) << seed;
    if (seed % 4 != 1) continue;
    // A row of balls, whose walls close in along the normals: friction plays no part, and ‖s‖ = −q·d/‖d‖ with d_N = 1 throughout.
    double closing = 0;
    for (std::size_t k = 0; k < p.w().size(); k += 3) closing -= p.w()[k];
    const double least = closing / std::sqrt(double(p.contacts()));
    EXPECT_GE(nearest.size, least) << seed;
    EXPECT_LE(nearest.size, (1 + slack) * least) << seed;
  }
}

TEST(Nearest, NoRoomIsMissingWhereASolutionExists) {
  const ProblemFile file = generate("wall", {.size = 100});
  const NearestResult nearest = nearest_feasible(std::get<GlobalProblem>(file.problem));
  ASSERT_TRUE(nearest.found);
  EXPECT_TRUE(nearest.settled);
  EXPECT_EQ(nearest.size, 0);
  EXPECT_THAT(nearest.room, testing::Each(0.0));
  EXPECT_TRUE(nearest.squeezed.empty());
  EXPECT_LE(tests::judge(file, nearest.solution.r).error, 1e-8);
}

TEST(Nearest, ARoomOfTheWrongSizeIsRefused) {
  const std::vector<double> three(3, 0.0);
  EXPECT_THROW(with_room(between_walls(1, 1), three), InputError);
}

TEST(Nearest, ContactsThatYieldLessAndLessReachTheSolution) {
  // Of a problem with a solution, and none of a squeezed body, where the room stays.
  const ProblemFile file = generate("wall", {.size = 60, .seed = 3});
  const SolveResult result = solve(file, {.max_iterations = 20000}, "proximal(compliance=0.01)");
  EXPECT_TRUE(result.converged()) << result.message;
  EXPECT_LE(tests::judge(file, result.r).error, 1e-8);
  EXPECT_EQ(solve(between_walls(1, 1), {.max_iterations = 20000}, "proximal(compliance=0.01)").status,
            Status::stalled);
}

}  // namespace
}  // namespace stickslip
