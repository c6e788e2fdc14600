// Primal–dual interior point for the conic complementarity problems of friction, Nesterov–Todd scaling.
//
//   x = (μ r_N, r_T),  y = (û_N/μ, û_T) ∈ Q = { ‖x_T‖ ≤ x_N },   x∘y = σm e along the central path
//   D y = W r + q + μ (s + θ φ) e_N,   D = diag(μ, 1, 1),  x = D r,  φ = ‖y_T‖, smoothed below ε
//
// θ = 0, s fixed: the convex program CAD (23)–(24), min ½rᵀWr + (q + μs e_N)ᵀr, r ∈ K. θ = 1, s = 0:
// Coulomb's law with De Saxcé's shift linearised inside. With F x = y (Nesterov–Todd), G = F^{1/2},
// λ = G x = G⁻¹ y and J = I − θ e₀ ∇φᵀ the Newton step is
//
//   (W + D (J F + a) D) dr = D (J c − ρ),   dy = c − F D dr,   c = G ( λ⁻¹∘(σm e − λ∘λ − (G dx)∘(G⁻¹ dy)) ),
//
// with ρ the residual of the equation and a the pin (below): symmetric for θ = 0 and symmetric W, otherwise
// unsymmetric in the diagonal blocks only. Mehrotra's predictor and corrector, one step length. det x, det y
// and x·y of each contact are carried along in scaled space, where they do not cancel, so that the last
// digits near the boundary of Q survive. μ = 0: the half line; tangents are taken out. Unsymmetric W: the
// same equations, factorised by LU.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solvers/interior_point/conic_problem.hpp"

namespace stickslip::internal {

class InteriorPoint {
 public:
  /// Keeps a reference to the problem and uses its factorisation.
  explicit InteriorPoint(ConicProblem& problem);
  ~InteriorPoint();
  InteriorPoint(InteriorPoint&&) noexcept;

  /// Starts from x e and y e, in scaled units.
  void start_cold(double x = 1, double y = 1);
  /// Starts from impulses r in physical units: x and y are r and û pushed into Q by `margin` in scaled units.
  void start_at(std::span<const double> r, double margin);
  /// The fixed part of the shift, s ≥ 0 in units of u_T; empty: 0. θ ∈ [0, 1] is the part of De Saxcé's
  /// shift.
  void set_law(std::span<const double> s, double theta);

  /// ε = factor·min(1, m).
  void set_smoothing(double factor);
  /// Pins the null space of W: a + per_gap·√m is added to the matrix but not to the residual, a proximal term
  /// around the iterate itself. Once F = y/x ≈ m/x² is below rounding, nothing else holds the self-stress of
  /// a hyperstatic problem, while a q with a part in that null space still has to move it.
  void set_pin(double a, double per_gap = 0);

  /// How well directions are solved for. Few digits are enough for the first part of a convex path (θ = 0, symmetric W): conjugate
  /// gradients take the place of factors where they cost less.
  enum class Digits { all, few };
  void set_digits(Digits digits);
  /// Whether few digits are still fewer with so many contacts: where one iteration takes as long as a hundred sweeps, and the path is not yet
  /// so long that it gets lost by it.
  static bool spares(Index contacts) { return contacts >= 10000 && contacts < very_many; }
  static constexpr Index very_many = 300000;

  /// What one iteration did.
  struct Step {
    bool valid = false;   ///< false: the matrix could not be factorised, nothing changed
    double length = 0;    ///< in [0, 1]
    double gap = 0;       ///< m = mean of x·y after the step, in scaled units
    double residual = 0;  ///< largest component of the equation's residual after the step, in scaled units
  };
  Step iterate();

  /// The impulses in physical units: r itself, and P_K(r − û) taken in scaled units with û as the equation
  /// has it.
  void impulses(std::span<double> r) const;
  void projected(std::span<double> r) const;

  class Core;

 private:
  std::unique_ptr<Core> core_;
};

}  // namespace stickslip::internal
