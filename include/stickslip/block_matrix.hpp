// The Delassus matrix W: d×d blocks in compressed rows, the diagonal at hand.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "stickslip/export.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip {

/// How the numbers of a block follow each other: by rows, as scipy's bsr_matrix and C have them, or by columns.
enum class BlockLayout { row_major, column_major };

/// A square matrix of n×n blocks of d×d numbers, d = 2 or 3, one block row a contact.
///
/// Blocks are column-major and packed (72 bytes for d = 3). The diagonal block of every row exists and is
/// stored apart; the off-diagonal blocks of a row follow each other in memory with rising columns, so that a
/// sweep over the rows is one pass over one stream.
class STICKSLIP_EXPORT BlockMatrix {
 public:
  BlockMatrix() = default;
  /// Gathers the scalar entries of A into blocks; a missing diagonal block is zero. Throws InputError unless
  /// d is 2 or 3 and A is square with a multiple of d rows.
  BlockMatrix(const SparseMatrix& A, int dimension);
  /// Takes the parts as they are: `column` rising in each row, without the diagonal. Throws InputError
  /// otherwise.
  BlockMatrix(int dimension, std::vector<Index> row_start, std::vector<Index> column,
              std::vector<double> blocks, std::vector<double> diagonal);

  /// From compressed block rows (BSR), the diagonal among them: block row i has the block columns column[k] and the d×d numbers
  /// from blocks[k·d²] on, row_start[i] ≤ k < row_start[i + 1]. One pass where the columns of each row rise; else rows are sorted
  /// and duplicates added up. A missing diagonal block is zero. Throws InputError when sizes do not fit, a row start falls or a
  /// column lies outside.
  static BlockMatrix from_bsr(int dimension, std::span<const Index> row_start, std::span<const Index> column,
                              std::span<const double> blocks, BlockLayout layout = BlockLayout::row_major);
  /// The same with wide indices, as other programs have them; each must fit into Index.
  static BlockMatrix from_bsr(int dimension, std::span<const std::int64_t> row_start,
                              std::span<const std::int64_t> column, std::span<const double> blocks,
                              BlockLayout layout = BlockLayout::row_major);

  /// Its arrays, to be filled again without taking new memory; the matrix is spent.
  struct Parts {
    std::vector<Index> row_start, column;
    std::vector<double> blocks, diagonal;
  };
  Parts release() && {
    return {std::move(row_start_), std::move(column_), std::move(blocks_), std::move(diagonal_)};
  }

  int dimension() const { return dimension_; }
  Index size() const { return static_cast<Index>(row_start_.size()) - 1; }
  Index off_diagonal_blocks() const { return static_cast<Index>(column_.size()); }

  std::span<const Index> row_start() const { return row_start_; }
  std::span<const Index> column() const { return column_; }
  /// Off-diagonal block k, d×d column-major. The memory ends with eight unused numbers, so that a kernel may
  /// read whole vectors.
  const double* block(Index k) const { return blocks_.data() + std::size_t(k) * block_size(); }
  const double* diagonal(Index i) const { return diagonal_.data() + std::size_t(i) * block_size(); }

  /// u ← W r + q; q may be u.
  void multiply(std::span<const double> r, std::span<const double> q, std::span<double> u) const;
  /// y ← W x.
  void multiply(std::span<const double> x, std::span<double> y) const;
  /// ‖W − Wᵀ‖_F / ‖W‖_F.
  double asymmetry() const;
  SparseMatrix to_sparse() const;

 private:
  std::size_t block_size() const { return std::size_t(dimension_) * std::size_t(dimension_); }
  void pad();

  int dimension_ = 3;
  std::vector<Index> row_start_ = {0};
  std::vector<Index> column_;
  std::vector<double> blocks_;
  std::vector<double> diagonal_;
};

}  // namespace stickslip
