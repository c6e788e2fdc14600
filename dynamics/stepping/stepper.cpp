#include "dynamics/stepping/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/timer.hpp"
#include "dynamics/detection/frame.hpp"

namespace stickslip::internal {
namespace {

constexpr int most_halvings = 6;
/// Steps of Newton's method on the joints; each gains a factor of the angle of a step.
constexpr int joint_iterations = 3;
/// How often speeds are passed on from body to body in one step, and how often detection is done again with a longer reach.
constexpr int passes = 2, foreseen_passes = 4, most_detections = 4;
/// Contacts are at rest, or nearly, where they are no faster than the forces of so many steps make them.
constexpr double quiet_steps = 10;
/// Quasi-static contacts are kept while their gap is below this share of the bodies' sizes.
constexpr double kept_share = 1e-3;
/// Contacts up to which positions are corrected everywhere; beyond, so many contacts away from what is too deep.
constexpr std::size_t whole_correction = 1000;
constexpr int correction_rings = 6;

Point to_point(const Vector& v) { return {v[0], v[1], v[2]}; }
Vector at(const SignalVector& s, double t) { return {s[0](t), s[1](t), s[2](t)}; }

/// Where the impulse of a contact acts. Between two bodies that move it is one point, so that angular momentum is kept; on an obstacle it
/// is the point of the body's own surface, so that arms do not change with the penetration.
Vector acting_point(const Bodies& bodies, const Contact& contact) {
  if (!bodies.models[std::size_t(contact.a)].moves()) return contact.point_b;
  if (!bodies.models[std::size_t(contact.b)].moves()) return contact.point_a;
  return 0.5 * (contact.point_a + contact.point_b);
}

/// The velocity of the point p of a body whose rows of velocity are v.
Vector velocity_at(const Bodies& bodies, int body, std::span<const double> v, const Vector& p) {
  const BodyModel& model = bodies.models[std::size_t(body)];
  const MiddleBody& m = bodies.middle(body);
  const double* at = &v[std::size_t(model.row)];
  if (model.has_elements())
    return bodies.mean_displacement(body, at);  // of its centre: the point is not known
  const Vector centre(at[0], at[1], at[2]), arm = p - m.x;
  if (!model.deforms()) return centre + Vector(at[3], at[4], at[5]).cross(arm);
  return centre + Eigen::Map<const Matrix>(at + 3) * (m.inverse_F * arm);
}

Vector obstacle_velocity(const MiddleBody& m, const Vector& v, const Vector& omega, const Vector& p) {
  return v + omega.cross(p - m.x);
}

}  // namespace

Stepper::Stepper(const Scene& scene)
    : model(scene), solver(scene.solver, scene.threads), scene_(scene), gravity_(vector(scene.gravity)) {
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

Vector Stepper::velocity_there(int contact, int side, std::span<const double> v, const Vector& p) const {
  const int body = side == 0 ? found_[std::size_t(contact)].a : found_[std::size_t(contact)].b;
  const int share = shares_.empty() ? -1 : shares_[std::size_t(contact)][std::size_t(side)];
  if (share < 0) return velocity_at(model.bodies, body, v, p);
  return model.surfaces.shares()[std::size_t(share)].of(
      &v[std::size_t(model.bodies.models[std::size_t(body)].row)]);
}

void Stepper::find_contacts() {
  const Bodies& bodies = model.bodies;
  found_ = model.detector.detect(bodies.placements(), reach_, team_.get());
  if (model.surfaces.empty()) return;
  nodes_.assign(bodies.models.size(), nullptr);
  for (std::size_t b = 0; b < bodies.models.size(); ++b)
    if (bodies.models[b].has_elements()) nodes_[b] = &bodies.element(int(b)).middle();
  model.surfaces.detect(bodies.placements(), nodes_, reach_);
  // The two detectors have no pair in common.
  merged_.clear();
  shares_.clear();
  std::size_t next = 0;
  const auto take = [&](const Contact& contact, const std::array<int, 2>& share) {
    merged_.push_back(contact);
    shares_.push_back(share);
  };
  for (const SurfaceContact& surface : model.surfaces.contacts()) {
    const Contact& c = surface.contact;
    for (; next < found_.size() && std::pair(found_[next].a, found_[next].b) < std::pair(c.a, c.b); ++next)
      take(found_[next], {-1, -1});
    take(c, surface.share);
  }
  for (; next < found_.size(); ++next) take(found_[next], {-1, -1});
  found_ = merged_;
}

void Stepper::gather_agitation() {
  // How fast each body moves relative to its neighbours; what it may be hit by is passed on along contacts.
  const Bodies& bodies = model.bodies;
  candidates_.clear();
  agitation_.assign(bodies.models.size(), 0.0);
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const Contact& contact = found_[k];
    const Vector p = acting_point(bodies, contact);
    Candidate candidate{int(k), Vector::Zero(), Vector::Zero(), 0};
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? contact.a : contact.b;
      const double sign = side == 0 ? -1 : 1;
      if (bodies.models[std::size_t(body)].moves()) {
        const Vector before = velocity_there(int(k), side, bodies.before(), p);
        const Vector free = velocity_there(int(k), side, expected_, p);
        candidate.before += sign * before;
        candidate.free += sign * free;
        candidate.push = std::max(candidate.push, (free - before).norm());
      } else {
        const MiddleBody& m = bodies.middle(body);
        candidate.before += sign * obstacle_velocity(m, m.v_before, m.omega_before, p);
        candidate.free += sign * obstacle_velocity(m, m.v_after, m.omega_after, p);
      }
    }
    const double speed = candidate.free.norm();
    for (int body : {contact.a, contact.b})
      if (bodies.models[std::size_t(body)].moves())
        agitation_[std::size_t(body)] = std::max(agitation_[std::size_t(body)], speed);
    candidates_.push_back(candidate);
  }
  pass_on_agitation(found_, passes);
}

