#include "stickslip/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
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
  auto entries = triplets();
  for (Triplet& e : entries) std::swap(e.row, e.column);
  return {columns_, rows_, entries};
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
