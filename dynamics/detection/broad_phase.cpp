#include "dynamics/detection/broad_phase.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/thread_team.hpp"
#include "dynamics/detection/kept_pairs.hpp"
#include "dynamics/detection/radix_sort.hpp"

namespace stickslip::internal {
namespace {

constexpr int few_boxes = 16;                    // of a level that is compared with all boxes
constexpr std::int32_t farthest_cell = 1 << 19;  // in each direction; what lies farther shares the last cell
constexpr unsigned bins_per_octave = 8;          // of the lengths of boxes: sign, exponent and three bits
constexpr int bins = 256 * bins_per_octave;

int bin(const FlatBounds& b) {
  const float longest = std::max({b.high[0] - b.low[0], b.high[1] - b.low[1], b.high[2] - b.low[2]});
  return int(std::bit_cast<std::uint32_t>(longest) >> 20U);
}

/// The upper end of a bin.
double bin_end(int b) { return double(std::bit_cast<float>(std::uint32_t(b + 1) << 20U)); }

std::int32_t cell(float x, double per_cell) {
  return std::int32_t(
      std::floor(std::clamp(double(x) * per_cell, -double(farthest_cell), double(farthest_cell))));
}

}  // namespace

void BroadPhase::find(std::span<const FlatBounds> boxes, std::span<const std::pair<int, int>> extra,
                      ThreadTeam* team, const KeptPairs* kept) {
  choose_levels(boxes);
  for (Level& level : levels_) sort_level(boxes, level);

  // Each thread searches the neighbours of its own stretch of entries. The order of what they find does not matter.
  for (Found& found : found_) found.count = 0;
  const int threads = team ? team->size() : 1, count = int(entries_.size());
  if (int(found_.size()) < threads) found_.resize(threads);
  const auto work = [&](int thread) {
    search(int(std::int64_t(count) * thread / threads), int(std::int64_t(count) * (thread + 1) / threads),
           found_[thread]);
  };
  if (threads > 1)
    team->run(work);
  else
    work(0);
  if (kept) drop_pairs(boxes, *kept);
  order_pairs(extra, int(boxes.size()));
}

void BroadPhase::choose_levels(std::span<const FlatBounds> boxes) {
  bin_count_.assign(bins, 0);
  level_of_bin_.assign(bins, -1);
  for (const FlatBounds& b : boxes)
    if (is_there(b)) ++bin_count_[bin(b)];

  // From the longest downwards: a level takes the longest bin that is left and one octave below it.
  levels_.clear();
  few_ = 0;
  for (int top = bins - 1; top >= 0; --top) {
    if (bin_count_[top] == 0 || level_of_bin_[top] != -1) continue;
    const int bottom = std::max(0, top - int(bins_per_octave) + 1);
    std::int64_t members = 0;
    for (int b = bottom; b <= top; ++b) members += bin_count_[b];
    if (members <= few_boxes) {
      // Only the top bin: what is below may belong to a fuller level.
      level_of_bin_[top] = -2;
      few_ += int(bin_count_[top]);
      continue;
    }
    for (int b = bottom; b <= top; ++b) level_of_bin_[b] = int(levels_.size());
    Level& level = levels_.emplace_back();
    level.per_cell = 1 / bin_end(top);
    level.last = int(members);
  }
  int first = few_;
  next_.clear();
  next_.push_back(0);
  for (Level& level : levels_) {
    level.first = first;
    level.last += first;
    next_.push_back(first);
    first = level.last;
  }
  index_.resize(first);
  for (int k = 0; k < int(boxes.size()); ++k)
    if (is_there(boxes[k])) {
      const int level = level_of_bin_[bin(boxes[k])];
      index_[next_[level == -2 ? 0 : level + 1]++] = k;
    }
  entries_.resize(first);
  keys_.resize(first + 1);
  cells_.resize(first);
  key_room_.resize(first);
  index_room_.resize(first);
  for (int e = 0; e < few_; ++e) entries_[e] = boxes[index_[e]];
}

void BroadPhase::sort_level(std::span<const FlatBounds> boxes, Level& level) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  level.low = {most, most, most};
  level.high = {-most, -most, -most};
  for (int e = level.first; e < level.last; ++e) {
    const FlatBounds& b = boxes[index_[e]];
    const Cell c{cell(b.low[0], level.per_cell), cell(b.low[1], level.per_cell),
                 cell(b.low[2], level.per_cell)};
    cells_[e] = c;
    level.low = {std::min(level.low.x, c.x), std::min(level.low.y, c.y), std::min(level.low.z, c.z)};
    level.high = {std::max(level.high.x, c.x), std::max(level.high.y, c.y), std::max(level.high.z, c.z)};
  }
  // With an empty cell at both ends of a row, the neighbours of its ends are not cells of other rows.
  level.shift_y = unsigned(std::bit_width(std::uint32_t(level.high.x - level.low.x + 2)));
  level.shift_z = level.shift_y + unsigned(std::bit_width(std::uint32_t(level.high.y - level.low.y + 2)));
  for (int e = level.first; e < level.last; ++e) keys_[e] = level.key(cells_[e].x, cells_[e].y, cells_[e].z);
  const std::size_t first = std::size_t(level.first), count = std::size_t(level.last - level.first);
  const unsigned bits =
      level.shift_z + unsigned(std::bit_width(std::uint32_t(level.high.z - level.low.z + 2)));
  radix_sort({keys_.data() + first, count}, {index_.data() + first, count}, bits, key_room_, index_room_);
  for (int e = level.first; e < level.last; ++e) entries_[e] = boxes[index_[e]];
}