void Stepper::foresee_agitation() {
  // The same along the contacts of the last step, so that the first detection reaches far enough in most steps.
  const Bodies& bodies = model.bodies;
  agitation_.assign(bodies.models.size(), 0.0);
  for (const RememberedContact& contact : memory.last) {
    // Where a point of a body of elements has got to is not known before it is found again.
    if (bodies.models[std::size_t(contact.a)].has_elements() ||
        bodies.models[std::size_t(contact.b)].has_elements())
      continue;
    Vector free = Vector::Zero();
    for (int side = 0; side < 2; ++side) {
      const int body = int(side == 0 ? contact.a : contact.b);
      const MiddleBody& m = bodies.middle(body);
      free += (side == 0 ? -1 : 1) * (bodies.models[std::size_t(body)].moves()
                                          ? velocity_at(bodies, body, expected_, contact.point)
                                          : obstacle_velocity(m, m.v_after, m.omega_after, contact.point));
    }
    const double speed = free.norm();
    for (const auto body : {contact.a, contact.b})
      if (bodies.models[std::size_t(body)].moves())
        agitation_[std::size_t(body)] = std::max(agitation_[std::size_t(body)], speed);
  }
  pass_on_agitation(memory.last, foreseen_passes);
}

template <class Contacts>
void Stepper::pass_on_agitation(const Contacts& along, int times) {
  const Bodies& bodies = model.bodies;
  for (int pass = 0; pass < times; ++pass) {
    agitation_next_ = agitation_;
    for (const auto& contact : along) {
      const auto a = std::size_t(contact.a), b = std::size_t(contact.b);
      if (!bodies.models[a].moves() || !bodies.models[b].moves()) continue;
      agitation_next_[a] = std::max(agitation_next_[a], agitation_[b]);
      agitation_next_[b] = std::max(agitation_next_[b], agitation_[a]);
    }
    agitation_.swap(agitation_next_);
  }
}

