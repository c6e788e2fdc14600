// Small machines as robots have them: a rover on rough ground, a gripper. Axles and slides are bilateral
// constraints.

#include <algorithm>

#include "base/random.hpp"
#include "generate/scenes.hpp"

namespace stickslip::internal {
namespace {

/// A cylinder of density `density` about `axle` (half of it).
Body make_wheel(Vector3 centre, double radius, Vector3 axle, double density) {
  const double half = length(axle), mass = density * 2 * half * M_PI * radius * radius;
  const double along = mass * radius * radius / 2, across = mass * (radius * radius / 4 + half * half / 3);
  const auto e = numbers(unit(axle));
  Body wheel;
  wheel.centre = centre;
  wheel.mass = mass;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      wheel.inertia[i][j] = (i == j ? across : 0) + (along - across) * (e[i] * e[j]);
  wheel.radius = radius;
  wheel.axle = axle;
  return wheel;
}

const Vector3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

}  // namespace

Scene rover(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "rover", "driven wheels on axles, uneven ground", 0.7);
  Random random(request.seed);
  const long size = std::clamp(request.size.value_or(6), 1L, 36L), wheels = size < 6 ? 4 : 6;
  const long each = std::max(1L, std::lround(double(size) / double(wheels)));
  const double radius = 0.15, torque = random.uniform(0.5, 3);
  Body ground;
  ground.fixed = true;
  scene.bodies.push_back(ground);
  Body chassis = make_box({0, 0, 0.25}, {0.5, 0.25, 0.08});
  const double heavier = 20 / chassis.mass;
  chassis.mass *= heavier;
  for (auto& row : chassis.inertia)
    for (double& J : row) J *= heavier;
  chassis.torque.y = -torque * double(wheels);
  scene.bodies.push_back(chassis);
  for (long k = 0; k < wheels; ++k) {
    const long axle = k / 2, last_axle = wheels / 2 - 1;
    const double x = -0.4 + 0.8 * double(axle) / double(last_axle), y = k % 2 == 0 ? -0.34 : 0.34;
    const Vector3 hub = {x, y, 0.17 + random.uniform(-0.02, 0.02)};
    Body wheel = make_wheel(hub, radius, {0, 0.05, 0}, 300);
    wheel.torque.y = torque;
    const int body = int(scene.bodies.size());
    scene.bodies.push_back(wheel);
    // The axle leaves the turn about y free.
    for (const Vector3& e : axes) scene.joints.push_back({1, body, hub, e, false});
    scene.joints.push_back({1, body, hub, axes[0], true});
    scene.joints.push_back({1, body, hub, axes[2], true});
    for (long c = 0; c < each; ++c) {
      const double spread = each > 1 ? 0.8 * (double(c) / double(each - 1) - 0.5) : 0;
      const double tilt = spread + random.uniform(-0.2, 0.2);
      const Vector3 n = unit({std::sin(tilt), random.uniform(-0.15, 0.15), std::cos(tilt)});
      scene.contacts.push_back({0, body, hub - radius * n, n});
    }
  }
  return scene;
}

Scene gripper(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "gripper", "fingers on slides press on a cylinder and hold it", 0.6);
  Random random(request.seed);
  const long size = std::clamp(request.size.value_or(12), 2L, 36L);
  const long fingers = std::clamp(std::lround(double(size) / 4), 2L, 5L);
  const long each = std::max(1L, std::lround(double(size) / double(fingers)));
  const double radius = 0.05, half_height = 0.08;
  Body palm;
  palm.fixed = true;
  scene.bodies.push_back(palm);
  scene.bodies.push_back(make_wheel({0, 0, 0}, radius, {0, 0, half_height}, 1000));
  // With fingers that press equally, friction at a third to a half of its limit holds the weight.
  const double weight = scene.bodies[1].mass * 9.81;
  const double press = 2 * weight / (std::max(scene.mu, 0.05) * double(fingers)) * random.uniform(1, 1.5);
  for (long k = 0; k < fingers; ++k) {
    const double at = 2 * M_PI * double(k) / double(fingers) + random.uniform(-0.05, 0.05);
    const Vector3 out = {std::cos(at), std::sin(at), 0};
    Body finger = make_box((radius + 0.02) * out, {0.015, 0.02, 0.06}, at);
    const double heavier = 0.1 / finger.mass;
    finger.mass *= heavier;
    for (auto& row : finger.inertia)
      for (double& J : row) J *= heavier;
    finger.force = (-press) * out;
    const int body = int(scene.bodies.size());
    scene.bodies.push_back(finger);
    // The slide leaves the motion along `out` free.
    const Vector3 side = cross({0, 0, 1}, out);
    scene.joints.push_back({0, body, finger.centre, side, false});
    scene.joints.push_back({0, body, finger.centre, {0, 0, 1}, false});
    for (const Vector3& e : axes) scene.joints.push_back({0, body, finger.centre, e, true});
    // The pad fits the cylinder: points to the left and right, in rows above each other.
    for (long c = 0; c < each; ++c) {
      const double turn = each == 1 ? 0 : (c % 2 == 0 ? -0.25 : 0.25);
      const long row = c / 2, last_row = (each - 1) / 2;
      const double z = each < 3 ? 0 : 0.05 * (2 * double(row) / double(last_row) - 1);
      const Vector3 n = turned(out, turn);
      scene.contacts.push_back({1, body, radius * n + Vector3{0, 0, z}, n});
    }
  }
  return scene;
}

}  // namespace stickslip::internal
