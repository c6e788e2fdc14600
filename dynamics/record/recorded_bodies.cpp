// A shape is a row: what kind, to which body it belongs, its sizes, where it stands in the axes of the body (parts of a compound), and
// for convex hulls and meshes a range of points and triangles.

#include "dynamics/record/recorded_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/bodies/rotation.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

const std::string root = "/stickslip/";
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Four numbers are enough for every kind.
std::array<double, 4> sizes_of(const Shape& shape) {
  struct Sizes {
    std::array<double, 4> operator()(const Sphere& s) const { return {s.radius}; }
    std::array<double, 4> operator()(const Ellipsoid& s) const {
      return {s.radii[0], s.radii[1], s.radii[2]};
    }
    std::array<double, 4> operator()(const Capsule& s) const { return {s.radius, s.length}; }
    std::array<double, 4> operator()(const Cylinder& s) const { return {s.radius, s.length}; }
    std::array<double, 4> operator()(const Box& s) const { return {s.x, s.y, s.z}; }
    std::array<double, 4> operator()(const Plane& s) const {
      return {s.normal[0], s.normal[1], s.normal[2], s.offset};
    }
    std::array<double, 4> operator()(const Pipe& s) const {
      return {s.inner, s.outer, s.length, double(s.pieces)};
    }
    std::array<double, 4> operator()(const Convex&) const { return {}; }
    std::array<double, 4> operator()(const Mesh&) const { return {}; }
    std::array<double, 4> operator()(const Compound&) const { return {}; }
  };
  return std::visit(Sizes{}, shape);
}

/// The inverse; hulls and meshes come without their points.
Shape shape_of(const std::string& kind, const double* size) {
  if (kind == "sphere") return Sphere{size[0]};
  if (kind == "ellipsoid") return Ellipsoid{{size[0], size[1], size[2]}};
  if (kind == "capsule") return Capsule{size[0], size[1]};
  if (kind == "cylinder") return Cylinder{size[0], size[1]};
  if (kind == "box") return Box{size[0], size[1], size[2]};
  if (kind == "plane") return Plane{{size[0], size[1], size[2]}, size[3]};
  if (kind == "pipe") {
    const double pieces = std::clamp(size[3], 0.0, 1e6);  // out of range: check_shape says so
    return Pipe{size[0], size[1], size[2], std::isfinite(pieces) ? int(pieces) : 0};
  }
  if (kind == "convex") return Convex{};
  if (kind == "mesh") return Mesh{};
  throw InputError(fmt::format("a shape of the record is of the kind '{}', which is not known", kind));
}

struct Columns {
  std::vector<std::int32_t> body, triangle;
  std::vector<std::string> kind;
  std::vector<double> size, position, orientation, point;
  std::vector<std::int64_t> point_start = {0}, triangle_start = {0};

  void add(std::int32_t owner, const Shape& shape, const Vector& at, const Rotation& axes) {
    if (const auto* compound = std::get_if<Compound>(&shape)) {
      for (const Part& part : compound->parts)
        add(owner, part.shape, at + axes * vector(part.position),
            axes * rotation(part.rotation).normalized());
      return;
    }
    body.push_back(owner);
    kind.emplace_back(kind_name(shape));
    const auto sizes = sizes_of(shape);
    size.insert(size.end(), sizes.begin(), sizes.end());
    position.insert(position.end(), {at[0], at[1], at[2]});
    orientation.insert(orientation.end(), {axes.w(), axes.x(), axes.y(), axes.z()});
    const auto add_points = [&](const std::vector<Point>& points) {
      for (const Point& p : points) point.insert(point.end(), p.begin(), p.end());
    };
    if (const auto* hull = std::get_if<Convex>(&shape)) add_points(hull->points);
    if (const auto* mesh = std::get_if<Mesh>(&shape)) {
      add_points(mesh->vertices);
      for (const auto& t : mesh->triangles) triangle.insert(triangle.end(), t.begin(), t.end());
    }
    point_start.push_back(std::int64_t(point.size() / 3));
    triangle_start.push_back(std::int64_t(triangle.size() / 3));
  }

