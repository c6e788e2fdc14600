// Correction of positions: penetration beyond the scene's share of a size is taken back by displacements, velocities unchanged.
#include <algorithm>

#include "dynamics/stepping/stepper.hpp"

namespace stickslip::internal {
namespace {

/// Contacts up to which positions are corrected everywhere; beyond, so many contacts away from what is too deep.
constexpr std::size_t whole_correction = 1000;
constexpr int correction_rings = 6;

}  // namespace

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

}  // namespace stickslip::internal
