#include "dynamics/stepping/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/timer.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

constexpr int most_halvings = 6;
/// Squares of velocities are numbers.
constexpr double largest_velocity = 1e150;
/// Up to this inverse of their mean compliance, and from the inverse of this on, problems are handed out with impulses in N·s. Beyond, 1e-8 of the
/// velocities would be lost in the rounding of the impulses.
constexpr double largest_unit = 0x1p20;
/// Steps of Newton's method on the joints; each gains a factor of the angle of a step.
constexpr int joint_iterations = 3;
/// With contacts: so many more solves, where |g|/h would be more than this share of the speeds of bodies with joints, which is what a solve may be off by.
constexpr int joint_repeats = 2;
constexpr double joint_noise = 1e-8;

Point to_point(const Vector& v) { return {v[0], v[1], v[2]}; }
Vector at(const SignalVector& s, double t) { return {s[0](t), s[1](t), s[2](t)}; }

}  // namespace

Stepper::Stepper(const Scene& scene)
    : order(scene),
      model(order.as_listed ? SceneModel(scene) : SceneModel(order.apply(scene))),
      solver(scene.solver, scene.threads),
      scene_(scene),
      gravity_(vector(scene.gravity)) {
  const std::size_t n = model.bodies.models.size();
  if (scene.threads > 1) team_ = std::make_unique<ThreadTeam>(scene.threads);
  reach_.resize(n);
  speed_.resize(n);
  warned_fast.assign(n, 0);
  warned_far.assign(n, 0);
  joint_forces.assign(std::size_t(model.joints.rows()), 0.0);
}

void Stepper::sample_loads(double t, double h) {
  loads_.assign(extra.begin(), extra.end());
  if (model.forces.empty()) return;
  loads_.resize(model.bodies.models.size());
  const double when = scene_.scheme == Scheme::quasi_static ? t + h : t + 0.5 * h;
  for (const ModelForce& force : model.forces) {
    Load& load = loads_[std::size_t(force.body)];
    const MiddleBody& m = model.bodies.middle(force.body);
    const Vector F = at(force.force, when);
    load.force += F;
    load.torque += at(force.torque, when);
    load.drag += force.drag;
    if (model.bodies.models[std::size_t(force.body)].deforms())
      load.couple += F * force.local.transpose();
    else
      load.torque += (m.F * force.local).cross(F);
  }
}

void Stepper::prepare_joints(double h) {
  JointSet& joints = model.joints;
  if (joints.rows() == 0) return;
  const Bodies& bodies = model.bodies;
  joints.linearise(bodies);
  solver.prepare_joints(bodies, joints);
  // v*: that of the joints alone, so that linear and angular parts fit each other. What contacts change is looked at after the solve.
  // Where a body is so light, or an arm so long, that a step of Newton's method turns it too far, the last b that was better stays.
  trial_.assign(bodies.free().begin(), bodies.free().end());
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < joint_iterations; ++k) {
    left_ = joints.predict(bodies, trial_, h);
    if (!(left_ <= least)) {
      joints.set_b(best_b_);
      return;
    }
    least = left_;
    best_b_.assign(joints.b().begin(), joints.b().end());
    solver.joined_velocity(bodies, joints, bodies.free(), trial_);
  }
  left_ = joints.predict(bodies, trial_, h);
  joints.set_b(best_b_);
}

double Stepper::joined_speed() const {
  const Bodies& bodies = model.bodies;
  double largest = 0;
  for (int row = 0; row < model.joints.rows(); ++row)
    for (const int body : model.joints.bodies_of(row)) {
      if (body < 0) continue;
      const BodyModel& joined = bodies.models[std::size_t(body)];
      for (int i = 0; i < joined.rows(); ++i)
        largest = std::max(largest, std::abs(bodies.free()[std::size_t(joined.row + i)]));
    }
  return largest;
}

