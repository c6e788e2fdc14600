// Triangles with their neighbours and a tree of bounds over them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

struct MeshSurface {
  /// How the surface goes on beyond a side of a triangle, seen from the free side.
  enum class Side : std::uint8_t { border, flat, convex, concave };

  std::vector<Vector> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 3>>
      neighbour;  ///< across the side from corner k to corner k + 1; −1 at a border
  std::vector<std::array<Side, 3>> side;
  std::vector<Vector> normals;  ///< unit, to the free side
  std::vector<int> patch;       ///< the first triangle of those in one plane that are connected by flat sides
  std::vector<char> inner_vertex;     ///< all sides that meet there are flat
  std::vector<int> ring_start, ring;  ///< vertices joined to vertex v by an edge: ring[ring_start[v]] …

  /// Inner nodes have their first child behind them and the second at `next`; leaves hold `count` > 0 triangles from `first`
  /// on in `leaf_triangles`.
  struct Node {
    Vector low, high;
    int next = 0, first = 0, count = 0;
  };
  std::vector<Node> nodes;
  std::vector<int> leaf_triangles;

  /// Half the edges of the bounds of all triangles.
  Vector half_extent() const {
    return nodes.empty() ? Vector(Vector::Zero()) : Vector((nodes[0].high - nodes[0].low) / 2);
  }
  /// Triangles whose bounds meet the given ones, in growing order, are put into `found`.
  void query(const Vector& low, const Vector& high, std::vector<int>& found) const;
};

/// Whether a triangle has a normal: its height is not lost in rounding.
bool has_area(const Point& a, const Point& b, const Point& c);

/// Precondition: corners are there, coordinates finite. Triangles without area are left out; two triangles
/// are neighbours where they run along a side in opposite directions.
MeshSurface make_mesh_surface(const Mesh& mesh);

}  // namespace stickslip::internal
