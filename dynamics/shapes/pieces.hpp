// The convex pieces of a shape, in the shape's own axes; planes and meshes are single pieces that are not convex bodies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dynamics/shapes/mesh_surface.hpp"
#include "dynamics/shapes/moments.hpp"
#include "dynamics/shapes/polyhedron.hpp"

namespace stickslip::internal {

enum class PieceKind : std::uint8_t { sphere, capsule, ellipsoid, cylinder, box, polyhedron, plane, mesh };

/// |x − centre| and the axes give the position in the shape; what `sizes` means depends on the kind:
///   sphere     radius, –, –
///   capsule    radius, half length of the cylindrical part, –          along the third axis
///   ellipsoid  the radii along the axes
///   cylinder   radius, half length, –                                  along the third axis
///   box        half edges along the axes
///   polyhedron 1 + the face towards the hole of a tube whose piece it is, or 0, –, –
///   plane      – ; third axis: the unit normal, centre: its point nearest to the origin
struct Piece {
  PieceKind kind = PieceKind::sphere;
  Vector centre = Vector::Zero();
  Matrix axes = Matrix::Identity();  ///< columns, orthonormal
  Vector sizes = Vector::Zero();
  double radius = 0;  ///< of the smallest ball about `centre` that holds the piece; ∞ for a plane
  std::shared_ptr<const Polyhedron> polyhedron = {};  ///< of boxes and polyhedra, in the axes of the shape
};

struct Pieces {
  std::vector<Piece> list;
  std::unique_ptr<const MeshSurface> mesh;  ///< where the shape is a mesh
};

/// Precondition: the shape passed check_shape, but for hulls, which are checked here (InputError).
Pieces make_pieces(const Shape& shape);

Moments moments_of(const Piece& piece);

/// Of a convex piece under a placement of its shape: a point that is farthest in the direction.
Vector support(const Piece& piece, const Placement& placement, const Vector& direction);

/// Not for planes and meshes.
Bounds bounds(const Piece& piece, const Placement& placement);

}  // namespace stickslip::internal
