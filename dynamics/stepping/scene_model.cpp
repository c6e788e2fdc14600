#include "dynamics/stepping/scene_model.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "dynamics/stepping/element_scene.hpp"
#include "dynamics/stepping/stable_step.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// Bodies may overlap by this share of the smaller one's size at the start.
constexpr double overlap_share = 1e-6;
/// Of a run: their number stays exact in a double.
constexpr double most_steps = 1e15;
constexpr int most_threads = 1024;

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw InputError(where.empty() ? what : where + ": " + what);
}

bool given(const Point& p) { return !std::isnan(p[0]); }

bool finite(const Point& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

void check_scene(const Scene& scene) {
  const auto need = [](bool good, const char* what, double value, const char* rule) {
    if (!good) throw InputError(fmt::format("{} is {}; it must be {}", what, shortest(value), rule));
  };
  need(scene.step > 0 && std::isfinite(scene.step), "step", scene.step, "a finite number > 0");
  need(scene.duration >= 0 && std::isfinite(scene.duration), "duration", scene.duration,
       "a finite number ≥ 0");
  need(scene.duration / scene.step <= most_steps, "duration", scene.duration, "at most 1e15 steps");
  for (double g : scene.gravity) need(std::isfinite(g), "gravity", g, "finite");
  need(scene.theta >= 0.5 && scene.theta <= 1, "theta", scene.theta, "in [0.5, 1]");
  need(scene.penetration > 0, "penetration", scene.penetration, "> 0");
  need(scene.every >= 1, "output: every", double(scene.every), "≥ 1");
  need(scene.threads >= 1 && scene.threads <= most_threads, "threads", scene.threads, "from 1 to 1024");
  need(scene.solver.tolerance > 0 && std::isfinite(scene.solver.tolerance), "solver: tolerance",
       scene.solver.tolerance, "a finite number > 0");
  need(scene.solver.time_limit > 0, "solver: time_limit", scene.solver.time_limit, "> 0");
  need(scene.solver.finer >= 0, "solver: finer", double(scene.solver.finer), "≥ 0");
}

void check_law(const std::string& where, double friction, double restitution) {
  if (!(friction >= 0) || !std::isfinite(friction))
    refuse(where, fmt::format("friction is {}; it must be a finite number ≥ 0", shortest(friction)));
  if (!(restitution >= 0 && restitution <= 1))
    refuse(where, fmt::format("restitution is {}; it must lie in [0, 1]", shortest(restitution)));
}

ContactPoints rule_of(PointRule rule) { return ContactPoints(int(rule)); }
static_assert(int(PointRule::corners) == int(ContactPoints::corners) &&
              int(PointRule::centroid) == int(ContactPoints::centroid) &&
              int(PointRule::gauss2) == int(ContactPoints::gauss2) &&
              int(PointRule::all) == int(ContactPoints::all));

/// A body being checked: messages name it.
struct Checked {
  const Scene& scene;
  const SceneBody& body;
  std::string name;

  [[noreturn]] void refuse_body(const std::string& what) const {
    refuse(body.where, fmt::format("body '{}': {}", name, what));
  }
  void need(bool good, const char* what, double value, const char* rule) const {
    if (!good) refuse_body(fmt::format("{} is {}; it must be {}", what, shortest(value), rule));
  }
  void need_finite(const char* what, const Point& p) const {
    for (double x : p) need(std::isfinite(x), what, x, "finite");
  }
  const Material* material() const {
    for (const Material& m : scene.materials)
      if (m.name == body.material) return &m;
    return nullptr;
  }
  double density() const {
    const Material* m = material();
    const double value = body.density != 0 ? body.density : m ? m->density : 0;
    if (value == 0) refuse_body("has no mass; give it a density, a mass, or a material with a density");
    need(value > 0 && std::isfinite(value), "density", value, "a finite number > 0");
    return value;
  }
};

/// Young's modulus and Poisson's ratio of a body that deforms, and its damping.
void read_elasticity(const Checked& checked, BodyModel& model) {
  const SceneBody& body = checked.body;
  const Material* material = checked.material();
  const std::optional<double> young = body.young ? body.young : material ? material->young : std::nullopt;
  const std::optional<double> poisson = body.poisson ? body.poisson
                                        : material   ? material->poisson
                                                     : std::nullopt;
  if (!young) checked.refuse_body("deforms and needs Young's modulus; give its material 'young'");
  checked.need(*young > 0 && std::isfinite(*young), "young", *young, "a finite number > 0");
  const double nu = poisson.value_or(0);
  checked.need(nu > -1 && nu < 0.5, "poisson", nu, "in (-1, 0.5)");
  checked.need(body.damping >= 0 && std::isfinite(body.damping), "damping", body.damping,
               "a finite number ≥ 0");
  model.elastic = lame(*young, nu);
  model.damping = body.damping;
}

/// Mass, inertia, Euler tensor, elasticity of a body that moves.
void weigh(const Checked& checked, const MassProperties& shape, BodyModel& model) {
  const SceneBody& body = checked.body;
  double density = 0;
  if (body.mass) {
    checked.need(*body.mass > 0 && std::isfinite(*body.mass), "mass", *body.mass, "a finite number > 0");
    density = *body.mass / shape.volume;
  } else {
    density = checked.density();
  }
  model.mass = density * shape.volume;
  model.volume = shape.volume;
  model.inertia =
      density * Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(shape.inertia.data());
  model.euler = density * Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(shape.euler.data());
  if (body.inertia) {
    for (double I : *body.inertia) checked.need(I > 0 && std::isfinite(I), "inertia", I, "finite and > 0");
    model.inertia = vector(*body.inertia).asDiagonal();
  }
  model.inverse_inertia = model.inertia.inverse();
  if (!(model.mass > 0) || !std::isfinite(model.mass) || !model.inverse_inertia.allFinite() ||
      !model.euler.inverse().allFinite())
    checked.refuse_body(
        "is too small, too large or too thin: its mass and inertia are beyond what numbers can hold");
  if (body.kind != BodyKind::pseudo_rigid) return;
  read_elasticity(checked, model);
}

void add_elements(const Checked& checked, Bodies& bodies, KnownElements& known) {
  const SceneBody& body = checked.body;
  if (given(body.position)) checked.need_finite("position", body.position);
  checked.need_finite("velocity", body.velocity);
  checked.need_finite("angular_velocity", body.angular_velocity);
  const double length = rotation(body.rotation).norm();
  checked.need(length > 0 && std::isfinite(length), "the length of its quaternion", length, "> 0 and finite");
  if (body.mass)
    checked.need(*body.mass > 0 && std::isfinite(*body.mass), "mass", *body.mass, "a finite number > 0");
  BodyModel elastic;
  read_elasticity(checked, elastic);
  try {
    add_element_body({.body = body,
                      .name = checked.name,
                      .density = body.mass ? 0 : checked.density(),
                      .elastic = elastic.elastic},
                     bodies, known);
  } catch (const InputError& error) {
    checked.refuse_body(error.what());
  }
}

}  // namespace

