// Nonsmooth Gauss–Seidel: one contact after the other, each solved with the others held, RR Algorithm 7.
#pragma once

#include <memory>

#include "solve/options.hpp"
#include "solvers/contact_sweep.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

struct GaussSeidelOptions {
  enum class Order { given, shuffled, reshuffled, symmetric, bandwidth };

  LocalOptions local;
  double relaxation = 1;
  Order order = Order::given;
  long seed = 1;
  long anderson = 0;

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Solver> make_gauss_seidel(const GaussSeidelOptions& options);

}  // namespace stickslip
