// Small Cholesky factors: right, refused where the block is not positive definite, and the same bits wherever the block lies.
#include "linalg/small_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "base/random.hpp"

namespace stickslip::internal {
namespace {

template <int N>
Eigen::Matrix<double, N, N> positive(Random& random) {
  Eigen::Matrix<double, N, N> root;
  for (double& number : root.reshaped()) number = random.normal();
  return root * root.transpose() + Eigen::Matrix<double, N, N>::Identity();
}

template <int N>
void expect_solutions() {
  Random random(N);
  const Eigen::Matrix<double, N, N> A = positive<N>(random);
  Eigen::Matrix<double, N, N> L = A;
  ASSERT_TRUE(cholesky<N>(L.data()));
  // Condition numbers below 1e2.
  EXPECT_LE((L * L.transpose() - A).cwiseAbs().maxCoeff(), 1e-14 * A.norm());
  EXPECT_EQ(L.template triangularView<Eigen::StrictlyUpper>().toDenseMatrix().norm(), 0);
  Eigen::Matrix<double, N, 1> x, exact;
  for (double& number : exact) number = random.normal();
  x = A * exact;
  solve_lower<N>(L.data(), x.data());
  solve_lower_transposed<N>(L.data(), x.data());
  EXPECT_LE((x - exact).norm(), 1e-13 * exact.norm());
}

TEST(SmallCholesky, Solves) {
  expect_solutions<1>();
  expect_solutions<3>();
  expect_solutions<6>();
}

TEST(SmallCholesky, HasTheSameBitsAtAnyAddress) {
  Random random(11);
  const Eigen::Matrix<double, 6, 6> A = positive<6>(random);
  std::vector<double> first;
  for (std::size_t offset = 0; offset < 8; ++offset) {
    std::vector<double> room(36 + 8);
    double* const block = room.data() + offset;
    std::copy_n(A.data(), 36, block);
    ASSERT_TRUE(cholesky<6>(block));
    const std::vector<double> factor(block, block + 36);
    if (first.empty()) first = factor;
    EXPECT_EQ(factor, first) << offset;
  }
}

TEST(SmallCholesky, RefusesWhatIsNotPositiveDefinite) {
  double indefinite[] = {1, 2, 2, 1}, zero[] = {0}, nan[] = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(cholesky<2>(indefinite));
  EXPECT_FALSE(cholesky<1>(zero));
  EXPECT_FALSE(cholesky<1>(nan));
}

}  // namespace
}  // namespace stickslip::internal
