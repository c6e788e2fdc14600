// Nonsmooth Gauss–Seidel: one contact after the other, each solved with the others held, RR Algorithm 7.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solve/options.hpp"
#include "solvers/parts/contact_sweep.hpp"

namespace stickslip::internal {

struct GaussSeidelOptions {
  enum class Order { automatic, given, shuffled, reshuffled, symmetric, bandwidth, coloured };

  LocalOptions local;
  enum class LocalTolerance { fixed, adaptive } local_tolerance = LocalTolerance::fixed;
  double relaxation = 1;
  /// What ω relaxes: the impulses, or the local problem, RR (117)–(119).
  enum class Relaxed { average, local } relaxed = Relaxed::average;
  Order order = Order::automatic;
  long seed = 1;
  long anderson = 0;
  enum class Extrapolation { off, aitken } extrapolation = Extrapolation::off;
  long freeze = 0;
  enum class Form { automatic, matrix, velocity } form = Form::automatic;
  enum class Islands { off, on } islands = Islands::off;

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_gauss_seidel(const GaussSeidelOptions& options);

}  // namespace stickslip::internal