/// Entry e with the entries first … last − 1. Every pair is written and only hits are kept: there is nothing to predict.
void BroadPhase::test(int e, int first, int last, Found& found) const {
  const std::size_t most = found.count + std::size_t(std::max(0, last - first));
  if (most > found.pairs.size()) found.pairs.resize(2 * most + 1024);
  const FlatBounds& a = entries_[e];
  const std::uint32_t i = std::uint32_t(index_[e]);
  std::uint64_t* out = found.pairs.data() + found.count;
  for (int f = first; f < last; ++f) {
    const FlatBounds& b = entries_[f];
    const std::uint32_t j = std::uint32_t(index_[f]);
    *out = std::uint64_t(std::min(i, j)) << 32U | std::max(i, j);
    out += int(overlap(a, b)) & int(a.owner != b.owner) & int((a.moving | b.moving) != 0);
  }
  found.count = std::size_t(out - found.pairs.data());
}

void BroadPhase::search(int first, int last, Found& found) const {
  for (int e = 0; e < few_; ++e) test(e, std::max(first, e + 1), last, found);
  for (const Level& level : levels_) {
    const int from = std::max(first, level.first), to = std::min(last, level.last);
    if (from >= to) continue;
    sweep(level, from, to, found);
    // Levels come from long to short.
    for (const Level* coarse = levels_.data(); coarse != &level; ++coarse)
      search_coarser(*coarse, from, to, found);
  }
}

void BroadPhase::sweep(const Level& level, int first, int last, Found& found) const {
  // The rows that come after that of a cell: next in y, and three next in z.
  const std::uint64_t y = std::uint64_t(1) << level.shift_y, z = std::uint64_t(1) << level.shift_z;
  const std::uint64_t rows[4] = {y, z - y, z, z + y};
  int at[4];
  for (int r = 0; r < 4; ++r)
    at[r] =
        int(std::lower_bound(keys_.begin() + first, keys_.begin() + level.last, keys_[first] + rows[r] - 1) -
            keys_.begin());
  int end[4] = {at[0], at[1], at[2], at[3]}, own_end = first;
  for (int e = first; e < last; ++e) {
    const std::uint64_t key = keys_[e];
    while (own_end < level.last && keys_[own_end] <= key + 1) ++own_end;
    test(e, e + 1, own_end, found);
    for (int r = 0; r < 4; ++r) {
      const std::uint64_t from = key + rows[r] - 1, to = from + 2;
      while (at[r] < level.last && keys_[at[r]] < from) ++at[r];
      end[r] = std::max(end[r], at[r]);
      while (end[r] < level.last && keys_[end[r]] <= to) ++end[r];
      test(e, at[r], end[r], found);
    }
  }
}

void BroadPhase::search_coarser(const Level& coarse, int first, int last, Found& found) const {
  const auto begin = keys_.begin() + coarse.first, end = keys_.begin() + coarse.last;
  for (int e = first; e < last; ++e) {
    // A box of the coarse level that overlaps has its lowest corner at most one cell below that of e, and not above its
    // highest.
    const FlatBounds& b = entries_[e];
    const auto range = [&](int axis, std::int32_t low, std::int32_t high) {
      return std::pair(std::max(cell(b.low[axis], coarse.per_cell) - 1, low),
                       std::min(cell(b.high[axis], coarse.per_cell), high));
    };
    const auto [x0, x1] = range(0, coarse.low.x, coarse.high.x);
    const auto [y0, y1] = range(1, coarse.low.y, coarse.high.y);
    const auto [z0, z1] = range(2, coarse.low.z, coarse.high.z);
    if (x0 > x1) continue;
    for (std::int32_t z = z0; z <= z1; ++z)
      for (std::int32_t y = y0; y <= y1; ++y) {
        const std::uint64_t to = coarse.key(x1, y, z);
        const int from = int(std::lower_bound(begin, end, coarse.key(x0, y, z)) - keys_.begin());
        int past = from;
        while (past < coarse.last && keys_[past] <= to) ++past;
        test(e, from, past, found);
      }
  }
}

void BroadPhase::drop_pairs(std::span<const FlatBounds> boxes, const KeptPairs& kept) {
  for (Found& found : found_) {
    std::size_t count = 0;
    for (const std::uint64_t pair : found.all()) {
      found.pairs[count] = pair;
      count += std::size_t(kept.has(boxes[pair >> 32U].owner, boxes[pair & 0xffffffffU].owner));
    }
    found.count = count;
  }
}

void BroadPhase::order_pairs(std::span<const std::pair<int, int>> extra, int count) {
  const auto each = [&](const auto& visit) {
    for (const Found& found : found_)
      for (const std::uint64_t pair : found.all()) visit(int(pair >> 32U), int(pair & 0xffffffffU));
    for (const auto& [i, j] : extra) visit(i, j);
  };
  start_.assign(count + 1, 0);
  each([&](int i, int) { ++start_[i]; });
  int sum = 0;
  for (int& s : start_) {
    const int here = s;
    s = sum;
    sum += here;
  }
  partners_.resize(sum);
  next_.assign(start_.begin(), start_.end());
  each([&](int i, int j) { partners_[next_[i]++] = j; });
  for (int i = 0; i < count; ++i) {
    const auto first = partners_.begin() + start_[i], last = partners_.begin() + start_[i + 1];
    if (last - first > 32) {
      std::sort(first, last);
      continue;
    }
    for (auto k = first; k < last; ++k) {
      const int partner = *k;
      auto to = k;
      for (; to > first && to[-1] > partner; --to) *to = to[-1];
      *to = partner;
    }
  }
}

}  // namespace stickslip::internal
