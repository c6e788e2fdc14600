// The common part of two convex polygons of a plane.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace stickslip::internal {

using Flat = Eigen::Vector2d;

/// Cuts `polygon` by the sides of `by`; both anticlockwise. What is left stays in `polygon`, empty where nothing is. `room` is used on the way.
void cut_polygon(std::vector<Flat>& polygon, std::span<const Flat> by, std::vector<Flat>& room);

/// The point (s, t) of a face with 3, 4 or 6 nodes over p, all seen in the plane; Newton's method. False: it was not found.
bool invert_face(std::span<const Flat> nodes, const Flat& p, double& s, double& t);

}  // namespace stickslip::internal
