// The identity of a contact as one word.
#pragma once

#include <cstdint>

#include "dynamics/detection/touch.hpp"

namespace stickslip::internal {

/// Mixes all bits of a word (the finaliser of splitmix64; a bijection).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Of the features of two pieces of two shapes. The four words do not fit into one: two of a million contacts
/// have the same key with a probability of 3e-8. Between the same pair of shapes the detector tells them apart.
constexpr std::uint64_t contact_key(int shape_a, int shape_b, int piece_a, int piece_b, Feature feature_a,
                                    Feature feature_b) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  const std::uint64_t shapes = std::uint64_t(shape_a) << 32U | std::uint64_t(shape_b);
  const std::uint64_t pieces = std::uint64_t(piece_a) << 32U | std::uint64_t(piece_b);
  const std::uint64_t features = std::uint64_t(feature_a) << 32U | std::uint64_t(feature_b);
  return mixed((mixed(mixed(shapes + odd) ^ pieces) + odd) ^ features);
}

}  // namespace stickslip::internal
