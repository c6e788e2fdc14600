// The order that contacts have in one process, found again where several ranks have parts of them.
//
// One process has its contacts by their first body, then by their second one, then by key. A rank has some pairs of bodies, each with all its contacts,
// in the same order: so the lists of ranks, one after the other, need only be merged by pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stickslip::internal {

/// Two bodies, the smaller number first, as one word that sorts like them.
inline std::uint64_t body_pair(std::int64_t a, std::int64_t b) {
  return std::uint64_t(a) << 32U | std::uint64_t(b);
}

/// `pairs`: rising lists one after the other, no pair in two of them. Which contact comes first in the whole, which second, …
std::vector<int> whole_order(std::span<const std::uint64_t> pairs);
/// The place that each contact has in an order.
std::vector<int> places_in(std::span<const int> order);

/// A list of contacts, joined of those of several ranks, in the order of the whole. `pair_of` gives the pair of one.
template <class T, class PairOf>
std::vector<T> in_whole_order(std::vector<T> joined, const PairOf& pair_of) {
  std::vector<std::uint64_t> pairs;
  pairs.reserve(joined.size());
  for (const T& contact : joined) pairs.push_back(pair_of(contact));
  std::vector<T> whole;
  whole.reserve(joined.size());
  for (const int k : whole_order(pairs)) whole.push_back(joined[std::size_t(k)]);
  return whole;
}

}  // namespace stickslip::internal
