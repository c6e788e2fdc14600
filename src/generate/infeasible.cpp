// Problems without a solution: walls that close in on bodies which cannot give way.
//
// With d_N ≥ 0, d_T = 0 and H d = 0 the impulses d hold each other, and every v has d·u = d·w. Where that is
// negative some u_N is negative, whatever r: no solution exists. Four kinds, by seed: a press with redundant
// points, a row of balls in a vice without redundancy, a ball in a cage of four walls, boxes on the ground in
// a vice.

#include <algorithm>

#include "base/random.hpp"
#include "generate/scenes.hpp"

namespace stickslip::internal {
namespace {

/// A direction, uniform on the sphere.
Vector3 random_direction(Random& random) {
  const double z = random.uniform(-1, 1), turn = random.uniform(0, 2 * M_PI), r = std::sqrt(1 - z * z);
  return {r * std::cos(turn), r * std::sin(turn), z};
}

/// Speeds of two walls; together they close in, though one of them may give way.
std::pair<double, double> closing_speeds(Random& random) {
  const double one = random.uniform(-0.3, 0.5);
  return {one, random.uniform(0.05, 0.5) + std::max(0.0, -one)};
}

void fix(Body& body) { body.fixed = true; }

/// Boxes of many sizes on one axis between the ground and a lid.
void press(Scene& scene, long size, Random& random) {
  const long boxes = std::max(1L, std::lround(double(size) / 4) - 1);
  scene.bodies.push_back(make_ground(-1, 1, -1, 1));
  double z = 0;
  for (long k = 0; k < boxes; ++k) {
    const Vector3 half = {random.uniform(0.3, 0.6), random.uniform(0.3, 0.6), random.uniform(0.1, 0.3)};
    scene.bodies.push_back(make_box({0, 0, z + half.z}, half));
    z += 2 * half.z;
  }
  scene.bodies.push_back(make_box({0, 0, z + 0.05}, {0.9, 0.9, 0.05}));
  fix(scene.bodies.back());
  add_face_contacts(scene, 2);
  const auto [below, above] = closing_speeds(random);
  for (ContactPoint& c : scene.contacts) {
    if (c.first == 0) c.approach = below;
    if (c.first == int(boxes) + 1 || c.second == int(boxes) + 1) c.approach = above;
  }
}

/// Balls in a row between two walls, one contact each.
void vice(Scene& scene, long size, Random& random) {
  const long balls = std::max(1L, size - 1);
  const auto [left, right] = closing_speeds(random);
  double x = 0;
  scene.bodies.push_back(make_box({-0.05, 0, 0}, {0.05, 0.8, 0.8}));
  fix(scene.bodies.back());
  int before = 0;
  for (long k = 0; k < balls; ++k) {
    const double r = random.uniform(0.3, 0.6);
    scene.contacts.push_back({before, int(k + 1), {x, 0, 0}, {1, 0, 0}, k == 0 ? left : 0});
    scene.bodies.push_back(make_ball({x + r, 0, 0}, r, random.uniform(0.5, 2)));
    before = int(k + 1);
    x += 2 * r;
  }
  scene.contacts.push_back({before, int(balls + 1), {x, 0, 0}, {1, 0, 0}, right});
  scene.bodies.push_back(make_box({x + 0.05, 0, 0}, {0.05, 0.8, 0.8}));
  fix(scene.bodies.back());
}

/// A ball between four walls whose inward normals have Σ a n = 0, a > 0; returns the a.
std::vector<double> cage(Scene& scene, Random& random) {
  Vector3 n[4], sum;
  double a[4];
  for (;;) {
    sum = {};
    for (int k = 0; k < 3; ++k) {
      n[k] = random_direction(random);
      a[k] = random.uniform(0.5, 1.5);
      sum += a[k] * n[k];
    }
    a[3] = length(sum);
    // Four walls that really enclose the ball: no three normals near a plane.
    if (a[3] > 0.3 && std::abs(dot(n[0], cross(n[1], n[2]))) > 0.3) break;
  }
  n[3] = (-1 / a[3]) * sum;
  scene.bodies.push_back(Body{});
  fix(scene.bodies.back());
  scene.bodies.push_back(make_ball({0, 0, 0}, 0.5, 2));
  for (int k = 0; k < 4; ++k) scene.contacts.push_back({0, 1, -0.5 * n[k], n[k], random.uniform(0.05, 0.5)});
  return {a[0], a[1], a[2], a[3]};
}

/// Equal boxes side by side on the ground between two walls.
void row_in_vice(Scene& scene, long size, Random& random) {
  const long boxes = std::max(1L, std::lround(double(size - 4) / 8));
  const auto [left, right] = closing_speeds(random);
  const double half = random.uniform(0.2, 0.5), high = random.uniform(0.2, 0.5);
  double x = 0;
  scene.bodies.push_back(make_ground(-0.5, 2.5 * double(boxes) + 0.5, -1, 1));
  scene.bodies.push_back(make_box({-0.05, 0, 0.6}, {0.05, 0.6, 0.6}));
  fix(scene.bodies.back());
  for (long k = 0; k < boxes; ++k) {
    const double length = random.uniform(0.3, 0.6);
    scene.bodies.push_back(make_box({x + length, 0, high}, {length, half, high}));
    x += 2 * length;
  }
  scene.bodies.push_back(make_box({x + 0.05, 0, 0.6}, {0.05, 0.6, 0.6}));
  fix(scene.bodies.back());
  scene.bodies[0] = make_ground(-0.6, x + 0.6, -1, 1);
  add_face_contacts(scene, 2);
  for (ContactPoint& c : scene.contacts) {
    if (c.first == 1) c.approach = left;
    if (c.first == int(boxes) + 2 || c.second == int(boxes) + 2) c.approach = right;
  }
}

}  // namespace

Scene infeasible(const GenerateRequest& request, std::vector<double>* certificate) {
  Scene scene = begin_scene(request, "infeasible", "", 0);
  Random random(request.seed);
  scene.mu = request.mu.value_or(random.uniform(0.2, 1));
  const long size = request.size.value_or(16);
  const int kind = int(request.seed % 4);
  std::vector<double> weights;
  if (kind == 0) press(scene, size, random);
  if (kind == 1) vice(scene, size, random);
  if (kind == 2) weights = cage(scene, random);
  if (kind == 3) row_in_vice(scene, size, random);
  const char* what[4] = {"boxes in a press, redundant points", "a row of balls in a vice",
                         "a ball in a cage that closes", "boxes on the ground in a vice"};
  scene.description = std::string(what[kind]) + ": no solution exists";
  if (certificate) {
    certificate->assign(3 * scene.contacts.size(), 0.0);
    for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
      // In the row on the ground only the sideways contacts hold each other.
      const bool upright = kind == 3 && std::abs(scene.contacts[i].normal.z) > 0.5;
      (*certificate)[3 * i] = upright ? 0 : weights.empty() ? 1 : weights[i];
    }
  }
  return scene;
}

}  // namespace stickslip::internal