SceneModel::SceneModel(const Scene& scene)
    : detector({.points = rule_of(scene.contact.points), .rim_points = scene.contact.rim_points}) {
  check_scene(scene);
  add_laws(scene);
  add_bodies(scene);
  add_surfaces(scene);
  add_joints(scene);
  add_forces(scene);
  if (!scene.allow_overlap) refuse_overlap(scene);
  if (scene.inertia_scaling) bodies.scale_inertia(scene.step);
}

void SceneModel::add_bodies(const Scene& scene) {
  std::set<std::string> names;
  Eigen::AlignedBox3d box;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const SceneBody& body = scene.bodies[b];
    const Checked checked{scene, body, body.name.empty() ? fmt::format("body{}", b) : body.name};
    if (!names.insert(checked.name).second) checked.refuse_body("the name is taken by a body before it");
    if (body.kind == BodyKind::elements) {
      const int place = detector.add(prepare(Sphere{}), Mobility::moving, material_[b]);
      detector.remove(place);  // found on its facets instead
      add_elements(checked, bodies, known_elements_);
      for (const double *x = bodies.elements.back().x.data(), *end = x + bodies.elements.back().x.size();
           x < end; x += 3)
        box.extend(Vector(x[0], x[1], x[2]));
      continue;
    }
    std::shared_ptr<const PreparedShape> shape;
    try {
      shape = prepare(body.shape);
    } catch (const InputError& error) {
      checked.refuse_body(error.what());
    }
    const bool moves = body.kind == BodyKind::rigid || body.kind == BodyKind::pseudo_rigid;
    if (moves && shape->is_obstacle())
      checked.refuse_body(
          fmt::format("a {} has no mass; make the body fixed or driven", kind_name(body.shape)));

    BodyModel model;
    BodyState state;
    model.kind = body.kind;
    model.name = checked.name;
    model.size = shape->size();
    model.thickness = shape->thickness();
    model.undeformed = body.undeformed;
    model.flat = std::holds_alternative<Box>(body.shape) || std::holds_alternative<Convex>(body.shape) ||
                 std::holds_alternative<Plane>(body.shape);
    model.mass_centre = model.centre = vector(shape->mass().centre);
    if (given(body.position)) checked.need_finite("position", body.position);
    checked.need_finite("velocity", body.velocity);
    checked.need_finite("angular_velocity", body.angular_velocity);
    const Rotation Q = rotation(body.rotation);
    checked.need(Q.norm() > 0 && std::isfinite(Q.norm()), "the length of its quaternion", Q.norm(),
                 "> 0 and finite");
    state.Q = Q.normalized();
    state.x = given(body.position) ? vector(body.position) : model.centre;
    state.F = state.Q.toRotationMatrix();
    if (moves) {
      weigh(checked, shape->mass(), model);
    } else if (body.kind == BodyKind::driven) {
      model.velocity = body.driven_velocity;
      model.angular_velocity = body.driven_angular_velocity;
      if (given(body.centre)) {
        checked.need_finite("centre", body.centre);
        const Vector origin = state.x - state.F * model.centre;
        model.centre = state.F.transpose() * (vector(body.centre) - origin);
        state.x = vector(body.centre);
      }
      for (int k = 0; k < 3; ++k) {
        state.v[k] = model.velocity[std::size_t(k)](0);
        state.omega[k] = model.angular_velocity[std::size_t(k)](0);
      }
    }
    const Bounds bounds = shape->bounds(Placement::about(model.centre, state.x, state.F));
    if (bounds.low.allFinite() && bounds.high.allFinite()) {
      box.extend(bounds.low);
      box.extend(bounds.high);
    }
    bodies.models.push_back(model);
    bodies.states.push_back(state);
    detector.add(std::move(shape), moves ? Mobility::moving : Mobility::obstacle, material_[b]);
  }
  bodies.number_rows();
  if (scene.scheme == Scheme::moreau) refuse_unstable_step(scene);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    if (bodies.models[b].moves())
      bodies.set_velocity(int(b), vector(scene.bodies[b].velocity), vector(scene.bodies[b].angular_velocity));
  if (!box.isEmpty()) extent = box.diagonal().norm(), middle = box.center();
}

