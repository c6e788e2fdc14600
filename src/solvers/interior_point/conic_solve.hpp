// The convex program of fixed slip speeds s, CAD (23)–(24), to its last digits: interior point, semismooth polish, and a march of proximal
// Newton steps where self-stress has a long way to go.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "solvers/interior_point/interior_iteration.hpp"

namespace stickslip::internal {

/// What the convex solver found for a fixed s.
struct ConicResult {
  bool converged = false;
  int iterations = 0;            ///< of the interior point
  int newton_steps = 0;          ///< of the polish
  double error = 0;              ///< ‖r − P_K(r − û)‖/‖q‖ with û = W r + q + μ s e_N
  std::vector<double> last;      ///< the impulses of the last iterate: the ray where there is no solution
  std::vector<double> r, u_hat;  ///< the best impulses, and û
};

/// min ½rᵀWr + (q + μs e_N)ᵀr, r ∈ K to `tolerance` on the error, from a cold start (a warm one saves
/// little). `stop` may be empty; it is asked at each iteration.
ConicResult solve_conic(ConicProblem& problem, InteriorPoint& method, std::span<const double> s,
                        double tolerance, int max_iterations, const std::function<bool()>& stop = {});

}  // namespace stickslip::internal
