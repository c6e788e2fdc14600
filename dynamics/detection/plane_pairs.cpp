// A plane touches a convex piece where it is supported: at corners, at the ends of a generator, at a rim, at one point.
#include <algorithm>
#include <numbers>

#include "dynamics/detection/pairs.hpp"
#include "dynamics/detection/polygon.hpp"

namespace stickslip::internal {
namespace {

struct PlaneView {
  Vector normal, origin;
  Touches& touches;

  /// Contact at the point x of the piece's surface; the plane's own feature is its only face.
  void add(Feature feature, const Vector& x, double area = 0) const {
    const double gap = normal.dot(x - origin);
    touches.add(face_feature(0), feature, x - gap * normal, x, normal, gap, area);
  }
};

/// Area points of a face that lies flat on the plane; e₁ along its first side.
void add_spread(const PlaneView& plane, std::span<const Vector> corners, int face, ContactPoints points) {
  const Vector e1 = (corners[1] - corners[0]).normalized(), e2 = -plane.normal.cross(e1);
  const PolygonMoments moments = polygon_moments(corners, e1, e2);
  if (points == ContactPoints::centroid) return plane.add(face_feature(face), moments.centroid, moments.area);
  Vector four[4];
  gauss_points(moments, e1, e2, four);
  for (int k = 0; k < 4; ++k) plane.add(spread_feature(face, k), four[k], moments.area / 4);
}

void polyhedron(const PlaneView& plane, const PlacedPolyhedron& b, ContactPoints points,
                std::vector<Vector>& room) {
  // The face that looks at the plane, and how far it is from lying flat.
  int face = 0;
  for (int f = 1; f < b.face_count(); ++f)
    if (plane.normal.dot(b.normals[f] - b.normals[face]) < 0) face = f;
  const bool flat =
      plane.normal.dot(b.normals[face]) < 0 && plane.normal.cross(b.normals[face]).norm() < faces_meet_sine;
  const auto loop = b.topology->face(face);
  if (flat && (points == ContactPoints::centroid || points == ContactPoints::gauss2)) {
    room.clear();
    for (const int c : loop) room.push_back(b.corner(c));
    return add_spread(plane, room, face, points);
  }
  const double share =
      flat ? area_vector({b.corners, std::size_t(b.corner_count())}, loop).norm() / double(loop.size()) : 0;
  for (int c = 0; c < b.corner_count(); ++c) {
    const bool in_face = flat && std::find(loop.begin(), loop.end(), c) != loop.end();
    plane.add(corner_feature(c), b.corner(c), in_face ? share : 0);
  }
}

void cylinder(const PlaneView& plane, const Placed& b, const PairOptions& options) {
  // The rims are circles (ellipses where the cylinder is deformed) about centre ± half, spanned by u and v.
  const Vector u = b.sizes()[0] * b.axis(0), v = b.sizes()[0] * b.axis(1), half = b.sizes()[1] * b.axis(2);
  const double at_u = plane.normal.dot(u), at_v = plane.normal.dot(v), tilt = std::hypot(at_u, at_v);
  const double radius = std::max(u.norm(), v.norm()), along = plane.normal.dot(half);
  const int lower = along < 0 ? 1 : 0;
  const Vector ends[2] = {b.centre - half, b.centre + half};
  const double area = std::numbers::pi * u.cross(v).norm();

  // Flat on its end: points of the rim that are fixed in the body, or points over the disc.
  if (tilt < faces_meet_sine * radius && options.points == ContactPoints::centroid)
    return plane.add(face_feature(lower), ends[lower], area);
  if (tilt < faces_meet_sine * radius && options.points == ContactPoints::gauss2) {
    for (int k = 0; k < 4; ++k)
      plane.add(spread_feature(lower, k),
                ends[lower] + (k == 1 || k == 2 ? 0.5 : -0.5) * u + (k < 2 ? -0.5 : 0.5) * v, area / 4);
    return;
  }
  const bool on_end = tilt < 0.1 * radius;
  if (on_end)
    for (int k = 0; k < options.rim_points; ++k) {
      const double angle = 2 * std::numbers::pi * k / options.rim_points;
      plane.add(corner_feature(lower * options.rim_points + k),
                ends[lower] + std::cos(angle) * u + std::sin(angle) * v,
                tilt < faces_meet_sine * radius ? area / options.rim_points : 0);
    }
  // The deepest point of each rim; where the disc is flat to 1e-6 it is as deep as its neighbours that are fixed.
  if (tilt > 1e-6 * radius)
    for (const int end : {0, 1}) plane.add(rim_feature(end), ends[end] - (at_u * u + at_v * v) / tilt);
}

}  // namespace

void plane_and_piece(const Placed& a, const Placed& b, const PairOptions& options, PairSpace& space,
                     Touches& touches) {
  const PlaneView plane{a.axis(2), a.centre, touches};
  const Vector& n = plane.normal;
  const Vector& s = b.sizes();
  switch (b.kind()) {
    case PieceKind::sphere:
    case PieceKind::ellipsoid:
    case PieceKind::capsule: {
      // The ball |y| ≤ 1 under y ↦ A y is deepest at −A Aᵀn/|Aᵀn|.
      const bool ellipsoid = b.kind() == PieceKind::ellipsoid;
      const Matrix A = b.axes * (ellipsoid ? s : Vector(Vector::Constant(s[0]))).asDiagonal();
      const Vector m = A.transpose() * n;
      const Vector deepest = b.rigid && !ellipsoid ? Vector(s[0] * n) : Vector(A * m / m.norm());
      if (b.kind() != PieceKind::capsule) return plane.add(surface_feature(), b.centre - deepest);
      // The lower end touches with its cap, the upper one at the end of the line along the side that faces the plane.
      const Vector d = b.axis(2).normalized(), across = n - n.dot(d) * d;
      const double sine = across.norm();
      const int lower = n.dot(d) > 0 ? 0 : 1;
      const auto end = [&](int k) { return Vector(b.centre + (k == 0 ? -s[1] : s[1]) * b.axis(2)); };
      plane.add(corner_feature(lower), end(lower) - deepest);
      if (sine < 1e-6) return;  // upright
      const Vector side = A.transpose() * across;
      plane.add(corner_feature(1 - lower),
                end(1 - lower) - (b.rigid ? Vector(s[0] / sine * across) : Vector(A * side / side.norm())));
      return;
    }
    case PieceKind::cylinder:
      return cylinder(plane, b, options);
    default:
      return polyhedron(plane, b.polyhedron, options.points, space.clip.points);
  }
}

}  // namespace stickslip::internal
