// The surface of a shape as polygons, for pictures and other programs.
#pragma once

#include <vector>

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

struct Surface {
  std::vector<Vector> vertices;         ///< in the axes of the shape
  std::vector<std::vector<int>> faces;  ///< anticlockwise from outside
};

/// Round shapes get `segments` around. A plane is a square of the given extent about its point nearest to the origin.
Surface surface_of(const Shape& shape, int segments = 24, double extent = 1);

}  // namespace stickslip::internal
