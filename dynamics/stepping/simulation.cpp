#include "stickslip/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/rank_lists.hpp"
#include "dynamics/stepping/contact_order.hpp"
#include "dynamics/stepping/saved_state.hpp"
#include "dynamics/stepping/stepper.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"

namespace stickslip {

using internal::Matrix;
using internal::Vector;
using internal::vector;

namespace {

/// The other body becomes the first.
void turn(TouchingPoint& contact) {
  std::swap(contact.body[0], contact.body[1]);
  for (Point* p : {&contact.normal, &contact.impulse, &contact.velocity})
    for (double& x : *p) x = -x;
}

}  // namespace

struct Simulation::State {
  explicit State(Scene given) : scene(std::move(given)), stepper(scene) { publish(); }

  Scene scene;
  internal::Stepper stepper;
  long steps = 0;
  std::filesystem::path failed_folder;
  bool touched = false;   // from outside, since the last step: other ranks do not know it
  bool gathered = false;  // the first rank has what all ranks have parts of

  // What the views show, bodies in the order of the stepper.
  std::vector<Point> position, velocity, angular_velocity;
  std::vector<Quaternion> orientation;
  std::vector<std::array<double, 9>> deformation;
  std::vector<double> joint_impulses;
  // Contacts by the scene's bodies, where those of the stepper have others.
  std::vector<TouchingPoint> contacts;
  std::vector<std::pair<std::uint64_t, int>> contact_order;  // bodies, and which of the stepper's

