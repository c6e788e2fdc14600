// The order in which a step has the bodies of a scene: one that does not depend on how they are listed.
//
// Forces of contacts are often not unique (the corners of a box on a plane), and which of them a solve finds depends on the order of the contacts and
// on which body of a pair is the first. So planes come first, then what else does not move, then what moves, each by name. The words of names that move
// run from z to a, as they do in most scenes (stones before the bar on them, boxes before the ball that hits them); numbers in names rise, so that copies
// stay as they are counted. Bodies without a name are called by their numbers, and stay in the order of the list.
#pragma once

#include <vector>

#include "stickslip/scene.hpp"

namespace stickslip::internal {

struct BodyOrder {
  explicit BodyOrder(const Scene& scene);

  std::vector<int> listed;  ///< which body of the scene comes first in a step, which second, …
  std::vector<int> place;   ///< of each body of the scene
  bool as_listed = true;    ///< both are 0, 1, …

  /// The scene with its bodies in this order, all with their names.
  Scene apply(Scene scene) const;
};

}  // namespace stickslip::internal
