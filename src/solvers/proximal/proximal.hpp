// The proximal point algorithm, RR Algorithm 8 (Rockafellar 1976): each outer iteration solves, loosely, the
// problem with
//
//   u_α = W r + q + α (r − r_k),     that is W + αI and q − α r_k in the place of W and q,
//
// which is regular for every α > 0, and drives α to zero. In scaled variables (problem/scaling.hpp), so that
// α is a number relative to the blocks of W and does not depend on the units.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solvers/gauss_seidel/gauss_seidel.hpp"
#include "solvers/newton/newton_step.hpp"
#include "solvers/proximal/proximal_parameter.hpp"

namespace stickslip::internal {

struct ProximalOptions {
  enum class Inner { newton, gs };

  Inner inner = Inner::newton;
  NewtonStepOptions newton;
  GaussSeidelOptions gs;
  ProximalParameterOptions parameter;
  double relaxation = 1;
  long inner_iterations = 0;
  double inner_factor = 0.5;
  enum class Damping { off, on } damping = Damping::off;

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_proximal(const ProximalOptions& options);

/// The two kinds of inner solver; make_proximal chooses.
std::unique_ptr<Method> make_proximal_newton(const ProximalOptions& options);
std::unique_ptr<Method> make_proximal_sweeps(const ProximalOptions& options);

}  // namespace stickslip::internal
