// Compressed rows: what goes in, what is refused, products against the dense formula.
#include "stickslip/sparse_matrix.hpp"

#include <gmock/gmock.h>

#include <algorithm>
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

using Indices = std::vector<Index>;
using Wide = std::vector<std::int64_t>;
using Values = std::vector<double>;

TEST(CompressedRows, AreTakenAsTheyAre) {
  // A stored zero stays: the pattern is the caller's.
  const Indices start = {0, 2, 2, 4}, column = {0, 2, 1, 3};
  const Values value = {4, 2, 0, 7};
  const SparseMatrix A = SparseMatrix::from_csr(3, 4, start, column, value);
  EXPECT_EQ(A.rows(), 3);
  EXPECT_EQ(A.columns(), 4);
  EXPECT_THAT(A.row_start(), ElementsAre(0, 2, 2, 4));
  EXPECT_THAT(A.column(), ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(A.value(), ElementsAre(4, 2, 0, 7));
}

TEST(CompressedRows, MoveWithoutACopy) {
  Indices start = {0, 1, 2}, column = {1, 0};
  Values value = {3, 5};
  const void *starts = start.data(), *columns = column.data(), *values = value.data();
  const SparseMatrix A = SparseMatrix::from_csr(2, 2, std::move(start), std::move(column), std::move(value));
  EXPECT_EQ(A.row_start().data(), starts);
  EXPECT_EQ(A.column().data(), columns);
  EXPECT_EQ(A.value().data(), values);
}

TEST(CompressedRows, AreSortedAndAddedUpWhereTheyAreNot) {
  const Indices start = {0, 3, 5}, column = {2, 0, 2, 1, 0};
  const Values value = {1.5, 4, 0.5, 1, 2};
  const SparseMatrix A = SparseMatrix::from_csr(2, 3, start, column, value);
  EXPECT_THAT(A.row_start(), ElementsAre(0, 2, 4));
  EXPECT_THAT(A.column(), ElementsAre(0, 2, 0, 1));
  EXPECT_THAT(A.value(), ElementsAre(4, 2, 2, 1));
}

TEST(CompressedRows, WithWideIndicesAreTheSame) {
  const SparseMatrix A = SparseMatrix::from_csr(2, 3, Wide{0, 1, 3}, Wide{2, 0, 1}, Values{1, 2, 3});
  EXPECT_THAT(A.row_start(), ElementsAre(0, 1, 3));
  EXPECT_THAT(A.column(), ElementsAre(2, 0, 1));
  EXPECT_THAT(A.value(), ElementsAre(1, 2, 3));
}

TEST(CompressedRows, OfRandomMatricesAgreeWithTriplets) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const SparseMatrix A = tests::sparse(tests::random_dense(7, 5, random, 0.4));
    // The rows turned round: the same matrix, out of order.
    Indices column(A.column().begin(), A.column().end());
    Values value(A.value().begin(), A.value().end());
    for (std::size_t i = 0; i < 7; ++i) {
      std::reverse(column.begin() + A.row_start()[i], column.begin() + A.row_start()[i + 1]);
      std::reverse(value.begin() + A.row_start()[i], value.begin() + A.row_start()[i + 1]);
    }
    const SparseMatrix B = SparseMatrix::from_csr(7, 5, A.row_start(), column, value);
    EXPECT_THAT(B.row_start(), ::testing::ElementsAreArray(A.row_start()));
    EXPECT_THAT(B.column(), ::testing::ElementsAreArray(A.column()));
    EXPECT_THAT(B.value(), ::testing::ElementsAreArray(A.value()));
  }
}

TEST(CompressedRows, ThatAreNotSoundAreRefused) {
  const auto refused = [](Index rows, Index columns, const Indices& start, const Indices& column,
                          const Values& value) {
    return refusal([&] { SparseMatrix::from_csr(rows, columns, start, column, value); });
  };
  const Values one = {1};
  EXPECT_EQ(refused(-1, 2, {0}, {}, {}), "the -1×2 matrix has a negative size");
  EXPECT_EQ(refused(2, 2, {0, 1}, {0}, one),
            "the 2×2 matrix: row_start has 2 numbers, expected 3 (one more than rows)");
  EXPECT_EQ(refused(1, 2, {1, 1}, {0}, one), "the 1×2 matrix: row_start must begin with 0, got 1");
  EXPECT_EQ(refused(2, 2, {0, 1, 0}, {0}, one),
            "the 2×2 matrix: row_start must rise, but row_start[2] = 0 follows 1");
  EXPECT_EQ(refused(2, 2, {0, 1, 2}, {0}, one),
            "the 2×2 matrix: row_start ends with 2, but 1 columns are given");
  EXPECT_EQ(refused(2, 2, {0, 0, 1}, {2}, one), "the 2×2 matrix: column 2 of row 1 lies outside [0, 2)");
  EXPECT_EQ(refused(2, 2, {0, 1, 1}, {-1}, one), "the 2×2 matrix: column -1 of row 0 lies outside [0, 2)");
  EXPECT_EQ(refused(2, 2, {0, 1, 1}, {0}, {}), "the 2×2 matrix: 0 values are given, but 1 columns");
  EXPECT_EQ(refused(2, 2, {0, 1, 1}, {0}, {std::nan("")}),
            "the 2×2 matrix: value[0] is nan; it must be finite");
  EXPECT_EQ(refusal([] { SparseMatrix::from_csr(std::int64_t(1) << 40, 1, Wide{0}, Wide{}, Values{}); }),
            "the 1099511627776×1 matrix has more than 2³¹ − 2 rows or columns");
  EXPECT_EQ(refusal([&] {
              SparseMatrix::from_csr(1, 2, Wide{0, 1}, Wide{std::int64_t(1) << 32}, one);
            }),
            "the 1×2 matrix: column 4294967296 of row 0 lies outside [0, 2)");
}

TEST(SparseMatrix, TakesOtherValuesInTheSamePattern) {
  SparseMatrix A(2, 2, Entries{{0, 1, 3}, {1, 0, 5}});
  A.set_values(Values{0, 7});
  EXPECT_THAT(A.value(), ElementsAre(0, 7));
  EXPECT_EQ(A.nonzeros(), 2);
  EXPECT_EQ(refusal([&] { A.set_values(Values{1}); }),
            "the 2×2 matrix: 1 values are given, expected 2 (as many as it has entries)");
  EXPECT_EQ(refusal([&] {
              A.set_values(Values{1, HUGE_VAL});
            }),
            "the 2×2 matrix: value[1] is inf; it must be finite");
  EXPECT_THAT(A.value(), ElementsAre(0, 7)) << "as it was";
}

}  // namespace
}  // namespace stickslip::internal
