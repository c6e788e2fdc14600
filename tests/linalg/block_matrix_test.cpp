// The Delassus matrix: blocks from scalars and back, products, asymmetry, refusals; d = 2 and 3.
#include "stickslip/block_matrix.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "problems/dense.hpp"
#include "problems/refused.hpp"

namespace stickslip::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::Dense;
using tests::refusal;

class Blocks : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
  Random random{std::uint64_t(d)};

  /// n block rows with about `density` of the blocks, the diagonal of block 1 missing.
  Dense draw(int n, double density) {
    Dense A(n * d, n * d);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (i == j ? i != 1 : random.uniform() < density) {
          const Dense B = tests::random_dense(d, d, random, 0.8);
          for (int a = 0; a < d; ++a)
            for (int b = 0; b < d; ++b) A(i * d + a, j * d + b) = B(a, b);
        }
    return A;
  }
};
INSTANTIATE_TEST_SUITE_P(Dimensions, Blocks, ::testing::Values(2, 3));

TEST_P(Blocks, GatherTheEntriesOfAScalarMatrix) {
  const Dense A = draw(6, 0.4);
  const BlockMatrix W(tests::sparse(A), d);
  EXPECT_EQ(W.dimension(), d);
  ASSERT_EQ(W.size(), 6);
  Dense gathered(6 * d, 6 * d);
  for (Index i = 0; i < 6; ++i) {
    for (int a = 0; a < d; ++a)
      for (int b = 0; b < d; ++b) gathered(i * d + a, i * d + b) = W.diagonal(i)[a + d * b];
    for (Index k = W.row_start()[std::size_t(i)]; k < W.row_start()[std::size_t(i) + 1]; ++k) {
      const Index j = W.column()[std::size_t(k)];
      EXPECT_NE(j, i);
      if (k > W.row_start()[std::size_t(i)]) {
        EXPECT_GT(j, W.column()[std::size_t(k) - 1]);
      }
      for (int a = 0; a < d; ++a)
        for (int b = 0; b < d; ++b) gathered(i * d + a, j * d + b) = W.block(k)[a + d * b];
    }
  }
  EXPECT_EQ(difference(gathered, A), 0);
  for (int k = 0; k < d * d; ++k) EXPECT_EQ(W.diagonal(1)[k], 0) << "a missing diagonal block is zero";
}

TEST_P(Blocks, ComeBackAsTheSameScalarMatrix) {
  for (double density : {0.0, 0.3, 1.0}) {
    const Dense A = draw(7, density);
    EXPECT_EQ(difference(Dense(BlockMatrix(tests::sparse(A), d).to_sparse()), A), 0) << density;
  }
}

TEST_P(Blocks, MultiplyAsTheDenseMatrix) {
  for (int n : {1, 2, 25}) {
    const Dense A = draw(n, 0.5);
    const BlockMatrix W(tests::sparse(A), d);
    const auto size = std::size_t(n * d);
    const auto r = tests::random_numbers(size, random), q = tests::random_numbers(size, random);
    tests::Numbers u(size, std::nan(""));  // must be overwritten, not added to
    W.multiply(r, q, u);
    // At most 76 terms of size ≤ 1.
    EXPECT_LE(difference(tests::column(u), sum(A * tests::column(r), 1, tests::column(q))), 76 * 0x1p-52);
  }
}

TEST_P(Blocks, KnowTheirAsymmetry) {
  const Dense A = draw(5, 0.5);
  const Dense gap = sum(A, -1, transpose(A));
  long double above = 0, below = 0;
  for (std::size_t k = 0; k < A.value.size(); ++k)
    above += gap.value[k] * gap.value[k], below += A.value[k] * A.value[k];
  const double expected = double(std::sqrt(above / below));
  EXPECT_NEAR(BlockMatrix(tests::sparse(A), d).asymmetry(), expected,
              1e-14);  // 225 squares, relative 2⁻⁵³ each
  EXPECT_EQ(BlockMatrix(tests::sparse(sum(A, 1, transpose(A))), d).asymmetry(), 0);
  // A skew matrix: ‖2A‖/‖A‖.
  EXPECT_NEAR(BlockMatrix(tests::sparse(gap), d).asymmetry(), 2, 1e-14);
  EXPECT_EQ(BlockMatrix(SparseMatrix(2 * d, 2 * d, {}), d).asymmetry(), 0);
}