void Stepper::expect() {
  // Quasi-static steps start from rest: with their long steps free velocities say nothing, those of the last step do.
  const Bodies& bodies = model.bodies;
  expected_.assign(bodies.free().begin(), bodies.free().end());
  if (scene_.scheme != Scheme::quasi_static) return;
  for (std::size_t b = 0; b < bodies.models.size(); ++b) {
    const BodyModel& body = bodies.models[b];
    const BodyState& s = bodies.states[b];
    if (!body.moves()) continue;
    double* v = &expected_[std::size_t(body.row)];
    if (body.has_elements()) {
      // Held nodes that are told to move faster than anything did take the others along as without contacts.
      const ElementBody& element = bodies.element(int(b));
      const std::vector<char>& held = element.choice().held;
      double told = 0;
      for (std::size_t i = 0; i < held.size(); ++i)
        if (held[i]) told = std::max(told, std::abs(v[i]));
      if (told <= element.v.lpNorm<Eigen::Infinity>()) std::copy_n(element.v.data(), body.rows(), v);
      continue;
    }
    std::copy_n(s.v.data(), 3, v);
    if (body.deforms())
      std::copy_n(s.rate.data(), 9, v + 3);
    else
      std::copy_n(s.omega.data(), 3, v + 3);
  }
}

void Stepper::detect(double h) {
  const Timer timer;
  const Bodies& bodies = model.bodies;
  expect();
  // How far the points of a body get in the step, from the middle to the next middle.
  double plane_speed = 0;
  for (int b = 0; b < bodies.size(); ++b) {
    const BodyModel& body = bodies.models[std::size_t(b)];
    const MiddleBody& m = bodies.middle(b);
    double speed = 0;
    if (body.has_elements()) {
      for (int i = 0; i < body.rows(); i += 3)
        speed = std::max(speed, Eigen::Map<const Vector>(&expected_[std::size_t(body.row + i)]).norm());
    } else if (body.deforms()) {
      const double* v = &expected_[std::size_t(body.row)];
      speed = Eigen::Map<const Vector>(v).norm() + 0.5 * body.size * Eigen::Map<const Matrix>(v + 3).norm();
    } else if (body.moves()) {
      const double* v = &expected_[std::size_t(body.row)];
      speed = Eigen::Map<const Vector>(v).norm() + 0.5 * body.size * Eigen::Map<const Vector>(v + 3).norm();
    } else if (body.kind == BodyKind::driven) {
      const double arm = (body.mass_centre - body.centre).norm() + 0.5 * body.size;
      speed = m.v_after.norm() + (std::isfinite(arm) ? m.omega_after.norm() * arm : 0.0);
      if (!std::isfinite(arm)) plane_speed = std::max(plane_speed, m.omega_after.norm());
    }
    speed_[std::size_t(b)] = speed;
  }
  foresee_agitation();
  for (int b = 0; b < bodies.size(); ++b) {
    const BodyModel& body = bodies.models[std::size_t(b)];
    double reach = std::max(1.5 * h * speed_[std::size_t(b)], 2 * h * agitation_[std::size_t(b)]);
    if (body.moves()) reach += closed_share * body.size + h * plane_speed * bodies.middle(b).x.norm();
    if (body.moves() && scene_.scheme == Scheme::quasi_static) reach += kept_share * body.size;
    reach_[std::size_t(b)] = reach;
  }
  for (int round = 0; round < most_detections; ++round) {
    find_contacts();
    gather_agitation();
    bool enough = true;
    for (std::size_t b = 0; b < reach_.size(); ++b)
      if (bodies.models[b].moves() && h * agitation_[b] > reach_[b]) {
        reach_[b] = 2 * h * agitation_[b];
        enough = false;
      }
    if (enough) break;
  }
  counters.detection_seconds += timer.seconds();
}

