// stickslip.ElementMesh: what bodies of finite elements are made of.

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "python/arguments.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "stickslip/elements.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {
namespace {

using Object = const py::object&;
using SharedMesh = std::shared_ptr<ElementMesh>;

ElementKind kind_of(Object word) { return ElementKind(choice("element", word, {"t4", "t10", "h8"})); }

int count_of(const char* name, py::handle value) {
  const long n = whole(name, value);
  if (n < 1 || n > 1000) throw InputError(fmt::format("{} must lie in [1, 1000], got {}", name, n));
  return int(n);
}

SharedMesh make_mesh(Object nodes, Object elements, Object element) {
  auto mesh = std::make_shared<ElementMesh>();
  mesh->kind = kind_of(element);
  const Numbers x("nodes", nodes), list("elements", elements);
  if (x.shape().size() != 2 || x.shape()[1] != 3) throw InputError("nodes must have the shape (n, 3)");
  const auto width = std::size_t(nodes_of(mesh->kind));
  if (list.shape().size() != 2 || list.shape()[1] != width)
    throw InputError(
        fmt::format("elements of kind {} must have the shape (n, {})", name_of(mesh->kind), width));
  for (std::size_t i = 0; i < x.size(); i += 3) mesh->nodes.push_back({x[i], x[i + 1], x[i + 2]});
  for (const double k : list) {
    if (!(k >= 0 && k < double(mesh->nodes.size())) || k != double(int(k)))
      throw InputError(fmt::format("elements: {} is no number of a node", k));
    mesh->elements.push_back(int(k));
  }
  check_mesh(*mesh);
  return mesh;
}

py::array nodes_view(Object self) {
  const auto& mesh = self.cast<const ElementMesh&>();
  static_assert(sizeof(Point) == 3 * sizeof(double));
  return view(mesh.nodes.empty() ? nullptr : mesh.nodes[0].data(), {py::ssize_t(mesh.nodes.size()), 3}, self,
              Access::read);
}

py::array elements_view(Object self) {
  const auto& mesh = self.cast<const ElementMesh&>();
  const py::ssize_t width = nodes_of(mesh.kind), each = sizeof(int);
  return view(py::dtype::of<int>(), mesh.elements.data(), {mesh.count(), width}, {each * width, each}, self,
              Access::read);
}

}  // namespace

void bind_elements(py::module_& module) {
  using namespace py::literals;
  py::class_<ElementMesh, SharedMesh> type(module, "ElementMesh",
                                           R"(Finite elements of one kind over common nodes, m.

ElementMesh(nodes, elements, element="h8"): nodes (n, 3), elements (m, 8), with "t4" (m, 4), with "t10" (m, 10), counted from 0.
Bodies that share a mesh, material and options share their matrices.

>>> import stickslip as ss
>>> mesh = ss.ElementMesh.box((0.2, 0.1, 0.1), (4, 2, 2))
>>> mesh
ElementMesh: 16 h8 elements, 45 nodes
>>> scene = ss.Scene(step=1e-3, scheme="linearly_implicit")
>>> floor = scene.add(ss.Plane(), kind="fixed")
>>> block = scene.add(mesh, kind="elements", density=1000, young=1e7, poisson=0.3, position=(0, 0, 0.05))
>>> sim = ss.Simulation(scene)
>>> sim.run(0.01), sim.node_positions(block).shape, sim.stresses(block).shape
(True, (45, 3), (16, 6))
)");
  type.def(py::init(&make_mesh), "nodes"_a, "elements"_a, "element"_a = "h8");
  type.def_static(
      "box",
      [](Object size, Object divisions, Object element) {
        const auto n = numbers("divisions", divisions, 3);
        std::array<int, 3> cells{};
        for (std::size_t d = 0; d < 3; ++d) {
          if (!(n[d] >= 1 && n[d] <= 1000) || n[d] != std::floor(n[d]))
            throw InputError(fmt::format("divisions must be whole numbers in [1, 1000], got {}", n[d]));
          cells[d] = int(n[d]);
        }
        return std::make_shared<ElementMesh>(block_mesh(point("size", size), cells, kind_of(element)));
      },
      "size"_a, "divisions"_a, "element"_a = "h8", "A box about the origin with these edges, in cells.");
  type.def_static(
      "cylinder",
      [](Object radius, Object length, Object across, Object along, Object element) {
        return std::make_shared<ElementMesh>(cylinder_mesh(number("radius", radius), number("length", length),
                                                           count_of("across", across),
                                                           count_of("along", along), kind_of(element)));
      },
      "radius"_a, "length"_a, "across"_a, "along"_a, "element"_a = "h8", "A cylinder along z.");
  type.def_static(
      "sphere",
      [](Object radius, Object across, Object element) {
        return std::make_shared<ElementMesh>(
            sphere_mesh(number("radius", radius), count_of("across", across), kind_of(element)));
      },
      "radius"_a, "across"_a, "element"_a = "h8", "A ball about the origin.");
  type.def_static(
      "read",
      [](Object source) { return std::make_shared<ElementMesh>(read_element_mesh(path("path", source))); },
      "path"_a, "A file of Gmsh (.msh), Abaqus (.inp) or VTK (.vtk).");
  type.def_property_readonly("nodes", &nodes_view, "Shape (n, 3), read-only.");
  type.def_property_readonly("elements", &elements_view, "Nodes of each element, read-only.");
  type.def_property_readonly(
      "element", [](const ElementMesh& m) { return std::string(name_of(m.kind)); }, "t4, t10 or h8.");
  type.def("__len__", &ElementMesh::count);
  type.def("__repr__", [](const ElementMesh& m) {
    return fmt::format("ElementMesh: {} {} elements, {} nodes", m.count(), name_of(m.kind), m.nodes.size());
  });
}

}  // namespace stickslip::python
