// Direct solution: by blocks and sparsely the same, unsymmetric, saddle points; what is singular or
// indefinite is refused.
#include "linalg/factorisation.hpp"

#include <gmock/gmock.h>

#include "problems/dense.hpp"
#include "problems/refused.hpp"

namespace stickslip::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::Dense;
using tests::refusal;

// Random positive definite parts with a least eigenvalue of 0.5 and a largest of about 30: condition below
// 100, so that 100 · n · 2⁻⁵³ < 1e-12 bounds the relative error of a stable solution for n ≤ 100.
constexpr double stable = 1e-12;

/// Blocks of the given sizes on the diagonal.
Dense block_diagonal(std::initializer_list<int> sizes, Random& random, double skew = 0) {
  int n = 0;
  for (int size : sizes) n += size;
  Dense A(n, n);
  int at = 0;
  for (int size : sizes) place(A, at, tests::random_positive(size, random, 0.5, skew)), at += size;
  return A;
}

/// A band matrix of one component, diagonally dominant.
Dense band(int n, Random& random, bool symmetric) {
  Dense A(n, n);
  for (int i = 0; i < n; ++i) {
    A(i, i) = random.uniform(3, 5);
    if (i + 1 < n) {
      A(i, i + 1) = random.uniform(-1, 1);
      A(i + 1, i) = symmetric ? A(i, i + 1) : random.uniform(-1, 1);
    }
  }
  return A;
}

void expect_solves(const Factorisation& factors, const Dense& A, Random& random) {
  const auto n = std::size_t(A.rows);
  auto x = tests::random_numbers(3 * n, random);
  Dense B(A.rows, 3);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < 3; ++j) B(i, j) = x[std::size_t(j) * n + std::size_t(i)];
  const Dense expected = solve_dense(A, B);
  auto first = tests::Numbers(x.begin(), x.begin() + long(n));
  factors.solve(x, 3);
  factors.solve(first);
  double gap = 0;
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < 3; ++j)
      gap = std::max(gap, std::abs(double(expected(i, j) - x[std::size_t(j) * n + std::size_t(i)])));
  EXPECT_LE(gap, stable * std::max(1.0, largest(expected)));
  EXPECT_LE(tests::difference(first, std::span(x).first(n)), stable * std::max(1.0, largest(expected)));
}

TEST(Factorisation, ByBlocks) {
  Random random(1);
  const Dense A = block_diagonal({3, 1, 6, 64, 2}, random);
  const Factorisation factors(tests::sparse(A), Definiteness::positive, "M");
  EXPECT_TRUE(factors.by_blocks());
  EXPECT_EQ(factors.components(), 5);
  EXPECT_THAT(factors.rows(1), ElementsAre(3));
  expect_solves(factors, A, random);
}

TEST(Factorisation, Sparse) {
  Random random(2);
  const Dense A = band(90, random, true);
  const Factorisation factors(tests::sparse(A), Definiteness::positive, "M");
  EXPECT_FALSE(factors.by_blocks());
  EXPECT_EQ(factors.components(), 1);
  expect_solves(factors, A, random);
}

TEST(Factorisation, SixtyFourRowsAreABlockAndSixtyFiveAreNot) {
  Random random(3);
  for (int n : {64, 65}) {
    const Dense A = tests::random_positive(n, random, 5);
    const Factorisation factors(tests::sparse(A), Definiteness::positive, "M");
    EXPECT_EQ(factors.by_blocks(), n == 64);
    expect_solves(factors, A, random);
  }
}

TEST(Factorisation, BothWaysGiveTheSame) {
  // The small blocks alone, and beside a large one that is factorised sparsely.
  for (double skew : {0.0, 0.8}) {
    Random random(4);
    const Dense small = block_diagonal({6, 3, 1, 20}, random, skew);
    Dense both(small.rows + 70, small.rows + 70);
    place(both, 0, small);
    place(both, small.rows, band(70, random, skew == 0));
    const Factorisation blocks(tests::sparse(small), Definiteness::positive, "M");
    const Factorisation whole(tests::sparse(both), Definiteness::positive, "M");
    EXPECT_TRUE(blocks.by_blocks());
    EXPECT_FALSE(whole.by_blocks());
    EXPECT_EQ(whole.components(), 5);
    auto x = tests::random_numbers(std::size_t(small.rows), random), y = x;
    y.resize(std::size_t(both.rows), 1.0);
    blocks.solve(x);
    whole.solve(y);
    EXPECT_LE(tests::difference(x, std::span(y).first(x.size())), stable);
  }
}

