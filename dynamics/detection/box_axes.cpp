#include "dynamics/detection/box_axes.hpp"

#include <cmath>
#include <limits>

namespace stickslip::internal {

bool box_axes(const Vector& d, const Matrix& A, const Vector& half_a, const Matrix& B, const Vector& half_b,
              double reach, double slack, BoxAxes& axes) {
  const Matrix R = A.transpose() * B;  // axes of b as a sees them
  const Matrix S = R.cwiseAbs();
  const Vector t = A.transpose() * d, u = B.transpose() * d;
  axes.face_separation = axes.edge_separation = -std::numeric_limits<double>::infinity();
  axes.edge_a = axes.edge_b = -1;
  const Vector along_a = t.cwiseAbs() - half_a - S * half_b,
               along_b = u.cwiseAbs() - half_b - S.transpose() * half_a;
  for (int i = 0; i < 3; ++i) {
    if (along_a[i] > axes.face_separation) axes.face_separation = along_a[i], axes.face = i;
  }
  for (int i = 0; i < 3; ++i) {
    if (along_b[i] > axes.face_separation) axes.face_separation = along_b[i], axes.face = 3 + i;
  }
  if (axes.face_separation > reach) return false;
  if ((along_a.array() >= -slack).count() > 1 || (along_b.array() >= -slack).count() > 1) return false;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int p = 0; p < 3; ++p) {
      const int q = (p + 1) % 3, r = (p + 2) % 3;
      // aᵢ × b_p has the length of the sine between them.
      const double sine2 = 1 - R(i, p) * R(i, p);
      if (sine2 < 1e-6) continue;
      const double centre = std::abs(t[k] * R(j, p) - t[j] * R(k, p));
      const double extent =
          half_a[j] * S(k, p) + half_a[k] * S(j, p) + half_b[q] * S(i, r) + half_b[r] * S(i, q);
      const double separation = (centre - extent) / std::sqrt(sine2);
      if (separation > axes.edge_separation) {
        axes.edge_separation = separation;
        axes.edge_a = i;
        axes.edge_b = p;
      }
    }
  }
  return axes.edge_separation <= reach;
}

}  // namespace stickslip::internal
