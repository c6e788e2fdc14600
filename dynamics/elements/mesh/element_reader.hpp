// The formats of element files. Each takes the bytes of a file and throws InputError with the place in it, without the file's name;
// nothing is allocated ahead of the bytes that fill it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/elements.hpp"

namespace stickslip::internal {

ElementMesh read_gmsh(std::string_view bytes);
ElementMesh read_abaqus(std::string_view bytes);
ElementMesh read_vtk(std::string_view bytes);

/// Gathers nodes by the numbers that a file gives them, and solids of one kind. What it refuses is said without a place.
class MeshCollector {
 public:
  /// Throws where the number is taken.
  void node(std::int64_t number, const Point& x);
  /// `nodes` are numbers of the file, in the order of ElementMesh. Throws where a solid of another kind came before.
  void element(ElementKind kind, const std::vector<std::int64_t>& nodes);
  /// The mesh with the nodes that are used, in the order in which they came. Throws where there is no solid, or a node is missing.
  ElementMesh mesh() const;

 private:
  std::map<std::int64_t, std::size_t> place_;
  std::vector<Point> nodes_;
  std::optional<ElementKind> kind_;
  std::vector<std::int64_t> elements_;
};

}  // namespace stickslip::internal
