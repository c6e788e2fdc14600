#include "solve/monitor/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/pieces.hpp"
#include "residual/operator_measures.hpp"

namespace stickslip::internal {

void clear(SolveResult& result) {
  result.iterations = 0;
  result.timing = {};
  result.history.clear();
  result.certificate.clear();
  result.worst_contacts.clear();
  result.explanation.clear();
  result.diagnosis.clear();
  result.message.clear();
  result.v.clear();
  result.lambda.clear();
}

bool accept_zero(const ReducedProblem& problem, double tolerance, SolveResult& result) {
  const auto q = problem.q();
  const auto d = std::size_t(problem.dimension());
  // The error of r = 0 is near that of its normal part.
  const double near = 2 * tolerance * problem.q_norm();
  double pressed = 0;
  for (std::size_t k = 0; k < q.size(); k += d)
    if (!(q[k] >= 0) && !((pressed += q[k] * q[k]) <= near * near)) return false;
  if (pressed > 0) {
    result.r.assign(q.size(), 0.0);
    return accept(problem, tolerance, result);
  }
  Measures measures;
  measures.rounding = problem.q_norm() > 0 ? std::numeric_limits<double>::epsilon() / 2 : 0;  // of q itself
  if (measures.rounding > tolerance) return false;
  result.r.assign(q.size(), 0.0);
  result.u.assign(q.begin(), q.end());
  result.contacts.assign(problem.mu().size(), ContactStatus::open);
  result.measures = measures;
  clear(result);
  return true;
}

bool accept(const ReducedProblem& problem, double tolerance, SolveResult& result) {
  result.u.resize(result.r.size());
  const Measures measures = measure(problem, result.r, result.u);
  if (!(measures.error <= tolerance && measures.rounding <= tolerance)) return false;
  contact_statuses(problem, measures.error, result.r, result.u, result.contacts);
  clear(result);
  result.measures = measures;
  return true;
}

void Judge::begin(const ContactProblem& problem, double tolerance, SolveResult& result) {
  problem_ = &problem;
  tolerance_ = tolerance;
  result_ = &result;
  best_ = std::numeric_limits<double>::infinity();
  const std::size_t n = problem.q().size();
  velocity_.resize(n);
  result.r.resize(n);
  result.u.resize(n);
}

double Judge::error(std::span<const double> r) {
  if (problem_->formed()) return natural_error(problem_->matrix(), r, velocity_);
  problem_->velocity(r, velocity_);
  return natural_error(*problem_, r, velocity_);
}

std::optional<double> Judge::error_at_hand(std::span<const double> r, Sweep& sweep) {
  if (!sweep.velocity_at_hand(velocity_)) return std::nullopt;
  return natural_error(*problem_, r, velocity_);
}

double Judge::error(std::span<const double> r, std::span<const double> u) const {
  return natural_error(*problem_, r, u);
}

double Judge::error_at_zero() const { return natural_error_at_zero(*problem_); }

double Judge::error_with_measures(std::span<const double> r) {
  result_->measures = all_measures(r, result_->u);
  return result_->measures.error;
}

Measures Judge::all_measures(std::span<const double> r, std::span<double> u) const {
  if (problem_->formed()) return measure(problem_->matrix(), r, u);
  problem_->velocity(r, u);
  return measure(*problem_, r, u);
}

bool Judge::accept(std::span<const double> r, double error, bool measured) {
  bool solved = false;
  if (error <= tolerance_) {
    if (!measured) result_->measures = all_measures(r, result_->u);
    solved = result_->measures.rounding <= tolerance_;
    if (!solved) error = result_->measures.rounding;
  }
  last_ = error;
  if (error < best_) {
    best_ = error;
    copy_in_pieces(problem_->team(), r, result_->r);
  }
  return solved;
}

bool Judge::accept_zero(std::span<const double> zero, double error) {
  if (error <= tolerance_) {
    result_->measures = measure_at_zero(*problem_);
    std::copy(problem_->q().begin(), problem_->q().end(), result_->u.begin());
  }
  return accept(zero, error, true);
}

bool Judge::holds(double tolerance) {
  tolerance_ = tolerance;
  if (!(best_ <= tolerance_)) return false;
  result_->measures = all_measures(result_->r, result_->u);
  return result_->measures.rounding <= tolerance_;
}

void Judge::answer(std::span<const double> r) {
  std::copy(r.begin(), r.end(), result_->r.begin());
  best_ = 0;  // stays: `complete` measures what was answered
}

void Judge::find_worst_contacts() {
  contact_errors(problem_->dimension(), problem_->mu(), result_->r, result_->u, contact_errors_);
  worst_contacts(contact_errors_, result_->worst_contacts);
}

void Judge::complete(bool converged) {
  SolveResult& result = *result_;
  if (!converged) {
    if (!std::isfinite(best_)) std::fill(result.r.begin(), result.r.end(), 0.0);
    result.measures = all_measures(result.r, result.u);
    if (result.measures.rounding > tolerance_) {
      result.measures.error = std::max(result.measures.error, result.measures.rounding);
      if (result.message.empty()) result.message = "the impulses are so large that rounding hides the error";
    }
    find_worst_contacts();
  }
  contact_statuses(*problem_, result.measures.error, result.r, result.u, result.contacts);
}

}  // namespace stickslip::internal
