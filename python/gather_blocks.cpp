#include "python/gather_blocks.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/dimension.hpp"
#include "base/large_pages.hpp"
#include "linalg/compressed_rows.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {
namespace {

/// The arrays of a BlockMatrix while they are filled. Blocks are column-major.
struct Blocks {
  std::size_t d, area;
  std::vector<Index> start, column;
  std::vector<double> numbers, diagonal;

  Blocks(int dimension, Index n)
      : d(std::size_t(dimension)),
        area(d * d),
        start(std::size_t(n) + 1, 0),
        diagonal(std::size_t(n) * area) {}

  /// Makes room for start.back() blocks; the matrix itself wants eight numbers more at the end.
  void reserve() {
    column.resize(std::size_t(start.back()));
    internal::reserve_large(numbers, column.size() * area + 8);
    numbers.resize(column.size() * area);
  }
  BlockMatrix finish() && {
    return {int(d), std::move(start), std::move(column), std::move(numbers), std::move(diagonal)};
  }
};

template <class Int>
void require_sound(int dimension, Index n, std::span<const Int> start, std::span<const Int> index,
                   std::span<const double> value) {
  const std::int64_t size = std::int64_t(n) * dimension;
  internal::require_compressed_rows([] { return std::string("the matrix"); }, size, start, index);
  if (std::int64_t(start.size()) != size + 1 || value.size() != index.size())
    throw InputError("its arrays do not fit its shape");
}

/// Compressed rows (or columns) that may be full blocks side by side, in order, as a bsr matrix has that became csr: the d rows of block
/// row i then have the same columns, and row a of a block has its numbers from first + a·width(i) on.
template <int D, class Int>
struct FullBlocks {
  static constexpr std::size_t d = D;
  std::span<const Int> start, index;
  std::size_t rows;

  std::size_t begin(std::size_t i) const { return std::size_t(start[i * d]); }
  std::size_t width(std::size_t i) const { return std::size_t(start[i * d + 1]) - begin(i); }
  /// Whether the d rows of every block row have equally many numbers, a multiple of d.
  bool have_sound_starts(std::size_t numbers) const {
    if (start.size() != rows + 1 || start[0] != 0 || std::size_t(start[rows]) != index.size() ||
        numbers != index.size() || !std::is_sorted(start.begin(), start.end()))
      return false;
    for (std::size_t i = 0; i < rows / d; ++i)
      for (std::size_t a = 0; a < d; ++a)
        if (width(i) % d != 0 || std::size_t(start[i * d + a + 1]) != begin(i) + (a + 1) * width(i))
          return false;
    return true;
  }
  /// The block column of the block of block row i that begins at `first`; −1 unless it is full.
  std::ptrdiff_t column(std::size_t i, std::size_t first) const {
    const Int column = index[first];
    if (column < 0 || column % D != 0 || std::size_t(column) + d > rows) return -1;
    bool full = true;
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b < d; ++b) full &= index[first + a * width(i) + b] == column + Int(b);
    return full ? std::ptrdiff_t(column) / D : -1;
  }
};

enum class Compressed { rows, columns };

