// Bad input is refused with a line that names the object, the value and the rule.
#include <gmock/gmock.h>

#include <cmath>

#include "problems/dense.hpp"
#include "problems/refused.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;
using tests::Dense;
using tests::Numbers;
using tests::refusal;

const double nan = std::nan("");
constexpr double infinity = HUGE_VAL;

BlockMatrix unit(int d, int contacts) { return {tests::sparse(tests::identity(d * contacts)), d}; }

std::string refused(BlockMatrix W, Numbers q, Numbers mu) {
  return refusal([&] { ReducedProblem(std::move(W), std::move(q), std::move(mu)); });
}

TEST(ReducedProblem, Sizes) {
  EXPECT_EQ(refused(unit(3, 2), Numbers(6), Numbers(1)),
            "mu has 1 numbers, expected 2 (one for each contact of W)");
  EXPECT_EQ(refused(unit(3, 2), Numbers(5), Numbers(2)),
            "q has 5 numbers, expected 6 (as many as W has rows)");
  EXPECT_EQ(refused(unit(2, 2), Numbers(6), Numbers(2)),
            "q has 6 numbers, expected 4 (as many as W has rows)");
}

TEST(ReducedProblem, NumbersThatAreNotFinite) {
  EXPECT_EQ(refused(unit(2, 1), {0, nan}, {0.5}), "q[1] is nan; it must be finite");
  EXPECT_EQ(refused(unit(2, 1), {-infinity, 0}, {0.5}), "q[0] is -inf; it must be finite");
  EXPECT_EQ(refused(unit(2, 2), Numbers(4), {0.5, nan}), "mu[1] is nan; it must be finite");
  EXPECT_EQ(refused(unit(2, 1), Numbers(2), {infinity}), "mu[0] is inf; it must be finite");
  EXPECT_THAT(refused({2, {0, 0}, {}, {}, {1, 0, nan, 1}}, Numbers(2), {0}),
              HasSubstr("W, diagonal blocks[2] is nan"));
  EXPECT_THAT(refused({2, {0, 1, 1}, {1}, {0, infinity, 0, 0}, {1, 0, 0, 1, 1, 0, 0, 1}}, Numbers(4), {0, 0}),
              HasSubstr("W, off-diagonal blocks[1] is inf"));
}

TEST(ReducedProblem, Friction) {
  EXPECT_EQ(refused(unit(3, 2), Numbers(6), {0.5, -0.25}),
            "mu[1] is -0.25; a coefficient of friction must be ≥ 0");
  const ReducedProblem fine(unit(3, 2), Numbers(6), {0, 1e6});
  EXPECT_EQ(fine.mu()[0], 0);
}

TEST(ReducedProblem, DiagonalBlocks) {
  EXPECT_EQ(refused({2, {0, 0}, {}, {}, {0, 0, 0, 1}}, Numbers(2), {0}),
            "W: diagonal block of contact 0 has W_NN = 0; it must be > 0");
  EXPECT_THAT(refused({2, {0, 0, 0}, {}, {}, {1, 0, 0, 1, -2, 0, 0, 1}}, Numbers(4), {0, 0}),
              HasSubstr("contact 1 has W_NN = -2"));
  // Eigenvalues −1 and 3 of the symmetric part; a skew part does not matter.
  EXPECT_THAT(refused({2, {0, 0}, {}, {}, {1, 5, -1, 1}}, Numbers(2), {0}),
              HasSubstr("contact 0 is not positive semi-definite (eigenvalue -1 of its symmetric part)"));
  // d = 3: [1 2 0; 2 1 0; 0 0 1] has −1, 1, 3.
  EXPECT_THAT(refused({3, {0, 0}, {}, {}, {1, 2, 0, 2, 1, 0, 0, 0, 1}}, Numbers(3), {0}),
              HasSubstr("is not positive semi-definite (eigenvalue -"));
  // A missing diagonal block.
  EXPECT_THAT(refused(BlockMatrix(SparseMatrix(4, 4, std::vector<Triplet>{{0, 0, 1}, {1, 1, 1}}), 2),
                      Numbers(4), {0, 0}),
              HasSubstr("contact 1 has W_NN = 0"));
}