void SceneModel::refuse_unstable_step(const Scene& scene) const {
  const ElementBodyChoice* last = nullptr;  // equal bodies follow each other
  const auto equal = [](const ElementBodyChoice& x, const ElementBodyChoice& y) {
    return x.model == y.model && x.basis == y.basis && x.held == y.held && x.mass_damping == y.mass_damping &&
           x.stiffness_damping == y.stiffness_damping;
  };
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodyModel& model = bodies.models[b];
    if (!model.has_elements() && !model.deforms()) continue;
    if (model.has_elements()) {
      const ElementBodyChoice& choice = bodies.element(int(b)).choice();
      if (last && equal(*last, choice)) continue;
      last = &choice;
    }
    const double limit = longest_stable_step(bodies, b, scene.theta);
    if (scene.step > limit)
      refuse(scene.bodies[b].where,
             fmt::format("body '{}': explicit steps are stable up to {:.3g} s, the step is {} s; use scheme "
                         "\"linearly_implicit\", or a smaller step",
                         model.name, limit, shortest(scene.step)));
  }
}

void SceneModel::add_surfaces(const Scene& scene) {
  if (bodies.elements.empty()) return;
  surfaces.set_points(scene.contact.points == PointRule::centroid ? FacetPoints::mean : FacetPoints::gauss);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    if (bodies.models[b].has_elements()) {
      surfaces.add_elements(int(b), bodies.element(int(b)).choice().model);
      continue;
    }
    try {
      surfaces.add_shape(int(b), prepare(scene.bodies[b].shape));
    } catch (const InputError& error) {
      refuse(scene.bodies[b].where, fmt::format("body '{}': {}", bodies.models[b].name, error.what()));
    }
  }
}

