// What a solve on several ranks sends, foretold from who passes which body to whom.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/ranks.hpp"
#include "bodies/shares.hpp"

namespace stickslip::internal {

struct Sent {
  std::int64_t messages = 0, bytes = 0;
  void operator+=(const Sent& other) { messages += other.messages, bytes += other.bytes; }
};

/// Of one rank, or of all: messages, bodies in them and the lines of these bodies, once through the colours, and once from who touched a body last to all others.
struct TrafficPlan {
  struct Pass {
    std::int64_t messages = 0, bodies = 0, lines = 0;
  };
  Pass round, spread;

  TrafficPlan() = default;
  explicit TrafficPlan(const Share& share);
  /// Of a sweep: a round.
  Sent sweep() const;
  /// Of a product, by which errors are measured: a round and a spread.
  Sent product() const;
  /// Of all that passed between two counts.
  Sent of(const Ranks::Passes& before, const Ranks::Passes& after) const;
  /// The numbers one after the other, to be added up over ranks.
  std::array<std::int64_t, 6> numbers() const;
  static TrafficPlan from(std::span<const std::int64_t, 6> numbers);
};

}  // namespace stickslip::internal
