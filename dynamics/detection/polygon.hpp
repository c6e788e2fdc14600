// Points spread over a plane convex polygon.
#pragma once

#include <span>

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

/// Area, centroid and covariance of a plane convex polygon in the axes e₁, e₂ of its plane.
struct PolygonMoments {
  double area = 0;
  double perimeter = 0;
  Vector centroid = Vector::Zero();
  double c11 = 0, c12 = 0, c22 = 0;  ///< ∫ (x − centroid)ᵢ (x − centroid)ⱼ / area
};

PolygonMoments polygon_moments(std::span<const Vector> corners, const Vector& e1, const Vector& e2);

/// Four points that integrate, with equal weights, every polynomial of degree 2 over the area exactly:
///   x = centroid ± C^½ e₁ ± C^½ e₂,   C the covariance, C^½ its symmetric square root.
/// For a rectangle along e₁ they are the 2 × 2 Gauss points. They lie inside every convex polygon, since √2 C^½ maps
/// the unit disc into it (Kannan, Lovász, Simonovits 1995, theorem 4.1). Order: −−, +−, ++, −+.
void gauss_points(const PolygonMoments& moments, const Vector& e1, const Vector& e2, Vector points[4]);

}  // namespace stickslip::internal
