// Panagiotopoulos' alternating optimisation, RR Algorithm 10:
//
//   r_N ← argmin ½ r_NᵀW_NN r_N + (q_N + W_NT r_T)ᵀ r_N,   r_N ≥ 0               RR (126)
//   r_T ← argmin ½ r_TᵀW_TT r_T + (q_T + W_TN r_N)ᵀ r_T,   ‖r_T‖ ≤ μ r_N         RR (128)
//
// a Gauss–Seidel method of two blocks. Each program is solved to a part of the error reached so far (RR 7.5),
// from the last impulses.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solvers/convex/convex_solver.hpp"

namespace stickslip::internal {

struct PanagiotopoulosOptions {
  enum class Normal { pgs, projected_gradient };

  Normal normal = Normal::pgs;
  ProjectedGradientOptions projected_gradient = {};
  ConvexSolverOptions tangent{.kind = ConvexSolverOptions::Kind::fixed_point};
  double inner_tolerance = 0.1;
  long inner_iterations = 100;

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_panagiotopoulos(const PanagiotopoulosOptions& options);

}  // namespace stickslip::internal
