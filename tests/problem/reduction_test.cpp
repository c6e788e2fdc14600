// From the global to the reduced form against the dense formulas, by bodies and by columns, with and without
// G and b.
#include <gmock/gmock.h>

#include "problems/dense.hpp"
#include "problems/refused.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::internal {
namespace {

using tests::Dense;
using tests::Numbers;
using tests::refusal;

// M and Gᵀ M⁻¹ G have condition numbers below 1e3 here, numbers of order 1 to 10, sums of some dozens of
// terms.
constexpr double stable = 1e-11;

struct Case {
  const char* name;
  int dimension, bodies, size;  // degrees of freedom of a body
  int constraints;
  double skew;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

/// Bodies with random mass matrices, contacts between random pairs of them or with the ground, random
/// constraints.
GlobalProblem draw(const Case& c, int contacts, Random& random) {
  const int n = c.bodies * c.size, d = c.dimension;
  Dense M(n, n), H(n, contacts * d), G(n, c.constraints);
  for (int b = 0; b < c.bodies; ++b) place(M, b * c.size, tests::random_positive(c.size, random, 2, c.skew));
  for (int i = 0; i < contacts; ++i)
    for (int k = 0; k < 2; ++k) {
      const int body = int(random.below(std::uint64_t(c.bodies)));
      for (int a = 0; a < c.size; ++a)
        for (int t = 0; t < d; ++t) H(body * c.size + a, i * d + t) = random.uniform(-1, 1);
    }
  for (int j = 0; j < c.constraints; ++j) {
    const int body = j % c.bodies;
    for (int a = 0; a < c.size; ++a) G(body * c.size + a, j) = random.uniform(-1, 1);
    G(((body + 1) % c.bodies) * c.size, j) = 1.5;
  }
  const auto size = std::size_t(contacts * d);
  return {d,
          tests::sparse(M),
          tests::sparse(H),
          tests::random_numbers(std::size_t(n), random),
          tests::random_numbers(size, random),
          Numbers(std::size_t(contacts), 0.5),
          c.constraints ? tests::sparse(G) : SparseMatrix{},
          tests::random_numbers(std::size_t(c.constraints), random)};
}

/// [ M −G; Gᵀ 0 ]⁻¹ applied to (X; Y).
Dense saddle_solve(const GlobalProblem& p, const Dense& X, const Dense& Y) {
  const int n = p.degrees_of_freedom(), m = p.bilateral_constraints();
  Dense K(n + m, n + m), R(n + m, X.columns);
  place(K, 0, Dense(p.M()));
  for (const Triplet& e : p.G().triplets())
    K(e.row, n + e.column) = -e.value, K(n + e.column, e.row) = e.value;
  for (int j = 0; j < X.columns; ++j) {
    for (int i = 0; i < n; ++i) R(i, j) = X(i, j);
    for (int i = 0; i < m; ++i) R(n + i, j) = Y(i, j);
  }
  return solve_dense(K, R);
}

Dense top(const Dense& A, int rows) {
  Dense T(rows, A.columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < A.columns; ++j) T(i, j) = A(i, j);
  return T;
}

class Reductions : public ::testing::TestWithParam<Case> {
 protected:
  Random random{11};
  GlobalProblem problem = draw(GetParam(), 20, random);  // more than are solved at a time
  Reduction reduction{problem};
  std::size_t unknowns() const { return problem.w().size(); }
};
INSTANTIATE_TEST_SUITE_P(
    Forms, Reductions,
    ::testing::Values(Case{"bodies", 3, 5, 6, 0, 0}, Case{"plane_bodies", 2, 5, 3, 0, 0},
                      Case{"gyroscopic", 3, 5, 6, 0, 0.7}, Case{"one_large", 3, 1, 70, 0, 0},
                      Case{"large_unsymmetric", 3, 2, 66, 0, 0.7}, Case{"large_and_plane", 2, 2, 66, 0, 0},
                      Case{"joints", 3, 4, 6, 5, 0}, Case{"joints_unsymmetric", 3, 4, 6, 5, 0.7},
                      Case{"joints_large", 3, 2, 66, 6, 0}, Case{"plane_joints", 2, 6, 3, 4, 0}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_P(Reductions, MatrixAndLoadAreThoseOfTheDenseFormula) {
  const int n = problem.degrees_of_freedom(), m = problem.bilateral_constraints();
  const Dense H(problem.H()), Ht = transpose(H);
  const Dense W = Ht * top(saddle_solve(problem, H, Dense(m, H.columns)), n);
  Dense minus_b(m, 1);
  for (int i = 0; i < m; ++i) minus_b(i, 0) = -problem.b()[std::size_t(i)];
  const Dense q = sum(Ht * top(saddle_solve(problem, tests::column(problem.f()), minus_b), n), 1,
                      tests::column(problem.w()));
  const ReducedProblem reduced = reduction.reduced();
  EXPECT_LE(difference(Dense(reduced.W().to_sparse()), W), stable * largest(W));
  EXPECT_LE(difference(tests::column(reduced.q()), q), stable * largest(q));
  EXPECT_LE(difference(tests::column(reduction.q()), q), stable * largest(q));
  EXPECT_EQ(reduced.degrees_of_freedom, n);
  EXPECT_EQ(reduced.dimension(), problem.dimension());
  EXPECT_EQ(tests::difference(reduced.mu(), problem.mu()), 0);
}

TEST_P(Reductions, TheOperatorIsTheMatrix) {
  const ReducedProblem reduced = reduction.reduced();
  for (int trial = 0; trial < 3; ++trial) {
    const Numbers r = tests::random_numbers(unknowns(), random), zero(unknowns());
    Numbers by_operator(unknowns(), 7.0), by_matrix(unknowns());
    reduction.apply(r, by_operator);
    reduced.W().multiply(r, zero, by_matrix);
    EXPECT_LE(tests::difference(by_operator, by_matrix), stable * largest(tests::column(by_matrix)));
  }
}

TEST_P(Reductions, VelocitiesObeyTheEquationsOfMotionAndTheConstraints) {
  const Numbers r = tests::random_numbers(unknowns(), random);
  Numbers v, lambda;
  reduction.velocity(r, v, lambda);
  ASSERT_EQ(v.size(), std::size_t(problem.degrees_of_freedom()));
  ASSERT_EQ(lambda.size(), std::size_t(problem.bilateral_constraints()));
  // M v − H r − G λ − f = 0, Gᵀ v + b = 0, u = Hᵀ v + w = W r + q.
  Numbers motion(problem.f().begin(), problem.f().end());
  problem.H().multiply_add(1, r, motion);
  if (!lambda.empty()) problem.G().multiply_add(1, lambda, motion);
  problem.M().multiply_add(-1, v, motion);
  EXPECT_LE(largest(tests::column(motion)), stable * std::max(1.0, largest(tests::column(v))));
  if (!lambda.empty()) {
    Numbers constraint(problem.b().begin(), problem.b().end());
    problem.G().transpose_multiply_add(1, v, constraint);
    EXPECT_LE(largest(tests::column(constraint)), stable * std::max(1.0, largest(tests::column(v))));
  }
  Numbers u(problem.w().begin(), problem.w().end()), expected(unknowns());
  problem.H().transpose_multiply_add(1, v, u);
  const ReducedProblem reduced = reduction.reduced();
  reduced.W().multiply(r, reduced.q(), expected);
  EXPECT_LE(tests::difference(u, expected), stable * largest(tests::column(expected)));
}

TEST(Reduction, CouplesOnlyContactsThatShareABody) {
  // By bodies and by columns: W may not hold blocks of contacts that share none.
  for (const Case& c : {Case{"", 3, 5, 6, 0, 0}, Case{"", 2, 3, 66, 0, 0}}) {
    Random random(4);
    const GlobalProblem problem = draw(c, 9, random);
    const ReducedProblem reduced = Reduction(problem).reduced();
    const Dense H(problem.H());
    const auto touches = [&](int contact, int body) {
      for (int a = 0; a < c.size; ++a)
        if (H(body * c.size + a, contact * c.dimension) != 0) return true;
      return false;
    };
    EXPECT_LT(reduced.W().off_diagonal_blocks(), 9 * 8) << "some contacts share no body";
    for (int i = 0; i < reduced.contacts(); ++i)
      for (Index k = reduced.W().row_start()[std::size_t(i)]; k < reduced.W().row_start()[std::size_t(i) + 1];
           ++k) {
        bool shared = false;
        for (int body = 0; body < c.bodies; ++body)
          shared = shared || (touches(i, body) && touches(reduced.W().column()[std::size_t(k)], body));
        EXPECT_TRUE(shared) << i << ' ' << reduced.W().column()[std::size_t(k)];
      }
  }
}

TEST(Reduction, CanBeMoved) {
  Random random(2);
  const GlobalProblem problem = draw({"", 2, 3, 3, 0, 0}, 4, random);
  Reduction first(problem);
  const Numbers q(first.q().begin(), first.q().end());
  Reduction second = std::move(first);
  EXPECT_EQ(tests::difference(second.q(), q), 0);
}

TEST(EliminateEqualities, AgreesWithTheDenseFormula) {
  Random random(3);
  for (int d : {2, 3})
    for (double skew : {0.0, 0.4}) {
      const int n = 4 * d, m = 5;
      const Dense W = tests::random_positive(n, random, 1, skew), V = tests::random_dense(n, m, random, 0.6);
      // R negative definite: W − V R⁻¹ Vᵀ stays positive.
      Dense R = tests::random_positive(m, random, 1, skew);
      for (auto& x : R.value) x = -x;
      const Numbers q = tests::random_numbers(std::size_t(n), random),
                    s = tests::random_numbers(std::size_t(m), random);
      const ReducedProblem reduced = eliminate_equalities(d, tests::sparse(W), tests::sparse(V),
                                                          tests::sparse(R), q, s, Numbers(4, 0.3));
      const Dense expected = sum(W, -1, V * solve_dense(R, transpose(V)));
      const Dense load = sum(tests::column(q), -1, V * solve_dense(R, tests::column(s)));
      EXPECT_LE(difference(Dense(reduced.W().to_sparse()), expected), stable * largest(expected));
      EXPECT_LE(difference(tests::column(reduced.q()), load), stable * largest(load));
      EXPECT_EQ(reduced.mu()[3], 0.3);
    }
}

TEST(EliminateEqualities, RefusesBadParts) {
  const SparseMatrix W = tests::sparse(tests::identity(4)), V = {4, 2, {}},
                     R = tests::sparse(tests::identity(2));
  const auto refused = [&](const SparseMatrix& v, const SparseMatrix& r, std::size_t q, std::size_t s) {
    return refusal([&] { eliminate_equalities(2, W, v, r, Numbers(q), Numbers(s), Numbers(2, 1.0)); });
  };
  const auto shape = ::testing::HasSubstr("V must have as many rows as W");
  EXPECT_THAT(refused({3, 2, {}}, R, 4, 2), shape);
  EXPECT_THAT(refused({4, 3, {}}, R, 4, 2), shape);
  EXPECT_THAT(refused(V, {2, 3, {}}, 4, 2), shape);
  EXPECT_THAT(refused(V, R, 3, 2), shape);
  EXPECT_THAT(refused(V, R, 4, 1), shape);
  EXPECT_THAT(refused(V, {2, 2, std::vector<Triplet>{{0, 0, 1}}}, 4, 2),
              ::testing::HasSubstr("R is singular"));
}

// Three constraints hold all of the first body, whose contact has nothing left in W but rounding: it keeps a compliance, and no velocity. The
// second body is free.
TEST(HeldContacts, KeepACompliance) {
  Dense M(6, 6), H(6, 6), G(6, 3);
  for (int i = 0; i < 6; ++i) M(i, i) = i < 3 ? 3 : 2, H(i, i) = 1;
  const double turned[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) G(i, j) = turned[j][i] / 3;
  GlobalProblem problem{
      3,          tests::sparse(M), tests::sparse(H), {-5, 1, 0.3, -5, 1, 0.3}, Numbers(6, 0.0),
      {0.5, 0.5}, tests::sparse(G), Numbers(3, 0.0)};
  const ReducedProblem reduced = Reduction(problem).reduced();
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(reduced.W().diagonal(0)[4 * c], 1e-12, 1e-15);  // of a trace of three times a third
    EXPECT_EQ(reduced.q()[std::size_t(c)], 0);
    EXPECT_DOUBLE_EQ(reduced.W().diagonal(1)[4 * c], 0.5);
    EXPECT_DOUBLE_EQ(reduced.q()[std::size_t(3 + c)], problem.f()[std::size_t(3 + c)] / 2);
  }
  // Pressed, it has no solution, and none may be made up.
  problem.set_w(Numbers{-0.1, 0, 0, 0, 0, 0});
  EXPECT_NE(refusal([&] { Reduction(problem).reduced(); }), "");
}

}  // namespace
}  // namespace stickslip::internal
