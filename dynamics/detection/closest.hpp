// Closest points of points, lines and segments.
#pragma once

#include <algorithm>
#include <cmath>

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

/// t ∈ [0, 1] of the point a + t (b − a) nearest to p.
inline double nearest_on_segment(const Vector& p, const Vector& a, const Vector& b) {
  const Vector d = b - a;
  const double length2 = d.squaredNorm();
  return length2 > 0 ? std::clamp(d.dot(p - a) / length2, 0.0, 1.0) : 0.0;
}

/// s, t ∈ [0, 1] of the nearest points p₀ + s (p₁ − p₀) and q₀ + t (q₁ − q₀) of two segments.
struct SegmentPair {
  double s, t;
  double distance2;
};

inline SegmentPair nearest_on_segments(const Vector& p0, const Vector& p1, const Vector& q0,
                                       const Vector& q1) {
  const Vector d = p1 - p0, e = q1 - q0, r = q0 - p0;
  const double dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), dr = d.dot(r), er = e.dot(r);
  const auto distance2 = [&](double s, double t) { return (r + t * e - s * d).squaredNorm(); };
  // Inside both: the normal equations dd s − de t = dr, de s − ee t = er. Their determinant is |d × e|².
  SegmentPair best{0, 0, -1};
  const double det = d.cross(e).squaredNorm();
  if (det > 1e-24 * dd * ee) {
    const double s = (ee * dr - de * er) / det, t = (de * dr - dd * er) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) return {s, t, distance2(s, t)};
  }
  // Otherwise an end of one is among the nearest points.
  const auto consider = [&](double s, double t) {
    const double d2 = distance2(s, t);
    if (best.distance2 < 0 || d2 < best.distance2) best = {s, t, d2};
  };
  for (const double s : {0.0, 1.0}) consider(s, ee > 0 ? std::clamp((de * s - er) / ee, 0.0, 1.0) : 0.0);
  for (const double t : {0.0, 1.0}) consider(dd > 0 ? std::clamp((de * t + dr) / dd, 0.0, 1.0) : 0.0, t);
  return best;
}

/// v/|v|, or `otherwise` where v is zero.
inline Vector unit_or(const Vector& v, const Vector& otherwise) {
  const double length = v.norm();
  return length > 0 ? Vector(v / length) : otherwise;
}

}  // namespace stickslip::internal
