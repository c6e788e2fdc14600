// Singular values that are known by construction.
#include "linalg/singular_values.hpp"

#include <gtest/gtest.h>

#include "problems/dense.hpp"

namespace stickslip::internal {
namespace {

using tests::Dense;
using tests::Numbers;

/// I − 2 x xᵀ/xᵀx.
Dense reflection(int n, Random& random) {
  const Dense x = tests::random_dense(n, 1, random);
  return tests::sum(tests::identity(n), -2 / (transpose(x) * x)(0, 0), x * transpose(x));
}

/// Orthogonal factors on both sides of the given values; unsymmetric.
SparseMatrix with_values(const std::vector<double>& values, Random& random) {
  const int n = int(values.size());
  Dense S(n, n);
  for (int i = 0; i < n; ++i) S(i, i) = values[std::size_t(i)];
  return tests::sparse(reflection(n, random) * reflection(n, random) * S * reflection(n, random));
}

TEST(SingularValues, OfARankDeficientMatrixByBothWays) {
  Random random(1);
  std::vector<double> values(40, 0.0);
  for (std::size_t k = 0; k < 25; ++k) values[k] = 0.02 + double(k) / 5;
  const SparseMatrix W = with_values(values, random);
  const SingularValues dense = dense_singular_values(W, 1e-9);
  EXPECT_EQ(dense.rank, 25);
  EXPECT_EQ(dense.steps, 0);
  EXPECT_NEAR(dense.largest, 4.82, 1e-13);  // rounding of W
  EXPECT_NEAR(dense.smallest, 0.02, 1e-13);
  // The whole range is found: then the values are those of W.
  const SingularValues iterated = iterated_singular_values(W, tests::random_numbers(40, random), 1e-9);
  EXPECT_NEAR(iterated.largest, 4.82, 1e-10);
  EXPECT_NEAR(iterated.smallest, 0.02, 1e-10);
  EXPECT_LE(iterated.steps, 26);
}

TEST(SingularValues, AreEnclosedBeforeTheSpaceIsExhausted) {
  Random random(2);
  std::vector<double> values;
  for (int k = 0; k < 200; ++k) values.push_back(std::pow(10.0, -2.0 * k / 199));
  const SparseMatrix W = with_values(values, random);
  const Numbers b = tests::random_numbers(200, random);
  for (const long most : {5L, 30L, 120L}) {
    const SingularValues found = iterated_singular_values(W, b, 1e-9, most);
    EXPECT_LE(found.largest, 1 + 1e-12);
    EXPECT_GE(found.smallest, 0.01 - 1e-12);
    EXPECT_LE(found.steps, most);
    EXPECT_GT(found.largest, most >= 30 ? 0.999 : 0.9);
    EXPECT_LT(found.smallest, most >= 120 ? 0.011 : 1);
  }
}

TEST(SingularValues, OfNothing) {
  EXPECT_EQ(dense_singular_values(SparseMatrix(0, 0, {}), 1e-9).rank, 0);
  EXPECT_EQ(iterated_singular_values(SparseMatrix(3, 3, {}), Numbers(3, 1.0), 1e-9).largest, 0);
  EXPECT_EQ(iterated_singular_values(SparseMatrix(3, 3, {}), Numbers(3, 0.0), 1e-9).steps, 0);
}

}  // namespace
}  // namespace stickslip::internal
