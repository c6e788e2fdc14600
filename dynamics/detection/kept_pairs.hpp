// Which pairs of shapes one rank looks at where several ranks share a detection.
#pragma once

#include <vector>

namespace stickslip::internal {

/// A pair belongs to one of its two shapes, its keeper: that of the smaller extent, of equal ones the first. So what touches everything, an obstacle
/// or a giant, has its contacts where the small shapes are that it touches.
struct KeptPairs {
  std::vector<float> extent = {};  ///< of each shape; infinite: an obstacle, never a keeper of what moves
  std::vector<char> mine = {};     ///< 1: the pairs that this shape keeps are looked at

  int keeper(int a, int b) const { return extent[std::size_t(b)] < extent[std::size_t(a)] ? b : a; }
  /// Of two shapes a < b.
  bool has(int a, int b) const { return mine[std::size_t(keeper(a, b))] != 0; }
};

}  // namespace stickslip::internal
