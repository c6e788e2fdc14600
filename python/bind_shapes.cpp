// The shapes of bodies: Sphere, Ellipsoid, Capsule, Cylinder, Box, Plane, Convex, Mesh, Pipe, Compound.

#include <fmt/format.h>

#include "python/arguments.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/shape_input.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {
namespace {

/// A shape is checked when it is made: a wrong number is found where it is written.
template <class S>
S checked(S shape) {
  check_shape(Shape(shape));
  return shape;
}

py::tuple as_tuple(const Point& p) { return py::make_tuple(p[0], p[1], p[2]); }

std::vector<Point> points_of(const std::string& name, const py::object& source) {
  if (PyUnicode_Check(source.ptr()) || py::hasattr(source, "__fspath__"))
    return read_points(path(name, source));
  const Numbers x(name, source);
  if (x.shape().size() != 2 || x.shape()[1] != 3) throw InputError(name + " must have the shape (n, 3)");
  std::vector<Point> points(x.shape()[0]);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
  return points;
}

std::vector<std::array<int, 3>> triangles_of(const py::object& source) {
  const Numbers x("triangles", source);
  if (x.shape().size() != 2 || x.shape()[1] != 3) throw InputError("triangles must have the shape (n, 3)");
  std::vector<std::array<int, 3>> all(x.shape()[0]);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const double k = x[3 * i + c];
      if (!(k >= 0 && k < 2147483648.0) || k != double(int(k)))
        throw InputError(fmt::format("triangles: {} is no number of a vertex", k));
      all[i][c] = int(k);
    }
  return all;
}

/// A part is a shape, or (shape, position), or (shape, position, rotation).
Part part_of(py::handle value) {
  if (!py::isinstance<py::tuple>(value)) return {shape_of(value)};
  const auto given = py::reinterpret_borrow<py::tuple>(value);
  if (given.empty() || given.size() > 3)
    throw InputError("a part is a shape, (shape, position) or (shape, position, rotation)");
  Part part{shape_of(given[0])};
  if (given.size() > 1) part.position = point("position of a part", given[1]);
  if (given.size() > 2) part.rotation = rotation_of("rotation of a part", given[2]);
  return part;
}

py::dict properties(const Shape& shape) {
  const MassProperties p = mass_properties(shape);
  py::dict out;
  out["volume"] = p.volume;
  out["centre"] = copy(p.centre, {3});
  out["inertia"] = copy(p.inertia, {3, 3});
  return out;
}

template <class S>
void common(py::class_<S>& type) {
  type.def(
      "mass_properties", [](const S& shape) { return properties(Shape(shape)); },
      "Of density 1, in the axes of the shape: volume, centre of mass, inertia about it.");
}

}  // namespace

