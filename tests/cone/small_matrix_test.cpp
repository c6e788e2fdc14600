// Dense algebra of one contact.
#include "cone/small_matrix.hpp"

#include <gtest/gtest.h>

#include "cone/testing.hpp"

namespace stickslip::internal {
namespace {

using testing::distance;

template <class T>
class SmallMatrix : public ::testing::Test {
 public:
  static constexpr int dimension = T::value;
};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(SmallMatrix, Dimensions);

TYPED_TEST(SmallMatrix, InverseAndSolveUndoTheProduct) {
  constexpr int D = TestFixture::dimension;
  testing::Random random(31);
  for (int k = 0; k < 1000; ++k) {
    const Mat<D> A = random.point<D * D>();
    const Vec<D> x = random.point<D>(), b = multiply<D>(A, x);
    const double det = determinant<D>(A);
    if (std::abs(det) < 1e-3) continue;
    // Entries are at most 1, so the condition number is at most about 6/det.
    const double tolerance = 100 * testing::unit / (det * det);
    EXPECT_LE(distance(product<D>(A, inverse<D>(A)), scaled_identity<D>(1)), tolerance);
    EXPECT_LE(distance(product<D>(inverse<D>(A), A), scaled_identity<D>(1)), tolerance);
    Vec<D> y;
    ASSERT_TRUE(solve<D>(A, b, y));
    EXPECT_LE(distance(x, y), tolerance);
    EXPECT_LE(distance(transpose_multiply<D>(A, x), multiply<D>(transpose<D>(A), x)), 10 * testing::unit);
  }
}

TYPED_TEST(SmallMatrix, SolveRefusesSingularAndBrokenMatricesAndPivots) {
  constexpr int D = TestFixture::dimension;
  Vec<D> x{}, b{};
  b[0] = 1;
  EXPECT_FALSE(solve<D>(Mat<D>{}, b, x));
  Mat<D> broken = scaled_identity<D>(1);
  broken[0] = testing::nan;
  EXPECT_FALSE(solve<D>(broken, b, x));
  EXPECT_EQ(x, Vec<D>{});
  // The exchange of all axes has a zero diagonal (its middle apart).
  Mat<D> exchange{};
  for (int i = 0; i < D; ++i) exchange[i + D * (D - 1 - i)] = 1;
  ASSERT_TRUE(solve<D>(exchange, b, x));
  Vec<D> last{};
  last[D - 1] = 1;
  EXPECT_EQ(x, last);
}

}  // namespace
}  // namespace stickslip::internal
