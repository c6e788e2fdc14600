#include "dynamics/detection/face_manifold.hpp"

#include <cmath>

#include "dynamics/detection/polygon.hpp"

namespace stickslip::internal {
namespace {

constexpr double alike =
    0.9998;  // cosine of 1°: normals of features that differ by more are not used in place of the reference

/// The pair of faces, seen along the normal of the reference face.
struct View {
  const PlacedPolyhedron &a, &b;
  int face_a, face_b;
  Vector n, m;    // from a to b: the normal of a's face, and against that of b's
  Vector origin;  // in the reference plane
  Vector e1, e2;  // its axes
  double same = 0;

  /// The point of the incident face above or below x.
  Vector on_incident(const Vector& x) const {
    return x + (m.dot(b.corner(b.topology->face(face_b)[0]) - x) / m.dot(n)) * n;
  }

  /// The corner of the face that lies within `same` of x across n, or −1.
  int corner_near(const PlacedPolyhedron& p, int face, const Vector& x) const {
    for (const int c : p.topology->face(face)) {
      const Vector d = p.corner(c) - x;
      const double u = e1.dot(d), v = e2.dot(d);
      if (u * u + v * v <= same * same) return c;
    }
    return -1;
  }

  Spot spot(const std::vector<ClippedCorner>& polygon, std::size_t k) const {
    const Vector& x = polygon[k].x;
    const double gap = n.dot(x - origin);
    Spot s{
        x - gap * n, x, e1.dot(x - origin), e2.dot(x - origin), corner_near(a, face_a, x), polygon[k].corner,
        -1,          -1};
    if (s.incident_corner < 0) s.incident_corner = corner_near(b, face_b, x);
    if (s.reference_corner >= 0 || s.incident_corner >= 0) return s;
    const int before = polygon[k > 0 ? k - 1 : polygon.size() - 1].side, after = polygon[k].side;
    const int side = -1 - (before >= 0 ? after : before);
    s.incident_edge = before >= 0 ? before : after;
    if (side >= 0 && s.incident_edge >= 0)
      s.reference_edge = a.topology->loop_edge[a.topology->loop_start[face_a] + side];
    return s;
  }

  /// Across both edges where that direction is normal to both bodies there, otherwise the reference normal.
  Vector edge_normal(int edge_a, int edge_b) const {
    const auto along = [](const PlacedPolyhedron& p, int edge, int face) {
      const auto& e = p.topology->edges[edge];
      const Vector d = (p.corners[e.corner[1]] - p.corners[e.corner[0]]).normalized();
      return Vector(e.face[0] == face ? d : -d);
    };
    const Vector e = along(a, edge_a, face_a), f = along(b, edge_b, face_b), c = e.cross(f);
    const double sine = c.norm();
    if (sine < 1e-3) return n;
    const Vector across = (c.dot(n) > 0 ? c : Vector(-c)) / sine;
    // n × e and b's outward normal × f point into the faces; a normal of the edge leans the other way.
    const bool of_a = across.dot(n.cross(e)) <= 0, of_b = across.dot(m.cross(f)) <= 0;
    return of_a && of_b && across.dot(n) > alike ? across : n;
  }

  void add(const Spot& s, double area, Touches& touches) const {
    Feature feature_a = face_feature(face_a), feature_b = face_feature(face_b);
    Vector normal = n;
    if (s.reference_corner >= 0) feature_a = corner_feature(s.reference_corner);
    if (s.incident_corner >= 0) feature_b = corner_feature(s.incident_corner);
    if (s.reference_corner >= 0 && s.incident_corner < 0 && m.dot(n) > alike) normal = m;
    if (s.reference_edge >= 0) {
      feature_a = edge_feature(s.reference_edge);
      feature_b = edge_feature(s.incident_edge);
      normal = edge_normal(s.reference_edge, s.incident_edge);
    }
    touches.add(feature_a, feature_b, s.on_reference, s.on_incident, normal,
                normal.dot(s.on_incident - s.on_reference), area);
  }

