// Time loops: other numbers on the same bodies and contacts give the problem that a new one would be.
#include <gmock/gmock.h>

#include <cmath>

#include "problems/dense.hpp"
#include "problems/refused.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::internal {
namespace {

using ::testing::ElementsAreArray;
using tests::Dense;
using tests::Numbers;
using tests::refusal;

/// Two contacts on four unknowns, one constraint.
GlobalProblem drawn(Random& random) {
  const Dense M = tests::random_positive(4, random), H = tests::random_dense(4, 6, random),
              G = tests::random_dense(4, 1, random);
  return {3,
          tests::sparse(M),
          tests::sparse(H),
          tests::random_numbers(4, random),
          tests::random_numbers(6, random),
          {0.3, 0.7},
          tests::sparse(G),
          {0.1}};
}

Numbers numbers(std::span<const double> x) { return {x.begin(), x.end()}; }

TEST(OtherNumbers, GiveTheProblemThatANewOneWouldBe) {
  Random random(1);
  GlobalProblem p = drawn(random);
  const GlobalProblem other = drawn(random);
  p.set_M_values(other.M().value());
  p.set_H_values(other.H().value());
  p.set_f(other.f());
  p.set_w(other.w());
  p.set_mu(Numbers{0.1, 0.2});
  p.set_b(Numbers{-0.4});
  // G is what is left of the first.
  const GlobalProblem fresh(3, other.M(), other.H(), numbers(other.f()), numbers(other.w()), {0.1, 0.2},
                            p.G(), {-0.4});
  const ReducedProblem a = Reduction(p).reduced(), b = Reduction(fresh).reduced();
  EXPECT_THAT(a.q(), ElementsAreArray(b.q()));
  EXPECT_THAT(a.mu(), ElementsAreArray(b.mu()));
  EXPECT_EQ(difference(Dense(a.W().to_sparse()), Dense(b.W().to_sparse())), 0);

  ReducedProblem r = a;
  r.set_q(Numbers{1, 2, 3, 4, 5, 6});
  r.set_mu(Numbers{0, 1.5});
  const ReducedProblem expected(a.W(), {1, 2, 3, 4, 5, 6}, {0, 1.5});
  EXPECT_THAT(r.q(), ElementsAreArray(expected.q()));
  EXPECT_THAT(r.mu(), ElementsAreArray(expected.mu()));
  EXPECT_EQ(r.q_norm(), expected.q_norm());
  EXPECT_EQ(r.q_energy(), expected.q_energy());
}

TEST(OtherNumbers, ThatAreBadAreRefusedAndChangeNothing) {
  Random random(2);
  GlobalProblem p = drawn(random);
  const GlobalProblem before = p;
  const double nan = std::nan("");
  EXPECT_EQ(refusal([&] { p.set_f(Numbers(3)); }), "f has 3 numbers, expected 4 (as many as M has rows)");
  EXPECT_EQ(refusal([&] { p.set_f(Numbers{0, 0, nan, 0}); }), "f[2] is nan; it must be finite");
  EXPECT_EQ(refusal([&] { p.set_w(Numbers(5)); }), "w has 5 numbers, expected 6 (as many as H has columns)");
  EXPECT_EQ(refusal([&] { p.set_b(Numbers(2)); }), "b has 2 numbers, expected 1 (as many as G has columns)");
  EXPECT_EQ(refusal([&] { p.set_mu(Numbers{0.1}); }), "mu has 1 numbers, expected 2 (one for each contact)");
  EXPECT_EQ(refusal([&] {
              p.set_mu(Numbers{0.1, -2});
            }),
            "mu[1] is -2; a coefficient of friction must be ≥ 0");
  EXPECT_EQ(refusal([&] { p.set_H_values(Numbers(3)); }),
            "H has 3 numbers, expected 24 (as many as H has entries)");
  EXPECT_EQ(refusal([&] { p.set_M_values(Numbers(3)); }),
            "M has 3 numbers, expected 16 (as many as M has entries)");
  Numbers M = numbers(p.M().value());
  M[5] = -1;  // (1, 1) of a full 4×4 matrix
  EXPECT_EQ(refusal([&] { p.set_M_values(M); }), "M(1, 1) is -1; the diagonal of M must be > 0");
  M[5] = nan;
  EXPECT_EQ(refusal([&] { p.set_M_values(M); }), "M[5] is nan; it must be finite");
  EXPECT_THAT(p.M().value(), ElementsAreArray(before.M().value()));
  EXPECT_THAT(p.f(), ElementsAreArray(before.f()));
  EXPECT_THAT(p.mu(), ElementsAreArray(before.mu()));

  ReducedProblem r = Reduction(p).reduced();
  EXPECT_EQ(refusal([&] { r.set_q(Numbers(5)); }), "q has 5 numbers, expected 6 (as many as W has rows)");
  EXPECT_EQ(refusal([&] { r.set_mu(Numbers(3)); }),
            "mu has 3 numbers, expected 2 (one for each contact of W)");
  EXPECT_EQ(refusal([&] { r.set_mu(Numbers{0.1, nan}); }), "mu[1] is nan; it must be finite");
  EXPECT_THAT(r.mu(), ElementsAreArray(before.mu()));
}

}  // namespace
}  // namespace stickslip::internal
