// The point of the Minkowski difference B − A nearest to the origin is approached by simplices with corners on its surface:
// v is the nearest point of the simplex, and the support of B − A against v is the next corner. It ends where that
// corner is no nearer, v·w ≥ |v|² but for rounding.
#include "dynamics/detection/gjk.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip::internal {
namespace {

struct Simplex {
  int count = 0;
  Vector w[4], a[4];
  int id_a[4], id_b[4];
  double weight[4];

  Vector point() const {
    Vector v = weight[0] * w[0];
    for (int k = 1; k < count; ++k) v += weight[k] * w[k];
    return v;
  }
};

/// Weights of the nearest point to the origin on a face of the simplex; which corners count is told by their sign: only
/// positive ones are used.
struct Weights {
  double value[4] = {0, 0, 0, 0};
};

Weights on_segment(const Simplex& s, int i, int j) {
  const Vector d = s.w[j] - s.w[i];
  const double t = -s.w[i].dot(d), length2 = d.squaredNorm();
  Weights r;
  if (t <= 0 || length2 == 0) {
    r.value[i] = 1;
  } else if (t >= length2) {
    r.value[j] = 1;
  } else {
    r.value[i] = (length2 - t) / length2;
    r.value[j] = t / length2;
  }
  return r;
}

Vector at(const Simplex& s, const Weights& r) {
  Vector v = Vector::Zero();
  for (int k = 0; k < s.count; ++k)
    if (r.value[k] > 0) v += r.value[k] * s.w[k];
  return v;
}

Weights nearer(const Simplex& s, const Weights& p, const Weights& q) {
  return at(s, p).squaredNorm() <= at(s, q).squaredNorm() ? p : q;
}

Weights on_triangle(const Simplex& s, int i, int j, int k) {
  // Barycentric coordinates of the origin's projection, from areas. All positive: it lies inside.
  const Vector n = (s.w[j] - s.w[i]).cross(s.w[k] - s.w[i]);
  const double n2 = n.squaredNorm();
  if (n2 > 0) {
    const double at_i = n.dot(s.w[j].cross(s.w[k])), at_j = n.dot(s.w[k].cross(s.w[i])),
                 at_k = n.dot(s.w[i].cross(s.w[j]));
    if (at_i > 0 && at_j > 0 && at_k > 0) {
      Weights r;
      const double sum = at_i + at_j + at_k;
      r.value[i] = at_i / sum;
      r.value[j] = at_j / sum;
      r.value[k] = at_k / sum;
      return r;
    }
  }
  return nearer(s, nearer(s, on_segment(s, i, j), on_segment(s, j, k)), on_segment(s, k, i));
}

/// False where the origin is inside the tetrahedron.
bool reduce(Simplex& s) {
  Weights r;
  if (s.count == 1) {
    r.value[0] = 1;
  } else if (s.count == 2) {
    r = on_segment(s, 0, 1);
  } else if (s.count == 3) {
    r = on_triangle(s, 0, 1, 2);
  } else {
    static constexpr int face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    bool found = false;
    for (const auto& f : face) {
      // Outside a face: the origin and the fourth corner are on different sides of it, or the tetrahedron is flat.
      const Vector n = (s.w[f[1]] - s.w[f[0]]).cross(s.w[f[2]] - s.w[f[0]]);
      const double origin = -n.dot(s.w[f[0]]), corner = n.dot(s.w[f[3]] - s.w[f[0]]);
      const double flat = 1e-14 * n.norm() * (s.w[f[3]] - s.w[f[0]]).norm();
      if (std::abs(corner) > flat && (corner > 0) == (origin > 0)) continue;
      const Weights on_face = on_triangle(s, f[0], f[1], f[2]);
      r = found ? nearer(s, r, on_face) : on_face;
      found = true;
    }
    if (!found) return false;
  }
  Simplex kept;
  for (int k = 0; k < s.count; ++k)
    if (r.value[k] > 0) {
      kept.w[kept.count] = s.w[k];
      kept.a[kept.count] = s.a[k];
      kept.id_a[kept.count] = s.id_a[k];
      kept.id_b[kept.count] = s.id_b[k];
      kept.weight[kept.count++] = r.value[k];
    }
  s = kept;
  return true;
}

}  // namespace

Nearest nearest(const Core& a, const Core& b, double size, double enough, double precision) {
  Nearest result;
  Simplex s, best;
  Vector v = b.centre() - a.centre();
  if (v.squaredNorm() == 0) v = Vector::UnitZ();
  double best2 = INFINITY;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const int k = s.count;
    const Vector p = a.support(v, s.id_a[k]);
    const Vector w = b.support(-v, s.id_b[k]) - p;
    const double length = v.norm(), below = v.dot(w) / length;  // no point of B − A is nearer than `below`
    if (below > enough) {
      result.apart = true;
      result.normal = v / length;
      result.distance = below;
      return result;
    }
    if (iteration > 0) {
      bool known = false;
      for (int j = 0; j < s.count; ++j)
        known =
            known || (s.id_a[k] >= 0 && s.id_b[k] >= 0 && s.id_a[k] == s.id_a[j] && s.id_b[k] == s.id_b[j]);
      if (known || length - below <= 1e-15 * size + precision * length) break;
    }
    s.w[k] = w;
    s.a[k] = p;
    ++s.count;
    if (!reduce(s)) return result;
    v = s.point();
    const double length2 = v.squaredNorm();
    if (length2 <= 1e-26 * size * size) return result;
    if (length2 >= best2) break;  // rounding has the last word
    best2 = length2;
    best = s;
  }
  if (best.count == 0) return result;
  v = best.point();
  result.apart = true;
  result.distance = v.norm();
  result.normal = v / result.distance;
  result.count = best.count;
  result.point_a = Vector::Zero();
  for (int k = 0; k < best.count; ++k) {
    result.point_a += best.weight[k] * best.a[k];
    result.id_a[k] = best.id_a[k];
    result.id_b[k] = best.id_b[k];
    result.weight[k] = best.weight[k];
  }
  result.point_b = result.point_a + v;
  return result;
}

}  // namespace stickslip::internal
