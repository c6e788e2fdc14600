// Groups of contacts that do not feel each other.
#pragma once

#include <vector>

#include "stickslip/problem.hpp"

namespace stickslip {

/// The connected components of W's pattern, each with rising contacts, the largest first.
std::vector<std::vector<Index>> find_islands(const BlockMatrix& W);
/// The problem of some contacts alone. They must be a union of islands.
ReducedProblem extract(const ReducedProblem& problem, const std::vector<Index>& contacts);

}  // namespace stickslip