Solved Stepper::solve_joined(double h) {
  JointSet& joints = model.joints;
  Solved solved = solve_step();
  if (joints.rows() == 0 || (shared ? shared->sum(problem_.size()) : problem_.size()) == 0) return solved;
  if (!solved.converged) return solved;
  // What the motion that was found leaves at the next middle; b is then the one that takes it back. Light bodies under load would go far without
  // contacts and nowhere with them, and joints that are made for the way pushed them.
  const auto left = [&] {
    add_impulse(problem_);
    velocity_after(after_);
    return joints.predict(model.bodies, after_, h);
  };
  const auto solve_again = [&] {
    if (solved.converged) {
      problem_.guess = solver.r;
      problem_.guess_velocity = solver.u;
    }
    const Solved before = solved;
    solved = solve_step();
    solved.iterations += before.iterations;
    solved.seconds += before.seconds;
  };
  const double counts = std::max(2 * left_, joint_noise * joined_speed());
  double error = left();
  for (int k = 0; k < joint_repeats && error > counts; ++k) {
    next_b_.assign(joints.b().begin(), joints.b().end());
    solve_again();
    const double before = error;
    error = solved.converged ? left() : before;
    if (!(error < before)) {
      joints.set_b(best_b_);
      solve_again();
      return solved;
    }
    best_b_ = next_b_;
  }
  joints.set_b(best_b_);
  return solved;
}

void Stepper::account(double h, const Solved& solved) {
  contacts.clear();
  ExactSum work;
  for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
    const bool parted = split_ && solver.statuses[c] == ContactStatus::open;
    const ProblemContact& chosen = problem_.contacts[c];
    const Contact& contact = found_[std::size_t(chosen_[c])];
    const Vector r = Eigen::Map<const Vector>(&solver.r[3 * c]);
    Vector u = Eigen::Map<const Vector>(&solver.u[3 * c]);
    u[0] -= chosen.offset;
    const Vector impulse = chosen.frame * r, velocity = chosen.frame * u;
    const double done = 0.5 * r.dot(before_[c] + u);
    work.add(done);
    contacts.push_back({.body = {contact.a, contact.b},
                        .key = contact.key,
                        .point = to_point(chosen.point),
                        .normal = to_point(contact.normal),
                        .gap = contact.gap,
                        .area = contact.area,
                        .impulse = to_point(impulse),
                        .velocity = to_point(velocity),
                        .status = r[0] > 0 ? solver.statuses[c] : ContactStatus::open,
                        .work = done,
                        .friction = chosen.mu});
    memory.next.push_back({.a = contact.a,
                           .b = contact.b,
                           .key = contact.key,
                           .point = chosen.point,
                           .force = impulse / h,
                           .velocity = velocity,
                           .gap = contact.gap,
                           .approach = h * u[0],
                           .loaded = r[0] > 0 && !parted ? 1.0 : 0.0});
  }
  memory.end();
  for (std::size_t i = 0; i < joint_forces.size(); ++i) joint_forces[i] = solver.lambda[i] / h;
  report.contacts = problem_.size();
  if (shared) {
    report.contacts = shared->sum(problem_.size());
    add_up(&shared->ranks(), {&work});
  }
  report.iterations += solved.iterations;
  report.error = std::max(report.error, solved.error);
  report.converged = report.converged && solved.converged;
  report.contact_work += work.value();
}

void Stepper::end(SharedPhase phase) const {
  if (shared) shared->end(phase);
}

Solved Stepper::solve(StepProblem& problem, std::span<const double> free) {
  return shared ? shared->solve(model.bodies, model.joints, problem, free, solver)
                : solver.solve(model.bodies, model.joints, problem, free);
}

void Stepper::add_impulse(const StepProblem& problem) {
  impulse_.assign(std::size_t(model.bodies.rows()), 0.0);
  if (shared)
    shared->add_impulse(model.bodies, problem, solver.r, impulse_);
  else
    problem.add_impulse(model.bodies, solver.r, impulse_);
  model.joints.add_impulse(model.bodies, solver.lambda, impulse_);
}

