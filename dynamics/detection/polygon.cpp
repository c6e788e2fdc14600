#include "dynamics/detection/polygon.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip::internal {

PolygonMoments polygon_moments(std::span<const Vector> corners, const Vector& e1, const Vector& e2) {
  // A fan of triangles about the first corner. Over one with the sides p, q from that corner, s = p + q and area T:
  //   ∫x = T s/3,   ∫x⊗x = T (p⊗p + q⊗q + s⊗s)/12.
  PolygonMoments m;
  const Vector& o = corners[0];
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vector p = corners[k] - o, q = corners[(k + 1) % corners.size()] - o;
    m.perimeter += (q - p).norm();
    const double p1 = p.dot(e1), p2 = p.dot(e2), q1 = q.dot(e1), q2 = q.dot(e2), T = (p1 * q2 - p2 * q1) / 2;
    const double s1 = p1 + q1, s2 = p2 + q2;
    m.area += T;
    x += T * s1 / 3;
    y += T * s2 / 3;
    xx += T * (p1 * p1 + q1 * q1 + s1 * s1) / 12;
    xy += T * (p1 * p2 + q1 * q2 + s1 * s2) / 12;
    yy += T * (p2 * p2 + q2 * q2 + s2 * s2) / 12;
  }
  if (m.area == 0) {
    m.centroid = o;
    return m;
  }
  x /= m.area;
  y /= m.area;
  m.centroid = o + x * e1 + y * e2;
  m.c11 = xx / m.area - x * x;
  m.c12 = xy / m.area - x * y;
  m.c22 = yy / m.area - y * y;
  m.area = std::abs(m.area);
  return m;
}

void gauss_points(const PolygonMoments& m, const Vector& e1, const Vector& e2, Vector points[4]) {
  // C^½ = (C + √det C I)/√(tr C + 2 √det C) for a 2 × 2 matrix.
  const double root = std::sqrt(std::max(0.0, m.c11 * m.c22 - m.c12 * m.c12));
  const double scale = std::sqrt(m.c11 + m.c22 + 2 * root);
  const double a = scale > 0 ? (m.c11 + root) / scale : 0, b = scale > 0 ? m.c12 / scale : 0,
               c = scale > 0 ? (m.c22 + root) / scale : 0;
  const Vector first = a * e1 + b * e2, second = b * e1 + c * e2;
  points[0] = m.centroid - first - second;
  points[1] = m.centroid + first - second;
  points[2] = m.centroid + first + second;
  points[3] = m.centroid - first + second;
}

}  // namespace stickslip::internal