TEST(ReducedProblem, SingularBlocksAreLegal) {
  // Rank one, and negative by rounding only.
  EXPECT_NO_THROW(ReducedProblem({2, {0, 0}, {}, {}, {1, 1, 1, 1}}, Numbers(2), {1}));
  EXPECT_NO_THROW(ReducedProblem({3, {0, 0}, {}, {}, {1, 1, 1, 1, 1, 1, 1, 1, 1}}, Numbers(3), {1}));
  EXPECT_NO_THROW(ReducedProblem({3, {0, 0}, {}, {}, {1, 0, 0, 0, 0, 0, 0, 0, 0}}, Numbers(3), {1}));
  EXPECT_NO_THROW(ReducedProblem({2, {0, 0}, {}, {}, {1, 0, 0, -1e-12}}, Numbers(2), {1}));
  EXPECT_THAT(refused({2, {0, 0}, {}, {}, {1, 0, 0, -1e-6}}, Numbers(2), {1}),
              HasSubstr("is not positive semi-definite"));
}

TEST(ReducedProblem, ZeroContacts) {
  const ReducedProblem none(BlockMatrix{}, {}, {});
  EXPECT_EQ(none.contacts(), 0);
  EXPECT_EQ(none.q_norm(), 0);
  EXPECT_EQ(ReducedProblem(unit(2, 0), {}, {}).dimension(), 2);
}

TEST(ReducedProblem, NormAndAnotherLoad) {
  ReducedProblem problem(unit(2, 1), {3, -4}, {1});
  EXPECT_DOUBLE_EQ(problem.q_norm(), 5);
  problem.set_q(Numbers{0, 2});
  EXPECT_DOUBLE_EQ(problem.q_norm(), 2);
  EXPECT_EQ(problem.q()[1], 2);
  // Units whose squares overflow or vanish.
  problem.set_q(Numbers{3e200, 4e200});
  EXPECT_DOUBLE_EQ(problem.q_norm(), 5e200);
  problem.set_q(Numbers{3e-200, 4e-200});
  EXPECT_DOUBLE_EQ(problem.q_norm(), 5e-200);
  problem.set_q(Numbers{0, 0});
  EXPECT_EQ(problem.q_norm(), 0);
  // A refused load leaves the old one.
  EXPECT_THAT(refusal([&] { problem.set_q(Numbers{1}); }), HasSubstr("q has 1 numbers, expected 2"));
  EXPECT_THAT(refusal([&] { problem.set_q(Numbers{1, nan}); }), HasSubstr("q[1] is nan"));
  EXPECT_EQ(problem.q()[1], 0);
}

/// A global problem whose parts can be spoilt one by one: 3 unknowns, 1 contact, 1 constraint.
struct Parts {
  int dimension = 2;
  SparseMatrix M = tests::sparse(tests::identity(3));
  SparseMatrix H = {3, 2, std::vector<Triplet>{{0, 0, 1}, {1, 1, 1}}};
  Numbers f = Numbers(3), w = Numbers(2), mu = {0.5};
  SparseMatrix G = {3, 1, std::vector<Triplet>{{2, 0, 1}}};
  Numbers b = {0};

  GlobalProblem make() const { return {dimension, M, H, f, w, mu, G, b}; }
  std::string refused() const {
    return refusal([&] { make(); });
  }
};

template <class Spoil>
std::string spoilt(Spoil spoil) {
  Parts parts;
  spoil(parts);
  return parts.refused();
}

TEST(GlobalProblem, SoundParts) {
  const GlobalProblem problem = Parts{}.make();
  EXPECT_EQ(problem.contacts(), 1);
  EXPECT_EQ(problem.degrees_of_freedom(), 3);
  EXPECT_EQ(problem.bilateral_constraints(), 1);
}

TEST(GlobalProblem, Sizes) {
  EXPECT_EQ(spoilt([](Parts& p) { p.dimension = 4; }), "dimension must be 2 or 3, got 4");
  EXPECT_EQ(spoilt([](Parts& p) { p.M = {3, 4, {}}; }), "M must be square, got 3×4");
  EXPECT_EQ(spoilt([](Parts& p) { p.H = {4, 2, {}}; }), "H is 4×2, but M has 3 rows; H must have as many");
  EXPECT_EQ(spoilt([](Parts& p) {
              p.H = {3, 3, {}};
            }),
            "H is 3×3, expected 2 columns (dimension × numbers in mu)");
  EXPECT_EQ(spoilt([](Parts& p) {
              p.mu = {1, 1};
            }),
            "H is 3×2, expected 4 columns (dimension × numbers in mu)");
  EXPECT_EQ(spoilt([](Parts& p) { p.f = Numbers(2); }),
            "f has 2 numbers, expected 3 (as many as M has rows)");
  EXPECT_EQ(spoilt([](Parts& p) { p.w = Numbers(3); }),
            "w has 3 numbers, expected 2 (as many as H has columns)");
  EXPECT_EQ(spoilt([](Parts& p) { p.b = Numbers(2); }),
            "b has 2 numbers, expected 1 (as many as G has columns)");
  EXPECT_EQ(spoilt([](Parts& p) { p.b = {}; }), "b has 0 numbers, expected 1 (as many as G has columns)");
  EXPECT_EQ(spoilt([](Parts& p) { p.G = {2, 1, {}}; }), "G is 2×1, but M has 3 rows; G must have as many");
}