  void write(GrowingFile& file) const {
    const std::uint64_t S = body.size();
    if (S == 0) return;
    const Element f64{ElementType::f64}, i64{ElementType::i64}, i32{ElementType::i32};
    const std::string group = root + "shape/";
    file.fixed(group + "body", i32, {S}, body.data());
    file.fixed(group + "kind", kind);
    file.fixed(group + "size", f64, {S, 4}, size.data());
    file.fixed(group + "position", f64, {S, 3}, position.data());
    file.fixed(group + "orientation", f64, {S, 4}, orientation.data());
    if (point.empty()) return;
    file.fixed(group + "point_start", i64, {S + 1}, point_start.data());
    file.fixed(group + "point", f64, {point.size() / 3, 3}, point.data());
    if (triangle.empty()) return;
    file.fixed(group + "triangle_start", i64, {S + 1}, triangle_start.data());
    file.fixed(group + "triangle", i32, {triangle.size() / 3, 3}, triangle.data());
  }
};

/// The first number that the body or its material has.
double material_number(const Scene& scene, const SceneBody& body, std::optional<double> SceneBody::*own,
                       std::optional<double> Material::*common) {
  if (body.*own) return *(body.*own);
  for (const Material& material : scene.materials)
    if (material.name == body.material && material.*common) return *(material.*common);
  return unknown;
}

void need(bool good, const char* what) {
  if (!good) throw InputError(fmt::format("the columns of its {} do not fit each other", what));
}

/// Whether these are S + 1 numbers that rise from 0 to `last`.
bool rises(const std::vector<std::int64_t>& start, std::size_t S, std::size_t last) {
  return start.size() == S + 1 && start.front() == 0 && start.back() == std::int64_t(last) &&
         std::is_sorted(start.begin(), start.end());
}

/// Puts the shapes of the record into the bodies: one shape at the origin as it is, others as a compound.
void read_shapes(const RecordReader& record, std::vector<RecordedBody>& bodies) {
  const std::string group = root + "shape/";
  if (!record.has(group + "body")) return;
  const auto owner = record.integers(group + "body");
  const auto kind = record.texts(group + "kind");
  const auto size = record.doubles(group + "size"), position = record.doubles(group + "position"),
             orientation = record.doubles(group + "orientation");
  const std::size_t S = owner.size();
  need(kind.size() == S && size.size() == 4 * S && position.size() == 3 * S && orientation.size() == 4 * S,
       "shapes");
  std::vector<double> point;
  std::vector<std::int64_t> point_start(S + 1, 0), triangle_start(S + 1, 0), triangle;
  if (record.has(group + "point")) {
    point = record.doubles(group + "point");
    point_start = record.integers(group + "point_start");
  }
  if (record.has(group + "triangle")) {
    triangle = record.integers(group + "triangle");
    triangle_start = record.integers(group + "triangle_start");
  }
  need(rises(point_start, S, point.size() / 3) && rises(triangle_start, S, triangle.size() / 3), "shapes");
  std::vector<Compound> parts(bodies.size());
  for (std::size_t s = 0; s < S; ++s) {
    need(owner[s] >= 0 && std::size_t(owner[s]) < bodies.size(), "shapes");
    Part part{.shape = shape_of(kind[s], &size[4 * s]),
              .position = {position[3 * s], position[3 * s + 1], position[3 * s + 2]},
              .rotation = {orientation[4 * s], orientation[4 * s + 1], orientation[4 * s + 2],
                           orientation[4 * s + 3]}};
    std::vector<Point> points;
    for (auto k = std::size_t(point_start[s]); k < std::size_t(point_start[s + 1]); ++k)
      points.push_back({point[3 * k], point[3 * k + 1], point[3 * k + 2]});
    if (auto* hull = std::get_if<Convex>(&part.shape)) {
      hull->points = std::move(points);
    } else if (auto* mesh = std::get_if<Mesh>(&part.shape)) {
      mesh->vertices = std::move(points);
      for (auto k = std::size_t(triangle_start[s]); k < std::size_t(triangle_start[s + 1]); ++k)
        mesh->triangles.push_back({int(triangle[3 * k]), int(triangle[3 * k + 1]), int(triangle[3 * k + 2])});
    }
    check_shape(part.shape);
    parts[std::size_t(owner[s])].parts.push_back(std::move(part));
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    auto& own = parts[b].parts;
    if (own.empty()) continue;
    const bool in_place = own.size() == 1 && own[0].position == Point{0, 0, 0} &&
                          own[0].rotation == std::array<double, 4>{1, 0, 0, 0};
    bodies[b].shape = in_place ? std::move(own[0].shape) : Shape(std::move(parts[b]));
  }
}

