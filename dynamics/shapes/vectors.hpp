// Vectors of space as the geometry uses them, and the affine maps that place a shape in the world.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>

#include "stickslip/shapes.hpp"

namespace stickslip::internal {

using Vector = Eigen::Vector3d;
using Matrix = Eigen::Matrix3d;

inline Vector vector(const Point& p) { return {p[0], p[1], p[2]}; }
inline Point point(const Vector& v) { return {v[0], v[1], v[2]}; }

/// Where a shape is: x ↦ F x + c takes its own axes to the world. F is a rotation for rigid bodies, and any matrix
/// with det F > 0 for pseudo-rigid ones.
struct Placement {
  Matrix F = Matrix::Identity();
  Vector c = Vector::Zero();

  Vector operator()(const Vector& x) const { return F * x + c; }

  /// The placement that takes the point `centre` of the shape (as a rule its centre of mass) to `position`.
  static Placement about(const Vector& centre, const Vector& position, const Matrix& F) {
    return {F, position - F * centre};
  }
};

/// Lowest and highest coordinates.
struct Bounds {
  Vector low, high;
};

}  // namespace stickslip::internal
