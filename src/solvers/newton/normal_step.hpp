// One damped Newton step on the normal map, RR (52)–(54), with F(r) = û, u = W r + q:
//
//   Φ(x) = ρ F(P_K(x)) + x − P_K(x) = 0,    r = P_K(x)
//
// With J = ∂P_K(x) and B = ∂û/∂u the step is (ρ B W J + I − J) δx = −Φ. In δr = J δx this has the form of the other maps,
//
//   (ρ J B W + I − J) δr = −J Φ,            δx = δr − Φ − ρ B W δr
#pragma once

#include <span>
#include <vector>

#include "solvers/newton/newton_step.hpp"

namespace stickslip::internal {

class NormalStep {
 public:
  explicit NormalStep(const NewtonStepOptions& options)
      : options_(options),
        reference_(options.search == NewtonStepOptions::Search::nonmonotone ? std::size_t(options.memory)
                                                                            : 1) {}

  /// The next step begins at x = r − ρû, so that a solution r has Φ = 0.
  void restart() {
    x_.clear();
    reference_.clear();
  }
  /// One step; r ← P_K(x) and u ← W r + q. False, with both untouched: the system could not be solved.
  bool advance(NewtonSystem& system, std::span<double> r, std::span<double> u);

 private:
  template <int D>
  bool typed_advance(NewtonSystem& system, std::span<double> r, std::span<double> u);
  /// ½‖Φ‖² at a trial x + t δx, whose r and u are left in trial_ and trial_u_.
  template <int D>
  double merit_at(const NewtonSystem& system, double t);

  NewtonStepOptions options_;
  NonmonotoneReference reference_;
  std::vector<double> x_, step_, trial_x_, trial_, trial_u_;
  std::vector<double> phi_, shift_, value_, by_u_, by_r_, product_;  // shift_: ρ B
};

}  // namespace stickslip::internal
