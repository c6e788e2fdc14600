#include "solve/method.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/text.hpp"
#include "solve/memory.hpp"
#include "solve/monitor/monitor.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// Below this many contacts phases are not timed: the clock would cost as much as the work.
constexpr Index timed_contacts = 64;

}  // namespace

void Method::validate(const SolveRequest& request, std::size_t unknowns) {
  if (!(request.tolerance > 0) || !std::isfinite(request.tolerance))
    throw InputError("tolerance must be a finite number > 0, got " + shortest(request.tolerance));
  if (!(request.time_limit > 0))
    throw InputError("time limit must be > 0 seconds, got " + shortest(request.time_limit));
  if (request.max_iterations < 0)
    throw InputError("max iterations must be ≥ 0, got " + std::to_string(request.max_iterations));
  if (request.finer_iterations > 0 && !(request.finer_tolerance > 0))
    throw InputError("finer tolerance must be > 0, got " + shortest(request.finer_tolerance));
  if (request.threads < 1) throw InputError("threads must be ≥ 1, got " + std::to_string(request.threads));
  if (!(request.memory_limit > 0))
    throw InputError("memory limit must be > 0 bytes, got " + shortest(request.memory_limit));
  if (request.guess.empty() && !request.guess_velocity.empty())
    throw InputError("the guess of the velocities comes without one of the impulses");
  const auto check = [&](const char* what, std::span<const double> guess) {
    if (guess.empty()) return;
    if (guess.size() != unknowns)
      throw InputError(std::string(what) + " has " + std::to_string(guess.size()) + " numbers, expected " +
                       std::to_string(unknowns));
    for (double x : guess)
      if (!std::isfinite(x))
        throw InputError(std::string(what) + " holds " + shortest(x) + "; it must be finite");
  };
  check("the guess", request.guess);
  check("the guess of the velocities", request.guess_velocity);
}

Method::Method() : monitor_(std::make_unique<Monitor>()) {}
Method::~Method() = default;

void Method::set_names(std::string label, std::string composition) {
  label_ = std::move(label);
  composition_ = std::move(composition);
}

void Method::solve(const ReducedProblem& problem, const SolveRequest& request, SolveResult& into) {
  validate(request, problem.q().size());
  if (solve_at_once(problem, request, into)) return;
  monitor_->open(request, into, problem.contacts() >= timed_contacts);
  problem_.bind(problem);
  problem_.set_threads(request.threads);
  run(into);
}

void Method::solve(const GlobalProblem& problem, const SolveRequest& request, SolveResult& into) {
  validate(request, problem.w().size());
  monitor_->open(request, into, true);
  problem_.bind(problem);
  problem_.set_threads(request.threads);
  if (prepare(problem_, *monitor_)) {
    run(into);
    problem_.velocities(into.r, into.v, into.lambda);
    into.timing.total = monitor_->seconds();
    return;
  }
  // No product can be had: nothing is known of any r.
  into.solver = label_;
  into.solver_used = composition_;
  into.stage.clear();
  into.tolerance = request.tolerance;
  into.r.assign(request.guess.begin(), request.guess.end());
  into.r.resize(problem.w().size(), 0.0);
  into.u.assign(problem.w().size(), std::numeric_limits<double>::quiet_NaN());
  into.measures = {};
  into.measures.error = std::numeric_limits<double>::infinity();
  into.contacts.assign(problem.mu().size(), ContactStatus::open);
  into.timing.total = into.timing.setup = monitor_->seconds();
}

void Method::require_ranks() const {
  if (const std::string reason = refusal_of_ranks(); !reason.empty())
    throw InputError("solver '" + label_ + "' is not for several ranks: " + reason +
                     " (relaxed is, and gs, fixed_point, extragradient and quasi_newton with form=velocity)");
}

