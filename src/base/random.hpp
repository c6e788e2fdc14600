// Seeded random numbers that are the same on every machine (the standard distributions are not).
#pragma once

#include <cstdint>

namespace stickslip::internal {

/// xoshiro256++ of Blackman and Vigna, seeded by splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  std::uint64_t bits();
  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Standard normal (polar method).
  double normal();
  /// Uniform in {0, …, n − 1}; n > 0.
  std::uint64_t below(std::uint64_t n) { return bits() % n; }

 private:
  std::uint64_t state_[4];
};

}  // namespace stickslip::internal
