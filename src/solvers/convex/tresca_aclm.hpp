// Successive approximation: Coulomb's law as the fixed point of convex programs.
//
//   Tresca   θ = r_N :   r ← argmin ½ rᵀWr + qᵀr,        r_N ≥ 0, ‖r_T‖ ≤ μ θ     RR (129), Algorithm 11
//   ACLM     s = g(u):   r ← argmin ½ rᵀWr + (q + s)ᵀr,  ‖r_T‖ ≤ μ r_N            RR (130), Algorithm 12
//
// until θ (one bound a contact) or s (one shift a contact) reproduces itself. The convex program is solved to
// a part of the error reached so far (RR 7.5), from the last impulses. Both maps x ↦ T(x) are on one
// nonnegative number a contact; ACLM's is unique even where W is singular, since the velocities of a convex
// program are.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solvers/convex/convex_solver.hpp"

namespace stickslip::internal {

struct SuccessiveOptions {
  enum class Acceleration { none, anderson };

  ConvexSolverOptions inner;
  double inner_tolerance = 0.1;
  long inner_iterations = 100;
  Acceleration acceleration = Acceleration::none;
  long window = 5;

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_tresca(const SuccessiveOptions& options);
std::unique_ptr<Method> make_aclm(const SuccessiveOptions& options);

}  // namespace stickslip::internal
