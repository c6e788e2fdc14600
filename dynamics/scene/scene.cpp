#include "stickslip/scene.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/text.hpp"
#include "dynamics/scene/expression.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {

using namespace internal;

Signal::Signal(std::string_view expression) {
  auto compiled = std::make_shared<Expression>(std::string(expression), std::vector<std::string>{"t"});
  if (!compiled->uses("t")) {
    value_ = compiled->value({0.0});
    return;
  }
  function_ =
      std::make_shared<std::function<double(double)>>([compiled](double t) { return compiled->value({t}); });
}

Quaternion rotation_about(const Point& axis, double degrees) {
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  if (!(length > 0) || !std::isfinite(length) || !std::isfinite(degrees))
    throw InputError("rotation: the axis must not be zero, and the angle finite");
  const double half = degrees * (M_PI / 360), s = std::sin(half) / length;
  return {std::cos(half), s * axis[0], s * axis[1], s * axis[2]};
}

namespace {

BodyIndex push(Scene& scene, SceneBody body) {
  scene.bodies.push_back(std::move(body));
  return BodyIndex(scene.bodies.size()) - 1;
}

}  // namespace

BodyIndex Scene::add_fixed(Shape shape, FixedBody body) {
  return push(*this, {.kind = BodyKind::fixed,
                      .name = std::move(body.name),
                      .material = std::move(body.material),
                      .shape = std::move(shape),
                      .position = body.position,
                      .rotation = body.rotation});
}

BodyIndex Scene::add_driven(Shape shape, DrivenBody body) {
  return push(*this, {.kind = BodyKind::driven,
                      .name = std::move(body.name),
                      .material = std::move(body.material),
                      .shape = std::move(shape),
                      .position = body.position,
                      .rotation = body.rotation,
                      .driven_velocity = std::move(body.velocity),
                      .driven_angular_velocity = std::move(body.angular_velocity),
                      .centre = body.centre});
}

BodyIndex Scene::add_rigid(Shape shape, RigidBody body) {
  return push(*this, {.kind = BodyKind::rigid,
                      .name = std::move(body.name),
                      .material = std::move(body.material),
                      .shape = std::move(shape),
                      .position = body.position,
                      .rotation = body.rotation,
                      .velocity = body.velocity,
                      .angular_velocity = body.angular_velocity,
                      .density = body.density,
                      .mass = body.mass,
                      .inertia = body.inertia});
}

BodyIndex Scene::add_pseudo_rigid(Shape shape, PseudoRigidBody body) {
  return push(*this, {.kind = BodyKind::pseudo_rigid,
                      .name = std::move(body.name),
                      .material = std::move(body.material),
                      .shape = std::move(shape),
                      .position = body.position,
                      .rotation = body.rotation,
                      .velocity = body.velocity,
                      .angular_velocity = body.angular_velocity,
                      .density = body.density,
                      .mass = body.mass,
                      .young = body.young,
                      .poisson = body.poisson,
                      .damping = body.damping,
                      .undeformed = body.undeformed});
}

BodyIndex Scene::add_elements(std::shared_ptr<const ElementMesh> mesh, ElementsBody body) {
  return push(*this, {.kind = BodyKind::elements,
                      .name = std::move(body.name),
                      .material = std::move(body.material),
                      .position = body.position,
                      .rotation = body.rotation,
                      .velocity = body.velocity,
                      .angular_velocity = body.angular_velocity,
                      .density = body.density,
                      .mass = body.mass,
                      .young = body.young,
                      .poisson = body.poisson,
                      .damping = body.damping,
                      .mesh = std::move(mesh),
                      .elements = std::move(body.options)});
}

int Scene::add_joint(Joint joint) {
  joints.push_back(std::move(joint));
  return int(joints.size()) - 1;
}

int Scene::add_force(Force force) {
  forces.push_back(std::move(force));
  return int(forces.size()) - 1;
}

BodyIndex Scene::find(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    names.push_back(bodies[b].name.empty() ? fmt::format("body{}", b) : bodies[b].name);
    if (names.back() == name) return BodyIndex(b);
  }
  const std::string near = nearest(name, names);
  throw InputError(fmt::format("there is no body '{}'{}", name,
                               near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace stickslip
