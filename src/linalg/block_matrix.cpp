#include "stickslip/block_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "base/dimension.hpp"
#include "base/large_pages.hpp"
#include "linalg/block_kernels.hpp"
#include "linalg/compressed_rows.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {

using namespace internal;

namespace {

void require_dimension(int d) {
  if (d != 2 && d != 3) throw InputError("dimension must be 2 or 3, got " + std::to_string(d));
}

}  // namespace

BlockMatrix::BlockMatrix(const SparseMatrix& A, int dimension) : dimension_(dimension) {
  require_dimension(dimension);
  if (A.rows() != A.columns())
    throw InputError("W must be square, got " + std::to_string(A.rows()) + "×" + std::to_string(A.columns()));
  if (A.rows() % dimension != 0)
    throw InputError("W has " + std::to_string(A.rows()) +
                     " rows, which is not a multiple of the dimension " + std::to_string(dimension));
  const Index n = A.rows() / dimension;
  const std::size_t size = block_size();
  diagonal_.assign(std::size_t(n) * size, 0.0);
  row_start_.assign(1, 0);
  row_start_.reserve(std::size_t(n) + 1);

  const auto start = A.row_start();
  const auto column = A.column();
  const auto value = A.value();
  std::vector<Index> present;
  for (Index i = 0; i < n; ++i) {
    // The block columns of this block row, in order.
    present.clear();
    for (Index k = start[std::size_t(i) * std::size_t(dimension)];
         k < start[std::size_t(i + 1) * std::size_t(dimension)]; ++k)
      present.push_back(column[std::size_t(k)] / dimension);
    std::sort(present.begin(), present.end());
    present.erase(std::unique(present.begin(), present.end()), present.end());
    std::erase(present, i);
    const std::size_t first = column_.size();
    column_.insert(column_.end(), present.begin(), present.end());
    blocks_.resize(column_.size() * size, 0.0);
    for (int a = 0; a < dimension; ++a) {
      std::size_t at = first;  // both lists rise, so one pointer is enough
      const auto row = std::size_t(i) * std::size_t(dimension) + std::size_t(a);
      for (Index k = start[row]; k < start[row + 1]; ++k) {
        const Index j = column[std::size_t(k)] / dimension;
        const int b = column[std::size_t(k)] % dimension;
        double* target = &diagonal_[std::size_t(i) * size];
        if (j != i) {
          while (column_[at] < j) ++at;
          target = &blocks_[at * size];
        }
        target[a + dimension * b] = value[std::size_t(k)];
      }
    }
    row_start_.push_back(static_cast<Index>(column_.size()));
  }
  pad();
}

BlockMatrix::BlockMatrix(int dimension, std::vector<Index> row_start, std::vector<Index> column,
                         std::vector<double> blocks, std::vector<double> diagonal)
    : dimension_(dimension),
      row_start_(std::move(row_start)),
      column_(std::move(column)),
      blocks_(std::move(blocks)),
      diagonal_(std::move(diagonal)) {
  require_dimension(dimension);
  if (row_start_.empty() || row_start_.front() != 0 || row_start_.back() != off_diagonal_blocks() ||
      !std::is_sorted(row_start_.begin(), row_start_.end()))
    throw InputError("row starts of a block matrix must rise from 0 to the number of blocks");
  if (blocks_.size() != column_.size() * block_size() ||
      diagonal_.size() != std::size_t(size()) * block_size())
    throw InputError("the numbers of a block matrix do not fit its pattern");
  for (Index i = 0; i < size(); ++i)
    for (Index k = row_start_[std::size_t(i)]; k < row_start_[std::size_t(i) + 1]; ++k) {
      const Index j = column_[std::size_t(k)];
      if (j < 0 || j >= size() || j == i ||
          (k > row_start_[std::size_t(i)] && column_[std::size_t(k) - 1] >= j))
        throw InputError("block columns of row " + std::to_string(i) + " must rise, without the diagonal");
    }
  pad();
}

