// Groups of contacts that do not feel each other.
#pragma once

#include <span>
#include <vector>

#include "stickslip/problem.hpp"

namespace stickslip::internal {

/// The connected components of W's pattern, each with rising contacts, the largest first. W_ij ≠ 0 couples i
/// and j even where W_ji = 0.
class Islands {
 public:
  /// Allocates only when W is larger than any before.
  void find(const BlockMatrix& W);

  std::size_t count() const { return start_.empty() ? 0 : start_.size() - 1; }
  std::span<const Index> operator[](std::size_t k) const {
    return std::span(contacts_).subspan(std::size_t(start_[k]), std::size_t(start_[k + 1] - start_[k]));
  }

 private:
  Index root(Index i);

  std::vector<Index> contacts_, start_;
  std::vector<Index> parent_, size_, order_, place_;
};

/// The problem of some contacts alone, rising. They must be a union of islands.
/// The memory of `parts` is used again.
ReducedProblem extract(const ReducedProblem& problem, std::span<const Index> contacts,
                       ReducedProblem::Parts parts = {});

}  // namespace stickslip::internal
