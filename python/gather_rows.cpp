#include "python/gather_rows.hpp"

#include <string>
#include <vector>

#include "linalg/compressed_rows.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {

SparseMatrix gather_dense(const DenseView& A) {
  std::vector<Index> start = {0}, column;
  std::vector<double> value;
  start.reserve(std::size_t(A.rows) + 1);
  for (std::ptrdiff_t i = 0; i < A.rows; ++i) {
    for (std::ptrdiff_t j = 0; j < A.columns; ++j)
      if (const double x = A(i, j); x != 0) {
        column.push_back(Index(j));
        value.push_back(x);
      }
    start.push_back(Index(column.size()));
  }
  return SparseMatrix::from_csr(Index(A.rows), Index(A.columns), std::move(start), std::move(column),
                                std::move(value));
}

namespace {

template <class Int>
SparseMatrix gather(std::int64_t rows, std::int64_t columns, std::span<const Int> start,
                    std::span<const Int> row, std::span<const double> value) {
  internal::require_compressed_rows([] { return std::string("the compressed columns"); }, rows, start, row);
  if (std::int64_t(start.size()) != columns + 1 || value.size() != row.size())
    throw InputError("the arrays of the compressed columns do not fit its shape");
  // A counting sort by rows; columns come in rising order.
  std::vector<Index> row_start(std::size_t(rows) + 1, 0), column(row.size());
  std::vector<double> sorted(row.size());
  for (const Int i : row) ++row_start[std::size_t(i) + 1];
  for (std::size_t i = 0; i < std::size_t(rows); ++i) row_start[i + 1] += row_start[i];
  std::vector<Index> next(row_start.begin(), row_start.end() - 1);
  for (std::size_t j = 0; j < std::size_t(columns); ++j)
    for (auto k = std::size_t(start[j]); k < std::size_t(start[j + 1]); ++k) {
      const auto at = std::size_t(next[std::size_t(row[k])]++);
      column[at] = Index(j);
      sorted[at] = value[k];
    }
  return SparseMatrix::from_csr(Index(rows), Index(columns), std::move(row_start), std::move(column),
                                std::move(sorted));
}

}  // namespace

SparseMatrix gather_columns(std::int64_t rows, std::int64_t columns, std::span<const std::int32_t> start,
                            std::span<const std::int32_t> row, std::span<const double> value) {
  return gather(rows, columns, start, row, value);
}

SparseMatrix gather_columns(std::int64_t rows, std::int64_t columns, std::span<const std::int64_t> start,
                            std::span<const std::int64_t> row, std::span<const double> value) {
  return gather(rows, columns, start, row, value);
}

}  // namespace stickslip::python
