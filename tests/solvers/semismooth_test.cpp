// Semismooth Newton of Koziara and Bićanić: its rows, its rate, and the problems without friction.
// Convergence on the tiny problems is in suite_test.
#include "solvers/semismooth/semismooth.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "cone/small_matrix.hpp"
#include "problems/data_folder.hpp"
#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/tiny.hpp"
#include "residual/maps.hpp"
#include "solvers/semismooth/active_set.hpp"
#include "solvers/semismooth/semismooth_rows.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"
#include "stickslip/io.hpp"

namespace stickslip::internal {
namespace {

using tests::Dense;
using tests::Numbers;

ReducedProblem problem_of(const Dense& W, Numbers q, int dimension, double mu) {
  const std::size_t n = q.size() / std::size_t(dimension);
  return {BlockMatrix(tests::sparse(W), dimension), std::move(q), Numbers(n, mu)};
}

/// The normal impulses of a problem without friction by trying every set of closed contacts: the one that
/// fits.
Numbers by_enumeration(const ReducedProblem& p) {
  const int n = p.contacts(), d = p.dimension();
  const Dense W(p.W().to_sparse());
  for (int set = 0; set < 1 << n; ++set) {
    std::vector<int> closed;
    for (int i = 0; i < n; ++i)
      if (set >> i & 1) closed.push_back(i * d);
    const int m = int(closed.size());
    Dense A(m, m), b(m, 1);
    for (int i = 0; i < m; ++i) {
      b(i, 0) = -p.q()[std::size_t(closed[std::size_t(i)])];
      for (int j = 0; j < m; ++j) A(i, j) = W(closed[std::size_t(i)], closed[std::size_t(j)]);
    }
    const Dense x = m > 0 ? tests::solve_dense(A, b) : b;
    Numbers r(p.q().size(), 0.0);
    bool fits = true;
    for (int i = 0; i < m; ++i) {
      r[std::size_t(closed[std::size_t(i)])] = double(x(i, 0));
      fits = fits && x(i, 0) >= 0;
    }
    const Dense u = sum(W * tests::column(r), 1, tests::column(p.q()));
    for (int i = 0; i < n; ++i) fits = fits && u(i * d, 0) >= -1e-12;
    if (fits) return r;
  }
  throw std::runtime_error("no set of closed contacts fits");
}

TEST(WithoutFriction, FindsWhatEnumerationFinds) {
  Random random(1);
  for (int dimension : {2, 3})
    for (double skew : {0.0, 0.5})
      for (int trial = 0; trial < 25; ++trial) {
        const int n = 1 + trial % 7, rows = n * dimension;
        const ReducedProblem p = problem_of(tests::random_positive(rows, random, 0.5, skew),
                                            tests::random_numbers(std::size_t(rows), random), dimension, 0);
        const SolveResult result = solve(p, {.tolerance = 1e-12}, "semismooth(linearisation=unil)");
        ASSERT_TRUE(result.converged()) << result.message;
        // W is regular, its least eigenvalue 0.5: one solution, found to the error times 2 ‖q‖.
        EXPECT_LE(tests::difference(result.r, by_enumeration(p)), 1e-10);
        EXPECT_LE(result.iterations,
                  8);  // SSN Table 3 has 5 for hundreds of contacts, at a refinement or two more
      }
}

TEST(WithoutFriction, RedundantContactsDoNotStopIt) {
  // The same four contacts three times: W has rank 4 of 12 in the normals.
  Random random(2);
  const Dense part = tests::random_positive(12, random);
  const Numbers load = tests::random_numbers(12, random);
  Dense W(36, 36);
  Numbers q;
  for (int i = 0; i < 3; ++i) {
    q.insert(q.end(), load.begin(), load.end());
    for (int j = 0; j < 3; ++j)
      for (int a = 0; a < 12; ++a)
        for (int b = 0; b < 12; ++b) W(12 * i + a, 12 * j + b) = part(a, b);
  }
  const ReducedProblem p = problem_of(W, q, 3, 0), once = problem_of(part, load, 3, 0);
  const SolveResult result = solve(p, {.tolerance = 1e-9}, "semismooth(linearisation=unil)"),
                    expected = solve(once, {.tolerance = 1e-12}, "semismooth(linearisation=unil)");
  ASSERT_TRUE(result.converged()) << result.message;
  EXPECT_LE(tests::judge(p, result.r).error, 1e-9);
  // The impulses are not unique, the velocities are.
  for (std::size_t k = 0; k < 36; ++k) EXPECT_NEAR(result.u[k], expected.u[k % 12], 1e-7);
}

TEST(WithoutFriction, MasonryTakesAHandfulOfFactorisations) {
  for (const char* family : {"wall", "arch", "aqueduct", "blocks"}) {
    const ProblemFile file = generate(family, {.size = 200, .mu = 0});
    const SolveResult result = solve(file, {.tolerance = 1e-8}, "semismooth(linearisation=unil)");
    ASSERT_TRUE(result.converged()) << family << ": " << result.message;
    // At most 10 on the 43 masonry problems of docs/masonry_study.md, and two to spare.
    EXPECT_LE(result.iterations, 12) << family;
  }
}

TEST(WithoutFriction, RealMasonryTakesAHandfulOfFactorisations) {
  int files = 0;
  for (const char* set :
       {"Aqueduct_gen", "BoxesStack", "Bridge_gen", "KaplasTower", "LowWall", "MasonryWall"})
    for (const auto& path : tests::data_files(set)) {
      const ReducedProblem with = tests::reduced(read_problem(path));
      if (with.contacts() > 600) continue;
      const ReducedProblem p(with.W(), Numbers(with.q().begin(), with.q().end()),
                             Numbers(with.mu().size(), 0.0));
      ++files;
      const SolveResult result = solve(p, {.tolerance = 1e-8}, "semismooth(linearisation=unil)");
      ASSERT_TRUE(result.converged()) << path << ": " << result.message;
      EXPECT_LE(tests::judge(p, result.r).error, 1.001e-8) << path;
      EXPECT_LE(result.iterations, 12) << path;  // 10 at most, docs/masonry_study.md, and two to spare
    }
  if (files == 0) GTEST_SKIP() << "no problem files in " << tests::data_folder() << " (set STICKSLIP_DATA)";
}

TEST(WithoutFriction, GoesOnFromAGuess) {
  const ProblemFile file = generate("wall", {.size = 100, .mu = 0});
  const SolveResult cold = solve(file, {.tolerance = 1e-10}, "semismooth(linearisation=unil)");
  ASSERT_TRUE(cold.converged()) << cold.message;
  Numbers guess = cold.r;
  for (double& x : guess) x *= 1.001;
  const SolveResult warm =
      solve(file, {.tolerance = 1e-10, .guess = guess}, "semismooth(linearisation=unil)");
  ASSERT_TRUE(warm.converged()) << warm.message;
  // The closed contacts are those of the guess: an active set, and one more where rounding was kept.
  EXPECT_LE(warm.iterations, std::min<long>(cold.iterations, 3));
}

TEST(WithoutFriction, FrictionIsNotItsAffair) {
  const SolveResult result = solve(tests::tiny_problem("slip_3d"), {}, "semismooth(linearisation=unil)");
  EXPECT_EQ(result.status, Status::not_applicable);
  EXPECT_THAT(result.message, ::testing::HasSubstr("μ = 0.3"));
  EXPECT_TRUE(
      solve(tests::tiny_problem("frictionless_3d"), {}, "semismooth(linearisation=unil)").converged());
  // No contacts, nothing to refuse.
  const ReducedProblem empty(BlockMatrix(SparseMatrix(0, 0, {}), 3), {}, {});
  EXPECT_TRUE(solve(empty, {}, "semismooth(linearisation=unil)").converged());
  EXPECT_TRUE(solve(empty, {}, "SSN-HYB-G").converged());
}

TEST(ActiveSetTest, SaysWhenItCycles) {
  ActiveSet set;
  set.start(std::vector<std::uint8_t>{1, 0}, 12);
  // Contact 0 pulls when closed and penetrates when open, for ever; contact 1 is content.
  const Numbers r = {-1, 0}, u = {-1, 1};
  int steps = 0;
  while (set.update(r, u, 1, 0, 0) == ActiveSet::Outcome::changed) ASSERT_LT(++steps, 100);
  EXPECT_GT(steps, 5);
  EXPECT_EQ(set.update(Numbers{1, 0}, Numbers{0, 1}, 1, 0, 0), ActiveSet::Outcome::settled);
}

/// One contact, all of it: the Newton step δ from the rows of the linearisation.
template <int D>
Vec<D> step_of(Linearisation linearisation, const SemismoothContact<D>& contact, const Mat<D>& W) {
  const SemismoothRows<D> rows = semismooth_rows<D>(linearisation, contact);
  Vec<D> x{};
  EXPECT_TRUE(solve<D>(combine<D>(1, product<D>(rows.by_u, W), 1, rows.by_r), rows.right, x));
  return x;
}

TEST(SemismoothRows, AreFiniteHoweverSmallTheTangentialImpulse) {
  for (const double tiny : {1e-100, 1e-150, 1e-200, 1e-300, 5e-324})
    for (const double normal : {tiny, 1e-9, 1.0})
      for (const auto linearisation : {Linearisation::hyb, Linearisation::newt, Linearisation::fix}) {
        const SemismoothContact<3> contact{{0, tiny, -tiny}, {-normal, 0, tiny}, {}, 0.5, 1, tiny, true,
                                           {1, 1, 1},        OpenStick::stick};
        const SemismoothRows<3> rows = semismooth_rows<3>(linearisation, contact);
        for (const auto& part : {rows.by_u, rows.by_r})
          for (double x : part) EXPECT_TRUE(std::isfinite(x)) << tiny << " " << normal;
        for (double x : rows.right) EXPECT_TRUE(std::isfinite(x)) << tiny << " " << normal;
      }
}

template <int D>
void expect_newton_steps() {
  Random random(3);
  int sticks = 0, slips = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Dense drawn = tests::random_positive(D, random);
    Mat<D> W;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) W[std::size_t(i + D * j)] = double(drawn(i, j));
    Vec<D> r, q, zero{};
    for (int c = 0; c < D; ++c)
      r[std::size_t(c)] = random.uniform(-1, 1), q[std::size_t(c)] = random.uniform(-2, 2);
    const double mu = random.uniform(0.1, 1.5), rho = random.uniform(0.1, 2);
    const Vec<D> u = add<D>(q, 1, multiply<D>(W, r));
    const double d_N = r[0] - rho * u[0];
    Vec<D> diagonal;
    for (int c = 0; c < D; ++c) diagonal[std::size_t(c)] = W[std::size_t(c * (D + 1))];
    const SemismoothContact<D> contact{r, u, zero, mu, rho, 0, d_N >= 0, diagonal, OpenStick::stick};
    const SemismoothRows<D> rows = semismooth_rows<D>(Linearisation::newt, contact);
    double r_T = 0;
    for (int c = 1; c < D; ++c) r_T += r[std::size_t(c)] * r[std::size_t(c)];
    // The modification (59) acts beyond the disk; inside it NEWT is Newton's step on C, SSN (43), (44).
    if (d_N < 0 || (rows.state == SemismoothState::slip && std::sqrt(r_T) > mu * d_N)) continue;
    (rows.state == SemismoothState::slip ? slips : sticks)++;
    const MapValue<D> C = evaluate_map<D>(Map::hueber_stadler_wohlmuth, u, r, mu, rho, rho);
    Vec<D> expected{};
    if (!solve<D>(combine<D>(1, product<D>(C.by_u, W), 1, C.by_r), add<D>({}, -1, C.value), expected))
      continue;
    const Vec<D> found = step_of<D>(Linearisation::newt, contact, W);
    // Condition numbers below 1e6 in these draws.
    for (int c = 0; c < D; ++c)
      EXPECT_NEAR(found[std::size_t(c)], expected[std::size_t(c)], 1e-9 * (1 + norm<D>(expected)));
  }
  EXPECT_GT(sticks, 10);
  EXPECT_GT(slips, 10);
}