void SceneModel::add_laws(const Scene& scene) {
  check_law("contact", scene.contact.friction, scene.contact.restitution);
  std::vector<std::string> names;
  const auto index = [&](const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return int(found - names.begin());
    names.push_back(name);
    return int(names.size()) - 1;
  };
  for (const Material& material : scene.materials) index(material.name);
  for (const SceneBody& body : scene.bodies) material_.push_back(index(body.material));
  materials_ = int(names.size());
  laws_.assign(std::size_t(materials_ * materials_), {scene.contact.friction, scene.contact.restitution});
  for (const PairLaw& pair : scene.pairs) {
    std::array<int, 2> at{};
    for (std::size_t k = 0; k < 2; ++k) {
      const auto found = std::find(names.begin(), names.end(), pair.between[k]);
      if (found == names.end()) {
        const std::string near = nearest(pair.between[k], names);
        refuse(pair.where, fmt::format("pair: no body is made of '{}'{}", pair.between[k],
                                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
      }
      at[k] = int(found - names.begin());
    }
    const Law law{pair.friction.value_or(scene.contact.friction),
                  pair.restitution.value_or(scene.contact.restitution)};
    check_law(pair.where.empty() ? "pair" : pair.where + ": pair", law.friction, law.restitution);
    laws_[std::size_t(at[0] * materials_ + at[1])] = laws_[std::size_t(at[1] * materials_ + at[0])] = law;
    if (pair.points) detector.set_points(at[0], at[1], rule_of(*pair.points));
  }
}

void SceneModel::add_joints(const Scene& scene) {
  const int count = int(scene.bodies.size());
  for (std::size_t k = 0; k < scene.joints.size(); ++k) {
    const Joint& joint = scene.joints[k];
    const auto wrong = [&](const std::string& what) {
      refuse(joint.where, fmt::format("joint {}: {}", k, what));
    };
    for (int body : {joint.first, joint.second})
      if (body < world || body >= count) wrong(fmt::format("there is no body {}", body));
    const auto moves = [&](int body) { return body >= 0 && bodies.models[std::size_t(body)].moves(); };
    if (joint.first == joint.second) wrong("it connects a body with itself");
    if (!moves(joint.first) && !moves(joint.second)) wrong("neither of its bodies moves");
    for (int body : {joint.first, joint.second})
      if (body >= 0 && bodies.models[std::size_t(body)].has_elements())
        wrong(fmt::format("body '{}' is made of elements, which have no joints; hold its nodes instead",
                          bodies.models[std::size_t(body)].name));
    const auto centre = [&](int body) -> Vector { return bodies.states[std::size_t(body)].x; };
    const int anchor = joint.first >= 0 ? joint.first : joint.second;
    if (given(joint.point) && !finite(joint.point)) wrong("its point is not finite");
    Vector axis = vector(joint.axis);
    if (!axis.allFinite() || !(axis.norm() > 0)) wrong("its axis must not be zero");
    Vector point = given(joint.point) ? vector(joint.point) : centre(anchor), other = point;
    int first = joint.first, second = joint.second;
    if (joint.kind == JointKind::distance) {
      // A point together with the world is the world's; the body is held at its centre.
      if (first == world) std::swap(first, second);
      if (second == world) {
        if (!given(joint.point)) wrong("a distance to the world needs a point");
        other = point;
        point = given(joint.other) ? vector(joint.other) : centre(first);
      } else {
        other = given(joint.other) ? vector(joint.other) : centre(second);
      }
      if (!((point - other).norm() > 0)) wrong("the points whose distance it keeps are the same");
    }
    joints.add(bodies, joint.kind, first, second, point, axis, other);
    if (!joint.collide && first >= 0 && second >= 0) detector.exclude(first, second);
  }
}

void SceneModel::add_forces(const Scene& scene) {
  for (std::size_t k = 0; k < scene.forces.size(); ++k) {
    const Force& force = scene.forces[k];
    const auto wrong = [&](const std::string& what) {
      refuse(force.where, fmt::format("force {}: {}", k, what));
    };
    if (force.body < 0 || force.body >= int(scene.bodies.size()))
      wrong(fmt::format("there is no body {}", force.body));
    const auto b = std::size_t(force.body);
    if (!bodies.models[b].moves()) wrong(fmt::format("body '{}' does not move", bodies.models[b].name));
    if (!(force.drag >= 0) || !std::isfinite(force.drag)) wrong("drag must be a finite number ≥ 0");
    ModelForce model{.body = force.body, .force = force.force, .torque = force.torque, .drag = force.drag};
    if (given(force.point)) {
      if (!finite(force.point)) wrong("its point is not finite");
      model.local = bodies.map_of(force.body).inverse() * (vector(force.point) - bodies.states[b].x);
    }
    forces.push_back(std::move(model));
  }
}

void SceneModel::refuse_overlap(const Scene& scene) {
  std::vector<Placement> placements;
  for (int b = 0; b < bodies.size(); ++b)
    placements.push_back(bodies.placement(b, bodies.states[std::size_t(b)].x, bodies.map_of(b)));
  const std::vector<double> reach(placements.size(), 0.0);
  const auto found = detector.detect(placements, reach);
  std::vector<Contact> all(found.begin(), found.end());
  if (!surfaces.empty()) {
    std::vector<const Eigen::VectorXd*> nodes(placements.size(), nullptr);
    for (int b = 0; b < bodies.size(); ++b)
      if (bodies.models[std::size_t(b)].has_elements()) nodes[std::size_t(b)] = &bodies.element(b).x;
    surfaces.detect(placements, nodes, reach);
    for (const SurfaceContact& contact : surfaces.contacts()) all.push_back(contact.contact);
  }
  for (const Contact& contact : all) {
    const auto a = std::size_t(contact.a), b = std::size_t(contact.b);
    const double size = std::min(bodies.models[a].size, bodies.models[b].size);
    if (-contact.gap <= overlap_share * size || scene.bodies[a].allow_overlap ||
        scene.bodies[b].allow_overlap)
      continue;
    refuse(scene.bodies[b].where,
           fmt::format(
               "body '{}': overlaps with '{}' by {:.3g} m at the start, more than {:g} of its size; move it, "
               "or set allow_overlap = true",
               bodies.models[b].name, bodies.models[a].name, -contact.gap, overlap_share));
  }
}

}  // namespace stickslip::internal
