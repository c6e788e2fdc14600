// Ranks that are known by construction, by the dense count (up to 400 rows) and by the inertia of a sparse
// LDLᵀ.
#include "linalg/rank.hpp"

#include <gtest/gtest.h>

#include "problems/dense.hpp"

namespace stickslip::internal {
namespace {

using tests::Dense;

/// n blocks B Bᵀ of 5 rows with B of `rank` columns.
SparseMatrix blocks_of_rank(int n, int rank, double size, double skew, Random& random) {
  std::vector<Triplet> entries;
  for (int k = 0; k < n; ++k) {
    const Dense B = tests::random_dense(5, rank, random), A = B * transpose(B);
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j)
        entries.push_back({5 * k + i, 5 * k + j,
                           size * (double(A(i, j)) + (i < j   ? skew
                                                      : i > j ? -skew
                                                              : 0))});
  }
  return {5 * n, 5 * n, entries};
}

TEST(Rank, OfBlocksByBothWays) {
  Random random(1);
  for (int n : {3, 80, 81, 150})  // 80 blocks have 400 rows, the last of the dense way
    for (int rank : {1, 2})
      EXPECT_EQ(count_eigenvalues_above(blocks_of_rank(n, rank, 1, 0, random), 1e-9), n * rank)
          << n << ' ' << rank;
}

TEST(Rank, UnitsAndSkewPartDoNotMatter) {
  Random random(2);
  for (int n : {20, 120})
    for (double size : {1e-8, 1e8})
      EXPECT_EQ(count_eigenvalues_above(blocks_of_rank(n, 2, size, 3, random), 1e-9), 2 * n)
          << n << ' ' << size;
}

TEST(Rank, OfAFreeChain) {
  // The stiffness of n springs in a row, free at both ends: one rigid mode; the next eigenvalue, (π/n)², is
  // well above 1e-9 of the largest, 4.
  for (int n : {50, 400, 401, 900}) {
    std::vector<Triplet> entries;
    for (int i = 0; i + 1 < n; ++i)
      entries.insert(entries.end(), {{i, i, 1}, {i + 1, i + 1, 1}, {i, i + 1, -1}, {i + 1, i, -1}});
    EXPECT_EQ(count_eigenvalues_above(SparseMatrix(n, n, entries), 1e-9), n - 1) << n;
  }
}

TEST(Rank, OfARankOneMatrixWithoutSparsity) {
  for (int n : {60, 410}) {
    std::vector<Triplet> entries;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) entries.push_back({i, j, 1.0});
    EXPECT_EQ(count_eigenvalues_above(SparseMatrix(n, n, entries), 1e-9), 1) << n;
  }
}

TEST(Rank, TheThresholdIsRelativeToTheLargestEigenvalue) {
  for (int n : {10, 500}) {
    std::vector<Triplet> entries;
    for (int i = 0; i < n; ++i) entries.push_back({i, i, i % 2 ? 1e-6 : 100.0});
    const SparseMatrix A(n, n, entries);
    EXPECT_EQ(count_eigenvalues_above(A, 1e-9), n);
    EXPECT_EQ(count_eigenvalues_above(A, 1e-7), n / 2);
  }
}

TEST(Rank, OfNothing) {
  EXPECT_EQ(count_eigenvalues_above(SparseMatrix(0, 0, {}), 1e-9), 0);
  EXPECT_EQ(count_eigenvalues_above(SparseMatrix(6, 6, {}), 1e-9), 0);
}

}  // namespace
}  // namespace stickslip::internal
