// L W + B factorised by blocks, against dense algebra in long double.
#include "linalg/block_factorisation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/dense.hpp"

namespace stickslip::internal {
namespace {

using tests::Dense;
using tests::Numbers;

/// A matrix of D×D blocks on a ring with chords, positive definite, with a skew part where asked for.
SparseMatrix ring(Random& random, int d, Index n, bool symmetric) {
  std::vector<Triplet> entries;
  for (Index i = 0; i < n; ++i)
    for (Index j : {Index((i + 1) % n), Index(random.below(std::uint64_t(n)))})
      for (Index a = 0; a < d; ++a) {
        for (Index b = 0; b < d; ++b) {
          const double x = random.uniform(-1, 1), skew = symmetric ? 0 : random.uniform(-0.3, 0.3);
          entries.push_back({i * d + a, j * d + b, x + skew});
          entries.push_back({j * d + b, i * d + a, x - skew});
        }
        entries.push_back({i * d + a, i * d + a, 8.0});
      }
  return {n * d, n * d, entries};
}

Numbers blocks(Random& random, int d, Index n, double diagonal) {
  Numbers B;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < d * d; ++k)
      B.push_back(random.uniform(-0.2, 0.2) + (k % (d + 1) == 0 ? diagonal : 0.0));
  return B;
}

Dense block_diagonal(int d, const Numbers& B) {
  const int n = int(B.size()) / d / d;
  Dense A(n * d, n * d);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < d * d; ++k) A(i * d + k % d, i * d + k / d) = B[std::size_t(i * d * d + k)];
  return A;
}

Dense sum(Dense A, const Dense& B) {
  for (std::size_t k = 0; k < A.value.size(); ++k) A.value[k] += B.value[k];
  return A;
}

/// ‖A x − b‖ relative to ‖b‖.
double misfit(const Dense& A, const Numbers& x, const Numbers& b) {
  const Numbers product = tests::numbers(A * tests::column(x));
  double error = 0, size = 0;
  for (std::size_t k = 0; k < b.size(); ++k) {
    error += (product[k] - b[k]) * (product[k] - b[k]);
    size += b[k] * b[k];
  }
  return std::sqrt(error / size);
}

TEST(BlockFactorisation, SolvesShiftedAndTransformedSystems) {
  Random random(3);
  int sparse = 0, dense = 0;
  for (const int d : {2, 3})
    for (const Index n : {1, 2, 7, 120})
      for (const bool symmetric : {true, false}) {
        const SparseMatrix W = ring(random, d, n, symmetric);
        BlockFactorisation factors(W, d, symmetric);
        (factors.dense() ? dense : sparse) += 1;
        const Numbers B = blocks(random, d, n, 1), L = blocks(random, d, n, 1);
        Numbers b;
        for (Index k = 0; k < n * d; ++k) b.push_back(random.uniform(-1, 1));
        // Condition numbers below 1e3, and iterative refinement: ten units of the last place.
        ASSERT_TRUE(factors.factorise(B, false));
        Numbers x = b;
        factors.solve(x);
        EXPECT_LE(misfit(sum(Dense(W), block_diagonal(d, B)), x, b), 1e-14)
            << d << ' ' << n << ' ' << symmetric;
        ASSERT_TRUE(factors.factorise(L, B));
        x = b;
        factors.solve(x);
        EXPECT_LE(misfit(sum(block_diagonal(d, L) * Dense(W), block_diagonal(d, B)), x, b), 1e-14)
            << d << ' ' << n;
        EXPECT_EQ(factors.count(), 2);
      }
  EXPECT_GT(sparse, 0);
  EXPECT_GT(dense, 0);
}

TEST(BlockFactorisation, RefusesWhatIsNotFinite) {
  Random random(4);
  BlockFactorisation factors(ring(random, 3, 5, true), 3, true);
  Numbers B(45, 0.0);
  B[7] = std::nan("");
  EXPECT_FALSE(factors.factorise(B, true));
  EXPECT_FALSE(factors.factorise(Numbers(45, 0.0), Numbers(45, 0.0)));  // the zero matrix
}

}  // namespace
}  // namespace stickslip::internal
