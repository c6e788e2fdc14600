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
  Order order = Order::automatic;
  long seed = 1;
  long anderson = 0;
  enum class Extrapolation { off, aitken } extrapolation = Extrapolation::off;
  long freeze = 0;
  enum class Form { automatic, matrix, velocity } form = Form::automatic;
  enum class Islands { off, on } islands = Islands::off;

  void visit(OptionVisitor& visitor);
};

/// The options of the one-contact fixed point; `rules` names the first rules of RhoRule that are admissible.
void visit_fixed_point(OptionVisitor& visitor, LocalFixedPointOptions& options,
                       std::span<const std::string_view> rules);

std::unique_ptr<Method> make_gauss_seidel(const GaussSeidelOptions& options);

}  // namespace stickslip::internal
