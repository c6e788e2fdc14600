// The shapes of bodies, as plain values: what they are made of, their mass properties, and files of points and
// triangles. Lengths in metres, each shape in its own axes.
#pragma once

#include <array>
#include <filesystem>
#include <string_view>
#include <variant>
#include <vector>

#include "stickslip/export.hpp"

namespace stickslip {

/// A point or a vector of space.
using Point = std::array<double, 3>;

/// A ball about the origin.
struct Sphere {
  double radius = 1;  ///< > 0
};

/// x²/a² + y²/b² + z²/c² ≤ 1 with the radii a, b, c.
struct Ellipsoid {
  Point radii = {1, 1, 1};  ///< > 0
};

/// The points within `radius` of the segment from (0, 0, −length/2) to (0, 0, length/2).
struct Capsule {
  double radius = 1;  ///< > 0
  double length = 1;  ///< of the cylindrical part, ≥ 0; the whole is length + 2 radius long
};

/// A solid cylinder along z, |z| ≤ length/2, with flat ends.
struct Cylinder {
  double radius = 1;  ///< > 0
  double length = 1;  ///< > 0
};

/// |x| ≤ x/2 and so on: the full edges, the origin at its centre.
struct Box {
  double x = 1, y = 1, z = 1;  ///< > 0
};

/// The half space normal·x ≤ offset, for bodies that are fixed or driven. The normal need not have length 1:
/// the plane is that of the points with normal·x = offset.
struct Plane {
  Point normal = {0, 0, 1};  ///< not zero
  double offset = 0;
};

/// The convex hull of points. At least four, not all in one plane.
struct Convex {
  std::vector<Point> points = {};
};

/// Triangles, for bodies that are fixed or driven. They are solid behind and free in front: seen from the free
/// side the corners turn anticlockwise. The surface may be open and concave.
struct Mesh {
  std::vector<Point> vertices = {};
  std::vector<std::array<int, 3>> triangles = {};  ///< vertices, counted from 0
};

/// A tube along z, |z| ≤ length/2, made of `pieces` equal convex pieces side by side. Each piece has four corners in
/// the plane of an end, on the circles of radius `inner` and `outer`: so the hole is the regular polygon with
/// its corners at `inner`, and its faces are at inner·cos(π/pieces) from the axis. The first two pieces meet at y = 0,
/// x > 0.
struct Pipe {
  double inner = 0.9, outer = 1;  ///< 0 < inner < outer
  double length = 1;              ///< > 0
  int pieces = 32;                ///< from 3 to 4096
};

struct Part;

/// Several shapes that move as one. Parts may touch and overlap; where they overlap mass counts twice.
struct Compound {
  std::vector<Part> parts;  ///< at least one; no planes and no meshes
};

using Shape = std::variant<Sphere, Ellipsoid, Capsule, Cylinder, Box, Plane, Convex, Mesh, Pipe, Compound>;

/// A shape put somewhere in the axes of a compound: x ↦ R x + position.
struct Part {
  Shape shape = Sphere{};
  Point position = {0, 0, 0};
  std::array<double, 4> rotation = {1, 0, 0,
                                    0};  ///< R as a quaternion w, x, y, z; not zero, need not have length 1
};

/// Integrals over a shape of density 1, in closed form (polyhedra: exact polynomial integration).
struct MassProperties {
  double volume = 0;
  Point centre = {0, 0, 0};            ///< of mass, in the axes of the shape
  std::array<double, 9> euler = {};    ///< E₀ = ∫ x⊗x dV about the centre of mass, by rows
  std::array<double, 9> inertia = {};  ///< tr(E₀) I − E₀, by rows
};

/// "sphere", "ellipsoid", …: the word that scenes use.
STICKSLIP_EXPORT std::string_view kind_name(const Shape& shape);

/// Throws InputError where a number is not finite or out of its range, a point set has no volume, a triangle names a
/// vertex that is not there, and so on. The message begins with the kind of the shape.
STICKSLIP_EXPORT void check_shape(const Shape& shape);

/// Throws InputError as check_shape does, and for planes and meshes, which have no mass.
STICKSLIP_EXPORT MassProperties mass_properties(const Shape& shape);

/// Lowest and highest coordinates in the axes of the shape; ±∞ for a plane. Throws as check_shape does.
STICKSLIP_EXPORT std::array<Point, 2> bounds(const Shape& shape);

/// Reads triangles from an OBJ, STL or PLY file, by the ending of its name (.obj, .stl, .ply in any case): text and
/// binary STL, PLY as text and as binary of either byte order. Polygons are cut into triangles; vertices of an STL
/// file that are equal to the bit become one. Throws InputError with the path and the place in the file; no file, however
/// damaged, does worse.
STICKSLIP_EXPORT Mesh read_mesh(const std::filesystem::path& path);

/// The points of a file for a Convex: the vertices of a mesh file, or, with any other ending, text with three numbers
/// a line (empty lines and lines that begin with # are left out). Throws as read_mesh does.
STICKSLIP_EXPORT std::vector<Point> read_points(const std::filesystem::path& path);

}  // namespace stickslip
