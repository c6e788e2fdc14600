#include "problem/islands.hpp"

#include <algorithm>
#include <numeric>

namespace stickslip::internal {

/// The least contact known to be coupled with i; the way there is halved for the next time.
Index Islands::root(Index i) {
  while (parent_[std::size_t(i)] != i) {
    Index& up = parent_[std::size_t(i)];
    up = parent_[std::size_t(up)];
    i = up;
  }
  return i;
}

void Islands::find(const BlockMatrix& W) {
  const auto n = std::size_t(W.size());
  parent_.resize(n);
  std::iota(parent_.begin(), parent_.end(), 0);
  for (Index i = 0; i < W.size(); ++i)
    for (Index k = W.row_start()[std::size_t(i)]; k < W.row_start()[std::size_t(i) + 1]; ++k) {
      const Index a = root(i), b = root(W.column()[std::size_t(k)]);
      parent_[std::size_t(std::max(a, b))] = std::min(a, b);
    }
  size_.assign(n, 0);
  for (Index i = 0; i < W.size(); ++i) ++size_[std::size_t(root(i))];
  order_.clear();  // the roots, largest island first, then by contact
  order_.reserve(n);
  for (Index i = 0; i < W.size(); ++i)
    if (size_[std::size_t(i)] > 0) order_.push_back(i);
  std::sort(order_.begin(), order_.end(), [&](Index a, Index b) {
    const Index x = size_[std::size_t(a)], y = size_[std::size_t(b)];
    return x > y || (x == y && a < b);
  });
  start_.reserve(n + 1);
  start_.assign(1, 0);
  place_.resize(n);
  for (const Index i : order_) {
    place_[std::size_t(i)] = start_.back();
    start_.push_back(start_.back() + size_[std::size_t(i)]);
  }
  contacts_.resize(n);
  for (Index i = 0; i < W.size(); ++i) contacts_[std::size_t(place_[std::size_t(root(i))]++)] = i;
}

ReducedProblem extract(const ReducedProblem& problem, std::span<const Index> contacts,
                       ReducedProblem::Parts parts) {
  const BlockMatrix& W = problem.W();
  const auto d = std::size_t(problem.dimension()), size = d * d;
  auto& [row_start, column, blocks, diagonal] = parts.W;
  std::vector<double>&q = parts.q, &mu = parts.mu;
  row_start.assign(1, 0);
  column.clear();
  for (auto* numbers : {&blocks, &diagonal, &q, &mu}) numbers->clear();
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

}  // namespace stickslip::internal
