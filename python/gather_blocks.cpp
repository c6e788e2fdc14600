#include "python/gather_blocks.hpp"

#include <algorithm>
#include <array>
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

/// Whether compressed rows (or columns) are full blocks side by side, in order, as a bsr matrix has that became csr. Then use(i, j, first, width) is
/// called for each block: row a of block row i has its numbers from first + a·width on. False where one of them is not, or something is
/// unsound; some calls may have been made.
template <int D, class Int, class Use>
bool each_full_block(Index n, std::span<const Int> start, std::span<const Int> index,
                     std::span<const double> value, Use&& use) {
  constexpr std::size_t d = D;
  const std::size_t rows = std::size_t(n) * d;
  if (start.size() != rows + 1 || start[0] != 0 || std::size_t(start[rows]) != index.size() ||
      value.size() != index.size() || !std::is_sorted(start.begin(), start.end()))
    return false;
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    const auto begin = std::size_t(start[i * d]), width = std::size_t(start[i * d + 1]) - begin;
    if (width % d != 0) return false;
    for (std::size_t a = 1; a < d; ++a)
      if (std::size_t(start[i * d + a + 1]) != begin + (a + 1) * width) return false;
    Int last = -1;
    for (std::size_t first = begin; first < begin + width; first += d) {
      const Int column = index[first];
      if (column <= last || column % D != 0 || std::size_t(column) + d > rows) return false;
      last = column;
      bool full = true;
      for (std::size_t a = 0; a < d; ++a)
        for (std::size_t b = 0; b < d; ++b) full &= index[first + a * width + b] == column + Int(b);
      if (!full) return false;
      use(i, std::size_t(column) / d, first, width);
    }
  }
  return true;
}

/// Each number is touched once.
template <int D, class Int>
std::optional<BlockMatrix> gather_full_rows(Index n, std::span<const Int> start, std::span<const Int> index,
                                            std::span<const double> value) {
  constexpr std::size_t d = D, area = d * d;
  Blocks blocks(D, n);
  blocks.column.reserve(index.size() / area);
  internal::reserve_large(blocks.numbers, index.size() + 8);
  const bool full = each_full_block<D>(
      n, start, index, value, [&](std::size_t i, std::size_t j, std::size_t first, std::size_t width) {
        std::array<double, area> block;
        for (std::size_t a = 0; a < d; ++a)
          for (std::size_t b = 0; b < d; ++b) block[a + d * b] = value[first + a * width + b];
        if (j == i) {
          std::copy(block.begin(), block.end(), &blocks.diagonal[i * area]);
        } else {
          blocks.column.push_back(Index(j));
          blocks.numbers.insert(blocks.numbers.end(), block.begin(), block.end());
          ++blocks.start[i + 1];
        }
      });
  if (!full) return {};
  for (std::size_t i = 0; i < std::size_t(n); ++i) blocks.start[i + 1] += blocks.start[i];
  return std::move(blocks).finish();
}

/// The same from columns: blocks are counted, then each goes to its row.
template <int D, class Int>
std::optional<BlockMatrix> gather_full_columns(Index n, std::span<const Int> start,
                                               std::span<const Int> index, std::span<const double> value) {
  constexpr std::size_t d = D, area = d * d;
  Blocks blocks(D, n);
  if (!each_full_block<D>(n, start, index, value,
                          [&](std::size_t j, std::size_t i, std::size_t, std::size_t) {
                            if (i != j) ++blocks.start[i + 1];
                          }))
    return {};
  for (std::size_t i = 0; i < std::size_t(n); ++i) blocks.start[i + 1] += blocks.start[i];
  blocks.reserve();
  std::vector<Index> next(blocks.start.begin(), blocks.start.end() - 1);
  for (std::size_t j = 0; j < std::size_t(n); ++j) {
    const auto begin = std::size_t(start[j * d]), width = std::size_t(start[j * d + 1]) - begin;
    for (std::size_t first = begin; first < begin + width; first += d) {
      const auto i = std::size_t(index[first]) / d;
      double* target = &blocks.diagonal[i * area];
      if (i != j) {
        const auto place = std::size_t(next[i]++);
        blocks.column[place] = Index(j);
        target = &blocks.numbers[place * area];
      }
      for (std::size_t b = 0; b < d; ++b)
        for (std::size_t a = 0; a < d; ++a) target[a + d * b] = value[first + b * width + a];
    }
  }
  return std::move(blocks).finish();
}

template <int D, class Int>
BlockMatrix gather_rows(Index n, std::span<const Int> start, std::span<const Int> index,
                        std::span<const double> value) {
  if (auto full = gather_full_rows<D>(n, start, index, value)) return std::move(*full);
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
  if (auto full = gather_full_columns<D>(n, start, index, value)) return std::move(*full);
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
