// Proof that no solution exists: d with d_N ≥ 0, d_T = 0, Wᵀd = 0 and q·d < 0. Then d·u = d·q < 0 for every
// r, and some u_N is negative. (A d ∈ K with d_T ≠ 0 proves less: that Slater's condition fails;
// docs/theory/existence.md.)
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solve/contact_problem.hpp"

namespace stickslip::internal {

/// Searches such a d from nothing: for symmetric W it exists exactly when the frictionless problem has no solution. With αr added
/// to u that problem has one, bounded as α → 0 where the problem itself has one, and of length 1/α along d where it has none. The
/// direction is then cleaned: negative normals are dropped, the rest is projected on the null space of W's normals, contacts
/// that turn negative are dropped in turn. What comes back has ‖Wᵀd‖ ≤ 1e-12 ‖|W|ᵀ|d|‖ and q·d ≤ −1e-6 ‖q‖ (‖d‖ = 1) in extended
/// precision. Works on W or through the bodies, some tens of factorisations. Empty when a solution may exist, or when `stop` said
/// so.
std::optional<std::vector<double>> prove_infeasible(ContactProblem& problem, const Stop& stop = {});

/// The second half alone, from a candidate for d, as a diverging r or the difference of two late iterates is one.
std::optional<std::vector<double>> infeasibility_certificate(ContactProblem& problem,
                                                             std::span<const double> candidate);

}  // namespace stickslip::internal
