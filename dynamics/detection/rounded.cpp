#include "dynamics/detection/rounded.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip::internal {

Rounded::Rounded(const Placed& p) : placed(&p), size(p.piece->radius * (p.rigid ? 1 : p.axes.norm())) {
  const Vector& s = p.sizes();
  ends[0] = ends[1] = p.centre;
  corner_count = 1;
  switch (p.kind()) {
    case PieceKind::sphere:
    case PieceKind::capsule:
      if (p.kind() == PieceKind::capsule) {
        corner_count = 2;
        ends[0] -= s[1] * p.axis(2);
        ends[1] += s[1] * p.axis(2);
      }
      smooth = !p.rigid;
      if (p.rigid)
        radius = s[0];
      else
        A = s[0] * p.axes;
      break;
    case PieceKind::ellipsoid:
      smooth = true;
      A = p.axes * s.asDiagonal();
      break;
    case PieceKind::cylinder:
      smooth = has_ends = true;
      corner_count = 2;
      ends[0] -= s[1] * p.axis(2);
      ends[1] += s[1] * p.axis(2);
      A << s[0] * p.axis(0), s[0] * p.axis(1), Vector::Zero();
      axis = p.axis(0).cross(p.axis(1)).normalized();
      break;
    default:
      corner_count = p.polyhedron.corner_count();
      break;
  }
}

int Rounded::extreme(const Vector& n) const {
  int best = 0;
  for (int k = 1; k < corner_count; ++k)
    if (n.dot(corner(k) - corner(best)) > 0) best = k;
  return best;
}

Vector Rounded::bulge_point(const Vector& n) const {
  if (!smooth) return Vector::Zero();
  const Vector m = A.transpose() * n;
  const double h = m.norm();
  return h > 0 ? Vector(A * (m / h)) : Vector(Vector::Zero());
}

bool may_pass(const Rounded& a, const Support& of_a, const Rounded& b, const Support& of_b, const Vector& n) {
  using Kind = Support::Kind;
  const bool rim_a = a.has_ends && of_a.kind == Kind::corner, rim_b = b.has_ends && of_b.kind == Kind::corner;
  if (!rim_a && !rim_b) return false;
  if ((rim_a && b.is_polyhedron() && of_b.kind == Kind::corner) ||
      (rim_b && a.is_polyhedron() && of_a.kind == Kind::corner))
    return true;
  const auto tangent = [&](const Rounded& body, const Support& support, Vector& t) {
    if (support.kind == Kind::edge && body.is_polyhedron()) {
      t = (body.corner(support.j) - body.corner(support.i)).normalized();
      return true;
    }
    if (support.kind != Kind::corner || !body.has_ends) return false;
    t = body.axis.cross(body.bulge_point(n)).normalized();
    return true;
  };
  Vector s, t;
  return tangent(a, of_a, s) && tangent(b, of_b, t) && s.cross(t).norm() < 1e-2;
}

bool over_face(const PlacedPolyhedron& p, int f, const Vector& x) {
  const auto loop = p.topology->face(f);
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vector from = p.corner(loop[k]), to = p.corner(loop[k + 1 < loop.size() ? k + 1 : 0]);
    if (p.normals[f].cross(to - from).dot(x - from) < 0) return false;
  }
  return true;
}

}  // namespace stickslip::internal
