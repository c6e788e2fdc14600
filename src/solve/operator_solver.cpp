#include "solve/operator_solver.hpp"

#include "solve/monitor.hpp"

namespace stickslip {

void OperatorSolver::do_solve(const ReducedProblem& problem, Monitor& monitor) {
  iterate(MatrixOperator(problem), monitor);
}

}  // namespace stickslip
