// Proof that no solution exists: d with d_N ≥ 0, d_T = 0, Wᵀd = 0 and q·d < 0. Then d·u = d·q < 0 for every
// r, and some u_N is negative. (A d ∈ K with d_T ≠ 0 proves less: that Slater's condition fails;
// docs/theory/existence.md.)
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "stickslip/problem.hpp"

namespace stickslip::internal {

/// Makes such a d out of a candidate, as a diverging r or the difference of two late iterates is one:
/// tangents and negative normals are dropped, the rest is projected on the null space of W's normals,
/// contacts that turn negative are dropped in turn. What comes back has ‖Wᵀd‖ ≤ 1e-12 ‖|W|ᵀ|d|‖ and q·d ≤
/// −1e-6 ‖q‖ (‖d‖ = 1) in extended precision. Some sparse factorisations of the normals.
std::optional<std::vector<double>> infeasibility_certificate(const ReducedProblem& problem,
                                                             std::span<const double> candidate);

/// Searches from nothing: for symmetric W such a d exists exactly when the frictionless problem has no
/// solution. With αr added to u that problem has one, bounded as α → 0 where the problem itself has one, and
/// of length 1/α along d where it has none. Empty when a solution may exist, or when `stop` (may be empty)
/// said so.
std::optional<std::vector<double>> prove_infeasible(const ReducedProblem& problem,
                                                    const std::function<bool()>& stop = {});

}  // namespace stickslip::internal