TEST(HybridRowsTest, NewtIsNewtonsStepInThePlane) { expect_newton_steps<2>(); }
TEST(HybridRowsTest, NewtIsNewtonsStepInSpace) { expect_newton_steps<3>(); }

TEST(HybridRowsTest, OpenContactsAndFrictionlessOnesLoseTheirImpulses) {
  SemismoothContact<3> contact{{1, 2, 3}, {9, 1, 1}, {}, 0.5, 1, 0, false, {1, 2, 4}, OpenStick::stick};
  const Mat<3> W = scaled_identity<3>(2);
  for (Linearisation each :
       {Linearisation::hyb, Linearisation::newt, Linearisation::fix, Linearisation::unil})
    EXPECT_EQ(step_of<3>(each, contact, W), (Vec<3>{-1, -2, -3}));
  contact.closed = true;
  contact.mu = 0;
  contact.U = {-4, 1, 1};
  for (Linearisation each :
       {Linearisation::hyb, Linearisation::newt, Linearisation::fix, Linearisation::unil})
    EXPECT_EQ(step_of<3>(each, contact, W), (Vec<3>{2, -2, -3}));
}

TEST(HybridRowsTest, AnOpenContactThatSticksKeepsItsRowsOrNothing) {
  // d = r − u = (−8, 0.1, 0): open, and inside the disk of its impulse, 0.5 · 1.
  SemismoothContact<3> contact{{1, 0.2, 0}, {9, 0.1, 0}, {}, 0.5, 1, 1, false, {2, 2, 2}, OpenStick::stick};
  const Mat<3> W = scaled_identity<3>(2);
  for (Linearisation each : {Linearisation::hyb, Linearisation::fix}) {
    contact.open = OpenStick::stick;
    EXPECT_EQ(step_of<3>(each, contact, W), (Vec<3>{-1, -0.05, 0}));  // W δr_T = −u_T
    contact.open = OpenStick::vanish;
    EXPECT_EQ(step_of<3>(each, contact, W), (Vec<3>{-1, -0.2, 0}));
    EXPECT_EQ(semismooth_rows<3>(each, contact).state, SemismoothState::stick);  // as SCALE sees it
  }
}

