#include "dynamics/record/chunk_tree.hpp"

namespace stickslip::internal {

void ChunkTree::add(OutputFile& file, std::uint64_t address) {
  add_at(file, 0, address, count_);
  ++count_;
  changed_ = true;
}

ChunkTree::Level ChunkTree::fresh(OutputFile& file, std::uint64_t first) const {
  Level node;
  node.place[0] = file.take(node_bytes());
  node.place[1] = file.take(node_bytes());
  node.first = first;
  return node;
}

void ChunkTree::add_at(OutputFile& file, std::size_t level, std::uint64_t child, std::uint64_t first) {
  if (levels_.empty()) levels_.push_back(fresh(file, 0));
  if (levels_[level].children.size() == most) {
    // The full node stays where it is written last; its parent gets a new last child.
    write_node(file, level);
    const std::uint64_t full = levels_[level].place[levels_[level].at], begin = levels_[level].first;
    if (level + 1 == levels_.size()) {
      levels_.push_back(fresh(file, begin));
      levels_.back().children.push_back(full);
      levels_.back().firsts.push_back(begin);
    } else {
      levels_[level + 1].children.back() = full;
    }
    levels_[level] = fresh(file, first);
    add_at(file, level + 1, no_address, first);  // its place is known when it is written
  }
  levels_[level].children.push_back(child);
  levels_[level].firsts.push_back(first);
}

void ChunkTree::key(Encoder& e, std::uint64_t chunk, std::uint64_t beyond) const {
  std::uint64_t bytes = element_bytes_;
  for (std::uint64_t extent : chunk_) bytes *= extent;
  e.u32(beyond ? 0 : bytes).u32(0).u64(chunk * chunk_[0]);
  for (std::size_t k = 1; k < chunk_.size(); ++k) e.u64(beyond ? chunk_[k] : 0);
  e.u64(beyond ? element_bytes_ : 0);
}

void ChunkTree::write_node(OutputFile& file, std::size_t level) {
  Level& node = levels_[level];
  Encoder e;
  e.text("TREE").u8(1).u8(level).u16(node.children.size()).u64(no_address).u64(no_address);
  for (std::size_t k = 0; k < node.children.size(); ++k) {
    key(e, node.firsts[k], false);
    e.u64(node.children[k]);
  }
  key(e, count_, true);
  e.zeros(node_bytes() - e.bytes.size());
  node.at = 1 - node.at;
  file.write(node.place[node.at], e.bytes.data(), e.bytes.size());
}

void ChunkTree::write(OutputFile& file) {
  if (!changed_) return;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    if (level > 0) levels_[level].children.back() = levels_[level - 1].place[levels_[level - 1].at];
    write_node(file, level);
  }
  changed_ = false;
}

}  // namespace stickslip::internal
