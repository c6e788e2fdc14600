// What a shape must obey before anything is computed from it.
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/text.hpp"
#include "dynamics/shapes/hull.hpp"
#include "dynamics/shapes/mesh_surface.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/shapes.hpp"

namespace stickslip {

using internal::shortest;

namespace {

[[noreturn]] void refuse(std::string_view kind, const std::string& what) {
  throw InputError(std::string(kind) + ": " + what);
}

void finite(std::string_view kind, std::string_view name, double value) {
  if (!std::isfinite(value))
    refuse(kind, fmt::format("{} is {}, it must be a finite number", name, internal::shortest(value)));
}

void positive(std::string_view kind, std::string_view name, double value) {
  finite(kind, name, value);
  if (!(value > 0))
    refuse(kind, fmt::format("{} is {}, it must be positive", name, internal::shortest(value)));
}

void finite_points(std::string_view kind, std::string_view name, const std::vector<Point>& points) {
  for (std::size_t k = 0; k < points.size(); ++k)
    for (const double coordinate : points[k])
      if (!std::isfinite(coordinate))
        refuse(kind, fmt::format("{} {} is ({}, {}, {}), coordinates must be finite", name, k,
                                 internal::shortest(points[k][0]), internal::shortest(points[k][1]),
                                 internal::shortest(points[k][2])));
}

constexpr int deepest_compound = 16;

struct Checker {
  int depth = 0;

  void operator()(const Sphere& s) const { positive("sphere", "radius", s.radius); }
  void operator()(const Ellipsoid& e) const {
    for (const double radius : e.radii) positive("ellipsoid", "a radius", radius);
  }
  void operator()(const Capsule& c) const {
    positive("capsule", "radius", c.radius);
    finite("capsule", "length", c.length);
    if (c.length < 0)
      refuse("capsule", fmt::format("length is {}, it must not be negative", internal::shortest(c.length)));
  }
  void operator()(const Cylinder& c) const {
    positive("cylinder", "radius", c.radius);
    positive("cylinder", "length", c.length);
  }
  void operator()(const Box& b) const {
    positive("box", "edge x", b.x);
    positive("box", "edge y", b.y);
    positive("box", "edge z", b.z);
  }
  void operator()(const Plane& p) const {
    finite_points("plane", "normal", {p.normal});
    finite("plane", "offset", p.offset);
    if (!(std::hypot(p.normal[0], p.normal[1], p.normal[2]) > 0)) refuse("plane", "the normal is zero");
  }
  void operator()(const Convex& c) const {
    finite_points("convex", "point", c.points);
    internal::convex_hull(c.points, "convex");
  }
  void operator()(const Mesh& m) const {
    finite_points("mesh", "vertex", m.vertices);
    if (m.triangles.empty()) refuse("mesh", "no triangles");
    bool area = false;
    for (std::size_t t = 0; t < m.triangles.size(); ++t)
      for (const int v : m.triangles[t])
        if (v < 0 || v >= int(m.vertices.size()))
          refuse("mesh", fmt::format("triangle {} names vertex {}, there are {} (counted from 0)", t, v,
                                     m.vertices.size()));
    for (const auto& t : m.triangles)
      area = area || internal::has_area(m.vertices[t[0]], m.vertices[t[1]], m.vertices[t[2]]);
    if (!area) refuse("mesh", "no triangle has an area");
  }
  void operator()(const Pipe& p) const {
    positive("pipe", "inner radius", p.inner);
    positive("pipe", "outer radius", p.outer);
    positive("pipe", "length", p.length);
    if (!(p.inner < p.outer))
      refuse("pipe", fmt::format("inner radius {} must be less than outer radius {}",
                                 internal::shortest(p.inner), internal::shortest(p.outer)));
    if (p.pieces < 3 || p.pieces > 4096)
      refuse("pipe", fmt::format("{} pieces, from 3 to 4096 are possible", p.pieces));
    // A piece stays convex whatever the wall: its base is a trapezium.
  }
  void operator()(const Compound& c) const {
    if (c.parts.empty()) refuse("compound", "no parts");
    if (depth >= deepest_compound)
      refuse("compound", fmt::format("more than {} compounds inside each other", depth));
    for (std::size_t k = 0; k < c.parts.size(); ++k) {
      const Part& part = c.parts[k];
      const std::string name = fmt::format("compound: part {}", k);
      if (std::holds_alternative<Plane>(part.shape) || std::holds_alternative<Mesh>(part.shape))
        refuse(name, fmt::format("a {} cannot be part of a compound", kind_name(part.shape)));
      finite_points(name, "position", {part.position});
      const auto [w, x, y, z] = part.rotation;
      for (const double q : part.rotation) finite(name, "rotation", q);
      if (!(std::hypot(std::hypot(w, x), std::hypot(y, z)) > 0)) refuse(name, "the rotation is zero");
      try {
        std::visit(Checker{depth + 1}, part.shape);
      } catch (const InputError& error) {
        refuse(name, error.what());
      }
    }
  }
};

}  // namespace

std::string_view kind_name(const Shape& shape) {
  constexpr std::string_view names[] = {"sphere", "ellipsoid", "capsule", "cylinder", "box",
                                        "plane",  "convex",    "mesh",    "pipe",     "compound"};
  return names[shape.index()];
}

void check_shape(const Shape& shape) { std::visit(Checker{}, shape); }

}  // namespace stickslip
