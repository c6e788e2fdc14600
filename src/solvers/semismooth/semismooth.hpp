// Semismooth Newton with hybrid linearisation, algorithm SCSOL of Koziara and Bićanić 2008 (SSN section 5.3).
//
//   Ω(r) δr = Π(r)                                                      semismooth_rows: NEWT, HYB, FIX or UNIL
//   α ← σ α  until  M(r + α δr) ≤ max_{j ≤ min(k, J)} M_{k−j} − 2γ α M_k   or   α ≤ β               SSN (64)
//   r ← r + α δr,   M = ½‖C‖²,   C the map of Hüeber, Stadler and Wohlmuth               SSN (63), (43), (44)
//
// SCALE: after L iterations a contact that turns from stick to slip or back has its ρ multiplied by φ, L times at most;
// first ρ = 1/λ_max(W_αα).
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solve/options.hpp"
#include "solve/scaled_problem.hpp"
#include "solvers/semismooth/semismooth_rows.hpp"

namespace stickslip::internal {

/// The defaults are those of SSN Table 2; scaling, regularisation, the merit of the start left out of the memory, open contacts that stick
/// and the path of UNIL are this project's.
struct SemismoothOptions {
  enum class Search { none, armijo, nonmonotone };
  enum class Start { forgotten, remembered };
  enum class Frictionless { path, active_sets };

  Linearisation linearisation = Linearisation::hyb;
  Search search = Search::nonmonotone;
  long memory = 10;                      ///< J
  Start first_merit = Start::forgotten;  ///< M⁰, SSN (64)
  double shrink = 0.9;                   ///< σ
  double decrease = 0.1;                 ///< γ
  double shortest = 0.034;               ///< β
  double factor = 10;                    ///< φ
  long penalties = 6;                    ///< L
  double bound_accuracy = 1e-10;         ///< ε
  double regularisation = 0.01;          ///< first a
  Scaled scaling = Scaled::on;
  OpenStick open = OpenStick::stick;
  Frictionless frictionless = Frictionless::path;  ///< how UNIL finds the closed contacts
  long iterations = 1000;                          ///< K

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_semismooth(const SemismoothOptions& options);

}  // namespace stickslip::internal
