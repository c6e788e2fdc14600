#include "dynamics/detection/near_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip::internal {
namespace {

constexpr int most_cells = 32;            // along an axis
constexpr int outer_cells = 3;            // at each end, for those outside; the last one for what is not near
constexpr std::size_t sample_size = 512;  // boxes that the grid is chosen by
constexpr float cell_widths = 2;          // of a box, at least, in a cell
constexpr float nobody = std::numeric_limits<float>::infinity();

bool keeps(const FlatBounds& box, const KeptPairs& kept) {
  const auto shape = std::size_t(box.owner);
  return is_there(box) && kept.mine[shape] != 0 && kept.extent[shape] < nobody;
}

}  // namespace

bool NearBoxes::choose_grid(std::span<const FlatBounds> boxes, const KeptPairs& kept) {
  own_.clear();
  around_ = {{1, 1, 1}, 0, {-1, -1, -1}, 0};
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    const FlatBounds& b = boxes[k];
    if (!keeps(b, kept)) continue;
    if (own_.empty()) around_ = b;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      around_.low[axis] = std::min(around_.low[axis], b.low[axis]);
      around_.high[axis] = std::max(around_.high[axis], b.high[axis]);
    }
    own_.push_back(int(k));
  }
  if (own_.empty()) return false;
  const std::size_t count = std::min(own_.size(), sample_size);
  const auto sampled = [&](std::size_t k) -> const FlatBounds& {
    return boxes[std::size_t(own_[k * own_.size() / count])];
  };

  const auto part = [&](std::size_t at) {
    std::nth_element(numbers_.begin(), numbers_.begin() + std::ptrdiff_t(at), numbers_.end());
    return numbers_[at];
  };
  numbers_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const FlatBounds& b = sampled(k);
    numbers_.push_back(std::max({b.high[0] - b.low[0], b.high[1] - b.low[1], b.high[2] - b.low[2]}));
  }
  const float width = cell_widths * part(count / 2);
  // Nearly all of them: some that are far away must not make the cells large.
  for (std::size_t axis = 0; axis < 3; ++axis) {
    numbers_.clear();
    for (std::size_t k = 0; k < count; ++k) numbers_.push_back(sampled(k).low[axis]);
    const float low = part(count / 32), high = part(count - 1 - count / 32);
    const float cell = std::max(width, (high - low) / float(most_cells - 2 * outer_cells));
    low_[axis] = low - outer_cells * cell;
    per_cell_[axis] = 1 / cell;
    const float between = (high - low) / cell;
    constexpr int inner = most_cells - 2 * outer_cells;
    cells_[axis] = 2 * outer_cells + (between < inner ? int(between) : inner);
  }
  return true;
}

NearBoxes::Range NearBoxes::cells_of(const FlatBounds& box) const {
  Range range{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto cell = [&](float x) {
      const float at = (x - low_[axis]) * per_cell_[axis];
      return at > 0 ? int(std::min(at, float(cells_[axis] - 1))) : 0;
    };
    range.first[axis] = cell(box.low[axis]);
    range.last[axis] = cell(box.high[axis]);
  }
  return range;
}

template <class Visit>
bool NearBoxes::any_cell(const Range& range, const Visit& visit) const {
  for (int z = range.first[2]; z <= range.last[2]; ++z)
    for (int y = range.first[1]; y <= range.last[1]; ++y)
      for (int x = range.first[0]; x <= range.last[0]; ++x)
        if (visit(std::size_t((z * cells_[1] + y) * cells_[0] + x))) return true;
  return false;
}

std::span<const FlatBounds> NearBoxes::find(std::span<const FlatBounds> boxes, const KeptPairs& kept) {
  near_.assign(boxes.begin(), boxes.end());
  const bool some = choose_grid(boxes, kept);
  least_.assign(std::size_t(cells_[0] * cells_[1] * cells_[2]), nobody);
  for (const int k : own_) {
    const FlatBounds& box = boxes[std::size_t(k)];
    const float extent = kept.extent[std::size_t(box.owner)];
    any_cell(cells_of(box), [&](std::size_t cell) {
      least_[cell] = std::min(least_[cell], extent);
      return false;
    });
  }
  const auto is_near = [&](const FlatBounds& box) {
    const float extent = std::min(kept.extent[std::size_t(box.owner)], std::numeric_limits<float>::max());
    return overlap(box, around_) &&
           any_cell(cells_of(box), [&](std::size_t cell) { return least_[cell] <= extent; });
  };
  for (FlatBounds& box : near_)
    if (is_there(box) && !keeps(box, kept) && !(some && is_near(box))) box.low[0] = 1, box.high[0] = -1;
  return near_;
}

}  // namespace stickslip::internal