TEST(Factorisation, Unsymmetric) {
  Random random(5);
  const Dense blocks = block_diagonal({6, 4}, random, 1.5), chain = band(80, random, false);
  for (const Dense& A : {blocks, chain})
    expect_solves({tests::sparse(A), Definiteness::positive, "M"}, A, random);
}

TEST(Factorisation, SaddlePoints) {
  // [ M −G; Gᵀ 0 ] with more velocities than constraints, and its symmetric sign.
  Random random(6);
  for (const auto& [n, m] : {std::pair{12, 4}, {80, 20}})
    for (int sign : {-1, 1}) {
      Dense A(n + m, n + m);
      place(A, 0, tests::random_positive(n, random, 3));
      for (int j = 0; j < m; ++j)
        for (int i = 0; i < n; ++i) {
          A(i, n + j) = i == 3 * j ? 2.0 : i == 3 * j + 1 ? 1.0 : 0.0;
          A(n + j, i) = sign * A(i, n + j);
        }
      const Factorisation factors(tests::sparse(A), Definiteness::indefinite, "K");
      EXPECT_EQ(factors.by_blocks(), n + m <= 64);
      expect_solves(factors, A, random);
    }
}

TEST(Factorisation, ScaleOfTheMassesDoesNotMakeASaddlePointSingular) {
  // Regular whatever the units: M = m I, one constraint. (Condition (m/g)², which units alone can make
  // large.)
  for (double m : {1e-9, 1.0, 1e9}) {
    const std::vector<Triplet> entries = {{0, 0, m}, {1, 1, m}, {0, 2, -1}, {2, 0, 1}};
    const SparseMatrix A(3, 3, entries);
    const Factorisation factors(A, Definiteness::indefinite, "K");
    tests::Numbers x = {m, m, 1};  // m v0 − λ = m, m v1 = m, v0 = 1
    factors.solve(x);
    EXPECT_NEAR(x[0], 1, 1e-14) << m;
    EXPECT_NEAR(x[1], 1, 1e-14) << m;
    EXPECT_NEAR(x[2], 0, 1e-14 * std::max(1.0, m)) << m;
  }
}

/// A grid of n × n points, each coupled to its eight neighbours: L fills up at the end only.
Dense grid(int n, Random& random) {
  Dense A(n * n, n * n);
  for (int a = 0; a < n * n; ++a) {
    A(a, a) = random.uniform(9, 12);  // dominant
    for (int b = 0; b < a; ++b)
      if (std::abs(a / n - b / n) <= 1 && std::abs(a % n - b % n) <= 1)
        A(a, b) = A(b, a) = random.uniform(-1, 1);
  }
  return A;
}

TEST(Factorisation, WhatFillsUpIsFull) {
  // Sparse all through, with a full part at the end, and full from the start: more columns than a panel in the last two.
  Random random(9);
  for (const Dense& A : {band(300, random, true), grid(18, random), tests::random_positive(230, random, 20)})
    expect_solves({tests::sparse(A), Definiteness::positive, "M"}, A, random);
}

TEST(Factorisation, RefusesAnIndefiniteFullPart) {
  Random random(10);
  for (int row : {3, 120, 229}) {
    Dense A = tests::random_positive(230, random, 20);
    A(row, row) = -1;
    EXPECT_EQ(refusal([&] { Factorisation(tests::sparse(A), Definiteness::positive, "M"); }),
              "M is not positive definite");
  }
}

TEST(Factorisation, CanBeStoppedAtEveryQuestion) {
  Random random(11);
  for (const Dense& A : {grid(18, random), tests::random_positive(450, random, 20)}) {
    const SparseMatrix S = tests::sparse(A);
    int questions = 0;
    Factorisation(S, Definiteness::positive, "M", [&] { return ++questions, false; });
    EXPECT_GE(questions, 5);  // before, at each front, at each panel
    for (int last = 1; last <= questions; ++last) {
      int asked = 0;
      EXPECT_THROW(Factorisation(S, Definiteness::positive, "M", [&] { return ++asked == last; }),
                   Interrupted);
      EXPECT_EQ(asked, last);
    }
  }
}

