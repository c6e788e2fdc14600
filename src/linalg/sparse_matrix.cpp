#include "stickslip/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "linalg/compressed_rows.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {

using namespace internal;

SparseMatrix::SparseMatrix(Index rows, Index columns, std::span<const Triplet> entries)
    : rows_(rows), columns_(columns), row_start_(std::size_t(std::max(rows, 0)) + 1, 0) {
  if (rows < 0 || columns < 0) throw InputError("matrix with a negative size");
  for (const Triplet& e : entries) {
    const auto where = [&] { return "(" + std::to_string(e.row) + ", " + std::to_string(e.column) + ")"; };
    if (e.row < 0 || e.row >= rows || e.column < 0 || e.column >= columns)
      throw InputError("entry " + where() + " lies outside the " + std::to_string(rows) + "×" +
                       std::to_string(columns) + " matrix");
    if (!std::isfinite(e.value)) throw InputError("entry " + where() + " is " + shortest(e.value));
    ++row_start_[std::size_t(e.row) + 1];
  }
  for (std::size_t i = 0; i < std::size_t(rows); ++i) row_start_[i + 1] += row_start_[i];

  // Bucket by rows, then sort, add up and compress each row in place.
  std::vector<std::pair<Index, double>> bucket(entries.size());
  std::vector<Index> next(row_start_.begin(), row_start_.end() - 1);
  for (const Triplet& e : entries) bucket[std::size_t(next[std::size_t(e.row)]++)] = {e.column, e.value};
  column_.reserve(entries.size());
  value_.reserve(entries.size());
  for (std::size_t i = 0, begin = 0; i < std::size_t(rows); ++i) {
    const auto end = std::size_t(row_start_[i + 1]);
    std::stable_sort(bucket.begin() + long(begin), bucket.begin() + long(end),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = begin; k < end;) {
      const Index column = bucket[k].first;
      double sum = 0;
      for (; k < end && bucket[k].first == column; ++k) sum += bucket[k].second;
      if (!std::isfinite(sum))  // duplicates can overflow
        throw InputError("entry (" + std::to_string(i) + ", " + std::to_string(column) + ") is " +
                         shortest(sum));
      if (sum != 0) {
        column_.push_back(column);
        value_.push_back(sum);
      }
    }
    begin = end;
    row_start_[i + 1] = static_cast<Index>(column_.size());
  }
}

namespace {

std::string named(std::int64_t rows, std::int64_t columns) {
  return "the " + std::to_string(rows) + "×" + std::to_string(columns) + " matrix";
}

void require_value(const auto& matrix, std::size_t k, double value) {
  if (!std::isfinite(value))
    throw InputError(matrix() + ": value[" + std::to_string(k) + "] is " + shortest(value) +
                     "; it must be finite");
}

template <class Int>
void require_csr(std::int64_t rows, std::int64_t columns, std::span<const Int> row_start,
                 std::span<const Int> column, std::span<const double> value) {
  const auto matrix = [&] { return named(rows, columns); };
  if (rows < 0 || columns < 0) throw InputError(matrix() + " has a negative size");
  if (std::max(rows, columns) >= std::numeric_limits<Index>::max())
    throw InputError(matrix() + " has more than 2³¹ − 2 rows or columns");
  if (row_start.size() != std::size_t(rows) + 1)
    throw InputError(matrix() + ": row_start has " + std::to_string(row_start.size()) +
                     " numbers, expected " + std::to_string(rows + 1) + " (one more than rows)");
  require_compressed_rows(matrix, columns, row_start, column);
  if (value.size() != column.size())
    throw InputError(matrix() + ": " + std::to_string(value.size()) + " values are given, but " +
                     std::to_string(column.size()) + " columns");
  for (std::size_t k = 0; k < value.size(); ++k) require_value(matrix, k, value[k]);
}

}  // namespace

