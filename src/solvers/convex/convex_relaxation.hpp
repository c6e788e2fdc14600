// The convex relaxation of Coulomb's law, RR 7.4: the second-order cone complementarity problem without De
// Saxcé's shift,
//
//   K* ∋ u ⊥ r ∈ K,   u = W r + q        ⇔        min ½ rᵀWr + qᵀr,  r ∈ K
//
// This is another law: a contact that slides also lifts off, u_N = μ‖u_T‖ (Tasora and Anitescu 2009). It
// agrees with Coulomb's only where nothing slides or μ = 0.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solvers/convex/convex_solver.hpp"

namespace stickslip::internal {

struct ConvexRelaxationOptions {
  ConvexSolverOptions inner;

  void visit(OptionVisitor& visitor) { inner.visit(visitor, "inner", FrozenOperator::Rows::all); }
};

/// Iterates until ‖r − P_K(r − u)‖/‖q‖, the error of the relaxed problem, meets the tolerance, and returns
/// that r. The status is `converged` only where r obeys Coulomb's law too, otherwise `converged_reduced` with
/// a message that names the law.
std::unique_ptr<Method> make_convex_relaxation(const ConvexRelaxationOptions& options);

}  // namespace stickslip::internal
