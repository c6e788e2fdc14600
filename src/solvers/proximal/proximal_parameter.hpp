// The parameter α of the proximal point algorithm from one outer iteration to the next, RR 6.4.
//
//   success   α ← α/shrink when the inner problem was solved, α ← grow·α when it was not (RR: 10 and 5)
//   error     α = σ·error^ν, RR (125), Hager and Zhang 2008; multiplied by `grow` for each failure since the last success
//             (1: as published). The first α is the same, or α₀ as in RR Algorithm 8.
//   fixed     α = α₀: the regularised problem of RR's appendix 3
#pragma once

#include "solve/options.hpp"

namespace stickslip::internal {

struct ProximalParameterOptions {
  enum class Rule { success, error, fixed };
  enum class First { error, alpha0 };

  Rule rule = Rule::success;
  double alpha0 = 1e-2;
  double shrink = 3, grow = 3;
  double sigma = 1, nu = 1;
  First first = First::error;
  double least = 1e-9, largest = 10;

  void visit(OptionVisitor& visitor);
  /// Throws InputError unless α₀ lies within the bounds: it is never cut.
  void validate() const;
};

class ProximalParameter {
 public:
  explicit ProximalParameter(const ProximalParameterOptions& options) : options_(options) {}

  /// Begins a solve.
  void start() { alpha_ = options_.alpha0, penalty_ = 1, first_ = true; }
  /// α of the next inner problem, when the best error so far is `error`.
  double next(double error);
  void succeeded();
  void failed();

 private:
  double clamped(double alpha) const;

  ProximalParameterOptions options_;
  double alpha_ = 1, penalty_ = 1;
  bool first_ = true;
};

}  // namespace stickslip::internal
