// Shapes and rotations of scene files.

#include <fmt/format.h>

#include <filesystem>

#include "dynamics/scene/scene_table.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

double shape_number(const SceneTable& table, const char* key) {
  return table.needed(table.number(key), key, "shape");
}

Point shape_point(const SceneTable& table, const char* key) {
  return table.needed(table.point(key), key, "shape");
}

std::filesystem::path need_file(const SceneTable& table) {
  const std::filesystem::path path(table.needed(table.text("file"), "file", "shape"));
  return path.is_absolute() ? path : std::filesystem::path(table.scope().folder) / path;
}

/// Reads a file, or the shape itself: what is wrong with it is said at its key.
template <class Read>
auto reading(const SceneTable& table, const char* key, Read&& read) {
  try {
    return read();
  } catch (const InputError& error) {
    table.refuse(key, error.what());
  }
}

Compound read_compound(const SceneTable& table) {
  Compound compound;
  for (const toml::table* entry : table.tables("parts")) {
    const SceneTable part(*entry, table.scope(), table.what());
    compound.parts.push_back({.shape = read_shape(part, {"position", "rotation"}),
                              .position = part.point("position").value_or(Point{0, 0, 0}),
                              .rotation = read_rotation(part, "rotation")});
  }
  if (compound.parts.empty()) table.refuse("parts", "the shape needs 'parts'");
  return compound;
}

}  // namespace

Quaternion read_rotation(const SceneTable& owner, std::string_view key) {
  const toml::table* entry = owner.table(key);
  if (!entry) return {1, 0, 0, 0};
  const SceneTable table(*entry, owner.scope(), owner.what());
  table.allow({"axis", "angle", "quaternion"});
  if (const auto q = table.numbers("quaternion", 4)) {
    if (table.has("axis") || table.has("angle"))
      table.refuse("quaternion", "a rotation is axis and angle, or a quaternion");
    return {(*q)[0], (*q)[1], (*q)[2], (*q)[3]};
  }
  const auto axis = table.point("axis");
  const auto angle = table.number("angle");
  if (!axis || !angle) table.refuse(key, "a rotation needs axis and angle, or a quaternion");
  return reading(table, "axis", [&] { return rotation_about(*axis, *angle); });
}

Shape read_shape(const SceneTable& table, std::initializer_list<const char*> extra) {
  const auto allow = [&](std::initializer_list<const char*> own) {
    std::vector<const char*> keys(own);
    keys.push_back("kind");
    keys.insert(keys.end(), extra.begin(), extra.end());
    table.allow(keys);
  };
  const auto kind = table.choice("kind", {"sphere", "ellipsoid", "capsule", "cylinder", "box", "plane",
                                          "convex", "mesh", "pipe", "compound"});
  if (!kind) table.refuse("kind", "the shape needs a 'kind'");
  const auto checked = [&](Shape shape) {
    reading(table, "kind", [&] {
      check_shape(shape);
      return 0;
    });
    return shape;
  };
  switch (*kind) {
    case 0:
      allow({"radius"});
      return checked(Sphere{shape_number(table, "radius")});
    case 1:
      allow({"radii"});
      return checked(Ellipsoid{shape_point(table, "radii")});
    case 2:
    case 3: {
      allow({"radius", "length"});
      const double radius = shape_number(table, "radius"), length = shape_number(table, "length");
      return checked(*kind == 2 ? Shape(Capsule{radius, length}) : Shape(Cylinder{radius, length}));
    }
    case 4: {
      allow({"size"});
      const Point size = shape_point(table, "size");
      return checked(Box{size[0], size[1], size[2]});
    }
    case 5:
      allow({"normal", "offset"});
      return checked(
          Plane{table.point("normal").value_or(Point{0, 0, 1}), table.number("offset").value_or(0)});
    case 6: {
      allow({"points", "file"});
      if (table.has("points") && table.has("file")) table.refuse("file", "give 'points' or 'file', not both");
      if (const auto points = table.points("points")) return checked(Convex{*points});
      return checked(Convex{reading(table, "file", [&] { return read_points(need_file(table)); })});
    }
    case 7:
      allow({"file"});
      return checked(reading(table, "file", [&] { return read_mesh(need_file(table)); }));
    case 8:
      allow({"inner", "outer", "length", "pieces"});
      return checked(Pipe{shape_number(table, "inner"), shape_number(table, "outer"),
                          shape_number(table, "length"), int(table.whole("pieces").value_or(32))});
    default:
      allow({"parts"});
      return checked(read_compound(table));
  }
}

}  // namespace stickslip::internal
