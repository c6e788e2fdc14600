#include "dynamics/elements/boundary.hpp"

#include <algorithm>
#include <map>

#include "dynamics/elements/interpolation.hpp"

namespace stickslip::internal {

Boundary boundary_of(const ElementMesh& mesh) {
  // Faces by their sorted corners: those that come once are the surface.
  const auto faces = faces_of(mesh.kind);
  const int per_element = nodes_of(mesh.kind), corners = mesh.kind == ElementKind::h8 ? 4 : 3;
  std::map<std::array<int, 4>, int> seen;
  const auto key = [&](const int* element, const std::vector<int>& face) {
    std::array<int, 4> k = {-1, -1, -1, -1};
    for (int c = 0; c < corners; ++c) k[std::size_t(c)] = element[face[std::size_t(c)]];
    std::sort(k.begin(), k.end());
    return k;
  };
  for (int e = 0; e < mesh.count(); ++e)
    for (const auto& face : faces) ++seen[key(&mesh.elements[std::size_t(e * per_element)], face)];
  Boundary boundary;
  boundary.place.assign(mesh.nodes.size(), -1);
  for (int e = 0; e < mesh.count(); ++e) {
    const int* element = &mesh.elements[std::size_t(e * per_element)];
    for (const auto& face : faces) {
      if (seen[key(element, face)] != 1) continue;
      Facet facet{.nodes = int(face.size()), .element = e};
      for (std::size_t k = 0; k < face.size(); ++k) {
        facet.node[k] = element[face[k]];
        boundary.place[std::size_t(facet.node[k])] = 0;
      }
      boundary.facets.push_back(facet);
    }
  }
  for (std::size_t a = 0; a < mesh.nodes.size(); ++a)
    if (boundary.place[a] == 0) {
      boundary.place[a] = int(boundary.nodes.size());
      boundary.nodes.push_back(int(a));
    }
  return boundary;
}

}  // namespace stickslip::internal