void bind_shapes(py::module_& module) {
  using namespace py::literals;
  using Object = const py::object&;
  py::class_<Sphere> sphere(module, "Sphere", "A ball about the origin.");
  sphere
      .def(py::init([](Object radius) { return checked(Sphere{number("radius", radius)}); }),
           "radius"_a = 1.0)
      .def_readonly("radius", &Sphere::radius)
      .def("__repr__", [](const Sphere& s) { return fmt::format("Sphere({})", s.radius); });
  common(sphere);

  py::class_<Ellipsoid> ellipsoid(module, "Ellipsoid", "x²/a² + y²/b² + z²/c² ≤ 1.");
  ellipsoid
      .def(py::init([](Object a, Object b, Object c) {
             return checked(Ellipsoid{{number("a", a), number("b", b), number("c", c)}});
           }),
           "a"_a = 1.0, "b"_a = 1.0, "c"_a = 1.0)
      .def_property_readonly("radii", [](const Ellipsoid& s) { return as_tuple(s.radii); })
      .def("__repr__", [](const Ellipsoid& s) {
        return fmt::format("Ellipsoid({}, {}, {})", s.radii[0], s.radii[1], s.radii[2]);
      });
  common(ellipsoid);

  py::class_<Capsule> capsule(module, "Capsule",
                              "The points within `radius` of a segment of `length` along z.");
  capsule
      .def(py::init([](Object radius, Object length) {
             return checked(Capsule{number("radius", radius), number("length", length)});
           }),
           "radius"_a = 1.0, "length"_a = 1.0)
      .def_readonly("radius", &Capsule::radius)
      .def_readonly("length", &Capsule::length)
      .def("__repr__", [](const Capsule& s) { return fmt::format("Capsule({}, {})", s.radius, s.length); });
  common(capsule);

  py::class_<Cylinder> cylinder(module, "Cylinder", "A solid cylinder along z with flat ends.");
  cylinder
      .def(py::init([](Object radius, Object length) {
             return checked(Cylinder{number("radius", radius), number("length", length)});
           }),
           "radius"_a = 1.0, "length"_a = 1.0)
      .def_readonly("radius", &Cylinder::radius)
      .def_readonly("length", &Cylinder::length)
      .def("__repr__", [](const Cylinder& s) { return fmt::format("Cylinder({}, {})", s.radius, s.length); });
  common(cylinder);

  py::class_<Box> box(module, "Box", "A box with the full edges x, y, z about the origin.");
  box.def(py::init([](Object x, Object y, Object z) {
            return checked(Box{number("x", x), number("y", y), number("z", z)});
          }),
          "x"_a = 1.0, "y"_a = 1.0, "z"_a = 1.0)
      .def_property_readonly("size",
                             [](const Box& s) {
                               return as_tuple({s.x, s.y, s.z});
                             })
      .def("__repr__", [](const Box& s) { return fmt::format("Box({}, {}, {})", s.x, s.y, s.z); });
  common(box);

  py::class_<Plane>(module, "Plane", "The half space normal·x ≤ offset, for bodies that are fixed or driven.")
      .def(py::init([](Object normal, Object offset) {
             return checked(Plane{point("normal", normal), number("offset", offset)});
           }),
           "normal"_a = py::make_tuple(0.0, 0.0, 1.0), "offset"_a = 0.0)
      .def_property_readonly("normal", [](const Plane& s) { return as_tuple(s.normal); })
      .def_readonly("offset", &Plane::offset)
      .def("__repr__", [](const Plane& s) {
        return fmt::format("Plane(({}, {}, {}), {})", s.normal[0], s.normal[1], s.normal[2], s.offset);
      });

  py::class_<Convex> convex(module, "Convex",
                            "The convex hull of points, shape (n, 3), or of the points of a file.");
  convex.def(py::init([](Object points) { return checked(Convex{points_of("points", points)}); }), "points"_a)
      .def("__repr__", [](const Convex& s) { return fmt::format("Convex of {} points", s.points.size()); });
  common(convex);

  py::class_<Mesh>(module, "Mesh",
                   "Triangles, for bodies that are fixed or driven: vertices (n, 3) and triangles (m, 3), or "
                   "an OBJ, STL or PLY file.")
      .def(py::init([](Object vertices, Object triangles) {
             if (triangles.is_none()) return checked(read_mesh(path("mesh", vertices)));
             return checked(Mesh{points_of("vertices", vertices), triangles_of(triangles)});
           }),
           "vertices"_a, "triangles"_a = py::none())
      .def("__repr__", [](const Mesh& s) { return fmt::format("Mesh of {} triangles", s.triangles.size()); });

  py::class_<Pipe> pipe(module, "Pipe", "A tube along z made of `pieces` equal convex pieces.");
  pipe.def(py::init([](Object inner, Object outer, Object length, Object pieces) {
             const long count = whole("pieces", pieces);
             if (count < 3 || count > 4096)
               throw InputError(fmt::format("pieces must lie in [3, 4096], got {}", count));
             return checked(
                 Pipe{number("inner", inner), number("outer", outer), number("length", length), int(count)});
           }),
           "inner"_a = 0.9, "outer"_a = 1.0, "length"_a = 1.0, "pieces"_a = 32)
      .def("__repr__", [](const Pipe& s) {
        return fmt::format("Pipe({}, {}, {}, {})", s.inner, s.outer, s.length, s.pieces);
      });
  common(pipe);

  py::class_<Compound> compound(
      module, "Compound",
      "Several shapes that move as one: each a shape, (shape, position) or (shape, position, rotation).");
  compound
      .def(py::init([](const py::iterable& parts) {
             Compound all;
             for (const py::handle part : parts) all.parts.push_back(part_of(part));
             return checked(std::move(all));
           }),
           "parts"_a)
      .def("__repr__", [](const Compound& s) { return fmt::format("Compound of {} parts", s.parts.size()); });
  common(compound);
}

}  // namespace stickslip::python