/// Each number is touched once. From columns, block (i, j) is found in column j: where the pattern is symmetric, as that of W is, the rows of
/// column i are the columns of row i, and column j is met by rising i. Nothing where blocks are not full or the pattern is not so.
template <int D, class Int>
std::optional<BlockMatrix> gather_full(Compressed by, Index n, std::span<const Int> start,
                                       std::span<const Int> index, std::span<const double> value) {
  constexpr std::size_t d = D, area = d * d;
  const FullBlocks<D, Int> full{start, index, std::size_t(n) * d};
  if (!full.have_sound_starts(value.size())) return {};
  Blocks blocks(D, n);
  blocks.column.reserve(index.size() / area);
  internal::reserve_large(blocks.numbers, index.size() + 8);
  std::vector<double> row;  // gathered in the cache: the large array grows by whole rows
  std::vector<std::size_t> next(by == Compressed::columns ? std::size_t(n) : 0);
  for (std::size_t j = 0; j < next.size(); ++j) next[j] = full.begin(j);
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    row.resize(full.width(i) * d);
    double* target = row.data();
    std::ptrdiff_t last = -1;
    for (std::size_t first = full.begin(i); first < full.begin(i) + full.width(i); first += d) {
      const std::ptrdiff_t found = full.column(i, first);
      if (found <= last) return {};
      last = found;
      const auto j = std::size_t(found);
      double* block = j == i ? &blocks.diagonal[i * area] : target;
      if (by == Compressed::columns) {
        const std::size_t at = next[j], width = full.width(j);
        if (at >= full.begin(j) + width || std::size_t(index[at]) != i * d) return {};
        next[j] += d;
        for (std::size_t b = 0; b < d; ++b)
          for (std::size_t a = 0; a < d; ++a) block[a + d * b] = value[at + b * width + a];
      } else {
        for (std::size_t a = 0; a < d; ++a)
          for (std::size_t b = 0; b < d; ++b) block[a + d * b] = value[first + a * full.width(i) + b];
      }
      if (j == i) continue;
      blocks.column.push_back(Index(j));
      target += area;
    }
    blocks.numbers.insert(blocks.numbers.end(), row.data(), target);
    blocks.start[i + 1] = Index(blocks.column.size());
  }
  return std::move(blocks).finish();
}

template <int D, class Int>
BlockMatrix gather_rows(Index n, std::span<const Int> start, std::span<const Int> index,
                        std::span<const double> value) {
  if (auto full = gather_full<D>(Compressed::rows, n, start, index, value)) return std::move(*full);
  require_sound(D, n, start, index, value);
  Blocks blocks(D, n);
  constexpr std::size_t d = D;  // known, so that no division is left
  // First how many blocks each row has: seen[j] = i where row i has met block column j.
  std::vector<Index> seen(std::size_t(n), -1), place(std::size_t(n), 0);
  for (Index i = 0; i < n; ++i) {
    const auto row = std::size_t(i);
    Index count = 0;
    for (auto k = std::size_t(start[row * d]); k < std::size_t(start[(row + 1) * d]); ++k) {
      const auto j = std::size_t(index[k]) / d;
      if (j != row && seen[j] != i) {
        seen[j] = i;
        ++count;
      }
    }
    blocks.start[row + 1] = blocks.start[row] + count;
  }
  blocks.reserve();
  std::fill(seen.begin(), seen.end(), -1);
  for (Index i = 0; i < n; ++i) {
    const auto row = std::size_t(i);
    auto at = blocks.column.begin() + blocks.start[row];
    const auto first = at;
    for (auto k = std::size_t(start[row * d]); k < std::size_t(start[(row + 1) * d]); ++k) {
      const auto j = std::size_t(index[k]) / d;
      if (j != row && seen[j] != i) {
        seen[j] = i;
        *at++ = Index(j);
      }
    }
    if (!std::is_sorted(first, at)) std::sort(first, at);
    for (auto c = first; c != at; ++c) place[std::size_t(*c)] = Index(c - blocks.column.begin());
    for (std::size_t a = 0; a < d; ++a)
      for (auto k = std::size_t(start[row * d + a]); k < std::size_t(start[row * d + a + 1]); ++k) {
        const auto j = std::size_t(index[k]) / d, b = std::size_t(index[k]) % d;
        double* target = j == row ? &blocks.diagonal[row * blocks.area]
                                  : &blocks.numbers[std::size_t(place[j]) * blocks.area];
        target[a + d * b] += value[k];
      }
  }
  return std::move(blocks).finish();
}