void Stepper::choose_contacts(double h) {
  const Bodies& bodies = model.bodies;
  problem_.contacts.clear();
  problem_.shares = model.surfaces.shares();
  problem_.guess.clear();
  chosen_.clear();
  before_.clear();
  gap_.clear();
  memory.begin();
  report.penetration = 0;
  double speed = 0, push = 0;  // sums of squares over the contacts
  for (const Candidate& candidate : candidates_) {
    const Contact& contact = found_[std::size_t(candidate.contact)];
    const RememberedContact* last = memory.find(contact.a, contact.b, contact.key);
    if (!last)
      last = memory.near(contact.a, contact.b, acting_point(bodies, contact),
                         2 * h * (speed_[std::size_t(contact.a)] + speed_[std::size_t(contact.b)]));
    const Law& law = model.law(contact.a, contact.b);
    const auto a = std::size_t(contact.a), b = std::size_t(contact.b);
    report.penetration = std::max(report.penetration, -contact.gap);
    const double size = std::min(bodies.models[a].size, bodies.models[b].size);
    const double approach = std::max(0.0, -contact.normal.dot(candidate.free));
    const bool out_of_reach =
        contact.gap > closed_share * size + h * (approach + agitation_[a] + agitation_[b]);
    if (scene_.scheme == Scheme::quasi_static) {
      // Contacts are surfaces that stay (SSN, Appendix): one that was there is kept, and plane faces touch by an area or not at all.
      // Slivers, where a stone that is pressed reaches past the edge of the next but one, are none.
      if (out_of_reach && !last) continue;
      const double least_area = last ? 0 : kept_share * size * size;
      if (contact.area <= least_area && bodies.models[a].flat && bodies.models[b].flat &&
          scene_.contact.points == PointRule::centroid)
        continue;
    } else if (out_of_reach) {
      continue;
    }
    ApproachedContact approached{.h = h,
                                 .gap = contact.gap,
                                 .size = size,
                                 .restitution = law.restitution,
                                 .before = contact.normal.dot(candidate.before),
                                 .push = candidate.push};
    if (last && last->loaded > 0 && !corrected) approached.bend = contact.gap - (last->gap + last->approach);
    const StepLaw step_law = law_at_step(approached);
    if (!step_law.active) continue;
    ProblemContact chosen{.body = {contact.a, contact.b},
                          .point = acting_point(bodies, contact),
                          .frame = contact_frame(contact.normal),
                          .mu = law.friction,
                          .offset = step_law.offset,
                          .obstacle = Vector::Zero()};
    if (!shares_.empty()) chosen.share = shares_[std::size_t(candidate.contact)];
    for (int side = 0; side < 2; ++side) {
      const int body = chosen.body[std::size_t(side)];
      if (bodies.models[std::size_t(body)].moves()) continue;
      const MiddleBody& m = bodies.middle(body);
      const Vector v = obstacle_velocity(m, m.v_after, m.omega_after, chosen.point);
      chosen.obstacle += (side == 0 ? -1 : 1) * (chosen.frame.transpose() * v);
    }
    const Vector guess = last ? Vector(h * (chosen.frame.transpose() * last->force)) : Vector(Vector::Zero());
    problem_.guess.insert(problem_.guess.end(), guess.data(), guess.data() + 3);
    before_.push_back(chosen.frame.transpose() * candidate.before);
    speed += candidate.before.squaredNorm();
    push += candidate.push * candidate.push;
    gap_.push_back(contact.gap);
    chosen_.push_back(candidate.contact);
    problem_.contacts.push_back(chosen);
  }
  problem_.quiet = scene_.scheme != Scheme::quasi_static && speed <= quiet_steps * quiet_steps * push;
  corrected = false;
}

