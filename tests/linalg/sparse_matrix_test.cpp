// Compressed rows: what goes in, what is refused, products against the dense formula.
#include "stickslip/sparse_matrix.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "problems/dense.hpp"
#include "problems/refused.hpp"

namespace stickslip::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::refusal;
using Entries = std::vector<Triplet>;

TEST(SparseMatrix, AddsDuplicatesSortsColumnsAndDropsZeros) {
  // (0,2) twice, (1,0) cancels, (2,1) is an explicit zero.
  const SparseMatrix A(
      3, 3, Entries{{0, 2, 1.5}, {0, 0, 4}, {0, 2, 0.5}, {1, 0, 3}, {1, 0, -3}, {2, 1, 0}, {2, 2, 7}});
  EXPECT_EQ(A.nonzeros(), 3);
  EXPECT_THAT(A.row_start(), ElementsAre(0, 2, 2, 3));
  EXPECT_THAT(A.column(), ElementsAre(0, 2, 2));
  EXPECT_THAT(A.value(), ElementsAre(4, 2, 7));
}

TEST(SparseMatrix, EmptyShapes) {
  const SparseMatrix none;
  EXPECT_EQ(none.rows(), 0);
  EXPECT_EQ(none.columns(), 0);
  EXPECT_THAT(none.row_start(), ElementsAre(0));
  const SparseMatrix flat(0, 5, {}), zero(2, 3, {});
  EXPECT_EQ(flat.transposed().rows(), 5);
  EXPECT_EQ(flat.transposed().columns(), 0);
  EXPECT_THAT(zero.row_start(), ElementsAre(0, 0, 0));
}

TEST(SparseMatrix, RefusesWhatLiesOutside) {
  for (const Triplet bad : {Triplet{2, 0, 1}, Triplet{0, 3, 1}, Triplet{-1, 0, 1}, Triplet{0, -1, 1}}) {
    const auto message = refusal([&] { SparseMatrix(2, 3, Entries{{0, 0, 1}, bad}); });
    EXPECT_THAT(message, HasSubstr("(" + std::to_string(bad.row) + ", " + std::to_string(bad.column) +
                                   ") lies outside the 2×3 matrix"));
  }
  EXPECT_THAT(refusal([] { SparseMatrix(-1, 2, {}); }), HasSubstr("negative size"));
  EXPECT_THAT(refusal([] { SparseMatrix(2, -1, {}); }), HasSubstr("negative size"));
}

TEST(SparseMatrix, RefusesWhatIsNotFinite) {
  EXPECT_EQ(refusal([] { SparseMatrix(2, 2, Entries{{0, 1, std::nan("")}}); }), "entry (0, 1) is nan");
  EXPECT_EQ(refusal([] { SparseMatrix(2, 2, Entries{{1, 0, -HUGE_VAL}}); }), "entry (1, 0) is -inf");
}

TEST(SparseMatrix, RefusesDuplicatesWhoseSumOverflows) {
  EXPECT_EQ(refusal([] {
              SparseMatrix(1, 1, Entries{{0, 0, 1e308}, {0, 0, 1e308}});
            }),
            "entry (0, 0) is inf");
}

TEST(SparseMatrix, ProductsAgreeWithTheDenseOnes) {
  Random random(1);
  for (const auto& [rows, columns] : {std::pair{7, 4}, {4, 7}, {30, 30}, {1, 9}}) {
    const tests::Dense D = tests::random_dense(rows, columns, random, 0.4);
    const SparseMatrix A = tests::sparse(D);
    const auto x = tests::random_numbers(std::size_t(columns), random),
               z = tests::random_numbers(std::size_t(rows), random);
    auto y = tests::random_numbers(std::size_t(rows), random),
         w = tests::random_numbers(std::size_t(columns), random);
    const auto expected = sum(tests::column(y), -1.75, D * tests::column(x));
    const auto expected_transposed = sum(tests::column(w), 2.5, transpose(D) * tests::column(z));
    A.multiply_add(-1.75, x, y);
    A.transpose_multiply_add(2.5, z, w);
    // At most 31 terms of size ≤ 2.5: 31·2.5·2⁻⁵³ < 1e-14.
    EXPECT_LE(difference(tests::column(y), expected), 1e-14);
    EXPECT_LE(difference(tests::column(w), expected_transposed), 1e-14);
    EXPECT_EQ(difference(tests::Dense(A.transposed()), transpose(D)), 0);
    EXPECT_EQ(difference(tests::Dense(A), D), 0);
  }
}

TEST(SparseMatrix, TripletsComeInOrderAndGiveTheSameMatrix) {
  Random random(2);
  const SparseMatrix A = tests::sparse(tests::random_dense(12, 9, random, 0.3));
  const auto entries = A.triplets();
  ASSERT_EQ(entries.size(), std::size_t(A.nonzeros()));
  for (std::size_t k = 1; k < entries.size(); ++k)
    EXPECT_LT(std::pair(entries[k - 1].row, entries[k - 1].column),
              std::pair(entries[k].row, entries[k].column));
  const SparseMatrix B(12, 9, entries);
  EXPECT_TRUE(std::ranges::equal(A.column(), B.column()));
  EXPECT_TRUE(std::ranges::equal(A.value(), B.value()));
}

}  // namespace
}  // namespace stickslip::internal
