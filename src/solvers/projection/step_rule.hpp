// Step lengths ρ of projection methods for variational inequalities, RR Algorithm 3.
//
//   trial           z̄ = P_X(z − ρ F(z))
//   khobotov        r = ρ ‖F(z) − F(z̄)‖ / ‖z − z̄‖                  RR (101), Khobotov 1987
//   solodov_tseng   r = ρ (z − z̄)·(F(z) − F(z̄)) / ‖z − z̄‖²         RR (102), Solodov and Tseng 1996
//   r > L           ρ ← ν ρ, another trial
//   r < L_min       ρ ← ρ/ν after the step
#pragma once

#include "solve/options.hpp"

namespace stickslip::internal {

struct StepOptions {
  enum class Rule { fixed, khobotov, solodov_tseng };

  Rule rule = Rule::khobotov;
  double rho = 0;
  double L = 0.9, L_min = 0.3, nu = 2.0 / 3;
  long backtracks = 100;

  /// The option `step` with the parameters of the chosen rule inside.
  void visit(OptionVisitor& visitor);
  /// Throws InputError unless L_min < L.
  void validate() const;
};

/// What a rule needs to know of a trial; all in the metric of the step.
struct TrialStep {
  double size = 0;     ///< ‖z‖²
  double move = 0;     ///< ‖z − z̄‖²
  double change = 0;   ///< ‖F(z) − F(z̄)‖²
  double product = 0;  ///< (z − z̄)·(F(z) − F(z̄))
};

/// ρ from one step to the next.
class StepRule {
 public:
  StepRule() = default;
  explicit StepRule(const StepOptions& options) : options_(options) {}

  /// Begins with ρ > 0.
  void start(double rho);
  double rho() const { return rho_; }
  /// Whether trials have to be judged at all.
  bool adaptive() const { return options_.rule != StepOptions::Rule::fixed; }
  /// The ratio (101) or (102) of the last trial that was judged.
  double ratio() const { return ratio_; }
  /// Judges a trial made with rho(). False: ρ was reduced, try again. True, possibly because a move has come
  /// down to rounding or the trials are spent: take the step.
  bool accept(const TrialStep& trial);
  /// After the step: lengthens ρ where the ratio was below L_min.
  void end_step();

 private:
  StepOptions options_;
  double rho_ = 1, longest_ = 1, ratio_ = 0;
  long trials_ = 0;
};

}  // namespace stickslip::internal
