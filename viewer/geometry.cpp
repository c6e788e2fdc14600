#include "viewer/geometry.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "dynamics/record/surface.hpp"
#include "dynamics/shapes/pieces.hpp"
#include "viewer/json_text.hpp"

namespace stickslip::viewer {

using namespace internal;

namespace {

/// Parts of one kind: the body each belongs to, where it is in the body's axes about its centre of mass, and its sizes as in Piece.
struct Column {
  std::vector<int> body;
  std::vector<double> centre, axes, size;

  void add(int owner, const Vector& c, const Matrix& R, const Vector& s) {
    body.push_back(owner);
    const Rotation q(R);
    centre.insert(centre.end(), {c[0], c[1], c[2]});
    axes.insert(axes.end(), {q.w(), q.x(), q.y(), q.z()});
    size.insert(size.end(), {s[0], s[1], s[2]});
  }
};

/// Polyhedra and meshes: corners in the body's axes about its centre of mass, polygons one after the other.
struct Polygons {
  std::vector<int> body, vertices, faces;  ///< of each: its owner, how many corners, how many polygons
  std::vector<double> corners;
  std::vector<int> sizes, loops;  ///< corners of each polygon, and which

  void add(int owner, const Surface& surface, const Vector& about) {
    body.push_back(owner);
    vertices.push_back(int(surface.vertices.size()));
    faces.push_back(int(surface.faces.size()));
    for (const Vector& v : surface.vertices)
      for (int k = 0; k < 3; ++k) corners.push_back(v[k] - about[k]);
    for (const std::vector<int>& face : surface.faces) {
      sizes.push_back(int(face.size()));
      loops.insert(loops.end(), face.begin(), face.end());
    }
  }
};

const char* column_name(PieceKind kind) {
  switch (kind) {
    case PieceKind::sphere:
      return "sphere";
    case PieceKind::ellipsoid:
      return "ellipsoid";
    case PieceKind::capsule:
      return "capsule";
    case PieceKind::cylinder:
      return "cylinder";
    case PieceKind::box:
      return "box";
    case PieceKind::plane:
      return "plane";
    default:
      return "polygons";
  }
}

Surface faces_of(const Polyhedron& polyhedron) {
  Surface surface;
  surface.vertices = polyhedron.corners;
  for (int f = 0; f < polyhedron.face_count(); ++f) {
    const auto loop = polyhedron.face(f);
    surface.faces.emplace_back(loop.begin(), loop.end());
  }
  return surface;
}

}  // namespace

std::string geometry_json(const std::vector<ShownBody>& bodies, const Vector& origin) {
  std::map<std::string, Column> columns;
  Polygons polygons;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const ShownBody& body = bodies[b];
    const int owner = int(b);
    if (body.kind == "elements") continue;  // it has vertices of its own
    if (const auto* mesh = std::get_if<Mesh>(&body.shape)) {
      polygons.add(owner, surface_of(*mesh), body.centre);
      continue;
    }
    const Pieces pieces = make_pieces(body.shape);
    for (const Piece& piece : pieces.list) {
      if (piece.kind == PieceKind::polyhedron)
        polygons.add(owner, faces_of(*piece.polyhedron), body.centre);
      else
        columns[column_name(piece.kind)].add(owner, piece.centre - body.centre, piece.axes, piece.sizes);
    }
  }
  std::string out = "\"bodies\":{\"name\":[";
  const auto listed = [&](auto&& one) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      if (b > 0) out += ',';
      one(bodies[b]);
    }
    out += ']';
  };
  const auto number = [&](double x) { out += number_text(x, 9); };
  listed([&](const ShownBody& b) { out += json_string(b.name); });
  out += ",\"kind\":[";
  listed([&](const ShownBody& b) { out += json_string(b.kind); });
  out += ",\"material\":[";
  listed([&](const ShownBody& b) { out += json_string(b.material); });
  out += ",\"mass\":[";
  listed([&](const ShownBody& b) { number(b.mass); });
  out += ",\"volume\":[";
  listed([&](const ShownBody& b) { number(b.volume); });
  out += ",\"young\":[";
  listed([&](const ShownBody& b) { number(b.young.value_or(std::nan(""))); });
  out += ",\"poisson\":[";
  listed([&](const ShownBody& b) { number(b.poisson.value_or(std::nan(""))); });
  // Where those are that stay where they are.
  std::vector<double> position, orientation;
  for (const ShownBody& b : bodies) {
    if (b.kind != "fixed") continue;
    for (int k = 0; k < 3; ++k) position.push_back(b.position[k] - origin[k]);
    orientation.insert(orientation.end(), {b.rotation.w(), b.rotation.x(), b.rotation.y(), b.rotation.z()});
  }
  out += ",\"position\":" + list_text(position, 9) + ",\"orientation\":" + list_text(orientation, 9) + "}";
  out += ",\"parts\":{";
  for (const auto& [name, c] : columns)
    out += fmt::format("{}:{{\"body\":{},\"centre\":{},\"axes\":{},\"size\":{}}},", json_string(name),
                       list_text(c.body), list_text(c.centre, 7), list_text(c.axes, 7), list_text(c.size, 7));
  out += fmt::format(
      "\"polygons\":{{\"body\":{},\"vertices\":{},\"faces\":{},\"corners\":{},\"sizes\":{},\"loops\":{}}}}}",
      list_text(polygons.body), list_text(polygons.vertices), list_text(polygons.faces),
      list_text(polygons.corners, 7), list_text(polygons.sizes), list_text(polygons.loops));
  return out;
}

}  // namespace stickslip::viewer
