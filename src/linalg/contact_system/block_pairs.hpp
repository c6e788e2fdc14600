// The pairs of nodes that a symmetric block matrix couples, each once, in chunks that threads take side by side.
#pragma once

#include <span>
#include <vector>

#include "base/pieces.hpp"
#include "linalg/colouring.hpp"

namespace stickslip::internal {

struct BlockPairs {
  std::vector<Index> a, b;   // nodes a < b of each pair
  std::vector<Index> place;  // of the blocks right of the diagonal, row by row: which pair
  std::vector<Index> chunk_start, colour_start;

  std::size_t size() const { return a.size(); }

  /// From a pattern in compressed rows, the diagonal apart. The pairs lie in memory chunk after chunk.
  void find(std::span<const Index> row_start, std::span<const Index> column) {
    std::vector<Index> node;
    std::vector<std::size_t> first = {0};
    node.reserve(column.size());
    first.reserve(column.size() / 2 + 1);
    for (Index row = 0; row + 1 < Index(row_start.size()); ++row)
      for (auto k = std::size_t(row_start[std::size_t(row)]);
           k < std::size_t(row_start[std::size_t(row) + 1]); ++k)
        if (column[k] > row) {
          node.insert(node.end(), {row, column[k]});
          first.push_back(node.size());
        }
    Colouring chunks = colour_by_nodes(Index(row_start.size()) - 1, first, node);
    const std::size_t count = first.size() - 1;
    a.resize(count);
    b.resize(count);
    place.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      const auto e = std::size_t(chunks.contacts[k]);
      a[k] = node[2 * e];
      b[k] = node[2 * e + 1];
      place[e] = Index(k);
    }
    chunk_start = std::move(chunks.chunk_start);
    colour_start = std::move(chunks.colour_start);
  }

  /// work(pair) for all; pairs that share a node one after the other, in an order that does not depend on the threads.
  template <class Work>
  void each(ThreadTeam* team, const Work& work) const {
    for (std::size_t colour = 0; colour + 1 < colour_start.size(); ++colour) {
      const auto begin = std::size_t(colour_start[colour]);
      share(team, std::size_t(colour_start[colour + 1]) - begin, [&](std::size_t chunk) {
        for (auto k = std::size_t(chunk_start[begin + chunk]);
             k < std::size_t(chunk_start[begin + chunk + 1]); ++k)
          work(k);
      });
    }
  }
};

}  // namespace stickslip::internal
