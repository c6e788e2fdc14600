#include "solve/monitor/monitor.hpp"

#include <cmath>
#include <limits>

namespace stickslip::internal {
namespace {

/// A small problem looks at the clock only every so many iterations.
constexpr long untimed_stride = 16;
/// The first measure waits for so many iterations; later ones at most this long.
constexpr long first_measure = 4, longest_wait = 50;
/// Measure when the predicted error is within this factor of the tolerance.
constexpr double prediction_margin = 1.2;
/// A guess is left for zero where that has less than this part of its error.
constexpr double zero_margin = 0.5;
/// Taken for the ratio of error and change until it was measured.
constexpr double first_ratio = 0.1;

}  // namespace

void Monitor::open(const SolveRequest& request, SolveResult& result, bool timed) {
  request_ = &request;
  result_ = &result;
  watch_.start(timed);
  limits_.begin(request);
  const bool finer = request.finer_iterations > 0;
  goal_ = finer ? std::min(request.finer_tolerance, request.tolerance) : request.tolerance;
  stopped_ = false;
  clear(result);
}

void Monitor::begin(const ContactProblem& problem, bool own_start) {
  problem_ = &problem;
  judge_.begin(problem, goal_, *result_);
  halved_ = std::numeric_limits<double>::infinity();
  halved_at_ = 0;
  rate_.start({}, 0, 0);
  ratio_ = 0;
  next_measure_ = next_after(0);
  const std::size_t n = problem.q().size();
  if (request_->guess.empty())
    start_.assign(n, 0.0);
  else
    start_.assign(request_->guess.begin(), request_->guess.end());
  if (!own_start) {
    if (request_->guess.empty()) {
      const double error = judge_.error_at_zero();
      conclude(judge_.accept_zero(start_, error), error);
    } else {
      measure_now(start_, false);
    }
  }
  if (!stopped_ && request_->max_iterations == 0) stop(Status::iteration_limit);
}

long Monitor::next_after(long k) const { return k + (problem_->contacts_in_all() == 1 ? 1 : first_measure); }

bool Monitor::show(std::span<const double> r) {
  if (stopped_) return true;
  ++result_->iterations;
  return measure_now(r, false) || count_iteration();
}

bool Monitor::show_change(std::span<const double> r, double change, Sweep* sweep) {
  if (stopped_) return true;
  const long k = ++result_->iterations;
  const double expected = change * (ratio_ > 0 ? ratio_ : first_ratio);
  if (k >= next_measure_ || k >= limits_.last_iteration() || finer_is_over() ||
      expected <= prediction_margin * goal_) {
    const bool last = expected <= goal_ || problem_->contacts_in_all() == 1;
    if (measure_now(r, last, sweep)) return true;
    ratio_ = change > 0 ? judge_.last() / change : 0;
    next_measure_ = k + std::min(k, longest_wait);
    if (change == 0) end(Status::stalled, "the impulses no longer change");
  } else if (request_->history) {
    const Turn turn(&watch_, Activity::measuring);
    tell({k, watch_.seconds(), judge_.error(r)});
  }
  return count_iteration();
}

bool Monitor::show(std::span<const double> r, std::span<const double> u) {
  if (stopped_) return true;
  ++result_->iterations;
  {
    const Turn turn(&watch_, Activity::measuring);
    const double error = judge_.error(r, u);
    if (conclude(judge_.accept(r, error, false), error)) return true;
  }
  return count_iteration();
}

bool Monitor::measure_now(std::span<const double> r, bool fully, Sweep* sweep) {
  const Turn turn(&watch_, Activity::measuring);
  if (sweep)
    if (const auto error = judge_.error_at_hand(r, *sweep)) {
      if (!(*error <= goal_)) return conclude(judge_.accept(r, *error, false), *error);
      fully = true;  // it is the last iterate, but for rounding
    }
  const double error = fully ? judge_.error_with_measures(r) : judge_.error(r);
  return conclude(judge_.accept(r, error, fully), error);
}

bool Monitor::conclude(bool solved, double error) {
  if (judge_.best() < 0.5 * halved_) {
    halved_ = judge_.best();
    halved_at_ = result_->iterations;
  }
  if (solved)
    stop(Status::converged);
  else if (!std::isfinite(error))
    end(Status::numerical_failure, "the impulses are no longer finite");
  if (watched()) tell({result_->iterations, watch_.seconds(), judge_.last()});
  const long k = measured_at_ = result_->iterations;
  if (!stopped_ && rate_.stands_still(k, judge_.best()))
    end(Status::stalled, "no progress during the last " + std::to_string(k / 2) + " iterations");
  return stopped_;
}

void Monitor::tell(const Progress& progress) {
  if (auto& history = result_->history; request_->history) {
    if (!history.empty() && history.back().iteration == progress.iteration) history.pop_back();
    history.push_back(progress);
  }
  if (request_->observer && request_->observer(progress) && !stopped_) stop(Status::cancelled);
}

void Monitor::progress(long iterations, double error) {
  tell({result_->iterations + iterations, watch_.seconds(), error});
}

std::optional<Status> Monitor::agreed(std::optional<Status> mine) const {
  if (!problem_->ranks()) return mine;
  double worst = mine ? double(*mine) : -1;
  problem_->ranks()->largest({&worst, 1});
  return worst < 0 ? std::nullopt : std::optional(Status(int(worst)));
}

bool Monitor::count_iteration() {
  if (stopped_) return true;
  const long k = result_->iterations;
  // A small problem looks at the clock seldom.
  const auto seconds = [&] { return watch_.on() || k % untimed_stride == 0 ? watch_.seconds() : 0.0; };
  if (finer_is_over() && holds_after_all()) {
    stop(Status::converged);
    return true;
  }
  if (const auto status = agreed(limits_.over(k, seconds))) stop(*status);
  if (!stopped_ && rate_.active()) {
    // What an earlier phase measured last says nothing of this one.
    const double seen = measured_at_ == k ? judge_.last() : std::numeric_limits<double>::infinity();
    if (rate_.too_slow(k, seen, goal_)) stop(Status::stalled);
    next_measure_ = std::min(next_measure_, rate_.next_look());
  }
  return stopped_;
}

bool Monitor::holds_after_all() {
  const Turn turn(&watch_, Activity::measuring);
  goal_ = request_->tolerance;
  return judge_.holds(goal_);
}

bool Monitor::over() {
  if (stopped_) return true;
  if (const auto status = limits_.over(result_->iterations, [&] { return watch_.seconds(); })) stop(*status);
  return stopped_;
}

SolveRequest Monitor::remaining() const {
  SolveRequest rest;
  rest.tolerance = goal_;
  if (limits_.has_deadline()) rest.time_limit = std::max(limits_.deadline() - watch_.seconds(), 1e-9);
  rest.max_iterations = std::max(limits_.last_iteration() - result_->iterations, 0L);
  rest.threads = request_->threads;
  rest.memory_limit = request_->memory_limit;
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

void Monitor::start_phase(const Phase& phase) {
  const long k = result_->iterations, longest = std::numeric_limits<long>::max();
  limits_.narrow(phase.iterations < longest - k ? k + phase.iterations : longest,
                 std::isfinite(phase.seconds) ? watch_.seconds() + phase.seconds : phase.seconds);
  rate_.start(phase, k, judge_.last());
  next_measure_ = next_after(k);
  ratio_ = 0;
  watch_.enter(Activity::setup);
}

bool Monitor::end_phase() {
  watch_.enter(Activity::iterations);
  limits_.widen();
  rate_.rest();
  if (!stopped_) return count_iteration();
  double over = limits_.final(result_->status, result_->iterations, watch_.seconds()) ? 1 : 0;
  if (Ranks* ranks = problem_->ranks()) ranks->largest({&over, 1});  // clocks differ
  if (over > 0) return true;
  stopped_ = false;
  result_->message.clear();
  std::copy(result_->r.begin(), result_->r.end(), start_.begin());
  return false;
}

bool Monitor::any_guess() const {
  double any = has_guess() ? 1 : 0;
  if (Ranks* ranks = problem_->ranks()) ranks->largest({&any, 1});
  return any > 0;
}

bool Monitor::prefer_zero() {
  if (!any_guess()) return false;  // zero is the start
  const double error = judge_.error_at_zero();
  if (error >= zero_margin * judge_.best()) return true;
  start_from_zero();
  conclude(judge_.accept_zero(start_, error), error);
  return false;
}

void Monitor::finish() {
  watch_.enter(Activity::measuring);
  const bool given_up = result_->status == Status::cancelled || result_->status == Status::infeasible;
  if (goal_ < request_->tolerance && !converged() && !given_up && holds_after_all()) {
    result_->status = Status::converged;
    result_->message.clear();
  }
  judge_.complete(result_->status == Status::converged);
  watch_.enter(Activity::iterations);
  SolveResult& result = *result_;
  result.tolerance = request_->tolerance;
  result.timing.total = watch_.seconds();
  result.timing.setup = watch_.spent(Activity::setup);
  result.timing.factorisation = watch_.spent(Activity::factorisation);
  result.timing.measuring = watch_.spent(Activity::measuring);
  result.timing.iterations = std::max(
      0.0, result.timing.total - result.timing.setup - result.timing.factorisation - result.timing.measuring);
}

}  // namespace stickslip::internal