ElementKind element_kind(const std::string& word) {
  for (const ElementKind kind : {ElementKind::t4, ElementKind::t10, ElementKind::h8})
    if (name_of(kind) == word) return kind;
  throw InputError(fmt::format("elements of kind '{}' are not known; t4, t10, h8 are", word));
}

void read_meshes(const RecordReader& record, std::vector<RecordedBody>& bodies) {
  const std::string group = root + "elements/";
  if (!record.has(group + "body")) return;
  const auto owner = record.integers(group + "body"), list = record.integers(group + "list");
  const auto kind = record.texts(group + "kind");
  const auto rest = record.doubles(group + "rest");
  const auto node_start = record.integers(group + "node_start"),
             list_start = record.integers(group + "list_start");
  const std::size_t E = owner.size();
  need(kind.size() == E && rises(node_start, E, rest.size() / 3) && rises(list_start, E, list.size()),
       "elements");
  for (std::size_t e = 0; e < E; ++e) {
    need(owner[e] >= 0 && std::size_t(owner[e]) < bodies.size(), "elements");
    auto mesh = std::make_shared<ElementMesh>();
    mesh->kind = element_kind(kind[e]);
    for (auto k = std::size_t(node_start[e]); k < std::size_t(node_start[e + 1]); ++k)
      mesh->nodes.push_back({rest[3 * k], rest[3 * k + 1], rest[3 * k + 2]});
    for (auto k = std::size_t(list_start[e]); k < std::size_t(list_start[e + 1]); ++k) {
      need(list[k] >= 0 && list[k] < std::int64_t(mesh->nodes.size()), "elements");
      mesh->elements.push_back(int(list[k]));
    }
    need(mesh->elements.size() % std::size_t(nodes_of(mesh->kind)) == 0, "elements");
    bodies[std::size_t(owner[e])].mesh = std::move(mesh);
  }
}

}  // namespace

std::string kind_word(BodyKind kind) {
  switch (kind) {
    case BodyKind::fixed:
      return "fixed";
    case BodyKind::driven:
      return "driven";
    case BodyKind::rigid:
      return "rigid";
    case BodyKind::pseudo_rigid:
      return "pseudo_rigid";
    case BodyKind::elements:
      return "elements";
  }
  return "";
}

std::string recorded_name(const SceneBody& body, std::size_t number) {
  return body.name.empty() ? fmt::format("body{}", number) : body.name;
}

