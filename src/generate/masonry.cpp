// Blocks with horizontal and vertical faces: stack, tower, wall, pyramid.

#include <algorithm>

#include "base/random.hpp"
#include "generate/scenes.hpp"

namespace stickslip::internal {
namespace {

long at_least(long low, double x) { return std::max(low, long(std::lround(x))); }

}  // namespace

Scene begin_scene(const GenerateRequest& request, std::string title, std::string description,
                  double default_mu) {
  Scene scene;
  scene.title = std::move(title);
  scene.description = std::move(description);
  scene.dimension = request.dimension.value_or(3);
  scene.mu = request.mu.value_or(default_mu);
  scene.acceleration.x = 9.81 * request.load.value_or(0);
  return scene;
}

int points_on_face(const GenerateRequest& request) {
  const int p = request.points.value_or(2);
  return request.dimension.value_or(3) == 3 ? p * p : p;
}

Scene stack(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "stack", "boxes of many sizes in one column", 0.5);
  Random random(request.seed);
  const long count = at_least(1, double(request.size.value_or(40)) / points_on_face(request));
  scene.bodies.push_back(make_ground(-1.5, 1.5, -1.5, 1.5));
  double z = 0;
  for (long k = 0; k < count; ++k) {
    const Vector3 half = {random.uniform(0.4, 0.6), random.uniform(0.4, 0.6), random.uniform(0.1, 0.2)};
    const double x = random.uniform(-0.05, 0.05), y = random.uniform(-0.05, 0.05);
    scene.bodies.push_back(make_box({x, y, z + half.z}, half));
    z += 2 * half.z;
  }
  add_face_contacts(scene, request.points.value_or(2));
  return scene;
}

Scene tower(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "tower", "crossed planks, level upon level", 0.5);
  Random random(request.seed);
  // m parallel planks on a level cross the m of the level below: m² common faces. At most about 60 levels.
  const double faces = double(request.size.value_or(160)) / points_on_face(request);
  const long m = at_least(2, std::sqrt(faces / 60)), levels = at_least(1, faces / double(m * m));
  const double pitch = 0.75, length = pitch * double(m), width = 0.3, height = 0.1;
  scene.bodies.push_back(make_ground(-0.7 * length, 0.7 * length, -0.7 * length, 0.7 * length));
  for (long level = 0; level < levels; ++level)
    for (long k = 0; k < m; ++k) {
      const double across = pitch * (double(k) + 0.5) - length / 2 + random.uniform(-0.03, 0.03);
      const double turn = random.uniform(-0.03, 0.03);
      const bool along_x = level % 2 == 0;
      scene.bodies.push_back(
          make_box({along_x ? 0 : across, along_x ? across : 0, height * (double(level) + 0.5)},
                   {length / 2, width / 2, height / 2}, turn + (along_x ? 0 : M_PI / 2)));
    }
  add_face_contacts(scene, request.points.value_or(2));
  return scene;
}

Scene wall(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "wall", "bricks in running bond, bed and head joints", 0.7);
  Random random(request.seed);
  // A brick has two common faces below and one beside it.
  const double bricks = double(request.size.value_or(360)) / (3 * points_on_face(request));
  const long columns = at_least(1, std::sqrt(0.6 * bricks)), courses = at_least(1, bricks / double(columns));
  const double length = 0.4, half_depth = 0.1, height = 0.15;
  scene.bodies.push_back(make_ground(-length, length * double(columns + 1), -0.5, 0.5));
  for (long course = 0; course < courses; ++course) {
    // The joints of a course, half a brick further in every other one, a little off by the seed.
    std::vector<double> joints = {0};
    for (long k = 1; k <= columns; ++k)
      if (const double x = length * (double(k) - (course % 2 == 0 ? 0 : 0.5)); k < columns || course % 2 == 1)
        joints.push_back(x + random.uniform(-0.04, 0.04));
    joints.push_back(length * double(columns));
    for (std::size_t k = 0; k + 1 < joints.size(); ++k)
      scene.bodies.push_back(make_box({(joints[k] + joints[k + 1]) / 2, 0, height * (double(course) + 0.5)},
                                      {(joints[k + 1] - joints[k]) / 2, half_depth, height / 2}));
  }
  add_face_contacts(scene, request.points.value_or(2));
  return scene;
}

