// Pairs of things that are near: a uniform grid of cells, each thing in the cell of its centre.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "generate/vector3.hpp"

namespace stickslip::internal {

/// All pairs i < j whose centres are less than `reach` apart along each axis, and perhaps some that are not;
/// sorted.
inline std::vector<std::pair<int, int>> near_pairs(const std::vector<Vector3>& centres, double reach) {
  using Cell = std::array<std::int64_t, 3>;
  std::vector<std::pair<Cell, int>> cells;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const auto at = [&](double x) { return std::int64_t(std::floor(x / reach)); };
    cells.push_back({{at(centres[i].x), at(centres[i].y), at(centres[i].z)}, int(i)});
  }
  std::sort(cells.begin(), cells.end());
  std::vector<std::pair<int, int>> pairs;
  // The cells z − 1, z, z + 1 above one (x, y) lie side by side in the sorted list.
  for (const auto& [cell, i] : cells)
    for (std::int64_t dx = -1; dx <= 1; ++dx)
      for (std::int64_t dy = -1; dy <= 1; ++dy) {
        const Cell low = {cell[0] + dx, cell[1] + dy, cell[2] - 1}, high = {low[0], low[1], cell[2] + 1};
        for (auto it = std::lower_bound(cells.begin(), cells.end(), std::pair<Cell, int>{low, -1});
             it != cells.end() && it->first <= high; ++it)
          if (it->second > i) pairs.push_back({i, it->second});
      }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace stickslip::internal
