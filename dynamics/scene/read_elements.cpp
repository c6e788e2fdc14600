// Meshes and options of bodies of elements in scene files.

#include <fmt/format.h>

#include <filesystem>

#include "dynamics/scene/scene_table.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

template <class Make>
std::shared_ptr<const ElementMesh> known_or(const SceneTable& table, KnownMeshes& known,
                                            const std::string& key, Make&& make) {
  auto& mesh = known[key];
  if (mesh) return mesh;
  try {
    mesh = std::make_shared<const ElementMesh>(make());
  } catch (const InputError& error) {
    table.refuse("kind", error.what());
  }
  return mesh;
}

double mesh_number(const SceneTable& table, const char* key) {
  return table.needed(table.number(key), key, "mesh");
}

int mesh_count(const SceneTable& table, const char* key) {
  return int(std::clamp(table.needed(table.whole(key), key, "mesh"), -1L, 1000000L));
}

}  // namespace

std::shared_ptr<const ElementMesh> read_element_table(const SceneTable& table, KnownMeshes& known) {
  const auto kind = table.choice("kind", {"box", "cylinder", "sphere", "file"});
  if (!kind) table.refuse("kind", "the mesh needs a 'kind': box, cylinder, sphere or file");
  if (*kind == 3) {
    table.allow({"kind", "file"});
    const auto name = table.text("file");
    if (!name) table.refuse("file", "the mesh needs 'file'");
    const std::filesystem::path given(*name);
    const auto path = given.is_absolute() ? given : std::filesystem::path(table.scope().folder) / given;
    return known_or(table, known, "file " + path.string(), [&] { return read_element_mesh(path); });
  }
  const auto element =
      ElementKind(table.choice("element", {"t4", "t10", "h8"}).value_or(int(ElementKind::h8)));
  if (*kind == 0) {
    table.allow({"kind", "element", "size", "divisions"});
    const auto size = table.point("size");
    if (!size) table.refuse("size", "the mesh needs 'size'");
    const auto divisions = table.numbers("divisions", 3);
    if (!divisions) table.refuse("divisions", "the mesh needs 'divisions', three whole numbers");
    std::array<int, 3> n{};
    for (std::size_t d = 0; d < 3; ++d) n[d] = int(std::clamp((*divisions)[d], -1.0, 1e6));
    return known_or(table, known,
                    fmt::format("box {} {} {} {} {} {} {}", (*size)[0], (*size)[1], (*size)[2], n[0], n[1],
                                n[2], int(element)),
                    [&] { return block_mesh(*size, n, element); });
  }
  const double radius = mesh_number(table, "radius");
  const int across = mesh_count(table, "across");
  if (*kind == 2) {
    table.allow({"kind", "element", "radius", "across"});
    return known_or(table, known, fmt::format("sphere {} {} {}", radius, across, int(element)),
                    [&] { return sphere_mesh(radius, across, element); });
  }
  table.allow({"kind", "element", "radius", "length", "across", "along"});
  const double length = mesh_number(table, "length");
  const int along = mesh_count(table, "along");
  return known_or(table, known,
                  fmt::format("cylinder {} {} {} {} {}", radius, length, across, along, int(element)),
                  [&] { return cylinder_mesh(radius, length, across, along, element); });
}

ElementOptions read_element_options(const SceneTable& body) {
  ElementOptions options;
  options.strain = ElementStrain(body.choice("strain", {"small", "green"}).value_or(0));
  options.axes = ElementAxes(body.choice("axes", {"body", "world"}).value_or(body.has("hold") ? 1 : 0));
  options.modes = ElementModes(body.choice("modes", {"none", "incompatible"}).value_or(0));
  options.mass = ElementMass(body.choice("mass_matrix", {"lumped", "consistent"}).value_or(0));
  options.mass_damping = body.number("mass_damping").value_or(0);
  if (body.has("reduced")) {
    const SceneTable table(*body.table("reduced"), body.scope(), body.what());
    table.allow({"modes", "interface"});
    ReducedElements reduced{.modes = int(std::clamp(table.whole("modes").value_or(0), -1L, 1000000L))};
    for (const toml::table* entry : table.tables("interface")) {
      const SceneTable part(*entry, body.scope(), body.what());
      part.allow({"box"});
      const auto corners = part.points("box");
      if (!corners || corners->size() != 2)
        part.refuse("box", "'interface' needs 'box', its lowest and highest corner");
      reduced.interface.push_back({(*corners)[0], (*corners)[1]});
    }
    options.reduced = reduced;
  }
  for (const toml::table* entry : body.tables("hold")) {
    const SceneTable hold(*entry, body.scope(), body.what());
    hold.allow({"box", "axes", "velocity"});
    HeldNodes held;
    const auto corners = hold.points("box");
    if (!corners || corners->size() != 2)
      hold.refuse("box", "'hold' needs 'box', its lowest and highest corner");
    held.box = {(*corners)[0], (*corners)[1]};
    const std::string axes = hold.text("axes").value_or("xyz");
    held.axes = {false, false, false};
    for (char c : axes) {
      if (c < 'x' || c > 'z') hold.refuse("axes", fmt::format("'{}': axes are letters of xyz", axes));
      held.axes[std::size_t(c - 'x')] = true;
    }
    held.velocity = hold.signals("velocity").value_or(SignalVector{});
    options.hold.push_back(held);
  }
  return options;
}

}  // namespace stickslip::internal
