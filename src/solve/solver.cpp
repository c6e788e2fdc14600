#include "stickslip/solver.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.hpp"
#include "solve/monitor.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {
namespace {

void validate(const SolveRequest& request, std::size_t unknowns) {
  if (!(request.tolerance > 0) || !std::isfinite(request.tolerance))
    throw InputError("tolerance must be a finite number > 0, got " + shortest(request.tolerance));
  if (!(request.time_limit > 0))
    throw InputError("time limit must be > 0 seconds, got " + shortest(request.time_limit));
  if (request.max_iterations < 0)
    throw InputError("max iterations must be ≥ 0, got " + std::to_string(request.max_iterations));
  if (request.threads < 1) throw InputError("threads must be ≥ 1, got " + std::to_string(request.threads));
  if (request.guess.empty()) return;
  if (request.guess.size() != unknowns)
    throw InputError("the guess has " + std::to_string(request.guess.size()) + " numbers, expected " +
                     std::to_string(unknowns));
  for (double x : request.guess)
    if (!std::isfinite(x)) throw InputError("the guess holds " + shortest(x) + "; it must be finite");
}

}  // namespace

Solver::Solver() : monitor_(std::make_unique<Monitor>()) {}
Solver::~Solver() = default;

void Solver::set_names(std::string label, std::string composition) {
  label_ = std::move(label);
  composition_ = std::move(composition);
}

void Solver::run(const ContactOperator& problem, const ReducedProblem* matrix, const SolveRequest& request,
                 SolveResult& into, const std::function<void(Monitor&)>& iterate) {
  validate(request, problem.q().size());
  into.solver = label_;
  into.solver_used = composition_;
  monitor_->begin(problem, matrix, request, into);
  if (!monitor_->stopped()) {
    iterate(*monitor_);
    monitor_->end(Status::stalled, "the solver gave up");  // no effect where a reason was given
  }
  monitor_->finish();
}

void Solver::solve(const ReducedProblem& problem, const SolveRequest& request, SolveResult& into) {
  if (Monitor::wants_no_more_than_the_result(request) && solve_at_once(problem, request, into)) return;
  run(MatrixOperator(problem), &problem, request, into,
      [&](Monitor& monitor) { do_solve(problem, monitor); });
}

bool Solver::solve_at_once(const ReducedProblem& problem, const SolveRequest& request, SolveResult& into) {
  const Timer timer;
  validate(request, problem.q().size());
  const auto answered = [&](std::string_view by) {  // comparing is cheaper than writing the same again
    if (into.solver != label_) into.solver = label_;
    if (into.solver_used != by) into.solver_used = by;
    return true;
  };
  if (Monitor::accept_zero(problem, request, timer, into)) return answered(composition_);
  into.r.resize(problem.q().size());
  return offer(problem, into.r) && Monitor::accept(problem, request, timer, into) && answered("direct");
}

SolveResult Solver::solve(const ReducedProblem& problem, const SolveRequest& request) {
  SolveResult result;
  solve(problem, request, result);
  return result;
}

SolveResult Solver::solve(const GlobalProblem& problem, const SolveRequest& request) {
  SolveResult result;
  if (solve_by_bodies(problem, request, result)) return result;
  const Timer timer;
  const Reduction reduction(problem);
  const double factorised = timer.seconds();
  const ReducedProblem reduced = reduction.reduced();
  const double formed = timer.seconds();
  SolveRequest rest = request;
  // At least a moment, so that a late solve still measures its start.
  rest.time_limit = std::max(request.time_limit - formed, 1e-6);
  if (!(request.time_limit > 0)) rest.time_limit = request.time_limit;
  solve(reduced, rest, result);
  reduction.velocity(result.r, result.v, result.lambda);
  result.timing.factorisation += factorised;
  result.timing.setup += formed - factorised;
  result.timing.total = timer.seconds();
  return result;
}

}  // namespace stickslip
