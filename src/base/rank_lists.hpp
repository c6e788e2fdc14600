// Lists that pass between ranks: each has a part. T is copied byte by byte.
#pragma once

#include <span>
#include <vector>

#include "base/ranks.hpp"

namespace stickslip::internal {

/// parts[k] goes to rank k. What came from each rank.
template <class T>
std::vector<std::vector<T>> swapped(Ranks& ranks, std::vector<std::vector<T>> parts) {
  const auto n = std::size_t(ranks.size()), me = std::size_t(ranks.rank());
  std::vector<std::int64_t> counts(n * n, 0);  // from, to
  for (std::size_t k = 0; k < n; ++k) counts[me * n + k] = std::int64_t(parts[k].size());
  ranks.add(counts);
  std::vector<std::vector<T>> got(n);
  std::vector<Ranks::Outgoing> out;
  std::vector<Ranks::Incoming> in;
  for (std::size_t k = 0; k < n; ++k) {
    if (k == me) continue;
    if (!parts[k].empty()) out.push_back({int(k), std::as_bytes(std::span(parts[k]))});
    got[k].resize(std::size_t(counts[k * n + me]));
    if (!got[k].empty()) in.push_back({int(k), std::as_writable_bytes(std::span(got[k]))});
  }
  ranks.exchange(out, in);
  got[me] = std::move(parts[me]);
  return got;
}

/// The lists of all ranks one after the other, on those ranks that `wanted(rank)` names.
template <class T, class Wanted>
std::vector<T> joined(Ranks& ranks, std::span<const T> mine, const Wanted& wanted) {
  const auto n = std::size_t(ranks.size()), me = std::size_t(ranks.rank());
  std::vector<std::int64_t> counts(n, 0);
  counts[me] = std::int64_t(mine.size());
  ranks.add(counts);
  std::vector<Ranks::Outgoing> out;
  std::vector<Ranks::Incoming> in;
  for (std::size_t k = 0; k < n; ++k)
    if (k != me && wanted(int(k)) && !mine.empty()) out.push_back({int(k), std::as_bytes(mine)});
  std::vector<T> all;
  if (wanted(int(me))) {
    std::size_t size = 0;
    for (const std::int64_t count : counts) size += std::size_t(count);
    all.resize(size);
    std::size_t at = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::span<T> part = std::span(all).subspan(at, std::size_t(counts[k]));
      if (k == me)
        std::copy(mine.begin(), mine.end(), part.begin());
      else if (!part.empty())
        in.push_back({int(k), std::as_writable_bytes(part)});
      at += part.size();
    }
  }
  ranks.exchange(out, in);
  return all;
}
template <class T>
std::vector<T> joined_everywhere(Ranks& ranks, std::span<const T> mine) {
  return joined(ranks, mine, [](int) { return true; });
}
template <class T>
std::vector<T> joined_on_first(Ranks& ranks, std::span<const T> mine) {
  return joined(ranks, mine, [](int rank) { return rank == 0; });
}

/// The list of rank 0 goes to all.
template <class T>
void spread(Ranks& ranks, std::vector<T>& list) {
  if (ranks.rank() != 0) list.clear();
  list = joined_everywhere<T>(ranks, list);
}

}  // namespace stickslip::internal