  double time() const { return double(steps) * scene.step; }
  void publish();
  void publish_contacts();
  void keep_failed() const;
  /// The place of a body in the stepper.
  std::size_t index(BodyIndex body) const {
    if (body < 0 || body >= stepper.model.bodies.size())
      throw InputError(
          fmt::format("there is no body {}; the scene has {}", body, stepper.model.bodies.size()));
    return std::size_t(stepper.order.place[std::size_t(body)]);
  }
  /// What is applied to a body in the next step.
  internal::Load& extra(std::size_t body) {
    touched = true;
    stepper.extra.resize(stepper.model.bodies.models.size());
    return stepper.extra[body];
  }
  std::size_t moving(BodyIndex body) const {
    const std::size_t b = index(body);
    if (!stepper.model.bodies.models[b].moves())
      throw InputError(fmt::format("body '{}' does not move", stepper.model.bodies.models[b].name));
    return b;
  }
};

void Simulation::State::publish() {
  const internal::Bodies& bodies = stepper.model.bodies;
  const std::size_t n = bodies.models.size();
  position.resize(n);
  velocity.resize(n);
  angular_velocity.resize(n);
  orientation.resize(n);
  deformation.resize(n);
  for (std::size_t b = 0; b < n; ++b) {
    const internal::BodyState& s = bodies.states[b];
    const internal::BodyModel& model = bodies.models[b];
    const Matrix F = bodies.map_of(int(b));
    const Vector arm = F * (model.mass_centre - model.centre);
    position[b] = internal::point(s.x + arm);
    velocity[b] = internal::point(s.v + s.omega.cross(arm));
    angular_velocity[b] = internal::point(s.omega);
    orientation[b] = internal::quaternion(s.Q);
    for (int i = 0; i < 9; ++i) deformation[b][std::size_t(i)] = F(i / 3, i % 3);
  }
  joint_impulses.resize(stepper.joint_forces.size());
  for (std::size_t i = 0; i < joint_impulses.size(); ++i)
    joint_impulses[i] = scene.step * stepper.joint_forces[i];
}

void Simulation::State::publish_contacts() {
  if (stepper.order.as_listed) return;
  const auto listed = [&](BodyIndex body) { return stepper.order.listed[std::size_t(body)]; };
  contact_order.clear();
  for (const TouchingPoint& contact : stepper.contacts) {
    const auto [a, b] = std::minmax({listed(contact.body[0]), listed(contact.body[1])});
    contact_order.emplace_back(internal::body_pair(a, b), int(contact_order.size()));
  }
  std::sort(contact_order.begin(), contact_order.end());
  contacts.clear();
  for (const auto& [pair, at] : contact_order) {
    TouchingPoint& contact = contacts.emplace_back(stepper.contacts[std::size_t(at)]);
    for (BodyIndex& body : contact.body) body = listed(body);
    if (contact.body[0] > contact.body[1]) turn(contact);
  }
}

void Simulation::State::keep_failed() const {
  const bool kept = !failed_folder.empty();
  if (stepper.shared ? stepper.shared->largest(kept ? 1.0 : 0.0) == 0 : !kept) return;
  const auto problem = stepper.global_problem();
  const std::vector<double> guess = stepper.guess();
  if (!problem || !kept) return;
  std::error_code failure;
  std::filesystem::create_directories(failed_folder, failure);
  if (failure) throw OutputError(failed_folder.string() + ": cannot be created: " + failure.message());
  ProblemFile file{*problem};
  file.guesses.push_back({.u = {}, .r = guess, .v = {}, .l = {}});
  file.info.title = scene.title.empty() ? "a step that was not solved" : scene.title;
  file.info.description = fmt::format("step {}, t = {:.9g} s, h = {:.9g} s, impulses in {:g} N s", steps,
                                      time(), scene.step, stepper.problem_unit);
  write_fclib(failed_folder / fmt::format("step-{:07d}-{}.hdf5", steps, problem->contacts()), file);
}

Simulation::Simulation(Scene scene) : state_(std::make_unique<State>(std::move(scene))) {
  State* state = state_.get();
  state->stepper.on_unsolved = [state] { state->keep_failed(); };
}

namespace {

Scene load(const std::string& path_or_name, const std::vector<Parameter>& parameters) {
  std::error_code none;
  if (std::filesystem::exists(path_or_name, none)) return read_scene(path_or_name, parameters);
  const BuiltInScene& scene = built_in_scene(path_or_name);
  return parse_scene(scene.text, parameters, scene.name);
}

}  // namespace

Simulation::Simulation(const std::string& path_or_name, const std::vector<Parameter>& parameters)
    : Simulation(load(path_or_name, parameters)) {}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Scene& Simulation::scene() const { return state_->scene; }
double Simulation::time() const { return state_->time(); }
long Simulation::steps() const { return state_->steps; }

bool Simulation::step() {
  synchronise();
  state_->gathered = false;
  if (!state_->stepper.step(state_->time())) return false;
  ++state_->steps;
  state_->publish();
  state_->publish_contacts();
  return true;
}

bool Simulation::run(double duration, const std::function<bool(const Simulation&)>& observer) {
  if (!(duration >= 0) || !std::isfinite(duration))
    throw InputError(fmt::format("duration is {}; it must be a finite number ≥ 0", duration));
  // A duration that is a whole number of steps up to rounding takes that many.
  const long count = long(std::ceil(duration / state_->scene.step * (1 - 1e-12)));
  for (long k = 0; k < count; ++k) {
    if (!step()) return false;
    if (observer && observer(*this)) return true;
  }
  return true;
}

const Point& Simulation::position(BodyIndex body) const { return state_->position[state_->index(body)]; }
const Quaternion& Simulation::orientation(BodyIndex body) const {
  return state_->orientation[state_->index(body)];
}
const Point& Simulation::velocity(BodyIndex body) const { return state_->velocity[state_->index(body)]; }
const Point& Simulation::angular_velocity(BodyIndex body) const {
  return state_->angular_velocity[state_->index(body)];
}
const std::array<double, 9>& Simulation::deformation(BodyIndex body) const {
  return state_->deformation[state_->index(body)];
}
namespace {

const internal::ElementBody* elements_of(const internal::Bodies& bodies, std::size_t b) {
  return bodies.models[b].has_elements() ? &bodies.element(int(b)) : nullptr;
}

std::span<const double> numbers(const Eigen::VectorXd& x) { return {x.data(), std::size_t(x.size())}; }

}  // namespace

std::span<const double> Simulation::node_positions(BodyIndex body) const {
  const auto* elements = elements_of(state_->stepper.model.bodies, state_->index(body));
  return elements ? numbers(elements->x) : std::span<const double>{};
}
std::span<const double> Simulation::node_velocities(BodyIndex body) const {
  const auto* elements = elements_of(state_->stepper.model.bodies, state_->index(body));
  return elements ? numbers(elements->v) : std::span<const double>{};
}
std::vector<std::array<double, 6>> Simulation::stresses(BodyIndex body) const {
  std::vector<std::array<double, 6>> all;
  if (const auto* elements = elements_of(state_->stepper.model.bodies, state_->index(body)))
    for (const auto& s : elements->stresses()) all.push_back({s[0], s[1], s[2], s[3], s[4], s[5]});
  return all;
}
double Simulation::strain_energy(BodyIndex body) const {
  const auto* elements = elements_of(state_->stepper.model.bodies, state_->index(body));
  return elements ? elements->elastic() : 0;
}

double Simulation::mass(BodyIndex body) const {
  return state_->stepper.model.bodies.models[state_->index(body)].mass;
}

std::array<double, 9> Simulation::inertia(BodyIndex body) const {
  const std::size_t b = state_->index(body);
  const internal::Bodies& bodies = state_->stepper.model.bodies;
  const Matrix J = internal::in_world(bodies.states[b].Q.toRotationMatrix(), bodies.models[b].inertia);
  std::array<double, 9> rows{};
  for (int i = 0; i < 9; ++i) rows[std::size_t(i)] = J(i / 3, i % 3);
  return rows;
}

std::span<const TouchingPoint> Simulation::contacts() const {
  return state_->stepper.order.as_listed ? state_->stepper.contacts : state_->contacts;
}

std::span<const double> Simulation::joint_impulses(int joint) const {
  const internal::JointSet& joints = state_->stepper.model.joints;
  if (joint < 0 || joint >= joints.joints())
    throw InputError(fmt::format("there is no joint {}; the scene has {}", joint, joints.joints()));
  const auto [begin, end] = joints.range(joint);
  return std::span<const double>(state_->joint_impulses)
      .subspan(std::size_t(begin), std::size_t(end - begin));
}

const StepReport& Simulation::report() const { return state_->stepper.report; }
const Counters& Simulation::counters() const { return state_->stepper.counters; }
const std::vector<std::string>& Simulation::messages() const { return state_->stepper.messages; }

double Simulation::kinetic() const { return state_->stepper.model.bodies.kinetic(); }
double Simulation::potential() const {
  return state_->stepper.model.bodies.potential(vector(state_->scene.gravity));
}
double Simulation::elastic() const { return state_->stepper.model.bodies.elastic(); }

void Simulation::apply_force(BodyIndex body, const Point& force, const Point& torque) {
  internal::Load& load = state_->extra(state_->moving(body));
  load.force += vector(force);
  load.torque += vector(torque);
}

void Simulation::apply_force_at(BodyIndex body, const Point& force, const Point& point) {
  const std::size_t b = state_->moving(body);
  const internal::Bodies& bodies = state_->stepper.model.bodies;
  internal::Load& load = state_->extra(b);
  const Vector arm = vector(point) - bodies.states[b].x, F = vector(force);
  load.force += F;
  if (bodies.models[b].deforms())
    load.couple += F * (bodies.states[b].F.inverse() * arm).transpose();
  else
    load.torque += arm.cross(F);
}

void Simulation::set_velocity(BodyIndex body, const Point& velocity, const Point& angular_velocity) {
  state_->stepper.model.bodies.set_velocity(int(state_->moving(body)), vector(velocity),
                                            vector(angular_velocity));
  state_->touched = true;
  state_->publish();
}

void Simulation::set_deformation_rate(BodyIndex body, const std::array<double, 9>& rate) {
  const std::size_t b = state_->moving(body);
  internal::Bodies& bodies = state_->stepper.model.bodies;
  if (!bodies.models[b].deforms())
    throw InputError(fmt::format("body '{}' does not deform", bodies.models[b].name));
  for (int i = 0; i < 9; ++i) bodies.states[b].rate(i / 3, i % 3) = rate[std::size_t(i)];
  state_->touched = true;
  state_->publish();
}

std::optional<GlobalProblem> Simulation::problem() const { return state_->stepper.global_problem(); }
std::vector<double> Simulation::guess() const { return state_->stepper.guess(); }
double Simulation::problem_unit() const { return state_->stepper.problem_unit; }
void Simulation::keep_failed_problems(const std::filesystem::path& folder) { state_->failed_folder = folder; }
void Simulation::set_cancel(const std::atomic<bool>* cancel) { state_->stepper.solver.cancel = cancel; }

void Simulation::set_processes(internal::SharedSolver& processes) {
  internal::Stepper& stepper = state_->stepper;
  stepper.shared = std::make_unique<internal::SharedStep>(processes, stepper.model.bodies);
}
void Simulation::synchronise() {
  internal::Stepper& stepper = state_->stepper;
  if (!stepper.shared) return;
  const bool first = stepper.shared->ranks().rank() == 0;
  if (stepper.shared->largest(first && state_->touched ? 1.0 : 0.0) > 0) {
    std::vector<std::byte> bytes;
    if (first) bytes = save();
    internal::spread(stepper.shared->ranks(), bytes);
    if (!first) restore(bytes);
  }
  state_->touched = false;
}
void Simulation::gather() {
  internal::Stepper& stepper = state_->stepper;
  if (!stepper.shared || state_->gathered) return;
  stepper.shared->gather(stepper.contacts, stepper.memory, stepper.model.detector);
  state_->gathered = true;
  state_->publish_contacts();
}

std::vector<std::byte> Simulation::save() const {
  return internal::save_state(state_->stepper, state_->steps);
}

void Simulation::restore(std::span<const std::byte> bytes) {
  state_->steps = internal::restore_state(state_->stepper, bytes);
  state_->touched = true;
  state_->publish();
  state_->publish_contacts();
}

}  // namespace stickslip