void Stepper::velocity_after(std::vector<double>& velocity) {
  const Bodies& bodies = model.bodies;
  velocity.assign(bodies.free().begin(), bodies.free().end());
  for (int b = 0; b < bodies.size(); ++b) {
    const BodyModel& body = bodies.models[std::size_t(b)];
    if (!body.moves()) continue;
    double* change = &impulse_[std::size_t(body.row)];
    bodies.apply_inverse(b, change);
    for (int i = 0; i < body.rows(); ++i) velocity[std::size_t(body.row + i)] += change[i];
  }
}

bool Stepper::finite() const {
  for (std::size_t b = 0; b < model.bodies.models.size(); ++b) {
    const BodyState& s = model.bodies.states[b];
    if (!s.x.allFinite() || !s.v.allFinite() || !s.omega.allFinite() || !s.Q.coeffs().allFinite())
      return false;
    if (model.bodies.models[b].deforms() && !s.F.allFinite()) return false;
  }
  for (const ElementBody& body : model.bodies.elements)
    if (!body.x.allFinite() || !body.v.allFinite()) return false;
  return true;
}

Stepper::Outcome Stepper::advance(double t, double h) {
  Bodies& bodies = model.bodies;
  bodies.begin({.h = h,
                .t = t,
                .theta = scene_.theta,
                .scheme = scene_.scheme,
                .gyroscopic = scene_.gyroscopic,
                .gravity = gravity_});
  sample_loads(t, h);
  bodies.load(loads_);
  for (double v : bodies.free())
    if (!(std::abs(v) <= largest_velocity)) return Outcome::not_finite;
  end(SharedPhase::moving);
  detect(h);
  choose_contacts(h);
  end(SharedPhase::detection);
  prepare_joints(h);
  problem_.assemble(bodies);
  const Solved solved = solve_joined(h);
  counters.solve_seconds += solved.seconds;
  const bool near_one = solved.unit >= 1 / largest_unit && solved.unit <= largest_unit;
  problem_unit = near_one ? 1 : solved.unit;
  if (!solved.converged && on_unsolved) on_unsolved();

  add_impulse(problem_);
  end(SharedPhase::gathering);
  bodies.finish(impulse_);
  if (!finite()) return Outcome::not_finite;
  account(h, solved);
  if (scene_.scheme != Scheme::quasi_static) correct_positions(h);
  return solved.converged ? Outcome::good : Outcome::unsolved;
}

void Stepper::keep() {
  kept_contacts_.swap(contacts);  // the step makes its own
  kept_corrected_ = corrected;
  kept_states_ = model.bodies.states;
  model.bodies.keep_elements(kept_elements_);
  kept_memory_ = memory.last;
  kept_joint_forces_ = joint_forces;
}

void Stepper::undo() {
  contacts.swap(kept_contacts_);
  corrected = kept_corrected_;
  model.bodies.states = kept_states_;
  model.bodies.restore_elements(kept_elements_);
  memory.last = kept_memory_;
  joint_forces = kept_joint_forces_;
}

Stepper::Outcome Stepper::attempt(double t, double h, int depth) {
  if (scene_.solver.on_failure != OnFailure::halve) return advance(t, h);
  // Local copies: a half may fail again.
  const std::vector<BodyState> states = model.bodies.states;
  std::vector<ElementState> elements;
  model.bodies.keep_elements(elements);
  const std::vector<RememberedContact> last = memory.last;
  const std::vector<double> forces = joint_forces;
  const StepReport before = report;
  const Outcome outcome = advance(t, h);
  if (outcome == Outcome::good || depth == most_halvings) return outcome;
  model.bodies.states = states;
  model.bodies.restore_elements(elements);
  memory.last = last;
  joint_forces = forces;
  report = before;
  ++counters.halved;
  const Outcome first = attempt(t, h / 2, depth + 1);
  if (first == Outcome::not_finite) return first;
  const Outcome second = attempt(t + h / 2, h / 2, depth + 1);
  return second == Outcome::good ? first : second;
}