void Stepper::prepare_joints(double h) {
  JointSet& joints = model.joints;
  if (joints.rows() == 0) return;
  const Bodies& bodies = model.bodies;
  joints.linearise(bodies);
  solver.prepare_joints(bodies, joints);
  // v*: that of the joints alone, so that linear and angular parts fit each other. What contacts add is of higher order.
  // Where a body is so light, or an arm so long, that a step of Newton's method turns it too far, the last b that was better stays.
  trial_.assign(bodies.free().begin(), bodies.free().end());
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < joint_iterations; ++k) {
    const double error = joints.predict(bodies, trial_, h);
    if (!(error <= least)) {
      joints.set_b(best_b_);
      break;
    }
    least = error;
    best_b_.assign(joints.b().begin(), joints.b().end());
    solver.joined_velocity(bodies, joints, bodies.free(), trial_);
  }
}

void Stepper::account(double h, const Solved& solved) {
  contacts.clear();
  double work = 0;
  for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
    const ProblemContact& chosen = problem_.contacts[c];
    const Contact& contact = found_[std::size_t(chosen_[c])];
    const Vector r = Eigen::Map<const Vector>(&solver.r[3 * c]);
    Vector u = Eigen::Map<const Vector>(&solver.u[3 * c]);
    u[0] -= chosen.offset;
    const Vector impulse = chosen.frame * r, velocity = chosen.frame * u;
    const double done = 0.5 * r.dot(before_[c] + u);
    work += done;
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
                           .gap = contact.gap,
                           .approach = h * u[0],
                           .loaded = r[0] > 0 ? 1.0 : 0.0});
  }
  memory.end();
  for (std::size_t i = 0; i < joint_forces.size(); ++i) joint_forces[i] = solver.lambda[i] / h;
  report.contacts = long(problem_.contacts.size());
  report.iterations += solved.iterations;
  report.error = std::max(report.error, solved.error);
  report.converged = report.converged && solved.converged;
  report.contact_work += work;
}

void Stepper::choose_corrected(double h) {
  // Where each contact will be at the next middle; only what does not leave by itself is pushed apart.
  const Bodies& bodies = model.bodies;
  corrected_.clear();
  reached_.clear();
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const double un = solver.u[3 * c] - problem_.contacts[c].offset, next = gap_[c] + h * un;
    const auto& body = problem_.contacts[c].body;
    const double size =
        std::min(bodies.models[std::size_t(body[0])].size, bodies.models[std::size_t(body[1])].size);
    if (next < -scene_.penetration * size && un <= 1e-3 * scene_.penetration * size / h)
      reached_.insert(reached_.end(), body.begin(), body.end());
  }
  if (reached_.empty()) return;
  if (contacts.size() <= whole_correction) {
    for (std::size_t c = 0; c < contacts.size(); ++c) corrected_.push_back(int(c));
    return;
  }
  // One deep contact among thousands moves its neighbours: those some contacts away, and no others.
  in_reach_.assign(bodies.models.size(), 0);
  near_deep_.assign(contacts.size(), 0);
  for (const int body : reached_) in_reach_[std::size_t(body)] = 1;
  std::size_t first = 0;
  for (int ring = 0; ring < correction_rings; ++ring)
    for (const std::size_t last = reached_.size(); first < last; ++first) {
      if (!bodies.models[std::size_t(reached_[first])].moves()) continue;
      for (const int k : problem_.sides_of(reached_[first])) {
        near_deep_[std::size_t(k / 2)] = 1;
        for (const int other : problem_.contacts[std::size_t(k / 2)].body)
          if (!in_reach_[std::size_t(other)]) {
            in_reach_[std::size_t(other)] = 1;
            reached_.push_back(other);
          }
      }
    }
  for (std::size_t c = 0; c < contacts.size(); ++c)
    if (near_deep_[c]) corrected_.push_back(int(c));
}