TEST(HybridRowsTest, FixSlidesAtTheBoundItWasGiven) {
  // d_T = (0, 6, 8) − 0: the friction direction (0.6, 0.8); with r_T on the ray and M filtering nothing off
  // it, the step ends at μ b_N along it.
  const SemismoothContact<3> contact{{5, 0.6, 0.8}, {0, -5.4, -7.2}, {}, 0.5, 1, 2, true,
                                     {1, 1, 1},     OpenStick::stick};
  const Vec<3> step = step_of<3>(Linearisation::fix, contact, scaled_identity<3>(1));
  EXPECT_NEAR(contact.r[1] + step[1], 0.5 * 2 * 0.6, 1e-12);
  EXPECT_NEAR(contact.r[2] + step[2], 0.5 * 2 * 0.8, 1e-12);
}

class NearASolution : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Labels, NearASolution,
                         ::testing::Values("SSN-NEWT-A", "SSN-NEWT-G", "SSN-HYB-A", "SSN-HYB-G"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(NearASolution, AFewStepsAreEnough) {
  for (const char* name : {"manufactured_2d", "manufactured_3d", "manufactured_unsymmetric"}) {
    const ProblemFile file = tests::tiny_problem(name);
    Random random(4);
    Numbers guess = file.solution->r;
    for (double& x : guess) x *= 1 + 1e-4 * random.uniform(-1, 1);
    const SolveResult result = solve(file, {.tolerance = 1e-12, .guess = guess}, GetParam());
    EXPECT_TRUE(result.converged()) << name << ", error " << result.error();
    // Quadratic from 1e-4: 1e-8, 1e-16. One more where the sets are not those of the solution at once.
    EXPECT_LE(result.iterations, 4) << name;
  }
}

TEST(Hybrid, TheLabelsHaveTheParametersOfTable2) {
  const SemismoothOptions options;
  EXPECT_EQ(options.shrink, 0.9);
  EXPECT_EQ(options.decrease, 0.1);
  EXPECT_EQ(options.shortest, 0.034);
  EXPECT_EQ(options.memory, 10);
  EXPECT_EQ(options.bound_accuracy, 1e-10);
  EXPECT_EQ(options.iterations, 1000);
  EXPECT_EQ(options.factor, 10);
  EXPECT_EQ(options.penalties, 6);
  EXPECT_EQ(composition("SSN-HYB-A"),
            "semismooth(search=armijo, regularisation=0, scaling=off, open=vanish)");
  EXPECT_EQ(
      composition("SSN-HYB-G"),
      "semismooth(search=nonmonotone(first_merit=remembered), regularisation=0, scaling=off, open=vanish)");
  EXPECT_EQ(composition("SSN-FIX"),
            "semismooth(linearisation=fix, search=none, regularisation=0, scaling=off, open=vanish)");
  EXPECT_EQ(composition("hybrid(penalties=3)"), "semismooth(penalties=3)");  // another word for it
}

TEST(Hybrid, GivesUpAfterItsIterations) {
  const SolveResult result =
      solve(tests::tiny_problem("manufactured_3d"), {.tolerance = 1e-14}, "SSN-HYB-G(iterations=1)");
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_THAT(result.message, ::testing::HasSubstr("option iterations"));
}

}  // namespace
}  // namespace stickslip::internal
