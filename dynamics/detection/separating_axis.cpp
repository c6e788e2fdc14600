#include "dynamics/detection/separating_axis.hpp"

#include <cmath>
#include <limits>

namespace stickslip::internal {
namespace {

using Kind = SeparatingAxis::Kind;

SeparatingAxis face_axis(const PlacedPolyhedron& a, const PlacedPolyhedron& b, Kind kind, int face) {
  SeparatingAxis axis;
  axis.kind = kind;
  const bool of_a = kind == Kind::face_a;
  const PlacedPolyhedron &p = of_a ? a : b, &q = of_a ? b : a;
  (of_a ? axis.feature_a : axis.feature_b) = face;
  axis.normal = of_a ? p.normals[face] : Vector(-p.normals[face]);
  axis.separation = p.normals[face].dot(q.corner(extreme_corner(q, -p.normals[face]))) - p.offset(face);
  return axis;
}

/// Whether the arcs of the two edges cross on the Gauss map, that of b turned by −1: only then is the direction
/// across both a normal of the Minkowski difference.
bool arcs_cross(const PlacedPolyhedron& a, int edge_a, const PlacedPolyhedron& b, int edge_b) {
  const auto &e = a.topology->edges[edge_a], &f = b.topology->edges[edge_b];
  const Vector &p = a.normals[e.face[0]], &q = a.normals[e.face[1]], r = -b.normals[f.face[0]],
               s = -b.normals[f.face[1]];
  const Vector pq = p.cross(q), rs = r.cross(s);
  const double r_pq = r.dot(pq), s_pq = s.dot(pq), p_rs = p.dot(rs), q_rs = q.dot(rs);
  return r_pq * s_pq < 0 && p_rs * q_rs < 0 && r_pq * q_rs > 0;
}

bool edge_axis(const PlacedPolyhedron& a, int edge_a, const PlacedPolyhedron& b, int edge_b,
               SeparatingAxis& axis) {
  const auto &e = a.topology->edges[edge_a], &f = b.topology->edges[edge_b];
  const Vector d = a.corners[e.corner[1]] - a.corners[e.corner[0]],
               g = b.corners[f.corner[1]] - b.corners[f.corner[0]], c = d.cross(g);
  const double length = c.norm();
  if (length < 1e-6 * d.norm() * g.norm()) return false;
  axis.kind = Kind::edges;
  axis.feature_a = edge_a;
  axis.feature_b = edge_b;
  // Outward at the edge of a: along the sum of its face normals.
  axis.normal = (c.dot(a.normals[e.face[0]] + a.normals[e.face[1]]) > 0 ? c : Vector(-c)) / length;
  axis.separation = axis.normal.dot(b.corner(f.corner[0]) - a.corner(e.corner[0]));
  return true;
}

}  // namespace

int extreme_corner(const PlacedPolyhedron& p, const Vector& direction) {
  int best = 0;
  double most = direction.dot(p.corners[0]);
  for (int k = 1; k < p.corner_count(); ++k)
    if (const double value = direction.dot(p.corners[k]); value > most) most = value, best = k;
  return best;
}

int looking_face(const PlacedPolyhedron& p, const Vector& n, double size) {
  const Polyhedron& t = *p.topology;
  const double least = n.dot(p.corners[extreme_corner(p, n)]) - 1e-6 * size;
  int best = -1;
  for (int c = 0; c < p.corner_count(); ++c) {
    if (n.dot(p.corners[c]) < least) continue;
    for (int k = t.edges_start[c]; k < t.edges_start[c + 1]; ++k)
      for (const int f : t.edges[t.corner_edges[k]].face)
        if (best < 0 || n.dot(p.normals[f] - p.normals[best]) > 0) best = f;
  }
  return best;
}

double separation_along(const PlacedPolyhedron& a, const PlacedPolyhedron& b, const Vector& n) {
  return n.dot(b.corner(extreme_corner(b, -n)) - a.corner(extreme_corner(a, n)));
}

SeparatingAxis separating_axis(const PlacedPolyhedron& a, const PlacedPolyhedron& b, std::uint64_t last) {
  SeparatingAxis best, kept, axis;
  best.separation = -std::numeric_limits<double>::infinity();
  const auto consider = [&](double handicap) {
    if (axis.word() == last) kept = axis;
    if (axis.separation > best.separation + handicap) best = axis;
  };
  for (int f = 0; f < a.face_count(); ++f) axis = face_axis(a, b, Kind::face_a, f), consider(0);
  // Faces of a before faces of b, faces before edges, where rounding alone decides.
  const double rounding = 1e-9 * std::abs(best.separation);
  for (int f = 0; f < b.face_count(); ++f) axis = face_axis(a, b, Kind::face_b, f), consider(rounding);
  for (int e = 0; e < int(a.topology->edges.size()); ++e)
    for (int f = 0; f < int(b.topology->edges.size()); ++f)
      if (arcs_cross(a, e, b, f) && edge_axis(a, e, b, f, axis)) consider(rounding);
  if (kept.kind != Kind::none && kept.separation >= best.separation - 0.1 * std::abs(best.separation))
    return kept;
  return best;
}

}  // namespace stickslip::internal
