// A scene as bodies without contacts: whoever detects them finds those of the scene again.

#include <algorithm>

#include "generate/scene.hpp"

namespace stickslip::internal {
namespace {

/// Floor and sides of a container that balls lie in.
void add_walls(const Body& container, std::vector<FamilyBody>& bodies) {
  Vector3 low = container.corners[0], high = low;
  for (const Vector3& p : container.corners) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const auto wall = [&](Vector3 normal, double offset) {
    FamilyBody body{.fixed = true, .offset = offset};
    body.normal = numbers(normal);
    bodies.push_back(body);
  };
  wall({0, 0, 1}, low.z);
  wall({1, 0, 0}, low.x), wall({-1, 0, 0}, -high.x);
  wall({0, 1, 0}, low.y), wall({0, -1, 0}, -high.y);
}

}  // namespace

FamilyBodies bodies_of(const Scene& scene) {
  FamilyBodies made{.title = scene.title, .friction = scene.mu, .step = scene.step};
  made.gravity = numbers(scene.acceleration);
  const bool balls = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                 [](const Body& body) { return !body.fixed && body.radius > 0; });
  for (const Body& body : scene.bodies) {
    if (balls && body.hollow) {
      add_walls(body, made.bodies);
      continue;
    }
    FamilyBody copy{.fixed = body.fixed, .mass = body.mass, .radius = body.radius};
    copy.centre = numbers(body.centre);
    for (const Vector3& p : body.corners) copy.corners.push_back(numbers(p));
    made.bodies.push_back(std::move(copy));
  }
  return made;
}

}  // namespace stickslip::internal
