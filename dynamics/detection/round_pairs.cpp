// Spheres and capsules: points and segments with a radius. The nearest points of the segments give the normal.
#include <algorithm>
#include <array>

#include "dynamics/detection/closest.hpp"
#include "dynamics/detection/pairs.hpp"

namespace stickslip::internal {
namespace {

/// A segment with a radius; a sphere has both ends in one point.
struct Round {
  std::array<Vector, 2> end;
  double radius;
  bool sphere;

  explicit Round(const Placed& p) : radius(p.sizes()[0]), sphere(p.kind() == PieceKind::sphere) {
    const Vector half = sphere ? Vector(Vector::Zero()) : Vector(p.sizes()[1] * p.axis(2));
    end = {p.centre - half, p.centre + half};
  }
  Vector at(double t) const { return end[0] + t * (end[1] - end[0]); }
  Feature feature(double t) const {
    return sphere   ? surface_feature()
           : t == 0 ? corner_feature(0)
           : t == 1 ? corner_feature(1)
                    : edge_feature(0);
  }
};

void add(const Round& a, const Round& b, double s, double t, const Vector& sideways, Touches& touches) {
  const Vector p = a.at(s), q = b.at(t), n = unit_or(q - p, sideways);
  touches.add(a.feature(s), b.feature(t), p + a.radius * n, q - b.radius * n, n,
              n.dot(q - p) - a.radius - b.radius);
}

}  // namespace

void sphere_and_sphere(const Vector& centre_a, double radius_a, const Vector& centre_b, double radius_b,
                       Touches& touches) {
  const Vector d = centre_b - centre_a;
  const double radii = radius_a + radius_b, distance2 = d.squaredNorm(), most = radii + touches.reach();
  if (distance2 > most * most) return;
  const double distance = std::sqrt(distance2);
  const Vector n = distance > 0 ? Vector(d / distance) : Vector(0, 0, 1);
  touches.add(surface_feature(), surface_feature(), centre_a + radius_a * n, centre_b - radius_b * n, n,
              distance - radii);
}

void sphere_and_box(const Placed& sphere, const Placed& box, Touches& touches) {
  const Vector own = box.axes.transpose() * (sphere.centre - box.centre), &half = box.sizes();
  const Vector inside = own.cwiseMax(-half).cwiseMin(half);
  const double radius = sphere.sizes()[0], outside = (own - inside).norm();
  Vector n, nearest = inside;  // n from the box to the sphere
  double distance = outside;
  if (outside > 0) {
    n = (own - inside) / outside;
  } else {
    // The centre is in the box: out through the nearest face.
    int axis = 0;
    (own.cwiseAbs() - half).maxCoeff(&axis);
    n = (own[axis] < 0 ? -1 : 1) * Vector::Unit(axis);
    nearest[axis] = n[axis] * half[axis];
    distance = std::abs(own[axis]) - half[axis];
  }
  const Vector normal = -(box.axes * n);
  touches.add(surface_feature(), surface_feature(), sphere.centre + radius * normal,
              box.centre + box.axes * nearest, normal, distance - radius);
}

void round_and_round(const Placed& a_placed, const Placed& b_placed, Touches& touches) {
  const Round a(a_placed), b(b_placed);
  const Vector d = a.end[1] - a.end[0], e = b.end[1] - b.end[0];
  // Where the axes meet the normal is across both of them.
  const Vector across =
      unit_or(d.cross(e), a.sphere && b.sphere ? Vector(0, 0, 1) : (a.sphere ? e : d).unitOrthogonal());
  const SegmentPair nearest = nearest_on_segments(a.end[0], a.end[1], b.end[0], b.end[1]);
  const double sine = a.sphere || b.sphere ? 1 : d.cross(e).norm() / (d.norm() * e.norm());
  if (a.sphere || b.sphere) {
    // The only contact keeps its key wherever it wanders.
    const Vector p = a.at(nearest.s), q = b.at(nearest.t), n = unit_or(q - p, across);
    return touches.add(surface_feature(), surface_feature(), p + a.radius * n, q - b.radius * n, n,
                       n.dot(q - p) - a.radius - b.radius);
  }
  if (sine > 0.1) return add(a, b, nearest.s, nearest.t, across, touches);

  // Nearly side by side: the ends of the stretch that they have in common, and the nearest points between them.
  const double same = same_place * (d.norm() + e.norm());
  struct Pair {
    double s, t;
  };
  std::array<Pair, 5> found;
  int count = 0;
  const auto keep = [&](double s, double t) {
    for (int k = 0; k < count; ++k)
      if ((a.at(found[k].s) - a.at(s)).norm() <= same) return;
    found[count++] = {s, t};
  };
  for (const int i : {0, 1}) {
    const double t = e.dot(a.end[i] - b.end[0]) / e.squaredNorm();
    // Within rounding of an end it is that end.
    if (const double slack = same / e.norm(); t >= -slack && t <= 1 + slack) keep(i, std::clamp(t, 0.0, 1.0));
  }
  for (const int j : {0, 1}) {
    const double s = d.dot(b.end[j] - a.end[0]) / d.squaredNorm();
    if (const double slack = same / d.norm(); s >= -slack && s <= 1 + slack) keep(std::clamp(s, 0.0, 1.0), j);
  }
  if (count < 2 || sine * std::min(d.norm(), e.norm()) > same) keep(nearest.s, nearest.t);
  for (int k = 0; k < count; ++k) {
    // Ends that lie face to face are named as ends of both.
    Pair p = found[k];
    if (std::abs(p.s) * d.norm() <= same) p.s = 0;
    if (std::abs(1 - p.s) * d.norm() <= same) p.s = 1;
    if (std::abs(p.t) * e.norm() <= same) p.t = 0;
    if (std::abs(1 - p.t) * e.norm() <= same) p.t = 1;
    const Vector x = a.at(found[k].s), y = b.at(found[k].t), n = unit_or(y - x, across);
    touches.add(a.feature(p.s), b.feature(p.t), x + a.radius * n, y - b.radius * n, n,
                n.dot(y - x) - a.radius - b.radius);
  }
}

}  // namespace stickslip::internal
