// Contacts of blocks whose faces touch: the common part of two coplanar faces, and points on it.

#include <algorithm>

#include "generate/neighbours.hpp"
#include "generate/scene.hpp"

namespace stickslip::internal {
namespace {

constexpr double slack = 1e-7;  // of a length: what counts as touching, and as no overlap

struct Face {
  std::array<Vector3, 4> corners;
  Vector3 normal;
};

struct Bounds {
  Vector3 low, high;
};

Bounds bounds(const Body& body) {
  Bounds b{body.corners[0], body.corners[0]};
  for (const Vector3& p : body.corners) {
    b.low = {std::min(b.low.x, p.x), std::min(b.low.y, p.y), std::min(b.low.z, p.z)};
    b.high = {std::max(b.high.x, p.x), std::max(b.high.y, p.y), std::max(b.high.z, p.z)};
  }
  return b;
}

bool apart(const Bounds& a, const Bounds& b, double gap) {
  return a.low.x > b.high.x + gap || b.low.x > a.high.x + gap || a.low.y > b.high.y + gap ||
         b.low.y > a.high.y + gap || a.low.z > b.high.z + gap || b.low.z > a.high.z + gap;
}

Face face_of(const Body& body, int k) {
  Face f;
  for (std::size_t c = 0; c < 4; ++c) f.corners[c] = body.corners[std::size_t(block_faces[k][c])];
  f.normal = unit(cross(f.corners[2] - f.corners[0], f.corners[3] - f.corners[1]));
  return f;
}

using Polygon = std::vector<Vector3>;

/// The part of a convex polygon on the inner side of the line through a and b, n the polygon's plane normal.
Polygon clipped(const Polygon& polygon, Vector3 a, Vector3 b, Vector3 n) {
  const Vector3 inward = unit(cross(n, b - a));
  Polygon kept;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vector3 p = polygon[k], q = polygon[(k + 1) % polygon.size()];
    const double at_p = dot(p - a, inward), at_q = dot(q - a, inward);
    if (at_p >= -slack) kept.push_back(p);
    if ((at_p > slack && at_q < -slack) || (at_p < -slack && at_q > slack))
      kept.push_back(p + (at_p / (at_p - at_q)) * (q - p));
  }
  return kept;
}

/// Leaves out corners that repeat the one before or lie on the line of their neighbours.
Polygon tidied(const Polygon& polygon) {
  Polygon apart, tidy;
  for (const Vector3& p : polygon)
    if (apart.empty() || length(p - apart.back()) > 10 * slack) apart.push_back(p);
  while (apart.size() > 1 && length(apart.front() - apart.back()) <= 10 * slack) apart.pop_back();
  for (std::size_t k = 0; k < apart.size(); ++k) {
    const Vector3 before = apart[(k + apart.size() - 1) % apart.size()],
                  after = apart[(k + 1) % apart.size()];
    if (length(cross(apart[k] - before, after - apart[k])) > 10 * slack * length(after - before))
      tidy.push_back(apart[k]);
  }
  return tidy.size() < 3 ? Polygon{} : tidy;
}

/// The common part of two faces that look at each other, empty where there is none.
Polygon common_part(const Face& a, const Face& b) {
  if (dot(a.normal, b.normal) > -1 + 1e-9) return {};
  if (std::abs(dot(a.normal, b.corners[0] - a.corners[0])) > slack) return {};
  Polygon polygon(a.corners.begin(), a.corners.end());
  for (std::size_t k = 0; k < 4 && polygon.size() > 2; ++k)
    polygon = clipped(polygon, b.corners[(k + 1) % 4], b.corners[k], a.normal);
  return polygon.size() > 2 ? tidied(polygon) : Polygon{};
}

/// Points over the polygon in space, or along its extent in the plane.
Polygon points_on(const Polygon& polygon, int points, int dimension, Vector3 normal) {
  Polygon chosen;
  const auto between = [&](Vector3 a, Vector3 b, int k) { return a + (double(k) / (points - 1)) * (b - a); };
  if (dimension == 2) {
    const Vector3 along = {normal.z, 0, -normal.x};
    const auto [low, high] = std::minmax_element(
        polygon.begin(), polygon.end(), [&](Vector3 a, Vector3 b) { return dot(a, along) < dot(b, along); });
    for (int k = 0; k < points; ++k) chosen.push_back(between(*low, *high, k));
  } else if (polygon.size() == 4) {
    for (int i = 0; i < points; ++i)
      for (int j = 0; j < points; ++j)
        chosen.push_back(between(between(polygon[0], polygon[1], i), between(polygon[3], polygon[2], i), j));
  } else {
    for (std::size_t k = 0; k < polygon.size(); ++k)
      for (int j = 0; j < points - 1; ++j)
        chosen.push_back(between(polygon[k], polygon[(k + 1) % polygon.size()], j));
  }
  return chosen;
}

void add_pair(Scene& scene, int i, int j, const Bounds& bounds_i, const Bounds& bounds_j, int points) {
  const Body &a = scene.bodies[std::size_t(i)], &b = scene.bodies[std::size_t(j)];
  if ((a.fixed && b.fixed) || apart(bounds_i, bounds_j, slack)) return;
  for (int ka = 0; ka < 6; ++ka) {
    const Face face_a = face_of(a, ka);
    if (scene.dimension == 2 && std::abs(face_a.normal.y) > 0.5) continue;
    for (int kb = 0; kb < 6; ++kb) {
      const Polygon polygon = common_part(face_a, face_of(b, kb));
      if (polygon.empty()) continue;
      for (const Vector3& p : points_on(polygon, points, scene.dimension, face_a.normal))
        scene.contacts.push_back({i, j, p, face_a.normal});
      return;  // convex bodies share one face at most
    }
  }
}

}  // namespace

