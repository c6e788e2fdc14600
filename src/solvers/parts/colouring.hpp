// Chunks of contacts that can be swept at the same time, found in W.
#pragma once

#include "linalg/colouring.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip::internal {

/// Chunks of neighbouring contacts, coloured greedily: 128 contacts where that leaves enough chunks a colour,
/// fewer where far contacts are coupled; as numbered or, where that needs fewer colours, in the order of
/// least bandwidth.
Colouring colour_contacts(const BlockMatrix& W);

}  // namespace stickslip::internal
