// The convex hull of a point set, with whole faces.
#pragma once

#include <span>

#include "dynamics/shapes/polyhedron.hpp"

namespace stickslip::internal {

/// What counts as one point, and as one plane, in units of the size of the point set.
inline constexpr double hull_same_point = 1e-10, hull_same_plane = 1e-7;

/// Corners are points of the set, in their order. Points that differ by less than hull_same_point become one;
/// neighbouring triangles whose corners lie within hull_same_plane of one plane become one face, so a corner that
/// bulges out of a face by less is lost. Throws InputError, beginning with `what`, for fewer than four points or a set
/// without volume.
Polyhedron convex_hull(std::span<const Point> points, const char* what);

}  // namespace stickslip::internal