TEST(GlobalProblem, Numbers) {
  EXPECT_EQ(spoilt([](Parts& p) { p.f[1] = nan; }), "f[1] is nan; it must be finite");
  EXPECT_EQ(spoilt([](Parts& p) { p.w[0] = infinity; }), "w[0] is inf; it must be finite");
  EXPECT_EQ(spoilt([](Parts& p) { p.b[0] = nan; }), "b[0] is nan; it must be finite");
  EXPECT_EQ(spoilt([](Parts& p) { p.mu[0] = nan; }), "mu[0] is nan; it must be finite");
  EXPECT_EQ(spoilt([](Parts& p) { p.mu[0] = -1; }), "mu[0] is -1; a coefficient of friction must be ≥ 0");
  EXPECT_EQ(spoilt([](Parts& p) {
              p.M = {3, 3, std::vector<Triplet>{{0, 0, 1}, {2, 2, 1}}};
            }),
            "M(1, 1) is 0; the diagonal of M must be > 0");
  EXPECT_EQ(spoilt([](Parts& p) {
              p.M = {3, 3, std::vector<Triplet>{{0, 0, -2}, {1, 1, 1}, {2, 2, 1}}};
            }),
            "M(0, 0) is -2; the diagonal of M must be > 0");
}

TEST(GlobalProblem, WithoutContacts) {
  const GlobalProblem none(3, tests::sparse(tests::identity(2)), {2, 0, {}}, {1, 2}, {}, {});
  EXPECT_EQ(none.contacts(), 0);
  const Reduction reduction(none);
  EXPECT_EQ(reduction.reduced().contacts(), 0);
  Numbers v, lambda;
  reduction.velocity({}, v, lambda);
  EXPECT_EQ(v, (Numbers{1, 2}));
  const GlobalProblem nothing(3, {}, {}, {}, {}, {});
  EXPECT_EQ(Reduction(nothing).reduced().contacts(), 0);
}

TEST(Reduction, RefusesMassesThatAreNotPositiveDefinite) {
  // A positive diagonal, but indefinite: in a small block and in a large one.
  for (int n : {3, 90}) {
    Dense M = tests::identity(n);
    M(1, 2) = M(2, 1) = 2;
    for (int i = 3; i < n; ++i) M(i, i - 1) = M(i - 1, i) = 0.1;
    Dense H(n, 2);
    H(0, 0) = H(1, 1) = 1;
    const GlobalProblem problem(2, tests::sparse(M), tests::sparse(H), Numbers(std::size_t(n)), Numbers(2),
                                {0.5});
    EXPECT_THAT(refusal([&] { Reduction r(problem); }), HasSubstr("M is not positive definite")) << n;
  }
}

TEST(Reduction, RefusesConstraintsThatDependOnEachOther) {
  Random random(1);
  for (int n : {6, 90}) {
    Dense M = tests::identity(n), H(n, 2), G(n, 3);
    for (int i = 1; i < n; ++i) M(i, i - 1) = M(i - 1, i) = 0.25;
    H(0, 0) = H(1, 1) = 1;
    for (int i = 0; i < n; ++i) {
      G(i, 0) = random.uniform(-1, 1), G(i, 1) = random.uniform(-1, 1);
      G(i, 2) = double(G(i, 0) - 2 * G(i, 1));
    }
    const GlobalProblem problem(2, tests::sparse(M), tests::sparse(H), Numbers(std::size_t(n)), Numbers(2),
                                {0.5}, tests::sparse(G), Numbers(3));
    EXPECT_THAT(refusal([&] { Reduction r(problem); }), HasSubstr("are the constraints in G independent?"))
        << n;
  }
}

TEST(Reduction, RefusesAContactThatTouchesNothing) {
  const GlobalProblem problem(2, tests::sparse(tests::identity(2)), {2, 2, {}}, Numbers(2), Numbers(2),
                              {0.5});
  EXPECT_THAT(refusal([&] { Reduction(problem).reduced(); }), HasSubstr("contact 0 has W_NN = 0"));
}

}  // namespace
}  // namespace stickslip::internal
