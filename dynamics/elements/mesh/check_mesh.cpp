#include <fmt/format.h>

#include <cmath>

#include "dynamics/elements/interpolation.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {

using namespace internal;

void check_mesh(const ElementMesh& mesh) {
  const std::size_t per_element = std::size_t(nodes_of(mesh.kind));
  if (mesh.elements.empty()) throw InputError("mesh: it has no elements");
  if (mesh.elements.size() % per_element != 0)
    throw InputError(
        fmt::format("mesh: {} nodes of elements are no multiple of {}", mesh.elements.size(), per_element));
  for (std::size_t a = 0; a < mesh.nodes.size(); ++a)
    for (double x : mesh.nodes[a])
      if (!std::isfinite(x)) throw InputError(fmt::format("mesh: node {} is not finite", a));
  std::vector<char> used(mesh.nodes.size(), 0);
  for (std::size_t e = 0; e < std::size_t(mesh.count()); ++e) {
    std::array<Vector, most_nodes> X;
    for (std::size_t k = 0; k < per_element; ++k) {
      const int node = mesh.elements[e * per_element + k];
      if (node < 0 || node >= int(mesh.nodes.size()))
        throw InputError(
            fmt::format("mesh: element {} names node {}, there are {}", e, node, mesh.nodes.size()));
      used[std::size_t(node)] = 1;
      X[k] = vector(mesh.nodes[std::size_t(node)]);
    }
    const std::span<const Vector> nodes(X.data(), per_element);
    for (const auto& points : {stiffness_points(mesh.kind), mass_points(mesh.kind)})
      for (const QuadraturePoint& p : points)
        if (const Gradients g = gradients(mesh.kind, nodes, p.at); !(g.det > 0) || !std::isfinite(g.det))
          throw InputError(fmt::format(
              "mesh: element {} is turned inside out or has no volume (det J = {:.3g})", e, g.det));
  }
  for (std::size_t a = 0; a < used.size(); ++a)
    if (!used[a]) throw InputError(fmt::format("mesh: node {} belongs to no element", a));
}

}  // namespace stickslip