TEST(Factorisation, ComponentsAreNumberedByTheirFirstRows) {
  // {0, 3}, {1}, {2, 4}; coupling in one triangle only.
  const std::vector<Triplet> entries = {{0, 0, 2}, {1, 1, 4}, {2, 2, 8}, {3, 3, 2},
                                        {4, 4, 2}, {0, 3, 1}, {4, 2, 1}};
  const Factorisation factors(SparseMatrix(5, 5, entries), Definiteness::positive, "M");
  EXPECT_EQ(factors.components(), 3);
  EXPECT_THAT(factors.component(), ElementsAre(0, 1, 2, 0, 2));
  EXPECT_THAT(factors.rows(0), ElementsAre(0, 3));
  EXPECT_THAT(factors.rows(2), ElementsAre(2, 4));
  tests::Numbers x = {5, 2, 8, 9};  // two columns: [2 1; 0 2] x = (5, 2) and (8, 9)
  factors.solve_component(0, x.data(), 2);
  EXPECT_THAT(x, ElementsAre(2, 1, 1.75, 4.5));
}

TEST(Factorisation, RefusesWhatIsNotPositiveDefinite) {
  Random random(7);
  Dense A = block_diagonal({3, 4}, random);
  A(5, 5) = -1;
  EXPECT_THAT(refusal([&] { Factorisation(tests::sparse(A), Definiteness::positive, "M"); }),
              HasSubstr("M is not positive definite (block of row 3)"));
  Dense B = band(80, random, true);
  B(40, 40) = -1;
  EXPECT_EQ(refusal([&] { Factorisation(tests::sparse(B), Definiteness::positive, "the mass"); }),
            "the mass is not positive definite");
  // A large skew part does not help an indefinite symmetric part.
  const std::vector<Triplet> skew = {{0, 0, 1}, {0, 1, 9}, {1, 0, -9}, {1, 1, -0.1}};
  EXPECT_THAT(refusal([&] { Factorisation(SparseMatrix(2, 2, skew), Definiteness::positive, "M"); }),
              HasSubstr("not positive definite"));
  // Without any entry in a row.
  EXPECT_THAT(
      refusal([&] {
        Factorisation(SparseMatrix(2, 2, std::vector<Triplet>{{0, 0, 1}}), Definiteness::positive, "M");
      }),
      HasSubstr("M is not positive definite (block of row 1)"));
}

TEST(Factorisation, RefusesWhatIsSingular) {
  Random random(8);
  Dense A = block_diagonal({2, 5}, random);
  for (int j = 0; j < 7; ++j) A(6, j) = A(5, j);  // two equal rows
  EXPECT_THAT(refusal([&] { Factorisation(tests::sparse(A), Definiteness::indefinite, "R"); }),
              HasSubstr("R is singular to working precision (block of row 2)"));
  Dense B = band(80, random, false);
  for (int j = 0; j < 80; ++j) B(79, j) = 3 * B(0, j) - B(40, j);
  EXPECT_THAT(refusal([&] { Factorisation(tests::sparse(B), Definiteness::indefinite, "R"); }),
              HasSubstr("R is singular"));
  EXPECT_THAT(refusal([&] { Factorisation(SparseMatrix(3, 2, {}), Definiteness::indefinite, "R"); }),
              HasSubstr("R must be square"));
}

TEST(Factorisation, MayBeEmptyAndMoved) {
  Factorisation factors(SparseMatrix(0, 0, {}), Definiteness::positive, "M");
  EXPECT_EQ(factors.components(), 0);
  factors.solve({});
  factors = Factorisation(SparseMatrix(1, 1, std::vector<Triplet>{{0, 0, 4}}), Definiteness::positive, "M");
  tests::Numbers x = {2};
  factors.solve(x);
  EXPECT_EQ(x[0], 0.5);
}

}  // namespace
}  // namespace stickslip::internal
