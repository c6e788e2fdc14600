// The boxes among which a rank looks for the pairs that it keeps: its own, and those that come near them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "dynamics/detection/broad_phase.hpp"
#include "dynamics/detection/kept_pairs.hpp"

namespace stickslip::internal {

/// A coarse grid over the boxes of a rank knows the least extent of those that reach into a cell. A box may make a pair that is kept where it reaches
/// into a cell whose least extent is not larger than its own. What lies outside the grid belongs to its outer cells.
class NearBoxes {
 public:
  /// The same boxes, with low > high where they make no pair that is kept. Good until the next call.
  std::span<const FlatBounds> find(std::span<const FlatBounds> boxes, const KeptPairs& kept);

 private:
  struct Range {
    std::array<int, 3> first, last;
  };

  bool choose_grid(std::span<const FlatBounds> boxes, const KeptPairs& kept);
  Range cells_of(const FlatBounds& box) const;
  /// Goes on while visit(the number of a cell) is false; whether it was true.
  template <class Visit>
  bool any_cell(const Range& range, const Visit& visit) const;

  std::array<float, 3> low_{}, per_cell_{};
  std::array<int, 3> cells_{};
  std::vector<float> least_;  // by cell
  std::vector<FlatBounds> near_;
  std::vector<int> own_;
  FlatBounds around_{};  // all of them
  std::vector<float> numbers_;
};

}  // namespace stickslip::internal