void add_face_contacts(Scene& scene, int points) {
  // Blocks far larger than the rest (ground, walls) are tried with every other one.
  std::vector<int> small, large;
  std::vector<Bounds> boxes;
  std::vector<double> sizes;
  for (const Body& body : scene.bodies) {
    boxes.push_back(body.corners.empty() ? Bounds{} : bounds(body));
    const Vector3 extent = boxes.back().high - boxes.back().low;
    sizes.push_back(std::max({extent.x, extent.y, extent.z}));
  }
  std::vector<Vector3> centres;
  double reach = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    if (scene.bodies[b].corners.empty()) continue;
    if (scene.bodies[b].fixed) {
      large.push_back(int(b));
      continue;
    }
    small.push_back(int(b));
    centres.push_back(0.5 * (boxes[b].low + boxes[b].high));
    reach = std::max(reach, sizes[b] + 2 * slack);
  }
  for (const int i : large)
    for (const int j : small) add_pair(scene, i, j, boxes[std::size_t(i)], boxes[std::size_t(j)], points);
  for (const auto& [i, j] : near_pairs(centres, reach)) {
    const int a = small[std::size_t(i)], b = small[std::size_t(j)];
    add_pair(scene, a, b, boxes[std::size_t(a)], boxes[std::size_t(b)], points);
  }
}

void add_ball_contacts(Scene& scene) {
  std::vector<int> balls;
  std::vector<Vector3> centres;
  double reach = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    if (const Body& body = scene.bodies[b]; body.radius > 0) {
      balls.push_back(int(b));
      centres.push_back(body.centre);
      reach = std::max(reach, 2 * body.radius * (1 + slack));
    }
  for (const auto& [i, j] : near_pairs(centres, reach)) {
    const Body &a = scene.bodies[std::size_t(balls[std::size_t(i)])],
               &b = scene.bodies[std::size_t(balls[std::size_t(j)])];
    const Vector3 line = b.centre - a.centre;
    const double gap = length(line) - a.radius - b.radius;
    if (gap > slack * a.radius || (a.fixed && b.fixed)) continue;
    const Vector3 n = unit(line);
    scene.contacts.push_back({balls[std::size_t(i)], balls[std::size_t(j)], a.centre + a.radius * n, n});
  }
}

}  // namespace stickslip::internal
