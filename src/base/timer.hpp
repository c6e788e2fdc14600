// Wall-clock time, cheap enough for problems that are solved in 100 ns.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace stickslip::internal {

/// Seconds since its construction. On x86-64 with a constant time-stamp counter this reads the counter (a
/// third of the cost of the system's clock), elsewhere the system's steady clock.
class Timer {
 public:
  Timer() : start_(ticks()) {}
  double seconds() const { return std::max(0.0, static_cast<double>(ticks() - start_) * seconds_per_tick); }

 private:
  static std::int64_t ticks() {
#if defined(__x86_64__)
    if (counter_is_constant) return static_cast<std::int64_t>(__rdtsc());
#endif
    return std::chrono::steady_clock::now().time_since_epoch().count();
  }

  static const bool counter_is_constant;
  static const double seconds_per_tick;

  std::int64_t start_;
};

}  // namespace stickslip::internal
