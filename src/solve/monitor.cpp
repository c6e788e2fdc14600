#include "solve/monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "residual/operator_measures.hpp"

namespace stickslip {
namespace {

/// Below this many contacts phases are not timed: the clock would cost as much as the work.
constexpr Index timed_contacts = 64;
/// A small problem looks at the clock only every so many iterations.
constexpr long untimed_stride = 16;
/// The true error is measured at least this often.
constexpr long longest_wait = 50;
/// Measure when the predicted error is within this factor of the tolerance.
constexpr double prediction_margin = 1.2;
/// Taken for the ratio of error and change until it was measured.
constexpr double first_ratio = 0.1;
/// Progress is asked for at this iteration and at each doubling of it.
constexpr long first_checkpoint = 32768;
/// The rate of a phase is looked at after so many iterations, then at each growth by half.
constexpr long first_watch = 8;

/// All that an earlier solve may have left, but for r, u and the measures.
void clear(SolveResult& result) {
  result.iterations = 0;
  result.timing = {};
  result.history.clear();
  result.certificate.clear();
  result.worst_contacts.clear();
  result.explanation.clear();
  result.message.clear();
  result.v.clear();
  result.lambda.clear();
}

void complete(const SolveRequest& request, const Timer& timer, long iterations, SolveResult& result) {
  clear(result);
  result.status = Status::converged;
  result.iterations = iterations;
  result.tolerance = request.tolerance;
  result.timing.total = result.timing.iterations = timer.seconds();
}

}  // namespace

bool Monitor::accept_zero(const ReducedProblem& problem, const SolveRequest& request, const Timer& timer,
                          SolveResult& result) {
  const auto q = problem.q();
  const auto d = std::size_t(problem.dimension());
  for (std::size_t k = 0; k < q.size(); k += d)
    if (!(q[k] >= 0)) return false;
  Measures measures;
  measures.rounding = problem.q_norm() > 0 ? std::numeric_limits<double>::epsilon() / 2 : 0;  // of q itself
  if (measures.rounding > request.tolerance) return false;
  result.r.assign(q.size(), 0.0);
  result.u.assign(q.begin(), q.end());
  result.contacts.assign(problem.mu().size(), ContactStatus::open);
  result.measures = measures;
  complete(request, timer, 0, result);
  return true;
}

bool Monitor::accept(const ReducedProblem& problem, const SolveRequest& request, const Timer& timer,
                     SolveResult& result) {
  result.u.resize(result.r.size());
  const Measures measures = measure(problem, result.r, result.u);
  if (!(measures.error <= request.tolerance && measures.rounding <= request.tolerance)) return false;
  contact_statuses(problem, measures.error, result.r, result.u, result.contacts);
  complete(request, timer, 1, result);
  result.measures = measures;
  return true;
}

void Monitor::begin(const ContactOperator& problem, const ReducedProblem* matrix, const SolveRequest& request,
                    SolveResult& result) {
  problem_ = &problem;
  matrix_ = matrix;
  request_ = &request;
  result_ = &result;
  timer_ = Timer{};
  stopped_ = false;
  timed_ = problem.contacts() >= timed_contacts;
  ratio_ = 0;
  next_measure_ = next_after(0);
  checkpoint_ = first_checkpoint;
  checkpoint_error_ = std::numeric_limits<double>::infinity();
  phase_last_ = std::numeric_limits<long>::max();
  phase_deadline_ = std::numeric_limits<double>::infinity();
  horizon_ = std::numeric_limits<long>::max();
  const std::size_t n = problem.q().size();
  clear(result);
  velocity_.resize(n);
  result.r.resize(n);
  result.u.resize(n);
  best_error_ = std::numeric_limits<double>::infinity();
  if (request.guess.empty()) {
    start_.assign(n, 0.0);
    judge_zero();
  } else {
    start_.assign(request.guess.begin(), request.guess.end());
    measure_now(start_);
  }
  if (!stopped_ && request.max_iterations == 0) stop(Status::iteration_limit);
}

void Monitor::setup_done() {
  if (timed_) result_->timing.setup += timer_.seconds();
}

bool Monitor::show(std::span<const double> r) {
  if (stopped_) return true;
  ++result_->iterations;
  return measure_now(r) || count_iteration();
}

bool Monitor::show(std::span<const double> r, double change) {
  if (stopped_) return true;
  const long k = ++result_->iterations;
  const double expected = change * (ratio_ > 0 ? ratio_ : first_ratio);
  if (k >= next_measure_ || k >= last_iteration() || request_->history ||
      expected <= prediction_margin * request_->tolerance) {
    const bool last = expected <= request_->tolerance || problem_->contacts() == 1;
    if (measure_now(r, last && !timed_)) return true;
    ratio_ = change > 0 ? last_error_ / change : 0;
    next_measure_ = k + std::min(k, longest_wait);
    if (change == 0) end(Status::stalled, "the impulses no longer change");
    if (k >= checkpoint_) check_progress();
  }
  return count_iteration();
}

bool Monitor::show(std::span<const double> r, std::span<const double> u) {
  if (stopped_) return true;
  const long k = ++result_->iterations;
  const double before = timed_ ? timer_.seconds() : 0;
  if (judge(r, natural_error(*problem_, r, u), before)) return true;
  if (k >= checkpoint_) check_progress();
  return count_iteration();
}

bool Monitor::measure_now(std::span<const double> r, bool fully) {
  if (fully) {
    result_->measures = all_measures(r, result_->u);
    fresh_ = true;
    return judge(r, result_->measures.error, 0);
  }
  const double before = timed_ ? timer_.seconds() : 0;
  if (matrix_) return judge(r, natural_error(*matrix_, r, velocity_), before);
  problem_->velocity(r, velocity_);
  return judge(r, natural_error(*problem_, r, velocity_), before);
}

Measures Monitor::all_measures(std::span<const double> r, std::span<double> u) const {
  if (matrix_) return measure(*matrix_, r, u);
  problem_->velocity(r, u);
  return measure(*problem_, r, u);
}

bool Monitor::judge(std::span<const double> r, double error, double before) {
  if (error <= request_->tolerance) {
    // A huge r can make the computed error vanish: what rounding hides must be below the tolerance as well,
    // or it counts.
    if (!fresh_) result_->measures = all_measures(r, result_->u);
    if (result_->measures.rounding <= request_->tolerance)
      stop(Status::converged);
    else
      error = result_->measures.rounding;
  } else if (!std::isfinite(error)) {
    end(Status::numerical_failure, "the impulses are no longer finite");
  }
  last_error_ = error;
  if (error < best_error_) {
    best_error_ = error;
    std::copy(r.begin(), r.end(), result_->r.begin());
  }
  fresh_ = false;
  const double now = timed_ || request_->history || request_->observer ? timer_.seconds() : 0;
  if (timed_) result_->timing.measuring += now - before;
  const Progress progress{result_->iterations, now, error};
  if (request_->history) result_->history.push_back(progress);
  if (request_->observer) request_->observer(progress);
  return stopped_;
}

void Monitor::check_progress() {
  if (best_error_ > 0.99 * checkpoint_error_)
    end(Status::stalled,
        "no progress during the last " + std::to_string(result_->iterations / 2) + " iterations");
  checkpoint_ *= 2;
  checkpoint_error_ = best_error_;
}

bool Monitor::count_iteration() {
  const long k = result_->iterations;
  if (k >= last_iteration()) stop(Status::iteration_limit);
  if (request_->cancel && request_->cancel->load(std::memory_order_relaxed)) stop(Status::cancelled);
  if (std::isfinite(deadline()) && (timed_ || k % untimed_stride == 0) && timer_.seconds() >= deadline())
    stop(Status::time_limit);
  if (horizon_ < std::numeric_limits<long>::max()) watch_rate();
  return stopped_;
}

bool Monitor::limit_reached() {
  if (stopped_) return true;
  if (result_->iterations >= last_iteration()) stop(Status::iteration_limit);
  if (request_->cancel && request_->cancel->load(std::memory_order_relaxed)) stop(Status::cancelled);
  if (timer_.seconds() >= deadline()) stop(Status::time_limit);
  return stopped_;
}

bool Monitor::interrupted() const {
  return stopped_ || (request_->cancel && request_->cancel->load(std::memory_order_relaxed)) ||
         (std::isfinite(deadline()) && timer_.seconds() >= deadline());
}

void Monitor::answer(std::span<const double> r) {
  std::copy(r.begin(), r.end(), result_->r.begin());
  best_error_ = 0;  // stays: finish measures what was answered
}

SolveRequest Monitor::remaining() const {
  SolveRequest rest;
  rest.tolerance = request_->tolerance;
  if (std::isfinite(deadline())) rest.time_limit = std::max(deadline() - timer_.seconds(), 1e-9);
  rest.max_iterations = std::max(last_iteration() - result_->iterations, 0L);
  rest.threads = request_->threads;
  rest.history = request_->history;
  rest.cancel = request_->cancel;
  return rest;
}

void Monitor::end(Status status, std::string_view message) {
  if (stopped_) return;
  stop(status);
  result_->message = message;
}

void Monitor::infeasible(std::vector<double> d) {
  if (stopped_) return;
  result_->certificate = std::move(d);
  end(Status::infeasible, "no solution exists: the certificate d has d_N ≥ 0, d_T = 0, Wᵀd = 0 and q·d < 0");
}

bool Monitor::pressed() {
  if (stopped_) return true;
  if (request_->cancel && request_->cancel->load(std::memory_order_relaxed)) stop(Status::cancelled);
  if (std::isfinite(deadline()) && timer_.seconds() >= deadline()) stop(Status::time_limit);
  return stopped_;
}

void Monitor::start_phase(const Phase& phase) {
  const long k = result_->iterations, longest = std::numeric_limits<long>::max();
  phase_start_ = k;
  phase_last_ = phase.iterations < longest - k ? k + phase.iterations : longest;
  phase_deadline_ = std::isfinite(phase.seconds) ? timer_.seconds() + phase.seconds : phase.seconds;
  horizon_ = phase.horizon;
  looks_ = phase.looks;
  strikes_ = 0;
  settled_ = k + phase.settle;
  watched_from_ = k;
  watched_ = phase.settle > 0 ? settled_ : k + first_watch;
  watched_error_ = last_error_;
  next_measure_ = next_after(k);
  ratio_ = 0;
  checkpoint_ = k + first_checkpoint;
  checkpoint_error_ = std::numeric_limits<double>::infinity();
}

bool Monitor::end_phase() {
  phase_last_ = std::numeric_limits<long>::max();
  phase_deadline_ = std::numeric_limits<double>::infinity();
  horizon_ = std::numeric_limits<long>::max();
  if (!stopped_) return count_iteration();
  const Status status = result_->status;
  if (status == Status::converged || status == Status::cancelled || status == Status::infeasible) return true;
  if (status == Status::iteration_limit && result_->iterations >= request_->max_iterations) return true;
  if (status == Status::time_limit && timer_.seconds() >= request_->time_limit) return true;
  stopped_ = false;
  result_->message.clear();
  std::copy(result_->r.begin(), result_->r.end(), start_.begin());
  return false;
}

void Monitor::judge_zero() {
  const double error = natural_error_at_zero(*problem_);
  if (error <= request_->tolerance) {
    result_->measures = measure_at_zero(*problem_);
    std::copy(problem_->q().begin(), problem_->q().end(), result_->u.begin());
    fresh_ = true;
  }
  judge(start_, error, 0);
}

void Monitor::prefer_zero() {
  if (request_->guess.empty()) return;  // it is the start
  if (natural_error_at_zero(*problem_) >= best_error_) return;
  std::fill(start_.begin(), start_.end(), 0.0);
  judge_zero();
}

/// The factor by which the error fell since the last look, carried on to the tolerance.
void Monitor::watch_rate() {
  const long k = result_->iterations;
  if (stopped_ || k < watched_) return;
  if (k > settled_) {
    const double fallen = std::log(watched_error_ / last_error_) / double(k - watched_from_);
    const double left = std::log(last_error_ / request_->tolerance);
    expected_ = fallen > 0 ? left / fallen : std::numeric_limits<double>::infinity();
    strikes_ = expected_ <= double(horizon_) ? 0 : strikes_ + 1;
    if (strikes_ >= looks_) stop(Status::stalled);
    watched_ = k + std::max(first_watch, (k - phase_start_) / 2);
  } else {
    watched_ = phase_start_ + first_watch;
  }
  watched_from_ = k;
  watched_error_ = last_error_;
  next_measure_ = std::min(next_measure_, watched_);
}

void Monitor::find_worst_contacts() {
  constexpr std::size_t shown = 3;
  contact_errors(*problem_, result_->r, result_->u, contact_errors_);
  auto& worst = result_->worst_contacts;
  const auto larger = [&](Index a, Index b) {
    return contact_errors_[std::size_t(a)] > contact_errors_[std::size_t(b)];
  };
  for (Index i = 0; i < problem_->contacts(); ++i) {
    if (!(contact_errors_[std::size_t(i)] > 0)) continue;
    if (worst.size() == shown && !larger(i, worst.back())) continue;
    if (worst.size() == shown) worst.pop_back();
    worst.insert(std::upper_bound(worst.begin(), worst.end(), i, larger), i);
  }
}

void Monitor::finish() {
  SolveResult& result = *result_;
  const double tolerance = request_->tolerance;
  if (result.status != Status::converged) {
    if (!std::isfinite(best_error_)) std::fill(result.r.begin(), result.r.end(), 0.0);
    result.measures = all_measures(result.r, result.u);
    if (result.measures.rounding > tolerance) {
      result.measures.error = std::max(result.measures.error, result.measures.rounding);
      if (result.message.empty()) result.message = "the impulses are so large that rounding hides the error";
    }
    find_worst_contacts();
  }
  contact_statuses(*problem_, result.measures.error, result.r, result.u, result.contacts);
  result.tolerance = tolerance;
  result.timing.total = timer_.seconds();
  result.timing.iterations = std::max(
      0.0, result.timing.total - result.timing.setup - result.timing.factorisation - result.timing.measuring);
}

}  // namespace stickslip
