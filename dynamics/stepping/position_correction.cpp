// Correction of positions: penetration beyond the scene's share of a size is taken back by displacements, velocities unchanged.
#include <algorithm>

#include "dynamics/stepping/stepper.hpp"

namespace stickslip::internal {
namespace {

/// Contacts up to which positions are corrected everywhere; beyond, so many contacts away from what is too deep.
constexpr std::size_t whole_correction = 1000;
constexpr int correction_rings = 6;
/// Contacts with restitution stay as deep as this share of what a scene allows. A gap that is open by rounding would be no contact, and what rests there
/// would fall for a step, again and again.
constexpr double kept_depth = 0.5;

}  // namespace

double Stepper::smaller_size(std::size_t contact) const {
  const auto& body = problem_.contacts[contact].body;
  return std::min(model.bodies.models[std::size_t(body[0])].size,
                  model.bodies.models[std::size_t(body[1])].size);
}

double Stepper::next_gap(std::size_t contact, double h) const {
  return gap_[contact] + h * (solver.u[3 * contact] - problem_.contacts[contact].offset);
}

bool Stepper::leaves(std::size_t contact, double h) const {
  return solver.u[3 * contact] - problem_.contacts[contact].offset >
         1e-3 * scene_.penetration * smaller_size(contact) / h;
}

void Stepper::choose_corrected(double h) {
  // Where each contact will be at the next middle; only what does not leave by itself is pushed apart.
  corrected_.clear();
  reached_.clear();
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const auto& body = problem_.contacts[c].body;
    if (next_gap(c, h) < -scene_.penetration * smaller_size(c) && !leaves(c, h))
      reached_.insert(reached_.end(), body.begin(), body.end());
  }
  const int candidates = int(contacts.size() + open_.size());
  int deep = int(reached_.size()), all = candidates;
  if (shared) deep = shared->sum(deep), all = shared->sum(all);
  if (deep == 0) return;
  // One deep contact among thousands moves its neighbours: those some contacts away, and no others.
  const bool everything = all <= int(whole_correction);
  if (!everything) spread_reach();
  for (int c = 0; c < candidates; ++c)
    if (everything || near_deep_[std::size_t(c)]) corrected_.push_back(c);
  // In the order of one process, whoever has them.
  const auto found = [&](int c) {
    const std::size_t at = std::size_t(c), n = contacts.size();
    return at < n ? chosen_[at] : open_[at - n].found;
  };
  std::sort(corrected_.begin(), corrected_.end(), [&](int c, int d) { return found(c) < found(d); });
}

/// Marks the contacts that are near the bodies `reached_`, ring by ring.
void Stepper::spread_reach() {
  in_reach_.assign(model.bodies.models.size(), 0);
  near_deep_.assign(contacts.size() + open_.size(), 0);
  for (const int body : reached_) in_reach_[std::size_t(body)] = 1;
  if (shared) shared->largest(in_reach_);
  const auto reaches = [&](int body) {
    return in_reach_[std::size_t(body)] > 0 && model.bodies.models[std::size_t(body)].moves();
  };
  for (int ring = 0; ring < correction_rings; ++ring) {
    reached_.clear();
    for (std::size_t c = 0; c < near_deep_.size(); ++c) {
      const auto& body = correctable(int(c)).body;
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
  // The gap as a velocity, without friction, from rest. What is open where the step ends may close, and no more.
  correction_.shares = problem_.shares;
  correction_.contacts.clear();
  for (const int c : corrected_) correction_.contacts.push_back(correctable(c));
  correction_.guess.assign(3 * corrected_.size(), 0.0);
  correction_.assemble(bodies);
  if (!open_.empty()) velocity_after(after_);
  for (std::size_t k = 0; k < corrected_.size(); ++k) {
    ProblemContact& contact = correction_.contacts[k];
    const auto c = std::size_t(corrected_[k]), n = problem_.contacts.size();
    if (c < n) {
      contact.offset = gap_[c] / h + solver.u[3 * c] - contact.offset;
      if (contact.offset < 0 && model.law(contact.body[0], contact.body[1]).restitution > 0) {
        // What bounces out by itself is not pushed.
        const double kept = kept_depth * scene_.penetration * smaller_size(c) / h;
        contact.offset = leaves(c, h) ? 0.0 : std::min(0.0, contact.offset + kept);
      }
    } else {
      const double un = correction_.relative_velocity(bodies, int(k), after_)[0] + contact.obstacle[0];
      contact.offset = std::max(0.0, open_[c - n].gap / h + un);
    }
    contact.mu = 0;
    contact.obstacle.setZero();
  }
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
