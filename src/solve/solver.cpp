#include "stickslip/solver.hpp"

#include "solve/diagnosis.hpp"
#include "solve/method.hpp"

namespace stickslip {

Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

void Solver::solve(const ReducedProblem& problem, const SolveRequest& request, SolveResult& into) {
  method_->solve(problem, request, into);
  if (into.status == Status::stalled) into.diagnosis = internal::diagnose(problem);
}

void Solver::solve(const GlobalProblem& problem, const SolveRequest& request, SolveResult& into) {
  method_->solve(problem, request, into);
  if (into.status == Status::stalled) into.diagnosis = internal::diagnose(problem);
}

SolveResult Solver::solve(const ReducedProblem& problem, const SolveRequest& request) {
  SolveResult result;
  solve(problem, request, result);
  return result;
}

SolveResult Solver::solve(const GlobalProblem& problem, const SolveRequest& request) {
  SolveResult result;
  solve(problem, request, result);
  return result;
}

const std::string& Solver::label() const { return method_->label(); }
const std::string& Solver::composition() const { return method_->composition(); }

}  // namespace stickslip
