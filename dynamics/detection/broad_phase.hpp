// Pairs of boxes that overlap, among boxes of any sizes, in a time that grows like n log n plus the number of pairs.
//
// Boxes whose longest edges differ by less than a factor of two make a level, and belong to the cell of that size that holds
// their lowest corner. Boxes of one level that overlap lie in neighbouring cells. Cells are numbered row by row and boxes
// sorted by their cell: so the neighbours in a row lie one behind the other, and the rows above are passed in the same order
// as the boxes themselves. Levels with few boxes (walls, ground) are compared with every box.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace stickslip::internal {

class ThreadTeam;
struct KeptPairs;

/// Bounds in single precision, rounded outward by the caller, relative to any common origin.
struct alignas(16) FlatBounds {
  std::array<float, 3> low;
  int owner;  ///< boxes of one owner make no pairs
  std::array<float, 3> high;
  int moving;  ///< two boxes with 0 make no pairs
};

/// Bounds with low > high are left out.
inline bool is_there(const FlatBounds& b) { return b.low[0] <= b.high[0]; }

inline bool overlap(const FlatBounds& a, const FlatBounds& b) {
#if defined(__SSE2__)
  // Three comparisons at once each; the fourth numbers are no coordinates.
  const __m128 below = _mm_cmple_ps(_mm_load_ps(a.low.data()), _mm_load_ps(b.high.data())),
               above = _mm_cmple_ps(_mm_load_ps(b.low.data()), _mm_load_ps(a.high.data()));
  return (_mm_movemask_ps(_mm_and_ps(below, above)) & 7) == 7;
#else
  return (a.low[0] <= b.high[0]) & (b.low[0] <= a.high[0]) & (a.low[1] <= b.high[1]) &
         (b.low[1] <= a.high[1]) & (a.low[2] <= b.high[2]) & (b.low[2] <= a.high[2]);
#endif
}

class BroadPhase {
 public:
  /// Finds all pairs i < j of boxes that overlap, belong to different owners, and of which one at least moves. Boxes with
  /// low > high are left out. `extra` are pairs (i, j), i < j, known already, in any order, of boxes that are left out. Of those found only the
  /// pairs stay whose owners `kept` has (null: all).
  /// Afterwards the partners j of i are those from start()[i] to start()[i + 1], in growing order.
  void find(std::span<const FlatBounds> boxes, std::span<const std::pair<int, int>> extra, ThreadTeam* team,
            const KeptPairs* kept = nullptr);

  std::span<const int> start() const { return start_; }
  std::span<const int> partners() const { return partners_; }

 private:
  struct Cell {
    std::int32_t x, y, z;
  };
  /// Entries first … last − 1, sorted by `keys`; x, y and z of a cell are packed into its key.
  struct Level {
    double per_cell = 0;
    int first = 0, last = 0;
    Cell low{}, high{};
    unsigned shift_y = 0, shift_z = 0;

    std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) const {
      return std::uint64_t(x - low.x + 1) | std::uint64_t(y - low.y + 1) << shift_y |
             std::uint64_t(z - low.z + 1) << shift_z;
    }
  };
  /// Pairs as words, lower index first; only the first `count` are there.
  struct Found {
    std::vector<std::uint64_t> pairs;
    std::size_t count = 0;

    std::span<const std::uint64_t> all() const { return {pairs.data(), count}; }
  };

  void choose_levels(std::span<const FlatBounds> boxes);
  void sort_level(std::span<const FlatBounds> boxes, Level& level);
  void search(int first, int last, Found& found) const;
  void sweep(const Level& level, int first, int last, Found& found) const;
  void search_coarser(const Level& coarse, int first, int last, Found& found) const;

  void test(int e, int first, int last, Found& found) const;
  void drop_pairs(std::span<const FlatBounds> boxes, const KeptPairs& kept);
  void order_pairs(std::span<const std::pair<int, int>> extra, int count);

  std::vector<FlatBounds> entries_;  // few ones first, then level by level
  std::vector<int> index_;           // of the box that an entry is
  std::vector<std::uint64_t> keys_;
  std::vector<Level> levels_;
  int few_ = 0;
  std::vector<std::uint32_t> bin_count_;
  std::vector<int> level_of_bin_, next_;
  std::vector<Cell> cells_;
  std::vector<std::uint64_t> key_room_;
  std::vector<int> index_room_;
  std::vector<Found> found_;
  std::vector<int> start_, partners_;
};

}  // namespace stickslip::internal
