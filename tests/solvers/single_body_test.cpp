// One body on many contacts, found from W: sweeps on its velocity are sweeps on W.
#include "solvers/parts/single_body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "problems/judge.hpp"
#include "solvers/parts/contact_sweep.hpp"
#include "stickslip/catalog.hpp"

namespace stickslip::internal {
namespace {

using Numbers = std::vector<double>;

/// Contacts of `bodies` bodies with the ground, each contact on the body after that of the one before; `skew` makes M unsymmetric.
template <int D>
ReducedProblem on_the_ground(Index contacts, Index bodies, double skew) {
  constexpr Index rows = SingleBody<D>::rank;
  Random random(5);
  std::vector<Triplet> M, H;
  Numbers f, w, mu(std::size_t(contacts), 0.4);
  for (Index b = 0; b < bodies; ++b)
    for (Index k = 0; k < rows; ++k) {
      M.push_back({b * rows + k, b * rows + k, 2.0 + k});
      M.push_back({b * rows + k, b * rows + (k + 1) % rows, 0.3 + skew});
      M.push_back({b * rows + (k + 1) % rows, b * rows + k, 0.3 - skew});
      f.push_back(random.uniform(-1, 1));
    }
  for (Index i = 0; i < contacts; ++i)
    for (Index c = 0; c < D; ++c) {
      // All normals lift the body, so that there is a solution.
      for (Index k = 0; k < rows; ++k)
        H.push_back(
            {i % bodies * rows + k, i * D + c, random.uniform(-1, 1) + (c == 0 && k == 0 ? 3.0 : 0.0)});
      w.push_back(c == 0 ? random.uniform(-1, 0.2) : random.uniform(-0.5, 0.5));
    }
  const Index unknowns = contacts * D, freedom = bodies * rows;
  return Reduction(GlobalProblem(D, SparseMatrix(freedom, freedom, M), SparseMatrix(freedom, unknowns, H), f,
                                 w, mu))
      .reduced();
}

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Sweeps with the order written out go over W.
void expect_the_same_sweeps(const ReducedProblem& problem) {
  const auto one = ContactSweep::make(problem.dimension(), {}),
             other = ContactSweep::make(problem.dimension(), {});
  one->prepare(problem);
  other->prepare(problem);
  std::vector<Index> order(problem.mu().size());
  std::iota(order.begin(), order.end(), 0);
  Numbers r(problem.q().size()), s = r, u = r, expected = r;
  EXPECT_FALSE(other->velocity_at_hand(u));
  for (int k = 0; k < 10; ++k) {
    if (k % 4 == 0) one->start(r);
    const Change a = one->sweep({}, 1, r.data()), b = other->sweep(order, 1, s.data());
    EXPECT_NEAR(a.step, b.step, 1e-10 * b.size);
    EXPECT_LE(distance(r, s), 1e-10 * std::sqrt(b.size)) << k;
    EXPECT_FALSE(other->velocity_at_hand(u));
    ASSERT_TRUE(one->velocity_at_hand(u));
    problem.W().multiply(r, problem.q(), expected);
    EXPECT_LE(distance(u, expected), 1e-12 * (distance(expected, problem.q()) + problem.q_norm()));
  }
  // A sweep over W between two on the velocity: the latter follows.
  one->sweep(order, 1, r.data());
  EXPECT_FALSE(one->velocity_at_hand(u));
  one->sweep({}, 1, r.data());
  other->sweep(order, 1, s.data());
  other->sweep(order, 1, s.data());
  EXPECT_LE(distance(r, s), 1e-10 * distance(s, Numbers(s.size())));
}

TEST(SingleBody, SweepsAsWDoes) {
  for (const double skew : {0.0, 0.2}) {
    expect_the_same_sweeps(on_the_ground<3>(30, 1, skew));
    expect_the_same_sweeps(on_the_ground<2>(30, 1, skew));
  }
}

TEST(SingleBody, IsNotFoundInOtherProblems) {
  EXPECT_TRUE(SingleBody<3>().find(on_the_ground<3>(30, 1, 0).W()));
  EXPECT_FALSE(SingleBody<3>().find(on_the_ground<3>(30, 2, 0).W())) << "has holes";
  // Without holes, but of full rank: of one body but for a spring at each contact.
  const ReducedProblem rigid = on_the_ground<3>(30, 1, 0);
  std::vector<Triplet> entries = rigid.W().to_sparse().triplets();
  for (Index k = 0; k < 90; ++k) entries.push_back({k, k, 0.01});
  EXPECT_FALSE(SingleBody<3>().find(BlockMatrix(SparseMatrix(90, 90, entries), 3)));
  // The same where the first contacts do not show it.
  for (auto& e : entries)
    if (e.row < 30 && e.row == e.column && e.value == 0.01) e.value = 0;
  EXPECT_FALSE(SingleBody<3>().find(BlockMatrix(SparseMatrix(90, 90, entries), 3)));
}

TEST(SingleBody, SolvesWhatWAsksFor) {
  for (const double tolerance : {1e-4, 1e-10}) {
    const ReducedProblem problem = on_the_ground<3>(100, 1, 0);
    const SolveResult result = solve(problem, {.tolerance = tolerance});
    EXPECT_TRUE(result.converged());
    EXPECT_LE(tests::judge(problem, result.r).error, tolerance);
  }
}

TEST(SingleBody, NumbersThatOnlyLookLikeOneBodyDoNotDeceive) {
  // Unsymmetric W whose diagonal is that of one body: the crosses do not see what is wrong, the error does.
  const ReducedProblem rigid = on_the_ground<3>(30, 1, 0);
  std::vector<Triplet> entries = rigid.W().to_sparse().triplets();
  for (Index k = 60; k < 75; ++k) entries.push_back({k, k + 14, 0.5});
  const ReducedProblem problem(BlockMatrix(SparseMatrix(90, 90, entries), 3),
                               {rigid.q().begin(), rigid.q().end()}, {rigid.mu().begin(), rigid.mu().end()});
  const SolveResult result = solve(problem, {.tolerance = 1e-8, .time_limit = 20});
  EXPECT_EQ(result.converged(), tests::judge(problem, result.r).error <= 1e-8);
  EXPECT_TRUE(result.converged());
}

}  // namespace
}  // namespace stickslip::internal
