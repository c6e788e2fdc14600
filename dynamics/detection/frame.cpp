#include "dynamics/detection/frame.hpp"

namespace stickslip::internal {

Matrix contact_frame(const Vector& n) {
  // s = (2, 3, 6)/7 with the tangents p = (3, −6, 2)/7 and q = s × p = (6, 2, −3)/7.
  constexpr double sevenths = 1.0 / 7;
  const Vector s(2 * sevenths, 3 * sevenths, 6 * sevenths), p(3 * sevenths, -6 * sevenths, 2 * sevenths);
  // The shortest rotation from s to n maps a tangent p to p − (p·n)/(1 + s·n) (s + n). Its error grows like the inverse
  // of 1 + s·n: next to −s any tangent will do.
  const double along = 1 + s.dot(n);
  Vector t = along > 1e-8 ? Vector(p - p.dot(n) / along * (s + n)) : p;
  t -= t.dot(n) * n;
  t.normalize();
  Matrix frame;
  frame << n, t, n.cross(t);
  return frame;
}

}  // namespace stickslip::internal
