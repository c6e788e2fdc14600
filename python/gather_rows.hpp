// Other people's scalar matrices as compressed rows: by columns, or dense with strides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stickslip/sparse_matrix.hpp"

namespace stickslip::python {

/// A dense matrix of doubles with strides in bytes.
struct DenseView {
  const char* data;
  std::ptrdiff_t rows, columns, row_stride, column_stride;
  double operator()(std::ptrdiff_t i, std::ptrdiff_t j) const {
    return *reinterpret_cast<const double*>(data + i * row_stride + j * column_stride);
  }
};

/// Its entries that are not zero.
SparseMatrix gather_dense(const DenseView& A);

/// From compressed columns (CSC). Throws InputError as SparseMatrix::from_csr does.
SparseMatrix gather_columns(std::int64_t rows, std::int64_t columns, std::span<const std::int32_t> start,
                            std::span<const std::int32_t> row, std::span<const double> value);
SparseMatrix gather_columns(std::int64_t rows, std::int64_t columns, std::span<const std::int64_t> start,
                            std::span<const std::int64_t> row, std::span<const double> value);

}  // namespace stickslip::python
