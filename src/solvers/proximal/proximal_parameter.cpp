#include "solvers/proximal/proximal_parameter.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace stickslip::internal {

void ProximalParameterOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 2> rules = {"success", "error"};
  int kind = static_cast<int>(rule);
  v.part("rule", kind, rules, "how α follows: from the inner solver's success, or from the error",
         [&](OptionVisitor& part) {
           if (kind == static_cast<int>(Rule::success)) {
             part.real("shrink", shrink, {1, 1e6}, "α is divided by this after success; RR takes 10");
             part.real("grow", grow, {1, 1e6}, "α is multiplied by this after failure; RR takes 5");
           } else {
             part.real("sigma", sigma, {0, 1e9, true}, "σ of α = σ·error^ν");
             part.real("nu", nu, {0, 10, true}, "ν of α = σ·error^ν");
           }
         });
  rule = static_cast<Rule>(kind);
  v.real("alpha0", alpha0, {0, 1e9, true},
         "first α, relative to the diagonal blocks of W; larger for violent loads");
  v.real("alpha_min", least, {0, 1e9, true}, "least α");
  v.real("alpha_max", largest, {0, 1e9, true}, "largest α");
}

double ProximalParameter::clamped(double alpha) const {
  return std::max(std::min(alpha, options_.largest), options_.least);
}

double ProximalParameter::next(double error) {
  if (options_.rule == ProximalParameterOptions::Rule::error)
    alpha_ = penalty_ * options_.sigma * std::pow(error, options_.nu);
  return alpha_ = clamped(alpha_);
}

void ProximalParameter::succeeded() {
  alpha_ /= options_.shrink;
  penalty_ = std::max(1.0, penalty_ / options_.grow);
}

void ProximalParameter::failed() {
  alpha_ = clamped(alpha_ * options_.grow);
  penalty_ = std::min(penalty_ * options_.grow, 1e30);
}

}  // namespace stickslip::internal