  void add_spread(const PolygonMoments& moments, ContactPoints points, Touches& touches) const {
    const auto add_point = [&](const Vector& x, Feature feature_a, Feature feature_b, double area) {
      const Vector y = on_incident(x);
      touches.add(feature_a, feature_b, x, y, n, n.dot(y - x), area);
    };
    if (points == ContactPoints::centroid)
      return add_point(moments.centroid, face_feature(face_a), face_feature(face_b), moments.area);
    Vector four[4];
    gauss_points(moments, e1, e2, four);
    for (int k = 0; k < 4; ++k) {
      Feature feature_a = face_feature(face_a), feature_b = face_feature(face_b);
      (touches.swapped() ? feature_b : feature_a) = spread_feature(touches.swapped() ? face_b : face_a, k);
      add_point(four[k], feature_a, feature_b, moments.area / 4);
    }
  }
};

double length(double u, double v) { return std::sqrt(u * u + v * v); }

/// Leaves out spots that repeat their neighbour, and, unless all are asked for, those on a line between two others.
void tidy(std::vector<Spot>& spots, double same, ContactPoints points) {
  const auto corners = [](const Spot& s) { return (s.reference_corner >= 0) + (s.incident_corner >= 0); };
  const auto next = [&](std::size_t k) { return k + 1 < spots.size() ? k + 1 : 0; };
  const auto before = [&](std::size_t k) { return k > 0 ? k - 1 : spots.size() - 1; };
  const auto erase = [&](std::size_t k) { spots.erase(spots.begin() + std::ptrdiff_t(k)); };
  for (std::size_t k = 0; k < spots.size() && spots.size() > 1;) {
    const Spot &p = spots[k], &q = spots[next(k)];
    if (length(q.u - p.u, q.v - p.v) > same)
      ++k;
    else
      erase(corners(q) > corners(p) ? k : next(k));
  }
  if (points == ContactPoints::all) return;
  for (std::size_t k = 0; k < spots.size() && spots.size() > 2;) {
    const Spot &o = spots[before(k)], &p = spots[k], &q = spots[next(k)];
    const double twice_area = (p.u - o.u) * (q.v - o.v) - (p.v - o.v) * (q.u - o.u);
    if (std::abs(twice_area) > same * length(q.u - o.u, q.v - o.v))
      ++k;
    else
      erase(k);
  }
}

}  // namespace

bool face_manifold(const PlacedPolyhedron& a, int face_a, const PlacedPolyhedron& b, int face_b,
                   ContactPoints points, ClipSpace& space, Touches& touches) {
  View view{
      a,  b, face_a, face_b, a.normals[face_a], -b.normals[face_b], a.corner(a.topology->face(face_a)[0]),
      {}, {}};
  const Vector& n = view.n;
  if (!(view.m.dot(n) > 1e-9)) return false;  // no incident face stands on end
  clip_faces(a, face_a, b, face_b, space);
  if (space.polygon.size() < 3) return false;

  // Axes along the first side of the face of the piece that comes first, so that spread points keep their places.
  const PlacedPolyhedron& first = touches.swapped() ? b : a;
  const auto loop = first.topology->face(touches.swapped() ? face_b : face_a);
  const Vector side = first.corners[loop[1]] - first.corners[loop[0]];
  view.e1 = (side - n.dot(side) * n).normalized();
  view.e2 = (touches.swapped() ? Vector(-n) : n).cross(view.e1);

  space.points.clear();
  for (const ClippedCorner& c : space.polygon) space.points.push_back(c.x - n.dot(c.x - view.origin) * n);
  const PolygonMoments moments = polygon_moments(space.points, view.e1, view.e2);
  const double least = std::min(a.topology->widths[face_a], b.topology->widths[face_b]);
  if (!(2 * moments.area > same_place * least * moments.perimeter)) return false;

  const bool parallel = n.cross(view.m).norm() < faces_meet_sine;
  if (parallel && (points == ContactPoints::centroid || points == ContactPoints::gauss2)) {
    view.add_spread(moments, points, touches);
    return true;
  }
  view.same = same_place * std::sqrt(std::max(moments.c11 + moments.c22, 0.0));
  space.spots.clear();
  for (std::size_t k = 0; k < space.polygon.size(); ++k) space.spots.push_back(view.spot(space.polygon, k));
  tidy(space.spots, view.same, points);
  for (const Spot& s : space.spots)
    view.add(s, parallel ? moments.area / double(space.spots.size()) : 0, touches);
  return true;
}

}  // namespace stickslip::internal
