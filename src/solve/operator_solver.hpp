// A solver that needs only products with W, so that it works on global problems without forming W.
#pragma once

#include "problem/contact_operator.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

class OperatorSolver : public Solver {
 private:
  /// Iterates from monitor.start(), showing every iterate to the monitor, until the monitor says stop.
  virtual void iterate(const ContactOperator& problem, Monitor& monitor) = 0;

  void do_solve(const ReducedProblem& problem, Monitor& monitor) final;
};

}  // namespace stickslip
