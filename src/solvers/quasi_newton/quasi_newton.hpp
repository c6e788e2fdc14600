// Projected quasi-Newton on the smoothed natural map, PQN Algorithm 1 (Koziara 2019):
//
//   C_ω(r) = F_ω(u) + m_ω(r − F_ω(u)),   u = W r + q                       PQN (41), F_ω (39), m_ω (30)
//   r ← P_K( r − (∇C_ω + δI)⁻¹ C_ω ),    ∇C_ω = X W + Y                    PQN (53), X, Y (43), (44)
//
// The linear system is solved inexactly by GMRES, preconditioned by the diagonal blocks of ∇C_ω + δI. Only
// products with W are needed; the Jacobian is never assembled. When the steps run out Gauss–Seidel takes
// over.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solve/options.hpp"
#include "solve/scaled_problem.hpp"

namespace stickslip::internal {

/// PQN Table 1 has δ = 0 (0.01 of the mean W_ii in section 8.1.2), no decay, accuracy 0.25, 10 iterations of
/// GMRES and no scaling; the rest is as there.
struct QuasiNewtonOptions {
  /// What δ is relative to: nothing, or the least, the mean or the largest W_ii (PQN 8.1.2).
  enum class Relative { none, min, avg, max };
  enum class Fallback { none, gauss_seidel };
  enum class Form { automatic, matrix, velocity };

  double delta = 0.1;
  Relative relative = Relative::avg;
  double decay = 0.25;
  double omega = 1e-11;
  double accuracy = 0.5;        ///< ε
  long linear_iterations = 20;  ///< m
  long restart = 20;
  long iterations = 1000;  ///< n
  long products = 100000;
  double energy = 0;  ///< γ, as a goal of the solver's own
  Scaled scaling = Scaled::on;
  Fallback fallback = Fallback::gauss_seidel;
  Form form = Form::automatic;

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_quasi_newton(const QuasiNewtonOptions& options);

}  // namespace stickslip::internal
