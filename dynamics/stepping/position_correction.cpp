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
  int deep = int(reached_.size()), all = int(contacts.size());
  if (shared) deep = shared->sum(deep), all = shared->sum(all);
  if (deep == 0) return;
  // One deep contact among thousands moves its neighbours: those some contacts away, and no others.
  const bool everything = all <= int(whole_correction);
  if (!everything) spread_reach();
  for (std::size_t c = 0; c < contacts.size(); ++c)
    if (everything || near_deep_[c]) corrected_.push_back(int(c));
}

/// Marks the contacts that are near the bodies `reached_`, ring by ring.
void Stepper::spread_reach() {
  in_reach_.assign(model.bodies.models.size(), 0);
  near_deep_.assign(contacts.size(), 0);
  for (const int body : reached_) in_reach_[std::size_t(body)] = 1;
  if (shared) shared->largest(in_reach_);
  const auto reaches = [&](int body) {
    return in_reach_[std::size_t(body)] > 0 && model.bodies.models[std::size_t(body)].moves();
  };
  for (int ring = 0; ring < correction_rings; ++ring) {
    reached_.clear();
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const auto& body = problem_.contacts[c].body;
      if (near_deep_[c] || (!reaches(body[0]) && !reaches(body[1]))) continue;
      near_deep_[c] = 1;
      reached_.insert(reached_.end(), body.begin(), body.end());
    }
    for (const int body : reached_) in_reach_[std::size_t(body)] = 1;
    if (shared) shared->largest(in_reach_);
  }
}

void Stepper::correct_positions(double h) {
  Bodies& bodies = model.bodies;
  choose_corrected(h);
  if ((shared ? shared->sum(int(corrected_.size())) : int(corrected_.size())) == 0) return;
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
  const Solved solved = solve(correction_, still_);
  counters.solve_seconds += solved.seconds;
  add_impulse(correction_);
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