void lay_out_bodies(GrowingFile& file, const Simulation& simulation, const std::vector<BodyIndex>& moving) {
  const Scene& scene = simulation.scene();
  const Element f64{ElementType::f64};
  std::vector<BodyIndex> order = moving;
  for (const BodyKind kind : {BodyKind::driven, BodyKind::fixed})
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
      if (scene.bodies[b].kind == kind) order.push_back(BodyIndex(b));

  Columns shapes;
  std::vector<std::string> names, kinds, materials, obstacle_materials;
  std::vector<double> masses, young, poisson, position, orientation;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const BodyIndex index = order[k];
    const SceneBody& body = scene.bodies[std::size_t(index)];
    if (body.kind != BodyKind::elements)
      shapes.add(std::int32_t(k), body.shape, Vector::Zero(), Rotation::Identity());
    names.push_back(recorded_name(body, std::size_t(index)));
    kinds.push_back(kind_word(body.kind));
    materials.push_back(body.material);
    if (k < moving.size()) {
      masses.push_back(simulation.mass(index));
      young.push_back(material_number(scene, body, &SceneBody::young, &Material::young));
      poisson.push_back(material_number(scene, body, &SceneBody::poisson, &Material::poisson));
    } else {
      const Point& x = simulation.position(index);
      const Quaternion& q = simulation.orientation(index);
      position.insert(position.end(), x.begin(), x.end());
      orientation.insert(orientation.end(), q.begin(), q.end());
    }
  }
  const auto part = [&](const std::vector<std::string>& all, std::size_t first, std::size_t last) {
    return std::vector<std::string>(all.begin() + std::ptrdiff_t(first), all.begin() + std::ptrdiff_t(last));
  };
  const std::size_t B = moving.size(), O = order.size() - B;
  file.fixed(root + "gravity", f64, {3}, scene.gravity.data());
  file.fixed(root + "body/name", part(names, 0, B));
  file.fixed(root + "body/kind", part(kinds, 0, B));
  file.fixed(root + "body/material", part(materials, 0, B));
  file.fixed(root + "body/mass", f64, {B}, masses.data());
  file.fixed(root + "body/young", f64, {B}, young.data());
  file.fixed(root + "body/poisson", f64, {B}, poisson.data());
  if (O > 0) {
    file.fixed(root + "obstacle/name", part(names, B, B + O));
    file.fixed(root + "obstacle/kind", part(kinds, B, B + O));
    file.fixed(root + "obstacle/material", part(materials, B, B + O));
    file.fixed(root + "obstacle/position", f64, {O, 3}, position.data());
    file.fixed(root + "obstacle/orientation", f64, {O, 4}, orientation.data());
  }
  shapes.write(file);
}

std::vector<RecordedBody> read_bodies(const RecordReader& record) {
  std::vector<RecordedBody> bodies;
  const auto read = [&](const std::string& group) {
    const auto names = record.texts(group + "name"), kinds = record.texts(group + "kind"),
               materials = record.texts(group + "material");
    need(kinds.size() == names.size() && materials.size() == names.size(), "bodies");
    for (std::size_t b = 0; b < names.size(); ++b)
      bodies.push_back({.name = names[b], .kind = kinds[b], .material = materials[b]});
  };
  read(root + "body/");
  const std::size_t B = bodies.size();
  const auto young = record.doubles(root + "body/young"), poisson = record.doubles(root + "body/poisson");
  need(young.size() == B && poisson.size() == B, "bodies");
  for (std::size_t b = 0; b < B; ++b) {
    if (!std::isnan(young[b])) bodies[b].young = young[b];
    if (!std::isnan(poisson[b])) bodies[b].poisson = poisson[b];
  }
  if (record.has(root + "obstacle/name")) {
    read(root + "obstacle/");
    const auto position = record.doubles(root + "obstacle/position"),
               orientation = record.doubles(root + "obstacle/orientation");
    const std::size_t O = bodies.size() - B;
    need(position.size() == 3 * O && orientation.size() == 4 * O, "obstacles");
    for (std::size_t k = 0; k < O; ++k) {
      std::copy_n(&position[3 * k], 3, bodies[B + k].position.begin());
      std::copy_n(&orientation[4 * k], 4, bodies[B + k].rotation.begin());
    }
  }
  read_shapes(record, bodies);
  read_meshes(record, bodies);
  return bodies;
}

}  // namespace stickslip::internal
