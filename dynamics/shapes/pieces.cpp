#include "dynamics/shapes/pieces.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "dynamics/shapes/hull.hpp"

namespace stickslip::internal {
namespace {

Matrix rotation_of(const std::array<double, 4>& q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

Piece polyhedron_piece(Polyhedron&& polyhedron) {
  Piece piece;
  piece.kind = PieceKind::polyhedron;
  piece.centre = polyhedron.centre;
  for (const Vector& corner : polyhedron.corners)
    piece.radius = std::max(piece.radius, (corner - piece.centre).norm());
  piece.polyhedron = std::make_shared<const Polyhedron>(std::move(polyhedron));
  return piece;
}

struct Maker {
  Pieces& made;

  Piece& add(PieceKind kind, const Vector& sizes, double radius) {
    Piece& piece = made.list.emplace_back();
    piece.kind = kind;
    piece.sizes = sizes;
    piece.radius = radius;
    return piece;
  }

  void operator()(const Sphere& s) { add(PieceKind::sphere, {s.radius, 0, 0}, s.radius); }
  void operator()(const Ellipsoid& e) {
    add(PieceKind::ellipsoid, vector(e.radii), vector(e.radii).maxCoeff());
  }
  void operator()(const Capsule& c) {
    if (c.length == 0) return (*this)(Sphere{c.radius});
    add(PieceKind::capsule, {c.radius, c.length / 2, 0}, c.radius + c.length / 2);
  }
  void operator()(const Cylinder& c) {
    add(PieceKind::cylinder, {c.radius, c.length / 2, 0}, std::hypot(c.radius, c.length / 2));
  }
  void operator()(const Box& b) {
    const Vector half(b.x / 2, b.y / 2, b.z / 2);
    add(PieceKind::box, half, half.norm()).polyhedron =
        std::make_shared<const Polyhedron>(box_polyhedron(half));
  }
  void operator()(const Plane& p) {
    const Vector normal = vector(p.normal);
    Piece& piece = add(PieceKind::plane, Vector::Zero(), std::numeric_limits<double>::infinity());
    piece.axes.col(2) = normal.normalized();
    piece.axes.col(0) = piece.axes.col(2).unitOrthogonal();
    piece.axes.col(1) = piece.axes.col(2).cross(piece.axes.col(0));
    piece.centre = p.offset / normal.norm() * piece.axes.col(2);
  }
  void operator()(const Convex& c) { made.list.push_back(polyhedron_piece(convex_hull(c.points, "convex"))); }
  void operator()(const Mesh& m) {
    made.mesh = std::make_unique<const MeshSurface>(make_mesh_surface(m));
    Piece& piece = add(PieceKind::mesh, Vector::Zero(), 0);
    const MeshSurface& mesh = *made.mesh;
    if (mesh.nodes.empty()) return;
    piece.centre = (mesh.nodes[0].low + mesh.nodes[0].high) / 2;
    for (const auto& t : mesh.triangles)
      for (const int v : t) piece.radius = std::max(piece.radius, (mesh.vertices[v] - piece.centre).norm());
  }
  void operator()(const Pipe& p) {
    const auto at = [&](double radius, int k) {
      // Angles of the first octave only, so that opposite pieces are equal to the bit as far as can be.
      const double angle = 2 * std::numbers::pi * k / p.pieces;
      return Eigen::Vector2d(radius * std::cos(angle), radius * std::sin(angle));
    };
    for (int k = 0; k < p.pieces; ++k) {
      const Eigen::Vector2d base[4] = {at(p.inner, k), at(p.outer, k), at(p.outer, k + 1),
                                       at(p.inner, k + 1)};
      made.list.push_back(polyhedron_piece(prism(base, p.length / 2, "pipe")));
      made.list.back().sizes[0] = 1 + 5;  // the side from the last point of the base to the first
    }
  }
  void operator()(const Compound& c) {
    for (const Part& part : c.parts) {
      const Placement place{rotation_of(part.rotation), vector(part.position)};
      Pieces inner = make_pieces(part.shape);
      for (Piece& piece : inner.list) {
        piece.centre = place(piece.centre);
        piece.axes = place.F * piece.axes;
        if (piece.polyhedron)
          piece.polyhedron = std::make_shared<const Polyhedron>(moved(*piece.polyhedron, place));
        made.list.push_back(std::move(piece));
      }
    }
  }
};

/// A farthest point in the direction d of the piece's own axes.
Vector own_support(const Piece& piece, const Vector& d) {
  switch (piece.kind) {
    case PieceKind::sphere:
      return piece.sizes[0] * d.normalized();
    case PieceKind::capsule:
      return piece.sizes[0] * d.normalized() + Vector(0, 0, std::copysign(piece.sizes[1], d.z()));
    case PieceKind::ellipsoid: {
      const Vector scaled = piece.sizes.cwiseProduct(d);
      return piece.sizes.cwiseProduct(scaled) / scaled.norm();
    }
    case PieceKind::cylinder: {
      const double across = std::hypot(d.x(), d.y()), scale = across > 0 ? piece.sizes[0] / across : 0;
      return {scale * d.x(), scale * d.y(), std::copysign(piece.sizes[1], d.z())};
    }
    default:
      return {std::copysign(piece.sizes[0], d.x()), std::copysign(piece.sizes[1], d.y()),
              std::copysign(piece.sizes[2], d.z())};
  }
}

}  // namespace

Pieces make_pieces(const Shape& shape) {
  Pieces made;
  std::visit(Maker{made}, shape);
  return made;
}

Moments moments_of(const Piece& piece) {
  const Placement place{piece.axes, piece.centre};
  const Vector& s = piece.sizes;
  switch (piece.kind) {
    case PieceKind::sphere:
      return moved(moments_of(Sphere{s[0]}), place);
    case PieceKind::capsule:
      return moved(moments_of(Capsule{s[0], 2 * s[1]}), place);
    case PieceKind::ellipsoid:
      return moved(moments_of(Ellipsoid{point(s)}), place);
    case PieceKind::cylinder:
      return moved(moments_of(Cylinder{s[0], 2 * s[1]}), place);
    case PieceKind::box:
      return moved(moments_of(Box{2 * s[0], 2 * s[1], 2 * s[2]}), place);
    case PieceKind::polyhedron:
      return moments_of(*piece.polyhedron);
    default:
      return {};
  }
}

Vector support(const Piece& piece, const Placement& placement, const Vector& direction) {
  const Vector d = placement.F.transpose() * direction;
  if (piece.kind == PieceKind::polyhedron) {
    const auto& corners = piece.polyhedron->corners;
    std::size_t best = 0;
    for (std::size_t k = 1; k < corners.size(); ++k)
      if (d.dot(corners[k] - corners[best]) > 0) best = k;
    return placement(corners[best]);
  }
  return placement(piece.axes * own_support(piece, piece.axes.transpose() * d) + piece.centre);
}

Bounds bounds(const Piece& piece, const Placement& placement) {
  // The support function of the piece at ± the world's axes: h(e) = e·c + h₀(Fᵀe).
  if (piece.kind == PieceKind::polyhedron) {
    Bounds b{placement(piece.polyhedron->corners[0]), {}};
    b.high = b.low;
    for (const Vector& corner : piece.polyhedron->corners) {
      const Vector x = placement(corner);
      b.low = b.low.cwiseMin(x);
      b.high = b.high.cwiseMax(x);
    }
    return b;
  }
  const Vector centre = placement(piece.centre);
  const Matrix axes = placement.F * piece.axes;
  Vector reach;
  for (int i = 0; i < 3; ++i) {
    const Vector d = axes.row(i).transpose();
    const Vector &s = piece.sizes, a = d.cwiseAbs();
    switch (piece.kind) {
      case PieceKind::sphere:
        reach[i] = s[0] * d.norm();
        break;
      case PieceKind::capsule:
        reach[i] = s[0] * d.norm() + s[1] * a.z();
        break;
      case PieceKind::ellipsoid:
        reach[i] = s.cwiseProduct(d).norm();
        break;
      case PieceKind::cylinder:
        reach[i] = s[0] * std::hypot(d.x(), d.y()) + s[1] * a.z();
        break;
      default:
        reach[i] = s.dot(a);
        break;
    }
  }
  return {centre - reach, centre + reach};
}

}  // namespace stickslip::internal
