// The transposed of a matrix, and passes over its columns, shared out to threads.
#pragma once

#include <algorithm>

#include "base/pieces.hpp"
#include "base/raw_numbers.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// work(row, begin, end) for the entries begin … end of each row. The columns are cut into strips, one for each thread: what meets one
/// column comes from one thread in the order of the rows, so that sums over a column have the same bits for any number of threads.
template <class Work>
void by_columns(const SparseMatrix& A, ThreadTeam* team, const Work& work) {
  const auto strips = std::size_t(team ? team->size() : 1);
  share(team, strips, [&](std::size_t strip) {
    const auto edge = [&](std::size_t s) { return Index(std::size_t(A.columns()) * s / strips); };
    const Index from = edge(strip), to = edge(strip + 1);
    const Index* const column = A.column().data();
    for (std::size_t i = 0; i < std::size_t(A.rows()); ++i) {
      const Index *first = column + A.row_start()[i], *last = column + A.row_start()[i + 1];
      if (first == last || *first >= to || last[-1] < from) continue;
      if (*first < from) first = std::lower_bound(first, last, from);
      if (last[-1] >= to) last = std::lower_bound(first, last, to);
      work(i, std::size_t(first - column), std::size_t(last - column));
    }
  });
}

/// Aᵀ in compressed rows. Unlike SparseMatrix it can be given back while its owner lives.
struct Transposed {
  std::vector<Index> row_start;
  RawVector<Index> column;
  RawNumbers value;

  Transposed() = default;
  explicit Transposed(const SparseMatrix& A, ThreadTeam* team = nullptr) {
    row_start.assign(std::size_t(A.columns()) + 1, 0);
    by_columns(A, team, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) ++row_start[std::size_t(A.column()[k]) + 1];
    });
    for (std::size_t c = 0; c < std::size_t(A.columns()); ++c) row_start[c + 1] += row_start[c];
    column.resize(A.value().size());
    value.resize(A.value().size());
    RawVector<Index> next(row_start.begin(), row_start.end() - 1);
    by_columns(A, team, [&](std::size_t i, std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const auto place = std::size_t(next[std::size_t(A.column()[k])]++);
        column[place] = Index(i);
        value[place] = A.value()[k];
      }
    });
  }
  std::size_t rows() const { return row_start.size() - 1; }
};

}  // namespace stickslip::internal
