#include "solvers/parts/colouring.hpp"

#include <algorithm>
#include <numeric>

#include "solvers/parts/contact_order.hpp"

namespace stickslip::internal {
namespace {

/// Enough chunks a colour to keep several threads busy.
bool shares_well(const Colouring& colouring) { return colouring.chunks() >= 24 * colouring.colours(); }

Colouring colour_in_order(const BlockMatrix& W, const std::vector<Index>& order, Index chunk_size) {
  const Index n = W.size(), chunks = (n + chunk_size - 1) / chunk_size;
  std::vector<Index> chunk_of(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) chunk_of[std::size_t(order[k])] = Index(k) / chunk_size;

  // Greedy: the first colour that no coupled chunk has. Both W_ij and W_ji couple, so the pattern's transpose
  // counts.
  std::vector<std::vector<Index>> coupled(static_cast<std::size_t>(chunks));
  for (Index i = 0; i < n; ++i)
    for (Index k = W.row_start()[std::size_t(i)]; k < W.row_start()[std::size_t(i) + 1]; ++k) {
      const Index a = chunk_of[std::size_t(i)], b = chunk_of[std::size_t(W.column()[std::size_t(k)])];
      if (a == b) continue;
      for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}})
        if (auto& list = coupled[std::size_t(from)]; list.empty() || list.back() != to) list.push_back(to);
    }
  std::vector<Index> colour(static_cast<std::size_t>(chunks), -1), taken_by;
  for (Index c = 0; c < chunks; ++c) {
    for (Index other : coupled[std::size_t(c)])
      if (const Index used = colour[std::size_t(other)]; used >= 0) taken_by[std::size_t(used)] = c;
    const auto free = std::find_if(taken_by.begin(), taken_by.end(), [&](Index by) { return by != c; });
    colour[std::size_t(c)] = Index(free - taken_by.begin());
    if (free == taken_by.end()) taken_by.push_back(-1);
  }

  Colouring result;
  result.chunk_start.push_back(0);
  result.colour_start.push_back(0);
  for (Index paint = 0; paint < Index(taken_by.size()); ++paint) {
    for (Index c = 0; c < chunks; ++c) {
      if (colour[std::size_t(c)] != paint) continue;
      const auto begin = order.begin() + long(c) * chunk_size,
                 end = order.begin() + std::min(long(n), long(c + 1) * chunk_size);
      result.contacts.insert(result.contacts.end(), begin, end);
      result.chunk_start.push_back(Index(result.contacts.size()));
    }
    result.colour_start.push_back(result.chunks());
  }
  return result;
}

}  // namespace

Colouring colour_contacts(const BlockMatrix& W) {
  std::vector<Index> given(static_cast<std::size_t>(W.size()));
  std::iota(given.begin(), given.end(), 0);
  const std::vector<Index> compact = bandwidth_order(W);
  Colouring best;
  for (const Index chunk_size : {128, 32, 8, 1}) {
    best = colour_in_order(W, given, chunk_size);
    if (chunk_size > 1 && !shares_well(best))
      if (Colouring other = colour_in_order(W, compact, chunk_size); other.colours() < best.colours())
        best = std::move(other);
    if (shares_well(best)) break;
  }
  return best;
}

}  // namespace stickslip::internal