// One line for all that begin in the same step: of a chain, every link is fast at once.
void Stepper::warn(double t, double h) {
  const Bodies& bodies = model.bodies;
  /// The worst of those that are warned of for the first time, and how many.
  struct Warned {
    std::size_t worst = 0;
    double by = 0;
    int count = 0;
    void add(std::size_t body, double share, std::vector<char>& before) {
      if (!(share > 1) || before[body]) return;
      before[body] = 1;
      ++count;
      if (share > by) worst = body, by = share;
    }
    std::string others() const {
      if (count == 1) return {};
      return fmt::format(" ({} other bod{} likewise)", count - 1, count == 2 ? "y" : "ies");
    }
  } fast, far;
  const auto way = [&](std::size_t b) { return h * bodies.states[b].v.norm(); };
  for (std::size_t b = 0; b < bodies.models.size(); ++b) {
    if (!bodies.models[b].moves()) continue;
    fast.add(b, way(b) / bodies.models[b].thickness, warned_fast);
    far.add(b, (bodies.states[b].x - model.middle).norm() / (1e3 * model.extent), warned_far);
  }
  if (fast.count > 0)
    messages.push_back(
        fmt::format("t = {:.6g} s: body '{}' moves {:.3g} m in a step, more than its thickness of {:.3g} "
                    "m{}; it may pass "
                    "through others (a smaller step helps)",
                    t, bodies.models[fast.worst].name, way(fast.worst), bodies.models[fast.worst].thickness,
                    fast.others()));
  if (far.count > 0) {
    const Vector& x = bodies.states[far.worst].x;
    messages.push_back(fmt::format("t = {:.6g} s: body '{}' has flown away, to ({:.3g}, {:.3g}, {:.3g}) m{}",
                                   t, bodies.models[far.worst].name, x[0], x[1], x[2], far.others()));
  }
}

bool Stepper::step(double t) {
  const Timer timer;
  const double h = scene_.step;
  report = {};
  if (shared) shared->begin(model.bodies, memory, model.detector);
  keep();
  const auto give_up = [&](const std::string& why) {
    undo();
    messages.push_back(why);
    counters.seconds += timer.seconds();
    return false;
  };
  Outcome outcome;
  try {
    outcome = attempt(t, h, 0);
  } catch (const InputError& error) {  // an expression of t that has no value
    return give_up(error.what());
  } catch (...) {  // what a function of t throws
    undo();
    throw;
  }
  if (outcome == Outcome::not_finite)
    return give_up(fmt::format("t = {:.6g} s: the next state is not finite; the last good one is kept", t));
  if (outcome == Outcome::unsolved && scene_.solver.on_failure == OnFailure::stop)
    return give_up(fmt::format(
        "t = {:.6g} s: the contact problem was not solved (error {:.1e}); stopped as the scene asks", t,
        report.error));
  extra.clear();

  report.kinetic = model.bodies.kinetic();
  report.potential = model.bodies.potential(gravity_);
  report.elastic = model.bodies.elastic();
  ++counters.steps;
  counters.unconverged += report.converged ? 0 : 1;
  counters.contacts_max = std::max(counters.contacts_max, report.contacts);
  counters.contacts_sum += double(report.contacts);
  counters.iterations_sum += double(report.iterations);
  counters.error_max = std::max(counters.error_max, report.error);
  counters.dissipated -= report.contact_work;
  counters.penetration_max = std::max(counters.penetration_max, report.penetration);
  warn(t + h, h);
  end(SharedPhase::moving);
  counters.seconds += timer.seconds();
  return true;
}

std::vector<double> Stepper::guess() const {
  std::vector<double> guess = shared ? shared->whole(problem_).guess : problem_.guess;
  for (double& impulse : guess) impulse /= problem_unit;
  return guess;
}

std::optional<GlobalProblem> Stepper::global_problem() const {
  const auto made = [&](const StepProblem& problem) -> std::optional<GlobalProblem> {
    if (problem.size() == 0) return std::nullopt;
    return problem.global(model.bodies, model.joints, free(), problem_unit);
  };
  if (!shared) return made(problem_);
  StepProblem whole = shared->whole(problem_);
  whole.assemble(model.bodies);
  return made(whole);
}

}  // namespace stickslip::internal
