#include "tests/dynamics/validation/finding.hpp"

namespace stickslip::validation {

Point turned(const Quaternion& q, const Point& v) {
  const Point u = {q[1], q[2], q[3]}, c = cross(u, v),
              d = cross(u, {c[0] + q[0] * v[0], c[1] + q[0] * v[1], c[2] + q[0] * v[2]});
  return {v[0] + 2 * d[0], v[1] + 2 * d[1], v[2] + 2 * d[2]};
}

Scene Incline::scene() const {
  Scene scene{.step = step, .contact = {.friction = friction, .restitution = restitution}};
  scene.add_fixed(Plane{.normal = normal()});
  const Point n = normal();
  const double half = size[2] / 2;
  scene.add_rigid(Box{size[0], size[1], size[2]}, {.mass = mass,
                                                   .position = {half * n[0], half * n[1], half * n[2]},
                                                   .rotation = rotation_about({0, 1, 0}, angle),
                                                   .velocity = velocity});
  return scene;
}

const std::vector<Problem>& problems() {
  static const std::vector<Problem> all = [] {
    std::vector<Problem> collected;
    for (const auto& group : {free_motion, dry_friction, area_contact, rolling, impacts, assemblies,
                              large_assemblies, deformable, elements, pressed_ball, plane_contact})
      for (Problem& problem : group()) collected.push_back(std::move(problem));
    return collected;
  }();
  return all;
}

}  // namespace stickslip::validation
