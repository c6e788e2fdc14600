// Cholesky in fronts: solutions, the inverse on chosen rows, matrices that are not definite.
#include "linalg/front_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <random>
#include <vector>

namespace stickslip::internal {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// The Laplacian of a grid with `unknowns` a point that are coupled, and random links beside.
Sparse grid(int n, int unknowns, int links) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> any(0, n * n * n - 1);
  std::vector<std::pair<int, int>> edges;
  const auto at = [&](int i, int j, int k) { return (k * n + j) * n + i; };
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        if (i + 1 < n) edges.emplace_back(at(i, j, k), at(i + 1, j, k));
        if (j + 1 < n) edges.emplace_back(at(i, j, k), at(i, j + 1, k));
        if (k + 1 < n) edges.emplace_back(at(i, j, k), at(i, j, k + 1));
      }
  for (int l = 0; l < links; ++l)
    if (const int a = any(random), b = any(random); a != b) edges.emplace_back(a, b);
  std::vector<Eigen::Triplet<double>> entries;
  const int size = n * n * n * unknowns;
  for (int r = 0; r < size; ++r) entries.emplace_back(r, r, 0.1 + 0.01 * (r % 7));
  for (const auto& [a, b] : edges)
    for (int i = 0; i < unknowns; ++i)
      for (int j = 0; j < unknowns; ++j) {
        const double x = i == j ? 1 : 0.1;
        entries.emplace_back(unknowns * a + i, unknowns * a + j, x);
        entries.emplace_back(unknowns * b + i, unknowns * b + j, x);
        entries.emplace_back(unknowns * a + i, unknowns * b + j, -x);
        entries.emplace_back(unknowns * b + j, unknowns * a + i, -x);
      }
  Sparse A(size, size);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

TEST(FrontCholesky, SolvesAndInvertsOnTheLastRows) {
  for (const auto& [n, unknowns, links] :
       {std::array{1, 1, 0}, {3, 1, 0}, {5, 3, 0}, {6, 2, 40}, {5, 3, 10}}) {
    const Sparse A = grid(n, unknowns, links);
    const Eigen::MatrixXd inverse = Eigen::MatrixXd(A).inverse();
    const double size = inverse.norm();
    for (int every : {0, 1, 2, 5}) {
      std::vector<int> last;
      for (int r = int(A.rows()) - 1; every > 0 && r >= 0; r -= every) last.push_back(r);  // in any order
      FrontCholesky factors;
      ASSERT_TRUE(factors.factorise(A, last, {}));
      Eigen::MatrixXd X = Eigen::MatrixXd::Random(A.rows(), 3);
      const Eigen::MatrixXd B = X;
      factors.solve(X);
      // Condition numbers are below 1e3.
      EXPECT_LT((A * X - B).norm(), 1e-12 * B.norm()) << n << ' ' << unknowns << ' ' << every;
      const Eigen::MatrixXd C = factors.last_inverse();
      ASSERT_EQ(C.rows(), Eigen::Index(last.size()));
      for (std::size_t i = 0; i < last.size(); ++i)
        for (std::size_t j = 0; j < last.size(); ++j)
          ASSERT_NEAR(C(Eigen::Index(i), Eigen::Index(j)), inverse(last[i], last[j]), 1e-12 * size);
    }
  }
}

TEST(FrontCholesky, PartsThatDoNotTouchAreOneMatrix) {
  const Sparse A = grid(3, 2, 0);
  Sparse two(2 * A.rows(), 2 * A.rows());
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator e(A, j); e; ++e)
      for (int k : {0, 1})
        entries.emplace_back(int(e.row() + k * A.rows()), int(j + k * A.rows()), e.value());
  two.setFromTriplets(entries.begin(), entries.end());
  FrontCholesky factors;
  const std::vector<int> last = {1, 60, 2};
  ASSERT_TRUE(factors.factorise(two, last, {}));
  const Eigen::MatrixXd C = factors.last_inverse();
  EXPECT_NEAR(C(0, 1), 0, 1e-15);
  EXPECT_NEAR(C(0, 2), Eigen::MatrixXd(A).inverse()(1, 2), 1e-13);
}

TEST(FrontCholesky, RefusesWhatIsNotDefinite) {
  Sparse A = grid(4, 3, 0);
  A.coeffRef(100, 100) = -5;
  FrontCholesky factors;
  EXPECT_FALSE(factors.factorise(A, {}, {}));
}

TEST(FrontCholesky, StopsWhenAsked) {
  const Sparse A = grid(6, 3, 0);
  FrontCholesky factors;
  EXPECT_THROW(factors.factorise(A, {}, [] { return true; }), Interrupted);
}

}  // namespace
}  // namespace stickslip::internal
