// The elimination tree behind FrontLu: which contacts form a front, which later ones it touches, where its
// numbers lie.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/contact_system/block_view.hpp"

namespace stickslip::internal {

/// One supernode: the pivots [first, last) of the elimination order, and the later contacts that it touches.
struct Front {
  Index first, last, parent;
  std::size_t rows;     // where its update contacts begin in `touched`
  Index updates;        // how many
  std::size_t factors;  // where its numbers begin: [F₁₁; F₂₁] by columns, then F₁₂ᵀ
  Index pivots() const { return last - first; }
  Index size() const { return pivots() + updates; }
};

/// Orders the contacts of W once, and derives the fronts of any set of them from that order.
class FrontTree {
 public:
  /// Orders the contacts (approximate minimum degree); keeps nothing of W but its pattern. Nothing to do
  /// where that is the pattern of the last call.
  void analyse(const BlockView& W);
  /// Finds the fronts of the contacts i with set[i] ≠ 0; nothing to do where they are those of the last call.
  void select(std::span<const std::uint8_t> set);
  /// Counts what the factors of these contacts would take, `numbers` and `work`, without their fronts: those are found by `select`.
  void count(std::span<const std::uint8_t> set);

  std::size_t d = 3;
  // The graph of W + Wᵀ without the diagonal; for each neighbour j of i the places of W_ij and W_ji, −1 where
  // absent.
  std::vector<Index> start, neighbour, forth, back;
  std::vector<Index> node;      // contact at each place of the elimination order of the set
  std::vector<Index> place;     // and back; −1: not in the set
  std::vector<Front> fronts;    // children before parents
  std::vector<Index> touched;   // update contacts of all fronts, as places
  std::vector<Index> relative;  // where each of them lies in the parent's front
  std::vector<Index> children_start, children;
  /// Subtrees that share nothing, as ranges of fronts, the dearest first, and the fronts above them. A small tree is one part. They
  /// depend on the tree alone.
  struct Part {
    Index begin, end;   // its last front is its root
    std::size_t stack;  // the largest height of what is passed on inside
    double work;
  };
  std::vector<Part> parts;
  std::vector<Index> top;
  std::size_t numbers = 0;  // that all fronts store
  std::size_t passed = 0;   // that parts and the fronts above them pass on
  double work = 0;  // multiplications of a factorisation; infinite: the fronts were given up, there are none
  long analyses = 0;  // sets analysed so far

 private:
  void find_order(const BlockView& W);
  /// The elimination tree of the set, its columns counted. False: given up.
  bool find_tree(std::span<const std::uint8_t> set);
  void list_columns();
  void find_fronts();
  bool root_in_the_middle();
  void give_up();
  void find_parts();

  /// Contacts [first, last) of the order that may become a front.
  struct Group {
    Index first, last;
    double stored;  // blocks that are there without merging
  };

  std::vector<Index> row_start_, columns_;  // pattern of W
  std::vector<Index> order_;                // contacts in elimination order, all of them
  std::vector<std::uint8_t> active_;
  bool counted_ = false, valid_ = false;  // for active_: the tree is there, the fronts are
  bool rooted_ = false;                   // a better root was looked for in this order
  std::size_t entries_ = 0;               // of all columns
  // Scratch.
  std::vector<Index> parent_, ancestor_, column_start_, column_, post_, mark_, first_child_, next_sibling_,
      old_place_;
  std::vector<Group> groups_;
  std::vector<double> front_work_, subtree_work_, path_work_;
  std::vector<Index> subtree_begin_;
};

}  // namespace stickslip::internal
