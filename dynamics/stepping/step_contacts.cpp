// Which contacts a step has: how far detection must reach, what it finds, and which of that may close in the step.
#include <algorithm>
#include <cmath>

#include "base/timer.hpp"
#include "dynamics/detection/frame.hpp"
#include "dynamics/stepping/stepper.hpp"

namespace stickslip::internal {
namespace {

/// How often speeds are passed on from body to body in one step, along the contacts found and before that along those of the last step,
/// and how often detection is done again with a longer reach.
constexpr int passes = 2, foreseen_passes = 4, most_detections = 4;
/// Contacts are at rest, or nearly, where they are no faster than the forces of so many steps make them.
constexpr double quiet_steps = 10;
/// Quasi-static contacts are kept while their gap is below this share of the bodies' sizes.
constexpr double kept_share = 1e-3;

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
  if (model.surfaces.empty() || (shared && shared->ranks().rank() != 0)) return;
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
    agree();
  }
}

void Stepper::agree() {
  if (!shared) return;
  end(SharedPhase::detection);
  shared->largest(agitation_);
  end(SharedPhase::agreeing);
}

double Stepper::way_out(int a, int b, double gap, double h) const {
  if (scene_.scheme == Scheme::quasi_static || model.law(a, b).restitution == 0) return 0;
  return std::max(0.0, -gap) / h;
}

void Stepper::gather_agitation(double h) {
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
    const double speed = std::max(candidate.free.norm(), way_out(contact.a, contact.b, contact.gap, h));
    for (int body : {contact.a, contact.b})
      if (bodies.models[std::size_t(body)].moves())
        agitation_[std::size_t(body)] = std::max(agitation_[std::size_t(body)], speed);
    candidates_.push_back(candidate);
  }
  agree();
  pass_on_agitation(found_, passes);
}

void Stepper::foresee_agitation(double h) {
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
    const double speed =
        std::max(free.norm(), way_out(int(contact.a), int(contact.b), contact.gap + contact.approach, h));
    for (const auto body : {contact.a, contact.b})
      if (bodies.models[std::size_t(body)].moves())
        agitation_[std::size_t(body)] = std::max(agitation_[std::size_t(body)], speed);
  }
  agree();
  pass_on_agitation(memory.last, foreseen_passes);
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
  foresee_agitation(h);
  for (int b = 0; b < bodies.size(); ++b) {
    const BodyModel& body = bodies.models[std::size_t(b)];
    double reach = std::max(1.5 * h * speed_[std::size_t(b)], 2 * h * agitation_[std::size_t(b)]);
    if (body.moves()) reach += closed_share * body.size + h * plane_speed * bodies.middle(b).x.norm();
    if (body.moves() && scene_.scheme == Scheme::quasi_static) reach += kept_share * body.size;
    reach_[std::size_t(b)] = reach;
  }
  for (int round = 0; round < most_detections; ++round) {
    find_contacts();
    gather_agitation(h);
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
  problem_.guess_velocity.clear();
  chosen_.clear();
  before_.clear();
  gap_.clear();
  hits_.clear();
  push_.clear();
  open_.clear();
  memory.begin();
  report.penetration = 0;
  ExactSum speed, push;  // of squares over the contacts
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
    if (!step_law.active) {
      open_.push_back({chosen, candidate.contact, contact.gap});
      continue;
    }
    const Vector guess = last ? Vector(h * (chosen.frame.transpose() * last->force)) : Vector(Vector::Zero());
    problem_.guess.insert(problem_.guess.end(), guess.data(), guess.data() + 3);
    Vector u = Vector::Zero();
    if (last) u = chosen.frame.transpose() * last->velocity + Vector(chosen.offset, 0, 0);
    problem_.guess_velocity.insert(problem_.guess_velocity.end(), u.data(), u.data() + 3);
    before_.push_back(chosen.frame.transpose() * candidate.before);
    speed.add(candidate.before.squaredNorm());
    push.add(candidate.push * candidate.push);
    gap_.push_back(contact.gap);
    hits_.push_back(hits(approached, last && last->loaded > 0) ? 1 : 0);
    push_.push_back(candidate.push);
    chosen_.push_back(candidate.contact);
    problem_.contacts.push_back(chosen);
  }
  if (shared) {
    add_up(&shared->ranks(), {&speed, &push});
    report.penetration = shared->largest(report.penetration);
  }
  problem_.quiet =
      scene_.scheme != Scheme::quasi_static && speed.value() <= quiet_steps * quiet_steps * push.value();
  corrected = false;
}

}  // namespace stickslip::internal