SparseMatrix SparseMatrix::from_csr(Index rows, Index columns, std::vector<Index>&& row_start,
                                    std::vector<Index>&& column, std::vector<double>&& value) {
  require_csr<Index>(rows, columns, row_start, column, value);
  if (!columns_rise<Index>(row_start, column)) {
    std::vector<Triplet> entries;
    entries.reserve(column.size());
    for (Index i = 0; i < rows; ++i)
      for (auto k = std::size_t(row_start[std::size_t(i)]); k < std::size_t(row_start[std::size_t(i) + 1]);
           ++k)
        entries.push_back({i, column[k], value[k]});
    return {rows, columns, entries};
  }
  SparseMatrix A;
  A.rows_ = rows;
  A.columns_ = columns;
  A.row_start_ = std::move(row_start);
  A.column_ = std::move(column);
  A.value_ = std::move(value);
  return A;
}

SparseMatrix SparseMatrix::from_csr(Index rows, Index columns, std::span<const Index> row_start,
                                    std::span<const Index> column, std::span<const double> value) {
  return from_csr(rows, columns, std::vector<Index>(row_start.begin(), row_start.end()),
                  std::vector<Index>(column.begin(), column.end()),
                  std::vector<double>(value.begin(), value.end()));
}

SparseMatrix SparseMatrix::from_csr(std::int64_t rows, std::int64_t columns,
                                    std::span<const std::int64_t> row_start,
                                    std::span<const std::int64_t> column, std::span<const double> value) {
  require_csr(rows, columns, row_start, column, value);  // before anything is narrowed
  return from_csr(Index(rows), Index(columns), narrow(row_start), narrow(column),
                  std::vector<double>(value.begin(), value.end()));
}

void SparseMatrix::set_values(std::span<const double> value) {
  const auto matrix = [&] { return named(rows_, columns_); };
  if (value.size() != value_.size())
    throw InputError(matrix() + ": " + std::to_string(value.size()) + " values are given, expected " +
                     std::to_string(value_.size()) + " (as many as it has entries)");
  for (std::size_t k = 0; k < value.size(); ++k) require_value(matrix, k, value[k]);
  std::copy(value.begin(), value.end(), value_.begin());
}

void SparseMatrix::multiply_add(double alpha, std::span<const double> x, std::span<double> y) const {
  for (std::size_t i = 0; i < std::size_t(rows_); ++i) {
    double sum = 0;
    for (auto k = std::size_t(row_start_[i]); k < std::size_t(row_start_[i + 1]); ++k)
      sum += value_[k] * x[std::size_t(column_[k])];
    y[i] += alpha * sum;
  }
}

void SparseMatrix::transpose_multiply_add(double alpha, std::span<const double> x,
                                          std::span<double> y) const {
  for (std::size_t i = 0; i < std::size_t(rows_); ++i) {
    const double scaled = alpha * x[i];
    for (auto k = std::size_t(row_start_[i]); k < std::size_t(row_start_[i + 1]); ++k)
      y[std::size_t(column_[k])] += value_[k] * scaled;
  }
}

SparseMatrix SparseMatrix::transposed() const {
  // Counted, then filled row by row: the columns of the result rise by themselves.
  std::vector<Index> start(std::size_t(columns_) + 1, 0), column(value_.size());
  std::vector<double> value(value_.size());
  for (Index c : column_) ++start[std::size_t(c) + 1];
  for (std::size_t c = 0; c < std::size_t(columns_); ++c) start[c + 1] += start[c];
  std::vector<Index> next(start.begin(), start.end() - 1);
  for (Index i = 0; i < rows_; ++i)
    for (auto k = std::size_t(row_start_[std::size_t(i)]); k < std::size_t(row_start_[std::size_t(i) + 1]);
         ++k) {
      const auto place = std::size_t(next[std::size_t(column_[k])]++);
      column[place] = i;
      value[place] = value_[k];
    }
  return from_csr(columns_, rows_, std::move(start), std::move(column), std::move(value));
}

std::vector<Triplet> SparseMatrix::triplets() const {
  std::vector<Triplet> entries;
  entries.reserve(value_.size());
  for (Index i = 0; i < rows_; ++i)
    for (Index k = row_start_[std::size_t(i)]; k < row_start_[std::size_t(i) + 1]; ++k)
      entries.push_back({i, column_[std::size_t(k)], value_[std::size_t(k)]});
  return entries;
}

}  // namespace stickslip
