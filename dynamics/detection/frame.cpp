#include "dynamics/detection/frame.hpp"

#include <cmath>

namespace stickslip::internal {

Matrix contact_frame(const Vector& n) {
  // s = (√2, √5, √7)/√14 and its tangent p = (√5, −√2, 0)/√7.
  const Vector s(std::sqrt(1.0 / 7), std::sqrt(5.0 / 14), std::sqrt(0.5)),
      p(std::sqrt(5.0 / 7), -std::sqrt(2.0 / 7), 0);
  // The shortest rotation from s to n takes p to p − (p·n)/(1 + s·n) (s + n). Its error grows like the inverse of
  // 1 + s·n: next to −s any tangent will do.
  const double along = 1 + s.dot(n);
  Vector t = along > 1e-8 ? Vector(p - p.dot(n) / along * (s + n)) : p;
  t -= t.dot(n) * n;
  t.normalize();
  Matrix frame;
  frame << n, t, n.cross(t);
  return frame;
}

}  // namespace stickslip::internal
