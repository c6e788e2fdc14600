#include "dynamics/stepping/contact_order.hpp"

#include <algorithm>
#include <numeric>

namespace stickslip::internal {

std::vector<int> whole_order(std::span<const std::uint64_t> pairs) {
  std::vector<int> order(pairs.size());
  std::iota(order.begin(), order.end(), 0);
  // Where the rising lists begin, and the end; then two neighbours become one until there is one.
  std::vector<std::ptrdiff_t> start = {0};
  for (std::size_t k = 1; k < pairs.size(); ++k)
    if (pairs[k] < pairs[k - 1]) start.push_back(std::ptrdiff_t(k));
  const auto before = [&](int a, int b) { return pairs[std::size_t(a)] < pairs[std::size_t(b)]; };
  while (start.size() > 1) {
    std::vector<std::ptrdiff_t> merged;
    for (std::size_t k = 0; k < start.size(); k += 2) {
      merged.push_back(start[k]);
      if (k + 1 == start.size()) continue;
      const auto end = k + 2 < start.size() ? start[k + 2] : std::ptrdiff_t(pairs.size());
      std::inplace_merge(order.begin() + start[k], order.begin() + start[k + 1], order.begin() + end, before);
    }
    start.swap(merged);
  }
  return order;
}

std::vector<int> places_in(std::span<const int> order) {
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[std::size_t(order[k])] = int(k);
  return place;
}

}  // namespace stickslip::internal
