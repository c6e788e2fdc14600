#include "solvers/projection/step_rule.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// ρ is not lengthened beyond this multiple of the first, estimated or given: on moves that W does not feel nothing
/// else would stop it.
constexpr double longest_growth = 1e8, longest_given = 1e16;
/// A move below this fraction of ‖z‖ is rounding, and so is the ratio.
constexpr double smallest_move = 1e-15;

}  // namespace

void StepOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 3> rules = {"fixed", "khobotov", "solodov_tseng"};
  int kind = static_cast<int>(rule);
  v.part("step", kind, rules, "how ρ is chosen: fixed, or by RR Algorithm 3 with the ratio (101) or (102)",
         [&](OptionVisitor& inner) {
           if (kind == static_cast<int>(Rule::fixed)) {
             inner.real("rho", rho, {0, 1e300}, "ρ; 0: 1/‖W‖, estimated");
             return;
           }
           inner.real("rho", rho, {0, 1e300}, "the first ρ; 0: 1/‖W‖, estimated");
           inner.real("L", L, {0, 1, true},
                      "a trial with a larger ratio is refused; smaller is safer and slower");
           inner.real("L_min", L_min, {0, 1}, "a step with a smaller ratio lengthens ρ; below L");
           inner.real("nu", nu, {0.01, 0.99}, "factor by which ρ is reduced, and lengthened by its inverse");
           inner.integer("backtracks", backtracks, {0, 1000},
                         "refused trials before a step is taken all the same");
         });
  rule = static_cast<Rule>(kind);
}

void StepOptions::validate() const {
  if (rule != Rule::fixed && !(L_min < L))
    throw InputError("option 'L_min' must be below L = " + shortest(L) + ", got " + shortest(L_min));
}

void StepRule::start(double rho) {
  rho_ = rho;
  longest_ = (options_.rho > 0 ? longest_given : longest_growth) * rho;
  ratio_ = 0;
  trials_ = 0;
}

bool StepRule::accept(const TrialStep& trial) {
  const bool rounding = trial.move <= smallest_move * smallest_move * trial.size;
  ratio_ = options_.rule == StepOptions::Rule::khobotov ? rho_ * std::sqrt(trial.change / trial.move)
                                                        : rho_ * trial.product / trial.move;
  if (rounding || !(ratio_ > options_.L) || trials_ >= options_.backtracks) {
    if (rounding) ratio_ = options_.L;  // says nothing: leave ρ alone
    return true;
  }
  rho_ *= options_.nu;
  ++trials_;
  return false;
}

void StepRule::end_step() {
  trials_ = 0;
  if (adaptive() && ratio_ < options_.L_min) rho_ = std::min(rho_ / options_.nu, longest_);
}

}  // namespace stickslip::internal
