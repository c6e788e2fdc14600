// The tree by which readers find the chunks of a growing dataset (B-tree, version 1, node type 1).
//
// Chunks come in rising order, so only the last node of each level ever changes. A changed node goes to the other of two places, a full
// one stays where it is: the tree that the file speaks of is never touched.
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/record/hdf5_encoding.hpp"
#include "dynamics/record/output_file.hpp"

namespace stickslip::internal {

class ChunkTree {
 public:
  /// `chunk`: the shape of a chunk.
  ChunkTree(std::vector<std::uint64_t> chunk, std::size_t element_bytes)
      : chunk_(std::move(chunk)), element_bytes_(element_bytes) {}

  /// Adds the next chunk. Written by `write`.
  void add(OutputFile& file, std::uint64_t address);
  /// Writes what has changed since the last call.
  void write(OutputFile& file);
  /// Address of the root; no_address without chunks.
  std::uint64_t root() const {
    return levels_.empty() ? no_address : levels_.back().place[levels_.back().at];
  }
  const std::vector<std::uint64_t>& chunk() const { return chunk_; }
  std::uint64_t count() const { return count_; }

  template <class Archive>
  void visit(Archive& archive);

 private:
  static constexpr std::size_t most = 64;  // children of a node: twice the library's default of 32
  struct Level {
    std::uint64_t place[2] = {no_address, no_address};
    std::uint64_t at = 0;     // which place holds the node that the file speaks of
    std::uint64_t first = 0;  // number of the first chunk below this node
    std::vector<std::uint64_t> children = {};
    std::vector<std::uint64_t> firsts = {};  // number of the first chunk below each child
  };
  std::uint64_t node_bytes() const { return 24 + (most + 1) * key_bytes() + most * 8; }
  std::uint64_t key_bytes() const { return 8 + 8 * (chunk_.size() + 1); }
  void key(Encoder& e, std::uint64_t chunk, std::uint64_t beyond) const;
  Level fresh(OutputFile& file, std::uint64_t first) const;
  void write_node(OutputFile& file, std::size_t level);
  void add_at(OutputFile& file, std::size_t level, std::uint64_t child, std::uint64_t first);

  std::vector<std::uint64_t> chunk_;
  std::size_t element_bytes_;
  std::vector<Level> levels_;  // from the leaves to the root
  std::uint64_t count_ = 0;
  bool changed_ = false;
};

template <class Archive>
void ChunkTree::visit(Archive& archive) {
  archive(count_);
  archive.list(levels_, [](auto& to, Level& level) {
    const auto number = [](auto& out, std::uint64_t& x) { out(x); };
    for (std::uint64_t* x : {&level.place[0], &level.place[1], &level.at, &level.first}) to(*x);
    to.list(level.children, number);
    to.list(level.firsts, number);
  });
}

}  // namespace stickslip::internal