Scene pyramid(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "pyramid", "each block rests on those below its corners", 0.5);
  Random random(request.seed);
  const bool flat = scene.dimension == 2;
  const double faces = double(request.size.value_or(140)) / points_on_face(request);
  // A base of n×n blocks has n² common faces with the ground, and four for each block above.
  const auto faces_of = [&](long n) {
    const double m = double(n) - 1;
    return flat ? double(n) + m * (m + 1) : double(n) * double(n) + 4 * m * (m + 1) * (2 * m + 1) / 6;
  };
  long n = 1;
  while (faces_of(n + 1) - faces < faces - faces_of(n)) ++n;
  const double pitch = 1, half = 0.46, height = 0.6;
  scene.bodies.push_back(make_ground(-1, double(n) * pitch, -1, flat ? 1 : double(n) * pitch));
  for (long level = 0; level < n; ++level)
    for (long j = 0; j < (flat ? 1 : n - level); ++j)
      for (long i = 0; i < n - level; ++i) {
        const double shift = 0.5 * double(level);
        const double x = pitch * (double(i) + shift) + random.uniform(-0.03, 0.03);
        const double y = flat ? 0 : pitch * (double(j) + shift) + random.uniform(-0.03, 0.03);
        scene.bodies.push_back(make_box({x, y, height * (double(level) + 0.5)}, {half, half, height / 2}));
      }
  add_face_contacts(scene, request.points.value_or(2));
  return scene;
}

Scene blocks(const GenerateRequest& request) {
  Scene scene =
      begin_scene(request, "hyperstatic blocks",
                  "a wall with as many contact points under each block as the density asks for", 0.5);
  Random random(request.seed);
  // c = 3·contacts/(6·blocks), so that a block has 2c points below it.
  const double c = request.density.value_or(4);
  const long count = at_least(1, double(request.size.value_or(200)) / (2 * c));
  const long columns = at_least(1, std::sqrt(0.6 * double(count)));
  const double length = 0.4, half_depth = 0.15, height = 0.2;
  // Courses begin at 0 and 0.4 of a block in turn, so that the middle of a block lies on one block only.
  const auto start_of = [&](long course) { return course % 2 == 0 ? 0.0 : 0.4 * length; };
  scene.bodies.push_back(make_ground(-length, length * double(columns + 2), -1, 1));
  long placed = 0;
  for (long b = 0; b < count; ++b) {
    const long course = b / columns, column = b % columns;
    const double x = start_of(course) + length * (double(column) + 0.5), z = height * double(course);
    Body block = make_box({x, 0, z + height / 2}, {length / 2, half_depth, height / 2});
    const double weight = random.uniform(0.8, 1.2);
    block.mass *= weight;
    for (auto& row : block.inertia)
      for (double& J : row) J *= weight;
    scene.bodies.push_back(std::move(block));
    const long points = std::lround(2 * c * double(b + 1)) - placed;
    placed += points;
    // The part of the block's foot that has something below it, drawn in a little.
    double low = x - 0.48 * length, high = x + 0.48 * length;
    if (course > 0) {
      low = std::max(low, start_of(course - 1) + 0.02 * length);
      high = std::min(high, start_of(course - 1) + (double(columns) - 0.02) * length);
    }
    for (long k = 0; k < points; ++k) {
      // One point in the middle; more go around the edge of the foot from a corner.
      Vector3 p = {x, 0, z};
      if (points > 1) {
        const double round = 4 * double(k) / double(points), along = 2 * (round - std::floor(round)) - 1;
        const double sx[4] = {along, 1, -along, -1}, sy[4] = {-1, along, 1, -along};
        p.x = (low + high) / 2 + (high - low) / 2 * sx[int(round)];
        p.y = 0.96 * half_depth * sy[int(round)];
      }
      long below = 0;  // the ground
      if (course > 0) {
        const long under = long(std::floor((p.x - start_of(course - 1)) / length));
        below = 1 + (course - 1) * columns + std::clamp(under, 0L, columns - 1);
      }
      scene.contacts.push_back({int(below), int(b + 1), p, {0, 0, 1}});
    }
  }
  return scene;
}

}  // namespace stickslip::internal
