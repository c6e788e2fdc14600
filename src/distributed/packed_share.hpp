// A share as bytes, on its way to its rank.
#pragma once

#include <cstddef>
#include <vector>

#include "bodies/shares.hpp"

namespace stickslip::internal {

/// The share with the part of a guess that belongs to it.
struct PackedShare {
  Share share;
  std::vector<double> guess;
};

std::vector<std::byte> pack(const PackedShare& share);
/// Of the bytes that `pack` made on another rank of the same machine type.
PackedShare unpack_share(std::vector<std::byte> bytes);

}  // namespace stickslip::internal
