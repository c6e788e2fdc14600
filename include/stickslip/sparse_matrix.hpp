// A sparse matrix of scalars in compressed rows: how M, H and G are handed over.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stickslip/export.hpp"

namespace stickslip {

using Index = std::int32_t;

/// One entry of a matrix, 0-based.
struct Triplet {
  Index row;
  Index column;
  double value;
};

/// Compressed sparse rows. Columns are sorted and unique within a row. Zeros among triplets are dropped; those stored in
/// compressed rows are kept, so that the pattern is the caller's and its values can be replaced.
class STICKSLIP_EXPORT SparseMatrix {
 public:
  SparseMatrix() = default;
  /// Adds duplicates up. Throws InputError when an index lies outside rows × columns or a value is not
  /// finite.
  SparseMatrix(Index rows, Index columns, std::span<const Triplet> entries);

  /// From compressed rows (CSR): row i has the columns column[k] and the numbers value[k], row_start[i] ≤ k < row_start[i + 1].
  /// One pass where the columns of each row rise; else rows are sorted and duplicates added up. Throws InputError when sizes do
  /// not fit, a row start falls, a column lies outside or a value is not finite.
  static SparseMatrix from_csr(Index rows, Index columns, std::span<const Index> row_start,
                               std::span<const Index> column, std::span<const double> value);
  /// The same with wide indices, as other programs have them; each must fit into Index.
  static SparseMatrix from_csr(std::int64_t rows, std::int64_t columns,
                               std::span<const std::int64_t> row_start, std::span<const std::int64_t> column,
                               std::span<const double> value);
  /// The same with the memory of its arguments: where the columns rise, nothing is copied.
  static SparseMatrix from_csr(Index rows, Index columns, std::vector<Index>&& row_start,
                               std::vector<Index>&& column, std::vector<double>&& value);

  /// Other numbers in the same pattern, in the order of value(). Takes no memory. Throws InputError unless there are as many and
  /// all are finite; the matrix is then as it was.
  void set_values(std::span<const double> value);

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  Index nonzeros() const { return static_cast<Index>(value_.size()); }
  std::span<const Index> row_start() const { return row_start_; }
  std::span<const Index> column() const { return column_; }
  std::span<const double> value() const { return value_; }

  /// y ← y + α A x.
  void multiply_add(double alpha, std::span<const double> x, std::span<double> y) const;
  /// y ← y + α Aᵀ x.
  void transpose_multiply_add(double alpha, std::span<const double> x, std::span<double> y) const;
  SparseMatrix transposed() const;
  std::vector<Triplet> triplets() const;

 private:
  Index rows_ = 0;
  Index columns_ = 0;
  std::vector<Index> row_start_ = {0};
  std::vector<Index> column_;
  std::vector<double> value_;
};

}  // namespace stickslip
