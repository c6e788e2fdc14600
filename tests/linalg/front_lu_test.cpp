#include "linalg/contact_system/front_lu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linalg/contact_system/dense_lu.hpp"
#include "problems/dense.hpp"

namespace stickslip::internal {
namespace {

using tests::Dense;
using tests::Numbers;

/// A random block matrix with `blocks` couplings of n contacts along a chain and at random, diagonally heavy.
BlockMatrix random_blocks(Index n, int d, Index couplings, Random& random) {
  std::vector<Triplet> entries;
  const auto add = [&](Index i, Index j, double size) {
    for (Index a = 0; a < d; ++a)
      for (Index b = 0; b < d; ++b) entries.push_back({i * d + a, j * d + b, size * random.uniform(-1, 1)});
  };
  for (Index i = 0; i < n; ++i) {
    add(i, i, 1);
    for (Index a = 0; a < d; ++a) entries.push_back({i * d + a, i * d + a, 4.0 * d});
    if (i > 0) add(i, i - 1, 0.5), add(i - 1, i, 0.5);
  }
  for (Index k = 0; k < couplings; ++k) {
    const auto i = Index(random.below(std::uint64_t(n))), j = Index(random.below(std::uint64_t(n)));
    if (i != j) add(i, j, 0.3);  // one side only: the pattern need not be symmetric
  }
  return {SparseMatrix(n * d, n * d, entries), d};
}

/// diag(L)(W + αI) + diag(R) on the active contacts, by the textbook.
Dense assembled(const BlockMatrix& W, const std::vector<std::uint8_t>& active, const Numbers& left,
                const Numbers& right, double alpha, std::vector<int>& rows) {
  const int d = W.dimension(), n = W.size();
  Dense full = tests::sum(Dense(W.to_sparse()), alpha, tests::identity(n * d)), L(n * d, n * d),
        R(n * d, n * d);
  for (int i = 0; i < n; ++i)
    for (int a = 0; a < d; ++a)
      for (int b = 0; b < d; ++b) {
        L(i * d + a, i * d + b) = left[std::size_t(i * d * d + a + d * b)];
        R(i * d + a, i * d + b) = right[std::size_t(i * d * d + a + d * b)];
      }
  const Dense A = tests::sum(L * full, 1, R);
  rows.clear();
  for (int i = 0; i < n; ++i)
    for (int a = 0; a < d; ++a)
      if (active[std::size_t(i)]) rows.push_back(i * d + a);
  Dense part(int(rows.size()), int(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j) part(int(i), int(j)) = A(rows[i], rows[j]);
  return part;
}

/// A grid of rows × columns nodes with unsymmetric blocks, diagonally heavy: its tree is large enough to be shared out.
BlockMatrix grid_blocks(Index rows, Index columns, int d, Random& random) {
  std::vector<Triplet> entries;
  const auto add = [&](Index i, Index j, double size) {
    for (Index a = 0; a < d; ++a)
      for (Index b = 0; b < d; ++b)
        entries.push_back(
            {i * d + a, j * d + b, size * random.uniform(-1, 1) + (i == j && a == b ? 8.0 : 0.0)});
  };
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) {
      const Index at = i * columns + j;
      add(at, at, 1);
      if (i > 0) add(at, at - columns, 0.5), add(at - columns, at, 0.5);
      if (j > 0) add(at, at - 1, 0.5), add(at - 1, at, 0.5);
    }
  return {SparseMatrix(rows * columns * d, rows * columns * d, entries), d};
}

/// Factorises and solves with W + αI by one to three threads: parts of the tree and fronts above them, at least so many; equal bits; the
/// right solution.
void expect_shared(const BlockMatrix& W, long parts, long above, Random& random) {
  const auto n = std::size_t(W.size());
  const std::vector<std::uint8_t> everyone(n, 1);
  Numbers b(n * 3);
  for (double& x : b) x = random.uniform(-1, 1);
  Numbers first;
  for (int threads : {1, 2, 3}) {
    ThreadTeam team(threads);
    FrontLu lu;
    lu.share(threads > 1 ? &team : nullptr);
    lu.analyse(W);
    for (int again = 0; again < 2; ++again) {  // memory is used again
      EXPECT_EQ(lu.factorise(everyone, nullptr, nullptr, 0.25), 0);
      EXPECT_GE(lu.shared().first, parts);
      EXPECT_GE(lu.shared().second, above);
      Numbers x = b;
      lu.solve(x);
      if (first.empty()) first = x;
      EXPECT_EQ(x, first) << threads << " threads";
    }
  }
  Numbers rest = b, shifted = first;
  W.multiply(first, shifted);
  double largest = 0;
  for (std::size_t k = 0; k < rest.size(); ++k)
    largest = std::max(largest, std::abs(rest[k] - shifted[k] - 0.25 * first[k]));
  EXPECT_LE(largest, 1e-13);  // rounding: the matrix is diagonally heavy, its numbers of order ten
}

TEST(FrontLu, ThreadsShareALargeTreeAndChangeNoBit) {
  Random random(11);
  expect_shared(grid_blocks(60, 60, 3, random), 8, 1, random);
}

TEST(FrontLu, ALongStripIsEliminatedFromBothEnds) {
  Random random(12);
  const BlockMatrix W = grid_blocks(8, 1500, 3, random);
  expect_shared(W, 2, 1, random);
  FrontLu lu;
  lu.analyse(W);
  lu.select(std::vector<std::uint8_t>(std::size_t(W.size()), 1));
  EXPECT_LE(lu.shared().second, 10);  // what is left above the two halves
}

TEST(FrontLu, AgreesWithDenseEliminationOnEverySet) {
  Random random(3);
  for (int d : {2, 3})
    for (Index n : {1, 2, 7, 20, 60}) {
      const BlockMatrix W = random_blocks(n, d, n / 2, random);
      FrontLu lu;
      lu.analyse(W);
      for (int share : {100, 60, 10}) {
        std::vector<std::uint8_t> active(static_cast<std::size_t>(n));
        for (auto& a : active) a = random.uniform() * 100 < share || share == 100;
        const auto blocks = std::size_t(n) * std::size_t(d) * std::size_t(d);
        Numbers left(blocks), right(blocks);
        for (Index i = 0; i < n; ++i)
          for (int a = 0; a < d; ++a)
            for (int b = 0; b < d; ++b) {
              const auto k = std::size_t(i * d * d + a + d * b);
              left[k] = (a == b) + 0.2 * random.uniform(-1, 1);
              right[k] = (a == b) + 0.2 * random.uniform(-1, 1);
            }
        EXPECT_EQ(lu.factorise(active, left.data(), right.data(), 0.25), 0);
        Numbers x = tests::random_numbers(std::size_t(n * d), random);
        const Numbers before = x;
        lu.solve(x);
        std::vector<int> rows;
        const Dense A = assembled(W, active, left, right, 0.25, rows);
        Dense b(int(rows.size()), 1);
        for (std::size_t k = 0; k < rows.size(); ++k) b(int(k), 0) = before[std::size_t(rows[k])];
        const Dense expected = tests::solve_dense(A, b);
        for (std::size_t k = 0; k < rows.size(); ++k)  // diagonally dominant, condition below 100
          EXPECT_NEAR(x[std::size_t(rows[k])], double(expected(int(k), 0)), 1e-12);
        for (Index i = 0; i < n; ++i)
          for (int a = 0; a < d && !active[std::size_t(i)]; ++a)
            EXPECT_EQ(x[std::size_t(i * d + a)], before[std::size_t(i * d + a)]);
      }
    }
}

TEST(FrontLu, AnalysesASetOnceAndKeepsTheFillOfAChainLinear) {
  Random random(4);
  const Index n = 400;
  const BlockMatrix W = random_blocks(n, 3, 0, random);  // a chain
  FrontLu lu;
  lu.analyse(W);
  std::vector<std::uint8_t> active(std::size_t(n), 1);
  Numbers left(std::size_t(n) * 9), right(std::size_t(n) * 9);
  for (std::size_t i = 0; i < std::size_t(n); ++i)
    for (std::size_t a = 0; a < 3; ++a) left[9 * i + 4 * a] = 1;
  for (int k = 0; k < 3; ++k) lu.factorise(active, left.data(), right.data(), 0);
  EXPECT_EQ(lu.analyses(), 1);
  active[7] = 0;
  lu.factorise(active, left.data(), right.data(), 0);
  EXPECT_EQ(lu.analyses(), 2);
  // Three blocks a contact without fill; merged fronts of up to 8 contacts store at most 5 times as much.
  EXPECT_LE(lu.stored(), 5 * 3 * 9 * n);
}

TEST(FrontLu, ReplacesVanishingPivotsAndStaysFinite) {
  // All ones: rank 1.
  std::vector<Triplet> entries;
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 12; ++j) entries.push_back({i, j, 1});
  const BlockMatrix W(SparseMatrix(12, 12, entries), 3);
  FrontLu lu;
  lu.analyse(W);
  Numbers left(36), right(36), x(12, 1.0);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t a = 0; a < 3; ++a) left[9 * i + 4 * a] = 1;
  const std::vector<std::uint8_t> active(4, 1);
  EXPECT_EQ(lu.factorise(active, left.data(), right.data(), 0), 11);
  lu.solve(x);
  for (double y : x) EXPECT_TRUE(std::isfinite(y));
  // With a shift it is regular again: (1 1ᵀ + aI) x = 1 has x = 1/(12 + a).
  EXPECT_EQ(lu.factorise(active, left.data(), right.data(), 1e-6), 0);
  std::fill(x.begin(), x.end(), 1.0);
  lu.solve(x);
  for (double y : x) EXPECT_NEAR(y, 1.0 / 12, 1e-7);
}

TEST(DenseLu, AgreesWithEliminationOnTallMatrices) {
  Random random(5);
  for (int columns : {1, 5, 16, 17, 40, 100})
    for (int extra : {0, 3, 50}) {
      const int rows = columns + extra;
      const Dense A = tests::random_dense(rows, columns, random);
      Numbers numbers(std::size_t(rows) * std::size_t(columns));
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) numbers[std::size_t(i + rows * j)] = double(A(i, j));
      std::vector<Index> exchanges(static_cast<std::size_t>(columns));
      EXPECT_EQ(dense_lu(numbers.data(), rows, columns, rows, exchanges.data()), 0);
      Dense L(rows, columns), U(columns, columns), P = A;
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
          const double x = numbers[std::size_t(i + rows * j)];
          if (i > j) L(i, j) = x;
          if (i == j) L(i, j) = 1;
          if (i <= j) U(i, j) = x;
        }
      for (int k = 0; k < columns; ++k)
        for (int j = 0; j < columns; ++j) std::swap(P(k, j), P(exchanges[std::size_t(k)], j));
      EXPECT_LE(tests::difference(L * U, P), 1e-11)
          << rows << "×" << columns;  // growth below 100 on random numbers
    }
}

}  // namespace
}  // namespace stickslip::internal