template <int D, class Int>
BlockMatrix gather_columns(Index n, std::span<const Int> start, std::span<const Int> index,
                           std::span<const double> value) {
  if (auto full = gather_full<D>(Compressed::columns, n, start, index, value)) return std::move(*full);
  require_sound(D, n, start, index, value);
  Blocks blocks(D, n);
  constexpr std::size_t d = D;  // known, so that no division is left
  // Block column after block column, so that the columns of each row rise: seen[i] = j where column j has met row i.
  std::vector<Index> seen(std::size_t(n), -1), place(std::size_t(n), 0);
  const auto each = [&](Index j, auto&& use) {
    const auto column = std::size_t(j);
    for (std::size_t b = 0; b < d; ++b)
      for (auto k = std::size_t(start[column * d + b]); k < std::size_t(start[column * d + b + 1]); ++k)
        use(std::size_t(index[k]) / d, std::size_t(index[k]) % d, b, k);
  };
  for (Index j = 0; j < n; ++j)
    each(j, [&](std::size_t i, std::size_t, std::size_t, std::size_t) {
      if (i == std::size_t(j) || seen[i] == j) return;
      seen[i] = j;
      ++blocks.start[i + 1];
    });
  for (std::size_t i = 0; i < std::size_t(n); ++i) blocks.start[i + 1] += blocks.start[i];
  blocks.reserve();
  std::fill(seen.begin(), seen.end(), -1);
  std::vector<Index> next(blocks.start.begin(), blocks.start.end() - 1);
  for (Index j = 0; j < n; ++j)
    each(j, [&](std::size_t i, std::size_t a, std::size_t b, std::size_t k) {
      double* target = &blocks.diagonal[i * blocks.area];
      if (i != std::size_t(j)) {
        if (seen[i] != j) {
          seen[i] = j;
          place[i] = next[i]++;
          blocks.column[std::size_t(place[i])] = j;
        }
        target = &blocks.numbers[std::size_t(place[i]) * blocks.area];
      }
      target[a + d * b] += value[k];
    });
  return std::move(blocks).finish();
}

}  // namespace

BlockMatrix gather_block_rows(int dimension, Index n, std::span<const std::int32_t> start,
                              std::span<const std::int32_t> column, std::span<const double> value) {
  return internal::with_dimension(dimension,
                                  [&]<int D>() { return gather_rows<D>(n, start, column, value); });
}

BlockMatrix gather_block_rows(int dimension, Index n, std::span<const std::int64_t> start,
                              std::span<const std::int64_t> column, std::span<const double> value) {
  return internal::with_dimension(dimension,
                                  [&]<int D>() { return gather_rows<D>(n, start, column, value); });
}

BlockMatrix gather_block_columns(int dimension, Index n, std::span<const std::int32_t> start,
                                 std::span<const std::int32_t> row, std::span<const double> value) {
  return internal::with_dimension(dimension,
                                  [&]<int D>() { return gather_columns<D>(n, start, row, value); });
}

BlockMatrix gather_block_columns(int dimension, Index n, std::span<const std::int64_t> start,
                                 std::span<const std::int64_t> row, std::span<const double> value) {
  return internal::with_dimension(dimension,
                                  [&]<int D>() { return gather_columns<D>(n, start, row, value); });
}

BlockMatrix gather_dense_blocks(int dimension, const DenseView& A) {
  const Index n = Index(A.rows / dimension);
  Blocks blocks(dimension, n);
  const auto d = std::ptrdiff_t(blocks.d);
  const auto occupied = [&](std::ptrdiff_t i, std::ptrdiff_t j) {
    for (std::ptrdiff_t a = 0; a < d; ++a)
      for (std::ptrdiff_t b = 0; b < d; ++b)
        if (A(i * d + a, j * d + b) != 0) return true;
    return false;
  };
  for (Index i = 0; i < n; ++i) {
    Index count = 0;
    for (Index j = 0; j < n; ++j) count += i != j && occupied(i, j);
    blocks.start[std::size_t(i) + 1] = blocks.start[std::size_t(i)] + count;
  }
  blocks.reserve();
  for (Index i = 0; i < n; ++i) {
    auto at = std::size_t(blocks.start[std::size_t(i)]);
    for (Index j = 0; j < n; ++j) {
      if (i != j && !occupied(i, j)) continue;
      double* target = &blocks.diagonal[std::size_t(i) * blocks.area];
      if (i != j) {
        target = &blocks.numbers[at * blocks.area];
        blocks.column[at++] = j;
      }
      for (std::ptrdiff_t a = 0; a < d; ++a)
        for (std::ptrdiff_t b = 0; b < d; ++b) target[a + d * b] = A(i * d + a, j * d + b);
    }
  }
  return std::move(blocks).finish();
}

}  // namespace stickslip::python
