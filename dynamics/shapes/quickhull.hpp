// The convex hull of points in general position, as triangles.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

struct HullTriangle {
  std::array<int, 3> corner;     ///< anticlockwise seen from outside
  std::array<int, 3> neighbour;  ///< across the side from corner k to corner k + 1
};

/// Quickhull (Barber, Dobkin, Huhdanpaa 1996) with exact predicates: a closed surface for any points of which no four lie
/// in one plane; `first` are four of them with positive volume det(p₁ − p₀, p₂ − p₀, p₃ − p₀) < 0.
std::vector<HullTriangle> quickhull(std::span<const Vector> points, const std::array<int, 4>& first);

}  // namespace stickslip::internal
