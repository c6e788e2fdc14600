// Sorts words together with a number each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace stickslip::internal {

/// Sorts keys, and values with them, by the lowest `bits` of the keys: eleven bits at a time, stable. The rooms are
/// at least as long.
inline void radix_sort(std::span<std::uint64_t> keys, std::span<int> values, unsigned bits,
                       std::span<std::uint64_t> key_room, std::span<int> value_room) {
  constexpr unsigned digit = 11;
  constexpr std::uint64_t mask = (1U << digit) - 1;
  std::array<std::uint32_t, 1U << digit> count;
  const std::size_t n = keys.size();
  std::span<std::uint64_t> from = keys, to = key_room.first(n);
  std::span<int> from_value = values, to_value = value_room.first(n);
  for (unsigned shift = 0; shift < bits; shift += digit) {
    count.fill(0);
    for (const std::uint64_t key : from) ++count[key >> shift & mask];
    std::uint32_t sum = 0;
    for (std::uint32_t& c : count) {
      const std::uint32_t here = c;
      c = sum;
      sum += here;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t at = count[from[i] >> shift & mask]++;
      to[at] = from[i];
      to_value[at] = from_value[i];
    }
    std::swap(from, to);
    std::swap(from_value, to_value);
  }
  if (from.data() != keys.data()) {
    std::copy(from.begin(), from.end(), keys.begin());
    std::copy(from_value.begin(), from_value.end(), values.begin());
  }
}

}  // namespace stickslip::internal
