// Files of elements, by the ending of their names.
#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "dynamics/elements/mesh/element_reader.hpp"
#include "io/files.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {
namespace internal {

void MeshCollector::node(std::int64_t number, const Point& x) {
  if (!place_.try_emplace(number, nodes_.size()).second)
    throw InputError(fmt::format("node {} comes twice", number));
  nodes_.push_back(x);
}

void MeshCollector::element(ElementKind kind, const std::vector<std::int64_t>& nodes) {
  if (kind_ && *kind_ != kind)
    throw InputError(
        fmt::format("it has {} and {} elements; a body is made of one kind", name_of(*kind_), name_of(kind)));
  kind_ = kind;
  elements_.insert(elements_.end(), nodes.begin(), nodes.end());
}

ElementMesh MeshCollector::mesh() const {
  if (!kind_) throw InputError("it has no solid elements of a known kind (t4, t10, h8)");
  ElementMesh mesh{.kind = *kind_};
  std::vector<std::size_t> at;
  std::vector<int> index(nodes_.size(), -1);
  for (std::int64_t number : elements_) {
    const auto found = place_.find(number);
    if (found == place_.end())
      throw InputError(fmt::format("an element names node {}, which is not there", number));
    at.push_back(found->second);
    index[found->second] = 0;
  }
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    if (index[k] == 0) {
      index[k] = int(mesh.nodes.size());
      mesh.nodes.push_back(nodes_[k]);
    }
  for (std::size_t k : at) mesh.elements.push_back(index[k]);
  return mesh;
}

}  // namespace internal

ElementMesh read_element_mesh(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  const auto reader = ending == ".msh"   ? internal::read_gmsh
                      : ending == ".inp" ? internal::read_abaqus
                      : ending == ".vtk" ? internal::read_vtk
                                         : nullptr;
  if (!reader)
    throw InputError(fmt::format("{}: the ending '{}' is none of .msh, .inp, .vtk", path.string(), ending));
  try {
    ElementMesh mesh = reader(internal::io::read_bytes(path));
    check_mesh(mesh);
    return mesh;
  } catch (const InputError& error) {
    throw InputError(path.string() + ": " + error.what());
  } catch (const std::bad_alloc&) {
    throw InputError(path.string() + ": needs more memory than there is");
  }
}

}  // namespace stickslip