void Stepper::correct_positions(double h) {
  Bodies& bodies = model.bodies;
  choose_corrected(h);
  if (corrected_.empty()) return;
  // The gap as a velocity, without friction, from rest.
  correction_.shares = problem_.shares;
  correction_.contacts.clear();
  for (const int c : corrected_) {
    ProblemContact contact = problem_.contacts[std::size_t(c)];
    contact.offset = gap_[std::size_t(c)] / h + solver.u[std::size_t(3 * c)] - contact.offset;
    contact.mu = 0;
    contact.obstacle.setZero();
    correction_.contacts.push_back(contact);
  }
  correction_.guess.assign(3 * corrected_.size(), 0.0);
  correction_.assemble(bodies);
  still_.assign(std::size_t(bodies.rows()), 0.0);
  model.joints.hold();
  const Solved solved = solver.solve(bodies, model.joints, correction_, still_);
  counters.solve_seconds += solved.seconds;
  impulse_.assign(std::size_t(bodies.rows()), 0.0);
  correction_.add_impulse(bodies, solver.r, impulse_);
  model.joints.add_impulse(bodies, solver.lambda, impulse_);
  double energy = 0;
  for (int b = 0; b < bodies.size(); ++b) {
    const BodyModel& body = bodies.models[std::size_t(b)];
    if (!body.moves()) continue;
    double* d = &impulse_[std::size_t(body.row)];
    bodies.apply_inverse(b, d);
    for (int i = 0; i < body.rows(); ++i) d[i] *= h;
    energy -= body.mass * gravity_.dot(bodies.mean_displacement(b, d));
    bodies.displace(b, d);
  }
  corrected = true;
  ++counters.corrections;
  counters.correction_energy += energy;
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
    if (!std::isfinite(v)) return Outcome::not_finite;
  detect(h);
  choose_contacts(h);
  prepare_joints(h);
  problem_.assemble(bodies);
  const Solved solved = solver.solve(bodies, model.joints, problem_, bodies.free());
  counters.solve_seconds += solved.seconds;
  if (!solved.converged && on_unsolved) on_unsolved();

  impulse_.assign(std::size_t(bodies.rows()), 0.0);
  problem_.add_impulse(bodies, solver.r, impulse_);
  model.joints.add_impulse(bodies, solver.lambda, impulse_);
  bodies.finish(impulse_);
  if (!finite()) return Outcome::not_finite;
  account(h, solved);
  if (scene_.scheme != Scheme::quasi_static) correct_positions(h);
  return solved.converged ? Outcome::good : Outcome::unsolved;
}

void Stepper::keep() {
  kept_states_ = model.bodies.states;
  model.bodies.keep_elements(kept_elements_);
  kept_memory_ = memory.last;
  kept_joint_forces_ = joint_forces;
}

void Stepper::undo() {
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

void Stepper::warn(double t, double h) {
  for (std::size_t b = 0; b < model.bodies.models.size(); ++b) {
    const BodyModel& body = model.bodies.models[b];
    const BodyState& s = model.bodies.states[b];
    if (!body.moves()) continue;
    if (const double way = h * s.v.norm(); way > body.thickness && !warned_fast[b]) {
      warned_fast[b] = 1;
      messages.push_back(
          fmt::format("t = {:.6g} s: body '{}' moves {:.3g} m in a step, more than its thickness of {:.3g} "
                      "m; it may pass "
                      "through others (a smaller step helps)",
                      t, body.name, way, body.thickness));
    }
    if (s.x.norm() > 1e3 * model.extent && !warned_far[b]) {
      warned_far[b] = 1;
      messages.push_back(fmt::format("t = {:.6g} s: body '{}' has flown away, to ({:.3g}, {:.3g}, {:.3g}) m",
                                     t, body.name, s.x[0], s.x[1], s.x[2]));
    }
  }
}

bool Stepper::step(double t) {
  const Timer timer;
  const double h = scene_.step;
  report = {};
  keep();
  const Outcome outcome = attempt(t, h, 0);
  const auto give_up = [&](const std::string& why) {
    undo();
    messages.push_back(why);
    counters.seconds += timer.seconds();
    return false;
  };
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
  counters.seconds += timer.seconds();
  return true;
}

std::optional<GlobalProblem> Stepper::global_problem() const {
  if (problem_.size() == 0) return std::nullopt;
  return problem_.global(model.bodies, model.joints, model.bodies.free());
}

}  // namespace stickslip::internal
