#include "problem/islands.hpp"

#include <algorithm>

namespace stickslip {

std::vector<std::vector<Index>> find_islands(const BlockMatrix& W) {
  std::vector<std::vector<Index>> islands;
  // W_ij ≠ 0 couples i and j even where W_ji = 0: walk both patterns.
  std::vector<std::vector<Index>> backward(static_cast<std::size_t>(W.size()));
  for (Index i = 0; i < W.size(); ++i)
    for (Index k = W.row_start()[std::size_t(i)]; k < W.row_start()[std::size_t(i) + 1]; ++k)
      backward[std::size_t(W.column()[std::size_t(k)])].push_back(i);
  std::vector<char> seen(static_cast<std::size_t>(W.size()), 0);
  for (Index root = 0; root < W.size(); ++root) {
    if (seen[std::size_t(root)]) continue;
    seen[std::size_t(root)] = 1;
    std::vector<Index> island = {root};
    for (std::size_t at = 0; at < island.size(); ++at) {
      const auto i = std::size_t(island[at]);
      const auto reach = [&](Index j) {
        if (!seen[std::size_t(j)]) seen[std::size_t(j)] = 1, island.push_back(j);
      };
      for (Index k = W.row_start()[i]; k < W.row_start()[i + 1]; ++k) reach(W.column()[std::size_t(k)]);
      for (Index j : backward[i]) reach(j);
    }
    std::sort(island.begin(), island.end());
    islands.push_back(std::move(island));
  }
  std::stable_sort(islands.begin(), islands.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return islands;
}

ReducedProblem extract(const ReducedProblem& problem, const std::vector<Index>& contacts) {
  const BlockMatrix& W = problem.W();
  const auto d = std::size_t(problem.dimension()), size = d * d;
  std::vector<Index> row_start = {0}, column;
  std::vector<double> blocks, diagonal, q, mu;
  const auto place = [&](Index j) {
    return Index(std::lower_bound(contacts.begin(), contacts.end(), j) - contacts.begin());
  };
  for (Index i : contacts) {
    const auto at = std::size_t(i);
    for (Index k = W.row_start()[at]; k < W.row_start()[at + 1]; ++k) {
      column.push_back(place(W.column()[std::size_t(k)]));
      blocks.insert(blocks.end(), W.block(k), W.block(k) + size);
    }
    row_start.push_back(Index(column.size()));
    diagonal.insert(diagonal.end(), W.diagonal(i), W.diagonal(i) + size);
    q.insert(q.end(), problem.q().begin() + long(at * d), problem.q().begin() + long((at + 1) * d));
    mu.push_back(problem.mu()[at]);
  }
  return {BlockMatrix(problem.dimension(), std::move(row_start), std::move(column), std::move(blocks),
                      std::move(diagonal)),
          std::move(q), std::move(mu)};
}

}  // namespace stickslip
