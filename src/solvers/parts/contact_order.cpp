#include "solvers/parts/contact_order.hpp"

#include <algorithm>
#include <numeric>

namespace stickslip::internal {

void shuffle(std::vector<Index>& order, Random& random) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
}

std::vector<Index> bandwidth_order(const BlockView& W) {
  const auto n = std::size_t(W.size());
  const auto start = W.row_start;
  const auto degree = [&](Index i) { return start[std::size_t(i) + 1] - start[std::size_t(i)]; };
  std::vector<Index> by_degree(n), order;
  std::iota(by_degree.begin(), by_degree.end(), 0);
  std::stable_sort(by_degree.begin(), by_degree.end(),
                   [&](Index a, Index b) { return degree(a) < degree(b); });
  std::vector<char> seen(n, 0);
  order.reserve(n);
  for (Index root : by_degree) {
    if (seen[std::size_t(root)]) continue;
    seen[std::size_t(root)] = 1;
    std::size_t head = order.size();
    order.push_back(root);
    for (; head < order.size(); ++head) {
      const std::size_t first = order.size();
      const auto i = std::size_t(order[head]);
      for (Index k = start[i]; k < start[i + 1]; ++k)
        if (const Index j = W.column[std::size_t(k)]; !seen[std::size_t(j)]) {
          seen[std::size_t(j)] = 1;
          order.push_back(j);
        }
      std::stable_sort(order.begin() + long(first), order.end(),
                       [&](Index a, Index b) { return degree(a) < degree(b); });
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace stickslip::internal