namespace {

template <class Int>
BlockMatrix gather_bsr(int dimension, std::span<const Int> row_start, std::span<const Int> column,
                       std::span<const double> blocks, BlockLayout layout) {
  require_dimension(dimension);
  const auto d = std::size_t(dimension), area = d * d;
  const std::size_t n = row_start.size() - std::min<std::size_t>(row_start.size(), 1);
  if (n >= std::size_t(std::numeric_limits<Index>::max()) / d)
    throw InputError("the block matrix has " + std::to_string(n) + " block rows of " +
                     std::to_string(dimension) + " numbers, more than 2³¹ − 1 rows");
  const auto matrix = [&] {
    return "the matrix of " + std::to_string(n) + "×" + std::to_string(n) + " blocks";
  };
  require_compressed_rows(matrix, std::int64_t(n), row_start, column);
  if (blocks.size() != column.size() * area)
    throw InputError(matrix() + " has " + std::to_string(blocks.size()) + " numbers, expected " +
                     std::to_string(column.size() * area) + " (" + std::to_string(area) + " for each of " +
                     std::to_string(column.size()) + " blocks)");

  std::vector<Index> starts = {0}, columns;
  std::vector<double> numbers, diagonal(n * area, 0.0);
  starts.reserve(n + 1);
  columns.reserve(column.size());
  reserve_large(numbers, (column.size() + 1) * area);
  if (columns_rise(row_start, column)) {  // each block is written once
    with_dimension(dimension, [&]<int D>() {
      for (std::size_t i = 0; i < n; ++i) {
        for (auto k = std::size_t(row_start[i]); k < std::size_t(row_start[i + 1]); ++k) {
          const double* given = &blocks[k * (D * D)];
          std::array<double, D * D> block;
          for (std::size_t a = 0; a < D; ++a)
            for (std::size_t b = 0; b < D; ++b)
              block[a + D * b] = given[layout == BlockLayout::row_major ? a * D + b : a + D * b];
          if (std::size_t(column[k]) == i) {
            std::copy(block.begin(), block.end(), &diagonal[i * area]);
          } else {
            columns.push_back(Index(column[k]));
            numbers.insert(numbers.end(), block.begin(), block.end());
          }
        }
        starts.push_back(Index(columns.size()));
      }
    });
    return {dimension, std::move(starts), std::move(columns), std::move(numbers), std::move(diagonal)};
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < n; ++i) {
    order.resize(std::size_t(row_start[i + 1] - row_start[i]));
    std::iota(order.begin(), order.end(), std::size_t(row_start[i]));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return column[a] < column[b]; });
    for (std::size_t k : order) {
      const auto j = std::size_t(column[k]);
      if (j != i && (columns.size() == std::size_t(starts.back()) || columns.back() != Index(j))) {
        columns.push_back(Index(j));
        numbers.resize(numbers.size() + area, 0.0);
      }
      double* target = j == i ? &diagonal[i * area] : &numbers[numbers.size() - area];
      for (std::size_t a = 0; a < d; ++a)
        for (std::size_t b = 0; b < d; ++b)
          target[a + d * b] += blocks[k * area + (layout == BlockLayout::row_major ? a * d + b : a + d * b)];
    }
    starts.push_back(Index(columns.size()));
  }
  return {dimension, std::move(starts), std::move(columns), std::move(numbers), std::move(diagonal)};
}

}  // namespace

BlockMatrix BlockMatrix::from_bsr(int dimension, std::span<const Index> row_start,
                                  std::span<const Index> column, std::span<const double> blocks,
                                  BlockLayout layout) {
  return gather_bsr(dimension, row_start, column, blocks, layout);
}

BlockMatrix BlockMatrix::from_bsr(int dimension, std::span<const std::int64_t> row_start,
                                  std::span<const std::int64_t> column, std::span<const double> blocks,
                                  BlockLayout layout) {
  return gather_bsr(dimension, row_start, column, blocks, layout);
}

// The unused numbers at the end are zero, and prefetches beyond them do no harm.
void BlockMatrix::pad() { blocks_.resize(column_.size() * block_size() + 8, 0.0); }

void BlockMatrix::multiply(std::span<const double> r, std::span<const double> q, std::span<double> u) const {
  const auto run = [&]<int D>() {
    for_each_row<D>(*this, r.data(), q.data(), [&](Index i, const double* ui) {
      for (int c = 0; c < D; ++c) u[std::size_t(i) * D + std::size_t(c)] = ui[c];
    });
  };
  with_dimension(dimension_, run);
}

void BlockMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  multiply(x, y, y);
}

double BlockMatrix::asymmetry() const {
  const SparseMatrix A = to_sparse(), T = A.transposed();
  double difference = 0, norm = 0;
  for (double x : A.value()) norm += x * x;
  // Walk both compressed rows at once.
  for (std::size_t i = 0; i < std::size_t(A.rows()); ++i) {
    auto a = std::size_t(A.row_start()[i]), b = std::size_t(T.row_start()[i]);
    const auto a_end = std::size_t(A.row_start()[i + 1]), b_end = std::size_t(T.row_start()[i + 1]);
    while (a < a_end || b < b_end) {
      const Index ja = a < a_end ? A.column()[a] : A.columns(), jb = b < b_end ? T.column()[b] : A.columns();
      const double gap = (ja <= jb ? A.value()[a] : 0.0) - (jb <= ja ? T.value()[b] : 0.0);
      difference += gap * gap;
      if (ja <= jb) ++a;
      if (jb <= ja) ++b;
    }
  }
  return norm > 0 ? std::sqrt(difference / norm) : 0.0;
}

SparseMatrix BlockMatrix::to_sparse() const {
  std::vector<Triplet> entries;
  entries.reserve((column_.size() + std::size_t(size())) * block_size());
  const auto add = [&](Index i, Index j, const double* A) {
    for (int b = 0; b < dimension_; ++b)
      for (int a = 0; a < dimension_; ++a)
        if (const double x = A[a + dimension_ * b]; x != 0)
          entries.push_back({i * dimension_ + a, j * dimension_ + b, x});
  };
  for (Index i = 0; i < size(); ++i) {
    add(i, i, diagonal(i));
    for (Index k = row_start_[std::size_t(i)]; k < row_start_[std::size_t(i) + 1]; ++k)
      add(i, column_[std::size_t(k)], block(k));
  }
  return {size() * dimension_, size() * dimension_, entries};
}

}  // namespace stickslip
