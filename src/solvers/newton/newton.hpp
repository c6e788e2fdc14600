// Nonsmooth Newton on the whole problem, RR section 5 and Table 2.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solvers/newton/newton_step.hpp"
#include "solvers/projection/projection_method.hpp"

namespace stickslip::internal {

struct NewtonOptions : NewtonStepOptions {
  enum class Start { none, extragradient };

  Start start = Start::none;
  long start_iterations = 100;
  ExtragradientOptions extragradient;
  long patience = 8;
  long sweeps = 20;
  long iterations = 0;  ///< iter_max of RR Algorithm 4; 0: as many as the request allows
  enum class Form { automatic, matrix, bodies } form = Form::automatic;

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_newton(const NewtonOptions& options);

}  // namespace stickslip::internal
