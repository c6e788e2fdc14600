// The direction of least penetration of two polyhedra that overlap.
#pragma once

#include <cstdint>

#include "dynamics/detection/placed.hpp"

namespace stickslip::internal {

/// A direction in which polyhedra are held apart: a face normal of one, or across an edge of each.
struct SeparatingAxis {
  enum class Kind : std::uint8_t { none, face_a, face_b, edges };
  Kind kind = Kind::none;
  int feature_a = 0, feature_b = 0;  ///< the face, or the edges
  Vector normal = Vector::UnitZ();   ///< unit, from a to b
  double separation = 0;             ///< negative: penetration

  /// The axis as a word that is kept from call to call; 0 for none.
  std::uint64_t word() const {
    return std::uint64_t(kind) << 60U | std::uint64_t(feature_a) << 30U | std::uint64_t(feature_b);
  }
};

/// The extreme corner in a direction.
int extreme_corner(const PlacedPolyhedron& p, const Vector& direction);

/// The face that looks most in the direction n, among those next to a corner that is farthest in it (but for 1e-6 of
/// `size`, so that rounding does not choose between the corners of an edge).
int looking_face(const PlacedPolyhedron& p, const Vector& n, double size);

/// Largest n·x over a, or least over b: how far the bodies are apart along n.
double separation_along(const PlacedPolyhedron& a, const PlacedPolyhedron& b, const Vector& n);

/// The axis of largest separation over all faces and all pairs of edges whose arcs cross on the Gauss map. The one of the
/// last call (`last`, its word) stays while no other is better by a tenth of the penetration.
SeparatingAxis separating_axis(const PlacedPolyhedron& a, const PlacedPolyhedron& b, std::uint64_t last);

}  // namespace stickslip::internal
