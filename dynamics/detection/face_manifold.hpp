// Contact points of two faces that look at each other.
#pragma once

#include "dynamics/detection/clip.hpp"
#include "dynamics/detection/pairs.hpp"

namespace stickslip::internal {

/// Adds the contact points of the reference face of a and the incident face of b. The normal of a point is that of the
/// features that meet in it:
///   corner of b over the face of a: the normal of that face; corner of a over the face of b: against that of b's face;
///   edge over edge: across both; edges nearly parallel, corner at corner, or faces at more than 1° to each other: the
///   reference normal.
/// The gap is measured along that normal, between the points of both faces that lie on one line along the reference normal.
/// Returns false, and adds nothing, where the common part is thinner than `same_place` of the faces (undeformed).
bool face_manifold(const PlacedPolyhedron& a, int face_a, const PlacedPolyhedron& b, int face_b,
                   ContactPoints points, ClipSpace& space, Touches& touches);

}  // namespace stickslip::internal