TEST_P(Blocks, TakePartsAsTheyAre) {
  const auto size = std::size_t(d * d);
  tests::Numbers blocks(2 * size), diagonal(3 * size);
  for (std::size_t k = 0; k < blocks.size(); ++k) blocks[k] = double(k + 1);
  for (std::size_t k = 0; k < diagonal.size(); ++k) diagonal[k] = -double(k + 1);
  const BlockMatrix W(d, {0, 1, 1, 2}, {2, 0}, blocks, diagonal);
  EXPECT_EQ(W.size(), 3);
  EXPECT_EQ(W.off_diagonal_blocks(), 2);
  EXPECT_EQ(W.block(1)[0], double(size + 1));
  EXPECT_EQ(W.diagonal(2)[d], -double(2 * size + std::size_t(d) + 1));
  const Dense A(W.to_sparse());
  EXPECT_EQ(A(0, 2 * d + 1), d + 1);  // column-major
}

TEST_P(Blocks, RefuseBadParts) {
  const auto size = std::size_t(d * d);
  const auto refused = [&](std::vector<Index> start, std::vector<Index> column, std::size_t blocks,
                           std::size_t diagonal) {
    return refusal([&] {
      BlockMatrix(d, std::move(start), std::move(column), tests::Numbers(blocks * size),
                  tests::Numbers(diagonal * size));
    });
  };
  EXPECT_THAT(refused({}, {}, 0, 0), HasSubstr("row starts"));
  EXPECT_THAT(refused({1, 1}, {0}, 1, 1), HasSubstr("row starts"));
  EXPECT_THAT(refused({0, 2, 1}, {1}, 1, 2), HasSubstr("row starts"));
  EXPECT_THAT(refused({0, 1, 3}, {1, 0}, 2, 2), HasSubstr("row starts"));
  EXPECT_THAT(refused({0, 1, 2}, {1, 0}, 1, 2), HasSubstr("do not fit"));
  EXPECT_THAT(refused({0, 1, 2}, {1, 0}, 2, 3), HasSubstr("do not fit"));
  EXPECT_THAT(refused({0, 1, 2}, {1, 1}, 2, 2), HasSubstr("row 1 must rise, without the diagonal"));
  EXPECT_THAT(refused({0, 1, 1}, {2}, 1, 2), HasSubstr("row 0"));
  EXPECT_THAT(refused({0, 1, 1}, {-1}, 1, 2), HasSubstr("row 0"));
  EXPECT_THAT(refused({0, 2, 2, 2}, {2, 1}, 2, 3), HasSubstr("row 0"));
  EXPECT_THAT(refused({0, 2, 2, 2}, {1, 1}, 2, 3), HasSubstr("row 0"));
}

TEST(BlockMatrix, RefusesShapesThatHaveNoBlocks) {
  EXPECT_THAT(refusal([] { BlockMatrix(SparseMatrix(4, 4, {}), 4); }),
              HasSubstr("dimension must be 2 or 3, got 4"));
  EXPECT_THAT(refusal([] { BlockMatrix(SparseMatrix(4, 4, {}), 1); }),
              HasSubstr("dimension must be 2 or 3, got 1"));
  EXPECT_THAT(refusal([] { BlockMatrix(SparseMatrix(4, 6, {}), 2); }),
              HasSubstr("W must be square, got 4×6"));
  EXPECT_THAT(refusal([] { BlockMatrix(SparseMatrix(4, 4, {}), 3); }),
              HasSubstr("4 rows, which is not a multiple of the dimension 3"));
}

