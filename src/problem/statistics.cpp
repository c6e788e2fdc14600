#include "stickslip/statistics.hpp"

#include <algorithm>

#include "linalg/rank.hpp"
#include "linalg/singular_values.hpp"
#include "problem/islands.hpp"

namespace stickslip {

using namespace internal;

Statistics statistics(const ReducedProblem& problem, Index rank_limit) {
  const BlockMatrix& W = problem.W();
  const int d = problem.dimension();
  const Index n = problem.contacts();
  Statistics s;
  s.contacts = n;
  s.dimension = d;
  s.degrees_of_freedom = problem.degrees_of_freedom;
  if (s.degrees_of_freedom && *s.degrees_of_freedom > 0) s.density = double(d) * n / *s.degrees_of_freedom;
  s.blocks = long(W.off_diagonal_blocks()) + n;
  s.q_norm = problem.q_norm();
  if (n == 0) return s;
  s.blocks_per_row = double(s.blocks) / n;
  s.asymmetry = W.asymmetry();
  Islands islands;
  islands.find(W);
  s.islands = Index(islands.count());
  const auto [low, high] = std::minmax_element(problem.mu().begin(), problem.mu().end());
  s.mu_min = *low;
  s.mu_max = *high;
  for (Index i = 0; i < n; ++i) {
    double trace = 0;
    for (int c = 0; c < d; ++c) trace += W.diagonal(i)[c * (d + 1)] / d;
    s.smallest_block = i == 0 ? trace : std::min(s.smallest_block, trace);
    s.largest_block = std::max(s.largest_block, trace);
  }
  if (n * d <= rank_limit)
    if (const auto rank = count_eigenvalues_above(W.to_sparse(), 1e-9))
      s.rank_ratio = double(*rank) / (n * d);
  return s;
}

Spectrum spectrum(const ReducedProblem& problem, Index dense_limit) {
  constexpr double relative = 1e-9;
  const SparseMatrix W = problem.W().to_sparse();
  const bool all = W.rows() <= dense_limit;
  const SingularValues found =
      all ? dense_singular_values(W, relative) : iterated_singular_values(W, problem.q(), relative);
  return {found.largest, found.smallest, all ? std::optional(found.rank) : std::nullopt, found.steps};
}

}  // namespace stickslip
