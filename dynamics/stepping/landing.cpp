// A step in which contacts land while others carry, in two solves (docs/theory/dynamics.md, "Landing").
//
//   A v₁ = A v_free + H_c r₁,   K* ∋ û_c ⊥ r₁ ∈ K     the contacts c that do not hit carry what forces do in the step
//   A v⁺ = A v₁ + H r₂,         K* ∋ û ⊥ r₂ ∈ K       all contacts, by impulses alone: what hits lands
//
// The impulses of the step are r₁ + r₂. In one solve the weight would pass to what lands at the beginning of the step, on average a whole
// step before the landing.
#include <algorithm>

#include "dynamics/stepping/stepper.hpp"

namespace stickslip::internal {
namespace {

/// Contacts up to which steps are split where the scene leaves it open: in a pile of grains something lands in every step.
constexpr std::int64_t most_split = 100;

/// Velocities below this share of the fastest approach are noise of the solve.
constexpr double noise = 1e-6;

/// The status at the end of the step of a contact that carried in the first solve and does nothing in the second one: open where it parts faster than
/// the forces of a step could close it.
ContactStatus status_after(const double* u, double push, ContactStatus first) {
  if (u[0] > push) return ContactStatus::open;
  return std::hypot(u[1], u[2]) > push ? ContactStatus::slip : first;
}

}  // namespace

bool Stepper::splits() {
  if (scene_.landing == Landing::whole || scene_.scheme == Scheme::quasi_static) return false;
  std::int64_t counts[2] = {problem_.size(), std::count(hits_.begin(), hits_.end(), char(1))};
  if (shared) shared->ranks().add(counts);
  if (counts[1] == 0 || counts[1] == counts[0]) return false;
  return scene_.landing == Landing::split || counts[0] <= most_split;
}

void Stepper::choose_carrying() {
  carrying_.shares = problem_.shares;
  carrying_.contacts.clear();
  carrying_.guess.clear();
  carrying_.guess_velocity.clear();
  carrying_.quiet = true;
  place_.clear();
  const auto copy = [](const std::vector<double>& from, std::size_t c, std::vector<double>& to) {
    to.insert(to.end(), &from[3 * c], &from[3 * c] + 3);
  };
  for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
    if (hits_[c]) continue;
    place_.push_back(int(c));
    carrying_.contacts.push_back(problem_.contacts[c]);
    copy(problem_.guess, c, carrying_.guess);
    copy(problem_.guess_velocity, c, carrying_.guess_velocity);
  }
  carrying_.assemble(model.bodies);
}

void Stepper::take_carried() {
  const Bodies& bodies = model.bodies;
  carried_.assign(3 * problem_.contacts.size(), 0.0);
  carried_status_.assign(problem_.contacts.size(), ContactStatus::open);
  for (std::size_t k = 0; k < place_.size(); ++k) {
    std::copy_n(&solver.r[3 * k], 3, &carried_[3 * std::size_t(place_[k])]);
    carried_status_[std::size_t(place_[k])] = solver.statuses[k];
  }
  carried_lambda_ = solver.lambda;
  add_impulse(carrying_);
  velocity_after(arriving_);
  carried_u_.clear();
  for (int c = 0; c < problem_.size(); ++c) {
    const ProblemContact& contact = problem_.contacts[std::size_t(c)];
    Vector u = problem_.relative_velocity(bodies, c, arriving_) + contact.obstacle;
    u[0] += contact.offset;
    carried_u_.insert(carried_u_.end(), u.data(), u.data() + 3);
  }
}

double Stepper::gained() {
  // The impulses r₂ act at the velocities v₁ and v⁺, the forces of the step on the whole change of both.
  ExactSum work;
  for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
    const Vector r = Eigen::Map<const Vector>(&solver.r[3 * c]);
    Vector u = Eigen::Map<const Vector>(&solver.u[3 * c]) + Eigen::Map<const Vector>(&carried_u_[3 * c]);
    u[0] -= 2 * problem_.contacts[c].offset;
    work.add(0.5 * r.dot(u));
  }
  if (shared) add_up(&shared->ranks(), {&work});
  add_impulse(problem_);
  double against = 0;
  const std::span<const double> before = model.bodies.before(), free = model.bodies.free();
  for (std::size_t i = 0; i < impulse_.size(); ++i) against -= 0.5 * (free[i] - before[i]) * impulse_[i];
  return work.value() + against;
}

Solved Stepper::solve_step() {
  split_ = false;
  if (!splits()) return solve(problem_, model.bodies.free());
  choose_carrying();
  const Solved first = solve(carrying_, model.bodies.free());
  const auto with_first = [&](Solved solved) {
    solved.iterations += first.iterations;
    solved.seconds += first.seconds;
    return solved;
  };
  if (!first.converged) return with_first(solve(problem_, model.bodies.free()));
  take_carried();
  double fastest = 0;
  for (std::size_t c = 0; c < hits_.size(); ++c)
    if (hits_[c]) fastest = std::max(fastest, -carried_u_[3 * c]);
  if (shared) fastest = shared->largest(fastest);
  if (fastest == 0) {  // the first solve has solved the whole
    solver.r = carried_;
    solver.u = carried_u_;
    solver.statuses = carried_status_;
    return first;
  }
  split_ = true;
  problem_.guess.assign(carried_.size(), 0.0);
  problem_.guess_velocity = carried_u_;
  problem_.landing = true;
  Solved second = with_first(solve(problem_, arriving_));
  problem_.landing = false;
  if (!second.converged || gained() > 0) {
    split_ = false;
    problem_.guess = carried_;
    Solved third = solve(problem_, model.bodies.free());
    third.iterations += second.iterations;
    third.seconds += second.seconds;
    return third;
  }
  second.error = std::max(second.error, first.error);
  for (std::size_t c = 0; c < carried_status_.size(); ++c) {
    if (carried_[3 * c] > 0 && solver.statuses[c] == ContactStatus::open)
      solver.statuses[c] = status_after(&solver.u[3 * c], push_[c] + noise * fastest, carried_status_[c]);
    for (std::size_t i = 3 * c; i < 3 * c + 3; ++i) solver.r[i] += carried_[i];
  }
  for (std::size_t i = 0; i < carried_lambda_.size(); ++i) solver.lambda[i] += carried_lambda_[i];
  return second;
}

}  // namespace stickslip::internal