TEST_P(Blocks, FromBlockRowsOfOtherPrograms) {
  // The same matrix in both layouts, sorted and not, with narrow and wide indices; one block as the sum of two.
  const Dense A = draw(6, 0.4);
  const BlockMatrix expected(tests::sparse(A), d);
  const auto area = std::size_t(d * d);
  for (const auto layout : {BlockLayout::row_major, BlockLayout::column_major})
    for (const bool sorted : {true, false}) {
      std::vector<Index> start = {0}, column;
      std::vector<double> blocks;
      const auto add = [&](Index i, Index j, double share) {
        column.push_back(j);
        for (int first = 0; first < d; ++first)
          for (int second = 0; second < d; ++second) {
            const int a = layout == BlockLayout::row_major ? first : second,
                      b = layout == BlockLayout::row_major ? second : first;
            blocks.push_back(share * double(A(i * d + a, j * d + b)));
          }
      };
      for (Index i = 0; i < 6; ++i) {
        for (Index k = 0; k < 6; ++k) {
          const Index j = sorted ? k : 5 - k;
          bool there = j == i && i != 1;
          for (Index c = expected.row_start()[std::size_t(i)]; c < expected.row_start()[std::size_t(i) + 1];
               ++c)
            there = there || expected.column()[std::size_t(c)] == j;
          if (!there) continue;
          if (sorted) {
            add(i, j, 1);
          } else {  // powers of two: the sum is exact
            add(i, j, 0.25);
            add(i, j, 0.75);
          }
        }
        start.push_back(Index(column.size()));
      }
      const std::vector<std::int64_t> wide_start(start.begin(), start.end()),
          wide_column(column.begin(), column.end());
      for (const BlockMatrix& W : {BlockMatrix::from_bsr(d, start, column, blocks, layout),
                                   BlockMatrix::from_bsr(d, wide_start, wide_column, blocks, layout)}) {
        EXPECT_THAT(W.row_start(), ::testing::ElementsAreArray(expected.row_start()));
        EXPECT_THAT(W.column(), ::testing::ElementsAreArray(expected.column()));
        EXPECT_LE(difference(Dense(W.to_sparse()), A), 1e-15);  // 0.25 x + 0.75 x, x in [−1, 1]
      }
      EXPECT_EQ(blocks.size(), column.size() * area);
    }
}

TEST_P(Blocks, BlockRowsThatAreNotSoundAreRefused) {
  const auto area = std::size_t(d * d);
  const auto refused = [&](const std::vector<Index>& start, const std::vector<Index>& column,
                           std::size_t numbers) {
    return refusal([&] { BlockMatrix::from_bsr(d, start, column, std::vector<double>(numbers)); });
  };
  EXPECT_EQ(refused({}, {}, 0), "the matrix of 0×0 blocks: row_start must begin with 0, got nothing");
  EXPECT_EQ(refused({0, 1}, {1}, area), "the matrix of 1×1 blocks: column 1 of row 0 lies outside [0, 1)");
  EXPECT_EQ(refused({0, 1}, {0}, area - 1), "the matrix of 1×1 blocks has " + std::to_string(area - 1) +
                                                " numbers, expected " + std::to_string(area) + " (" +
                                                std::to_string(area) + " for each of 1 blocks)");
  EXPECT_EQ(refusal([] { BlockMatrix::from_bsr(4, std::vector<Index>{0}, std::vector<Index>{}, {}); }),
            "dimension must be 2 or 3, got 4");
}

TEST(BlockMatrix, MayBeEmpty) {
  const BlockMatrix none, also(SparseMatrix(0, 0, {}), 2);
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(also.size(), 0);
  EXPECT_EQ(also.dimension(), 2);
  also.multiply({}, {}, {});
  EXPECT_EQ(also.asymmetry(), 0);
  EXPECT_EQ(also.to_sparse().rows(), 0);
}

}  // namespace
}  // namespace stickslip::internal
