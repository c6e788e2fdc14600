// Chunks of contacts that can be worked on at the same time.
#pragma once

#include <span>
#include <vector>

#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// The contacts in chunks, the chunks in colours: chunks of one colour share no body (their blocks of W are
/// zero), so that their order does not matter and threads may take them side by side. The order of a sweep,
/// and with it every bit of the result, is the same for any number of threads.
struct Colouring {
  std::vector<Index> contacts;      ///< the contacts, chunk after chunk
  std::vector<Index> chunk_start;   ///< into `contacts`; one more than there are chunks
  std::vector<Index> colour_start;  ///< into the chunks; one more than there are colours

  Index chunks() const { return static_cast<Index>(chunk_start.size()) - 1; }
  Index colours() const { return static_cast<Index>(colour_start.size()) - 1; }
};

/// From here on sweeps and sums are long enough to be shared.
constexpr Index coloured_contacts = 10000;

/// One chunk with the contacts as they are numbered.
Colouring one_chunk(Index contacts);

/// A few large chunks for contacts on nodes (bodies): contact i touches node[first[i] … first[i+1]). The nodes are taken in the order
/// of a breadth-first search and cut into domains of as many contacts. The contacts inside a domain are a chunk, all of the first
/// colour; those between domains are chunks of the other colours, domain by domain. Contacts rise inside a chunk. Below
/// coloured_contacts all of them are one chunk.
Colouring colour_by_nodes(Index nodes, std::span<const std::size_t> first, std::span<const Index> node);

}  // namespace stickslip::internal
