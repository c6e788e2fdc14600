// Nonsmooth Newton on the whole problem, RR section 5 and Table 2.
#pragma once

#include <memory>

#include "solvers/newton/newton_step.hpp"
#include "solvers/projection/projection_method.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

struct NewtonOptions : NewtonStepOptions {
  enum class Start { none, extragradient };

  Start start = Start::none;
  long start_iterations = 100;
  ExtragradientOptions extragradient;
  long patience = 8;
  long sweeps = 20;
  enum class Form { automatic, reduced, augmented } form = Form::automatic;

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Solver> make_newton(const NewtonOptions& options);

}  // namespace stickslip
