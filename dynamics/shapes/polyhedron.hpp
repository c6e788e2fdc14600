// Convex polyhedra with whole faces: corners, the loops of the faces, and the edges with the two faces that they part.
#pragma once

#include <span>
#include <vector>

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

struct Polyhedron {
  /// corner[0] → corner[1] runs anticlockwise about face[0] and clockwise about face[1], seen from outside.
  struct Edge {
    int corner[2], face[2];
  };

  std::vector<Vector> corners;
  std::vector<int> loop_start;  ///< the loop of face f is loop[loop_start[f]] … loop[loop_start[f + 1] − 1]
  std::vector<int> loop;        ///< corners of the faces, anticlockwise seen from outside
  std::vector<int> loop_edge;  ///< the edge from loop[k] to the corner after it
  std::vector<Edge> edges;
  std::vector<int> edges_start;  ///< edges of corner c: corner_edges[edges_start[c]] …
  std::vector<int> corner_edges;
  std::vector<Vector> normals;  ///< of the faces, unit, outward
  std::vector<double> areas;
  std::vector<double> widths;  ///< of the faces: twice the area over the perimeter, of a long strip its width
  std::vector<double> offsets;  ///< normal·x on the face
  Vector centre;                ///< an inner point: the centre of mass

  int face_count() const { return static_cast<int>(loop_start.size()) - 1; }
  std::span<const int> face(int f) const {
    return {loop.data() + loop_start[f], static_cast<std::size_t>(loop_start[f + 1] - loop_start[f])};
  }
};

/// Corners and loops of faces become a polyhedron. Throws InputError (beginning with `what`) where the faces do not close,
/// or enclose no volume.
Polyhedron make_polyhedron(std::vector<Vector> corners, const std::vector<std::vector<int>>& faces,
                           const char* what);

/// The same polyhedron under x ↦ F x + c, det F > 0.
Polyhedron moved(const Polyhedron& polyhedron, const Placement& placement);

Polyhedron box_polyhedron(const Vector& half_edges);

/// Hexahedron over the quadrilateral (x, y) with corners in anticlockwise order, |z| ≤ half.
Polyhedron prism(std::span<const Eigen::Vector2d> base, double half, const char* what);

/// Area vector ½ Σ xₖ × xₖ₊₁ of a closed polygon: its length is the area, its direction the normal.
Vector area_vector(std::span<const Vector> corners, std::span<const int> loop);

}  // namespace stickslip::internal
