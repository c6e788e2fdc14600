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

/// Compressed sparse rows. Columns are sorted and unique within a row; explicit zeros are dropped.
class STICKSLIP_EXPORT SparseMatrix {
 public:
  SparseMatrix() = default;
  /// Adds duplicates up. Throws InputError when an index lies outside rows × columns or a value is not
  /// finite.
  SparseMatrix(Index rows, Index columns, std::span<const Triplet> entries);

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
