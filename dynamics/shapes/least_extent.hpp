// How thin a piece is.
#pragma once

#include "dynamics/shapes/pieces.hpp"

namespace stickslip::internal {

/// Least extent of a convex piece over all directions. Of a polyhedron: over its face normals, the true one may be
/// smaller by the factor √2 where it lies between two edges.
double least_extent(const Piece& piece);

}  // namespace stickslip::internal
