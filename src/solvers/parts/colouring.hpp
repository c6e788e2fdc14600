// Chunks of contacts that can be swept at the same time.
#pragma once

#include <vector>

#include "stickslip/block_matrix.hpp"

namespace stickslip::internal {

/// The contacts in chunks, the chunks in colours: chunks of one colour share no body (their blocks of W are
/// zero), so that their order does not matter and threads may take them side by side. The order of the sweep,
/// and with it every bit of the result, is the same for any number of threads.
struct Colouring {
  std::vector<Index> contacts;      ///< the contacts, chunk after chunk
  std::vector<Index> chunk_start;   ///< into `contacts`; one more than there are chunks
  std::vector<Index> colour_start;  ///< into the chunks; one more than there are colours

  Index chunks() const { return static_cast<Index>(chunk_start.size()) - 1; }
  Index colours() const { return static_cast<Index>(colour_start.size()) - 1; }
};

/// Chunks of neighbouring contacts, coloured greedily: 128 contacts where that leaves enough chunks a colour,
/// fewer where far contacts are coupled; as numbered or, where that needs fewer colours, in the order of
/// least bandwidth.
Colouring colour_contacts(const BlockMatrix& W);

}  // namespace stickslip::internal
