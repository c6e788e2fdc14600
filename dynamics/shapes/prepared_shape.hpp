// A shape made ready for detection: convex pieces, hulls, trees. Made once, shared by all bodies of the same shape.
#pragma once

#include <memory>

#include "dynamics/shapes/vectors.hpp"
#include "stickslip/shapes.hpp"

namespace stickslip::internal {

struct Pieces;  // dynamics/shapes/pieces.hpp

/// Immutable; placements are those of the shape's own axes, as in the public header.
class PreparedShape {
 public:
  explicit PreparedShape(const Shape& shape);
  ~PreparedShape();

  /// True for planes, and meshes: only obstacles may have them.
  bool is_obstacle() const;
  /// Zero for obstacles.
  const MassProperties& mass() const { return mass_; }
  /// Longest distance of a point from the centre of mass (of a mesh: of the middle of its bounds), twice; ∞ for a plane.
  double size() const { return size_; }
  /// Least extent over all directions (of a compound: of its thinnest piece): a body that moves farther
  /// in a step may jump over another. ∞ for a plane, 0 for a mesh.
  double thickness() const { return thickness_; }

  /// Bounds of the placed shape; exact but for rounding. ±∞ for a plane.
  Bounds bounds(const Placement& placement) const;
  /// A point of the placed shape that is farthest in the direction; not for planes.
  Vector support(const Placement& placement, const Vector& direction) const;

  const Pieces& pieces() const { return *pieces_; }

 private:
  MassProperties mass_;
  double size_ = 0, thickness_ = 0;
  std::unique_ptr<const Pieces> pieces_;
};

/// Throws InputError as check_shape does.
std::shared_ptr<const PreparedShape> prepare(const Shape& shape);

}  // namespace stickslip::internal
