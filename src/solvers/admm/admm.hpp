// The alternating direction method of multipliers with the De Saxcé update in the loop.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solve/options.hpp"

namespace stickslip::internal {

struct AdmmOptions {
  double rho = 0;
  double relaxation = 1.6;
  enum class Interval { fixed, doubled } interval = Interval::fixed;
  long rebalance = 100;
  double floor = 1e-3;
  long anderson = 5;
  /// Factors, or conjugate gradients where these would cost more; or conjugate gradients through the contacts (bodies/spring_system), which ranks share.
  enum class Form { automatic, velocity } form = Form::automatic;

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_admm(const AdmmOptions& options);

}  // namespace stickslip::internal
