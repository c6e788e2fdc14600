#include "linalg/colouring.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace stickslip::internal {
namespace {

/// Contacts of a domain, about; domains at most, one bit of a word for each.
constexpr std::size_t domain_size = 3000, most_domains = 64;

/// Breadth first from the node of the smallest number that was not reached yet, started anew from the last one reached, which lies
/// at an end of the graph: levels are small there.
std::vector<Index> breadth_first(Index nodes, std::span<const std::size_t> first,
                                 std::span<const Index> node) {
  const auto count = std::size_t(nodes), contacts = first.size() - 1;
  // The contacts of each node.
  std::vector<std::size_t> start(count + 1, 0);
  for (Index a : node) ++start[std::size_t(a) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Index> touching(node.size());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < contacts; ++i)
    for (std::size_t k = first[i]; k < first[i + 1]; ++k) touching[next[std::size_t(node[k])]++] = Index(i);

  std::vector<Index> order;
  std::vector<std::uint8_t> reached(count, 0);
  order.reserve(count);
  const auto spread = [&](Index from, std::uint8_t mark) {
    std::size_t at = order.size();
    order.push_back(from);
    reached[std::size_t(from)] = mark;
    for (; at < order.size(); ++at) {
      const auto a = std::size_t(order[at]);
      for (std::size_t e = start[a]; e < start[a + 1]; ++e)
        for (auto i = std::size_t(touching[e]), k = first[i]; k < first[i + 1]; ++k)
          if (auto& seen = reached[std::size_t(node[k])]; seen != mark) {
            seen = mark;
            order.push_back(node[k]);
          }
    }
  };
  for (Index from = 0; from < nodes; ++from) {
    if (reached[std::size_t(from)]) continue;
    const std::size_t begin = order.size();
    spread(from, 1);
    const Index end = order.back();
    order.resize(begin);
    spread(end, 2);
  }
  return order;
}

}  // namespace

Colouring one_chunk(Index contacts) {
  Colouring all;
  all.contacts.resize(std::size_t(contacts));
  std::iota(all.contacts.begin(), all.contacts.end(), 0);
  all.chunk_start = {0, contacts};
  all.colour_start = {0, 1};
  return all;
}

Colouring colour_by_nodes(Index nodes, std::span<const std::size_t> first, std::span<const Index> node) {
  const std::size_t contacts = first.size() - 1;
  if (contacts < std::size_t(coloured_contacts)) return one_chunk(Index(contacts));
  const std::size_t domains = std::min(contacts / domain_size, most_domains);
  std::vector<std::size_t> arms(std::size_t(nodes), 0);
  for (Index a : node) ++arms[std::size_t(a)];
  std::vector<std::uint8_t> domain(std::size_t(nodes), 0);
  std::size_t passed = 0;
  for (Index a : breadth_first(nodes, first, node)) {
    domain[std::size_t(a)] = std::uint8_t(passed * domains / std::max<std::size_t>(node.size(), 1));
    passed += arms[std::size_t(a)];
  }

  // Contacts with the same domains, as bits, are a chunk.
  std::vector<std::uint64_t> key(contacts, 0), keys;
  for (std::size_t i = 0; i < contacts; ++i)
    for (std::size_t k = first[i]; k < first[i + 1]; ++k)
      key[i] |= std::uint64_t(1) << domain[std::size_t(node[k])];
  keys = key;
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

  // Greedy: the first colour in which no chunk has one of these domains.
  std::vector<std::uint64_t> taken;
  std::vector<std::size_t> colour(keys.size());
  for (std::size_t c = 0; c < keys.size(); ++c) {
    std::size_t paint = (keys[c] & (keys[c] - 1)) == 0 ? 0 : 1;
    while (paint < taken.size() && (taken[paint] & keys[c]) != 0) ++paint;
    taken.resize(std::max(taken.size(), paint + 1), 0);
    taken[paint] |= keys[c];
    colour[c] = paint;
  }

  Colouring result;
  std::vector<Index> chunk_of(keys.size());
  result.colour_start.push_back(0);
  Index chunks = 0;
  for (std::size_t paint = 0; paint < taken.size(); ++paint) {
    for (std::size_t c = 0; c < keys.size(); ++c)
      if (colour[c] == paint) chunk_of[c] = chunks++;
    result.colour_start.push_back(chunks);
  }
  std::vector<Index> chunk(contacts);
  result.chunk_start.assign(std::size_t(chunks) + 1, 0);
  for (std::size_t i = 0; i < contacts; ++i) {
    chunk[i] = chunk_of[std::size_t(std::lower_bound(keys.begin(), keys.end(), key[i]) - keys.begin())];
    ++result.chunk_start[std::size_t(chunk[i]) + 1];
  }
  std::partial_sum(result.chunk_start.begin(), result.chunk_start.end(), result.chunk_start.begin());
  result.contacts.resize(contacts);
  std::vector<Index> next(result.chunk_start.begin(), result.chunk_start.end() - 1);
  for (std::size_t i = 0; i < contacts; ++i)
    result.contacts[std::size_t(next[std::size_t(chunk[i])]++)] = Index(i);
  return result;
}

}  // namespace stickslip::internal
