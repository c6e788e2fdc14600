// The surface of a mesh: faces that belong to one element only.
#pragma once

#include <array>
#include <vector>

#include "stickslip/elements.hpp"

namespace stickslip::internal {

/// 3, 4 or 6 nodes of the mesh; corners anticlockwise seen from outside, then those between them.
struct Facet {
  std::array<int, 6> node{};
  int nodes = 0;
  int element = 0;

  int corners() const { return nodes == 4 ? 4 : 3; }
};

struct Boundary {
  std::vector<Facet> facets;
  std::vector<int> nodes;  ///< of the surface, rising
  std::vector<int> place;  ///< of each node of the mesh in `nodes`, −1: inside
};

Boundary boundary_of(const ElementMesh& mesh);

}  // namespace stickslip::internal
