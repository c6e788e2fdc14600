#include "solvers/proximal/proximal_parameter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {

void ProximalParameterOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 3> rules = {"success", "error", "fixed"};
  static constexpr std::array<std::string_view, 2> firsts = {"error", "alpha0"};
  int kind = static_cast<int>(rule);
  v.part("rule", kind, rules, "how α follows: from the inner solver's success, from the error, or not at all",
         [&](OptionVisitor& part) {
           if (kind == static_cast<int>(Rule::fixed)) return;
           if (kind == static_cast<int>(Rule::success)) {
             part.real("shrink", shrink, {1, 1e6}, "α is divided by this after success; RR takes 10");
             part.real("grow", grow, {1, 1e6}, "α is multiplied by this after failure; RR takes 5");
           } else {
             part.real("sigma", sigma, {0, 1e9, true}, "σ of α = σ·error^ν");
             part.real("nu", nu, {0, 10, true}, "ν of α = σ·error^ν");
             part.real("grow", grow, {1, 1e6},
                       "α is multiplied by this for each failure since the last success; 1: as published");
             part.choice("first", first, firsts, "the first α: σ·error^ν too, or alpha0, as published");
           }
         });
  rule = static_cast<Rule>(kind);
  v.real("alpha0", alpha0, {0, 1e300, true},
         "first α, relative to the diagonal blocks of W (scheme=plain: as it is); larger for violent loads");
  v.real("alpha_min", least, {0, 1e300}, "least α");
  v.real("alpha_max", largest, {0, 1e300, true}, "largest α");
}

void ProximalParameterOptions::validate() const {
  if (alpha0 > largest)
    throw InputError("option 'alpha0' must be at most alpha_max = " + shortest(largest) + ", got " +
                     shortest(alpha0) + "; give alpha_max too");
  if (alpha0 < least)
    throw InputError("option 'alpha0' must be at least alpha_min = " + shortest(least) + ", got " +
                     shortest(alpha0) + "; give alpha_min too");
}

double ProximalParameter::clamped(double alpha) const {
  return std::max(std::min(alpha, options_.largest), options_.least);
}

double ProximalParameter::next(double error) {
  const bool given =
      options_.first == ProximalParameterOptions::First::alpha0 && std::exchange(first_, false);
  if (options_.rule == ProximalParameterOptions::Rule::error && !given)
    alpha_ = penalty_ * options_.sigma * std::pow(error, options_.nu);
  return alpha_ = clamped(alpha_);
}

void ProximalParameter::succeeded() {
  if (options_.rule == ProximalParameterOptions::Rule::fixed) return;
  alpha_ /= options_.shrink;
  penalty_ = std::max(1.0, penalty_ / options_.grow);
}

void ProximalParameter::failed() {
  if (options_.rule == ProximalParameterOptions::Rule::fixed) return;
  alpha_ = clamped(alpha_ * options_.grow);
  penalty_ = std::min(penalty_ * options_.grow, 1e30);
}

}  // namespace stickslip::internal
