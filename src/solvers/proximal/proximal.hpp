// The proximal point algorithm, RR Algorithm 8 (Rockafellar 1976): each outer iteration solves, loosely, the
// problem with
//
//   u_α = W r + q + α (r − r_k),     that is W + αI and q − α r_k in the place of W and q,
//
// which is regular for every α > 0, and drives α to zero.
//
//   plain     RR Algorithm 8 as printed: the inner problem to a tenth of the error, whatever it gives is the next iterate
//   guarded   this project's: in scaled variables (solve/scaled_problem.hpp), so that α is a number relative to the blocks of W and
//             does not depend on the units; inner problems solved loosely, every inner iterate shown to the monitor, inner
//             solutions that make it worse refused; on request on the problem with a normal compliance that falls (compliance.hpp)
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solvers/gauss_seidel/gauss_seidel.hpp"
#include "solvers/newton/newton_step.hpp"
#include "solvers/proximal/proximal_parameter.hpp"

namespace stickslip::internal {

struct ProximalOptions {
  enum class Inner { newton, gs };
  enum class Scheme { guarded, plain };

  Inner inner = Inner::newton;
  NewtonStepOptions newton;
  GaussSeidelOptions gs;
  Scheme scheme = Scheme::guarded;
  ProximalParameterOptions parameter;
  double relaxation = 1;
  long inner_iterations = 0;
  double inner_factor = 0.5;
  long iterations = 0;  ///< iter_max of RR Algorithm 8, scheme=plain; 0: as many as the request allows
  enum class Damping { off, on } damping = Damping::off;
  double compliance = 0;  ///< first e of u_N + e r_N, relative to the normal entries of W; 0: none
  double compliance_fall = 3, compliance_accuracy = 0.5;

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_proximal(const ProximalOptions& options);

/// The plain scheme, and the guarded one with the two kinds of inner solver; make_proximal chooses.
std::unique_ptr<Method> make_proximal_plain(const ProximalOptions& options);
std::unique_ptr<Method> make_proximal_newton(const ProximalOptions& options);
std::unique_ptr<Method> make_proximal_sweeps(const ProximalOptions& options);

}  // namespace stickslip::internal
