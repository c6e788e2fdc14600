// Problems that do not feel each other, as one.
#pragma once

#include <vector>

#include "stickslip/problem.hpp"

namespace stickslip::tests {

/// Both problems, without coupling.
inline ReducedProblem side_by_side(const ReducedProblem& a, const ReducedProblem& b) {
  auto entries = a.W().to_sparse().triplets();
  const Index shift = Index(a.q().size()), rows = shift + Index(b.q().size());
  for (Triplet e : b.W().to_sparse().triplets())
    entries.push_back({e.row + shift, e.column + shift, e.value});
  std::vector<double> q(a.q().begin(), a.q().end()), mu(a.mu().begin(), a.mu().end());
  q.insert(q.end(), b.q().begin(), b.q().end());
  mu.insert(mu.end(), b.mu().begin(), b.mu().end());
  return {BlockMatrix(SparseMatrix(rows, rows, entries), a.dimension()), q, mu};
}

}  // namespace stickslip::tests
