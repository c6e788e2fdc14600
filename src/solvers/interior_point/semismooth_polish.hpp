// The last digits: proximal steps around a moving reference, each solved by semismooth Newton.
//
//   u = W r + q + a (r − r_ref),     Φ(r) = r − P_K(r − û), û = u + μ s e_N (a fixed s, CAD (24)),
//                                    or the Alart–Curnier map (Coulomb's law)
//   (Φ_r + Φ_u (W + a I)) dr = −Φ,   t ∈ {1, 0.3, …}: ‖Φ(r + t dr)‖ ≤ (1 − 0.1 t) max of the last four
//
// r_ref ← r and a smaller once the problem is solved, a larger where Newton fails. An interior point ends at
// 1e-6 to 1e-10, because a slip leaves x_N − ‖x_T‖ ≈ m to be told apart from rounding; here the active set
// does that.
//
// Loose (solvers/proximal does the same for Coulomb's law): where redundant contacts must exchange
// loads of order one at velocities of 1e-9 and less, ‖Φ‖ hardly falls for hundreds of steps while r moves on,
// and a search that asks for a fall of ‖Φ‖ stops. Then full steps, problems solved to half of ‖Φ(r_ref)‖, and
// a return to the last solution after a failure; the program is convex, so the proximal points themselves
// converge.
#pragma once

#include <functional>
#include <span>

#include "solvers/interior_point/conic_problem.hpp"

namespace stickslip::internal {

struct PolishOptions {
  double regularisation = 1e-4;     ///< first a, in scaled units
  double floor = 1e-12;             ///< least a
  double shrink = 0.01, grow = 10;  ///< of a after a problem that took two steps, and after a failure
  int iterations = 15;              ///< Newton steps in all
  int patience = 4;                 ///< problems without a fall of ‖Φ‖ by 0.9 before it gives up
  bool loose = false;               ///< full steps, each problem to half the residual only; no patience
};

/// Improves r (scaled units). With `s` the convex program of that s (scaled units, n numbers), empty Coulomb's law. `stop` is shown every iterate, scaled, and ends the loop by true. Returns ‖Φ‖ of the r left
/// behind, the best.
double semismooth_polish(ConicProblem& problem, std::span<const double> s, const PolishOptions& options,
                         std::span<double> r, const std::function<bool(std::span<const double>)>& stop);

}  // namespace stickslip::internal