void Method::solve(const Share& share, Ranks& ranks, const SolveRequest& request, SolveResult& into) {
  validate(request, share.problem.w().size());
  require_ranks();
  monitor_->open(request, into, true);
  problem_.bind(share, ranks);
  problem_.set_threads(request.threads);
  // A share that one rank refuses (M not positive definite, say) is refused by all, before any message of the method.
  std::string refusal;
  try {
    problem_.velocity_sweep();
  } catch (const InputError& error) {
    refusal = error.what();
  }
  double refused = refusal.empty() ? 0 : 1;
  ranks.largest({&refused, 1});
  if (refused > 0) throw InputError(refusal.empty() ? "another rank refuses its share" : refusal);
  if (!prepare(problem_, *monitor_)) throw InputError("the bodies of the share were not found");
  run(into);
  into.worst_contacts.clear();
  problem_.velocities(into.r, into.v, into.lambda);
  into.timing.total = monitor_->seconds();
}

bool Method::prepare(ContactProblem& problem, Monitor& monitor) const {
  if (problem.formed()) return true;
  const Turn turn(monitor.watch(), Activity::setup);
  if (!needs_matrix(problem)) {
    problem.open();
    return true;
  }
  if (const double needed = problem_bytes(*problem.global()) +
                            (std::isfinite(monitor.memory_limit()) ? matrix_bytes(problem.bodies()) : 0);
      needed > monitor.memory_limit()) {
    monitor.end(Status::not_applicable, "W would take the memory to " + size_in_words(needed) +
                                            ", beyond the limit of " + size_in_words(monitor.memory_limit()));
    return false;
  }
  if (problem.form([&] { return monitor.interrupted(); })) return true;
  monitor.over();
  monitor.note("the time was over before W was formed");
  return false;
}

void Method::run(SolveResult& into) {
  if (into.solver != label_) into.solver = label_;  // comparing is cheaper than writing the same again
  if (into.solver_used != composition_) into.solver_used = composition_;
  into.stage.clear();
  const std::string reason = refusal(problem_);
  monitor_->begin(problem_, (has_own_start() && !monitor_->has_guess()) || !reason.empty());
  if (!reason.empty()) {
    monitor_->end(Status::not_applicable, reason);
  } else if (!monitor_->stopped()) {
    iterate(problem_, *monitor_);
    monitor_->end(Status::stalled, "the solver gave up");  // no effect where a reason was given
  }
  monitor_->finish();
}

/// The same whether somebody looks on or not; who looks on is told.
bool Method::solve_at_once(const ReducedProblem& problem, const SolveRequest& request, SolveResult& into) {
  if (!request.guess.empty() || request.max_iterations == 0 || has_own_start() ||
      (request.cancel && request.cancel->load(std::memory_order_relaxed)))
    return false;
  // That a few contacts are all open is seen sooner than a clock is read: the time is given to who looks on.
  const bool looks_on = request.explain || request.history || request.observer;
  std::optional<Timer> timer;
  if (looks_on || problem.contacts() >= timed_contacts) timer.emplace();
  const bool zero = accept_zero(problem, request.tolerance, into);
  if (!zero) {
    if (!timer) timer.emplace();
    into.r.resize(problem.q().size());
    if (!offer(problem, into.r) || !accept(problem, request.tolerance, into)) return false;
  }
  into.status = Status::converged;
  into.iterations = zero ? 0 : 1;
  into.tolerance = request.tolerance;
  if (into.solver != label_) into.solver = label_;
  if (into.solver_used != composition_) into.solver_used = composition_;
  const std::string_view stage = zero ? "" : "direct";
  if (into.stage != stage) into.stage = stage;
  if (timer) into.timing.total = into.timing.iterations = timer->seconds();
  if (request.explain)
    into.explanation.emplace_back(zero ? "zero is a solution: nothing presses, or less than the tolerance"
                                       : "direct: every contact stands alone and is solved by itself");
  const Progress progress{into.iterations, into.timing.total, into.measures.error};
  if (request.history) into.history.push_back(progress);
  if (request.observer) request.observer(progress);
  return true;
}

void Method::iterate_within(ContactProblem& problem, Monitor& monitor) {
  if (prepare(problem, monitor)) iterate(problem, monitor);
}

void Method::resume_within(ContactProblem& problem, Monitor& monitor) {
  if (prepare(problem, monitor)) resume(problem, monitor);
}

}  // namespace stickslip::internal
