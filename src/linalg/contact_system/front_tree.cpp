#include "linalg/contact_system/front_tree.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "linalg/contact_system/elimination_order.hpp"

namespace stickslip::internal {
namespace {

/// Supernodes merge when the merged front has at most this many contacts, or when this share of it would be
/// zeros.
constexpr Index small_front = 8;
constexpr double zeros_allowed = 0.2;
/// Blocks of the factors beyond which they are given up: those of d = 6 would take 34 GB, and the list of them 240 MB. A list of so
/// many is not kept for the next set.
constexpr std::size_t most_entries = 60000000, long_list = 1000000;
/// Multiplications from which a tree is shared out, in parts of at most this share of them.
constexpr double shared_work = 2e7, least_parts = 24;
/// Share of the work above the middle of a tree from which it is rooted there; share of a subtree's work in one path of fronts, each with
/// at most this many rows, from which the subtree is one part, unless it has more than this share of all.
constexpr double far_from_root = 0.25, one_path = 0.5, largest_part = 0.6;
constexpr std::size_t short_front = 300;

}  // namespace

void FrontTree::analyse(const BlockView& W) {
  const auto same = [](std::span<const Index> a, const std::vector<Index>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  if (d == std::size_t(W.dimension) && same(W.row_start, row_start_) && same(W.column, columns_)) return;
  d = std::size_t(W.dimension);
  row_start_.clear();  // no pattern, should the order not be found
  find_order(W);
  row_start_.assign(W.row_start.begin(), W.row_start.end());
  columns_.assign(W.column.begin(), W.column.end());
}

void FrontTree::find_order(const BlockView& W) {
  valid_ = counted_ = rooted_ = false;
  const Index n = W.size();
  // Rows of W + Wᵀ: each block W_ij is a neighbour of i and of j.
  std::vector<Index> count(std::size_t(n) + 1, 0);
  for (Index i = 0; i < n; ++i)
    for (Index k = W.row_start[std::size_t(i)]; k < W.row_start[std::size_t(i) + 1]; ++k)
      ++count[std::size_t(W.column[std::size_t(k)]) + 1];
  std::partial_sum(count.begin(), count.end(), count.begin());
  std::vector<Index> column_row(W.column.size()), column_place(W.column.size()),
      next(count.begin(), count.end() - 1);
  for (Index i = 0; i < n; ++i)
    for (Index k = W.row_start[std::size_t(i)]; k < W.row_start[std::size_t(i) + 1]; ++k) {
      const auto to = std::size_t(next[std::size_t(W.column[std::size_t(k)])]++);
      column_row[to] = i;
      column_place[to] = k;
    }
  start.assign(1, 0);
  neighbour.clear();
  forth.clear();
  back.clear();
  for (Index i = 0; i < n; ++i) {
    // Row and column of i both rise: merge them.
    Index a = W.row_start[std::size_t(i)], b = count[std::size_t(i)];
    const Index a_end = W.row_start[std::size_t(i) + 1], b_end = count[std::size_t(i) + 1];
    while (a < a_end || b < b_end) {
      const Index ja = a < a_end ? W.column[std::size_t(a)] : n,
                  jb = b < b_end ? column_row[std::size_t(b)] : n;
      neighbour.push_back(std::min(ja, jb));
      forth.push_back(ja <= jb ? a++ : -1);
      back.push_back(jb <= ja ? column_place[std::size_t(b++)] : -1);
    }
    start.push_back(Index(neighbour.size()));
  }
  const double full = double(n) * double(n - 1);
  if (n > small_front && double(neighbour.size()) <= 0.7 * full)
    return minimum_degree_order(start, neighbour, order_);
  order_.resize(std::size_t(n));  // as good as full
  std::iota(order_.begin(), order_.end(), 0);
}

void FrontTree::select(std::span<const std::uint8_t> set) {
  const bool same = std::equal(set.begin(), set.end(), active_.begin(), active_.end());
  if (valid_ && same) return;
  ++analyses;
  if ((counted_ && same) || find_tree(set)) {
    list_columns();
    find_fronts();
    if (root_in_the_middle() && find_tree(set)) {
      list_columns();
      find_fronts();
    }
    if (entries_ > long_list) column_ = {};
  }
  counted_ = false;  // its scratch is used up
  valid_ = true;
}

void FrontTree::count(std::span<const std::uint8_t> set) {
  if ((valid_ || counted_) && std::equal(set.begin(), set.end(), active_.begin(), active_.end())) return;
  valid_ = counted_ = false;
  if (!find_tree(set)) {
    valid_ = true;  // without fronts
    return;
  }
  counted_ = true;
  fronts.clear();
  parts.clear();
  top.clear();
  work = 0;
  std::vector<std::size_t> below(node.size(), 0);  // what the children of a column pass on
  std::size_t height = 0;
  passed = 0;
  for (std::size_t j = 0; j < node.size(); ++j) {
    const double own = double(d), later = double(d) * double(old_place_[j]);
    work += own * (own * (own / 3 + later) + later * later);
    const std::size_t area = d * d * std::size_t(old_place_[j]) * std::size_t(old_place_[j]);
    passed = std::max(passed, height + area);
    height += area - below[j];
    if (parent_[j] >= 0) below[std::size_t(parent_[j])] += area;
  }
  numbers = d * d * (node.size() + 2 * entries_);
}

bool FrontTree::find_tree(std::span<const std::uint8_t> set) {
  counted_ = false;
  active_.assign(set.begin(), set.end());
  const std::size_t all = order_.size();
  place.assign(all, -1);
  node.clear();
  for (Index i : order_)
    if (set[std::size_t(i)]) {
      place[std::size_t(i)] = Index(node.size());
      node.push_back(i);
    }
  const auto m = Index(node.size());

  // Elimination tree by path compression (Liu 1990), then a postorder, so that supernodes are contiguous.
  parent_.assign(std::size_t(m), -1);
  ancestor_.assign(std::size_t(m), -1);
  for (Index j = 0; j < m; ++j) {
    const Index i = node[std::size_t(j)];
    for (Index e = start[std::size_t(i)]; e < start[std::size_t(i) + 1]; ++e) {
      Index k = place[std::size_t(neighbour[std::size_t(e)])];
      if (k < 0 || k >= j) continue;
      while (k != -1 && k < j) {
        const Index up = ancestor_[std::size_t(k)];
        ancestor_[std::size_t(k)] = j;
        if (up == -1) parent_[std::size_t(k)] = j;
        k = up;
      }
    }
  }
  first_child_.assign(std::size_t(m) + 1, -1);
  next_sibling_.assign(std::size_t(m), -1);
  for (Index j = m - 1; j >= 0; --j) {
    const auto to = std::size_t(parent_[std::size_t(j)] < 0 ? m : parent_[std::size_t(j)]);
    next_sibling_[std::size_t(j)] = first_child_[to];
    first_child_[to] = j;
  }
  post_.clear();
  post_.reserve(std::size_t(m));
  for (Index root = first_child_[std::size_t(m)]; root != -1; root = next_sibling_[std::size_t(root)]) {
    Index j = root;
    for (;;) {  // down to the first leaf, out through siblings and parents
      while (first_child_[std::size_t(j)] != -1) j = first_child_[std::size_t(j)];
      for (;;) {
        post_.push_back(j);
        if (j == root) break;
        if (next_sibling_[std::size_t(j)] != -1) {
          j = next_sibling_[std::size_t(j)];
          break;
        }
        j = parent_[std::size_t(j)];
      }
      if (j == root) break;
    }
  }
  old_place_.assign(std::size_t(m), 0);  // old place → new place
  for (Index k = 0; k < m; ++k) old_place_[std::size_t(post_[std::size_t(k)])] = k;
  ancestor_ = parent_;
  mark_ = node;
  const std::vector<Index>& before = mark_;
  for (Index j = 0; j < m; ++j) {
    const auto k = std::size_t(old_place_[std::size_t(j)]);
    node[k] = before[std::size_t(j)];
    place[std::size_t(before[std::size_t(j)])] = Index(k);
    const Index up = ancestor_[std::size_t(j)];
    parent_[k] = up < 0 ? -1 : old_place_[std::size_t(up)];
  }

  // How many later contacts all columns touch, before they are listed: row j has the columns on the paths from its neighbours up to j.
  entries_ = 0;
  mark_.assign(std::size_t(m), -1);
  std::vector<Index>& length = old_place_;
  length.assign(std::size_t(m), 0);
  for (Index j = 0; j < m; ++j) {
    mark_[std::size_t(j)] = j;
    const Index i = node[std::size_t(j)];
    for (Index e = start[std::size_t(i)]; e < start[std::size_t(i) + 1]; ++e)
      for (Index k = place[std::size_t(neighbour[std::size_t(e)])];
           k >= 0 && k < j && mark_[std::size_t(k)] != j; k = parent_[std::size_t(k)]) {
        mark_[std::size_t(k)] = j;
        ++length[std::size_t(k)];
        ++entries_;
      }
    if (entries_ > most_entries) {
      give_up();
      return false;
    }
  }
  return true;
}

/// The later contacts that each column touches: its own and those of its children.
void FrontTree::list_columns() {
  const auto m = Index(node.size());
  first_child_.assign(std::size_t(m) + 1, -1);
  for (Index j = m - 1; j >= 0; --j) {
    const auto to = std::size_t(parent_[std::size_t(j)] < 0 ? m : parent_[std::size_t(j)]);
    next_sibling_[std::size_t(j)] = first_child_[to];
    first_child_[to] = j;
  }
  column_start_.assign(1, 0);
  column_.clear();
  column_.reserve(entries_);
  mark_.assign(std::size_t(m), -1);
  for (Index j = 0; j < m; ++j) {
    const auto add = [&](Index k) {
      if (k <= j || mark_[std::size_t(k)] == j) return;
      mark_[std::size_t(k)] = j;
      column_.push_back(k);
    };
    const Index i = node[std::size_t(j)];
    for (Index e = start[std::size_t(i)]; e < start[std::size_t(i) + 1]; ++e)
      add(place[std::size_t(neighbour[std::size_t(e)])]);
    for (Index c = first_child_[std::size_t(j)]; c != -1; c = next_sibling_[std::size_t(c)])
      for (Index e = column_start_[std::size_t(c)]; e < column_start_[std::size_t(c) + 1]; ++e)
        add(column_[std::size_t(e)]);
    column_start_.push_back(Index(column_.size()));
  }
}

void FrontTree::give_up() {
  for (auto* list : {&column_, &column_start_, &touched, &relative, &children, &children_start}) {
    list->clear();
    list->shrink_to_fit();
  }
  fronts.clear();
  parts.clear();
  top.clear();
  numbers = passed = 0;
  work = std::numeric_limits<double>::infinity();
}

void FrontTree::find_fronts() {
  const std::vector<Index>&up = parent_, &begin = column_start_, &rows = column_;
  const auto m = Index(node.size());
  const auto length = [&](Index j) { return begin[std::size_t(j) + 1] - begin[std::size_t(j)]; };
  // Blocks that a front stores.
  const auto weight = [](double pivots, double updates) { return pivots * pivots + 2 * pivots * updates; };
  std::vector<Group>& groups = groups_;
  groups.clear();
  for (Index j = 0; j < m; ++j) {
    Group g{j, j + 1, weight(1, length(j))};
    // The previous group hangs below j exactly when the parent of its last column is j.
    while (!groups.empty() && up[std::size_t(groups.back().last) - 1] >= g.first &&
           up[std::size_t(groups.back().last) - 1] < g.last) {
      const Group& c = groups.back();
      const Index updates = length(g.last - 1), pivots = g.last - c.first;
      const double merged = weight(pivots, updates), stored = c.stored + g.stored;
      if (pivots + updates > small_front && merged - stored > zeros_allowed * merged) break;
      g = {c.first, g.last, stored};
      groups.pop_back();
    }
    groups.push_back(g);
  }
  fronts.clear();
  touched.clear();
  front_work_.clear();
  std::vector<Index>& group_of = mark_;
  std::size_t factors = 0;
  work = 0;
  for (const Group& g : groups) {
    const Index last = g.last - 1;
    Front front{g.first, g.last, -1, touched.size(), length(last), factors};
    touched.insert(touched.end(), rows.begin() + begin[std::size_t(last)],
                   rows.begin() + begin[std::size_t(last) + 1]);
    std::sort(touched.begin() + std::ptrdiff_t(front.rows), touched.end());
    for (Index j = g.first; j < g.last; ++j) group_of[std::size_t(j)] = Index(fronts.size());
    factors += d * d *
               (std::size_t(front.size()) * std::size_t(front.pivots()) +
                std::size_t(front.pivots()) * std::size_t(front.updates));
    const double own = double(d) * double(front.pivots()), later = double(d) * double(front.updates);
    front_work_.push_back(own * (own * (own / 3 + later) + later * later));
    work += front_work_.back();
    fronts.push_back(front);
  }
  numbers = factors;
  // Where the updates of a front lie in its parent's front.
  relative.resize(touched.size());
  children_start.assign(fronts.size() + 1, 0);
  for (Front& front : fronts) {
    if (front.updates == 0) continue;
    front.parent = group_of[std::size_t(touched[front.rows])];
    ++children_start[std::size_t(front.parent) + 1];
    const Front& above = fronts[std::size_t(front.parent)];
    std::size_t scan = above.rows;
    for (std::size_t k = front.rows; k < front.rows + std::size_t(front.updates); ++k) {
      if (touched[k] < above.last) {
        relative[k] = touched[k] - above.first;
      } else {
        while (touched[scan] < touched[k]) ++scan;
        relative[k] = above.pivots() + Index(scan - above.rows);
      }
    }
  }
  std::partial_sum(children_start.begin(), children_start.end(), children_start.begin());
  children.resize(std::size_t(children_start.back()));
  std::vector<Index>& next = first_child_;  // not needed any more
  next.assign(children_start.begin(), children_start.end() - 1);
  for (std::size_t f = 0; f < fronts.size(); ++f)
    if (fronts[f].parent >= 0) children[std::size_t(next[std::size_t(fronts[f].parent)]++)] = Index(f);
  find_parts();
}

/// What is long, as a bridge is, is eliminated from end to end: its tree is one path, which threads cannot share. The cliques of the
/// factors form the same tree whichever of them is its root; rooted where no branch has more than half of the work, the order has two
/// long branches and the same factors. True: the order is a new one.
bool FrontTree::root_in_the_middle() {
  if (rooted_ || work < shared_work || node.size() < order_.size()) return false;
  rooted_ = true;
  const auto work_below = [&](Index f) { return subtree_work_[std::size_t(f)]; };
  std::vector<Index> path;  // from the root down to the middle
  Index heaviest = -1;
  for (std::size_t f = 0; f < fronts.size(); ++f)
    if (fronts[f].parent < 0 && (heaviest < 0 || work_below(Index(f)) > work_below(heaviest)))
      heaviest = Index(f);
  for (Index f = heaviest; f >= 0 && (f == heaviest || work_below(f) > work / 2);) {
    path.push_back(f);
    const auto first = children.begin() + children_start[std::size_t(f)],
               last = children.begin() + children_start[std::size_t(f) + 1];
    const auto next =
        std::max_element(first, last, [&](Index a, Index b) { return work_below(a) < work_below(b); });
    f = next == last ? -1 : *next;
  }
  if (path_work_[std::size_t(heaviest)] < one_path * work ||
      work - work_below(path.back()) < far_from_root * work)
    return false;

  // Each contact of the cliques on the path goes with the last of them that has it, on the way from the old root to the middle.
  constexpr Index below_others = -1;
  std::vector<Index> clique_of(node.size(), below_others);
  const auto in_clique = [&](Index f, const auto& visit) {
    const Front& front = fronts[std::size_t(f)];
    for (Index j = front.first; j < front.last; ++j) visit(j);
    for (std::size_t k = front.rows; k < front.rows + std::size_t(front.updates); ++k) visit(touched[k]);
  };
  for (const Index f : path) in_clique(f, [&](Index j) { clique_of[std::size_t(j)] = f; });
  order_.clear();
  for (std::size_t j = 0; j < node.size(); ++j)
    if (clique_of[j] == below_others) order_.push_back(node[j]);
  for (const Index f : path)
    in_clique(f, [&](Index j) {
      if (clique_of[std::size_t(j)] == f) order_.push_back(node[std::size_t(j)]);
    });
  return true;
}

void FrontTree::find_parts() {
  const std::size_t count = fronts.size();
  subtree_work_ = front_work_;
  subtree_begin_.resize(count);
  for (std::size_t f = 0; f < count; ++f) {
    subtree_begin_[f] = children_start[f] < children_start[f + 1]
                            ? subtree_begin_[std::size_t(children[std::size_t(children_start[f])])]
                            : Index(f);
    if (fronts[f].parent >= 0) subtree_work_[std::size_t(fronts[f].parent)] += subtree_work_[f];
  }
  // The heaviest path of a subtree, as far as its fronts are too short to be shared.
  path_work_.assign(count, 0);
  for (std::size_t f = 0; f < count; ++f) {
    if (std::size_t(fronts[f].size()) * d <= short_front) path_work_[f] += front_work_[f];
    if (fronts[f].parent < 0) continue;
    double& above = path_work_[std::size_t(fronts[f].parent)];
    above = std::max(above, path_work_[f]);
  }
  const auto area = [&](std::size_t f) {
    return d * d * std::size_t(fronts[f].updates) * std::size_t(fronts[f].updates);
  };
  // The largest height of the stack over a range of fronts that holds all its children.
  const auto height_of = [&](Index begin, Index end) {
    std::size_t height = 0, largest = 0;
    for (auto f = std::size_t(begin); f < std::size_t(end); ++f) {
      largest = std::max(largest, height + area(f));
      for (Index c = children_start[f]; c < children_start[f + 1]; ++c)
        height -= area(std::size_t(children[std::size_t(c)]));
      height += area(f);
    }
    return largest;
  };
  parts.clear();
  top.clear();
  passed = 0;
  if (work < shared_work) {
    if (count > 0) parts.push_back({0, Index(count), height_of(0, Index(count)), work});
    return;
  }
  for (std::size_t f = count; f-- > 0;) {
    const Index parent = fronts[f].parent;
    if (parent >= 0 && !std::binary_search(top.begin(), top.end(), parent, std::greater<>()))
      continue;  // inside a part
    passed += area(f);
    const bool is_path =
        path_work_[f] > one_path * subtree_work_[f] && subtree_work_[f] <= largest_part * work;
    if (subtree_work_[f] > work / least_parts && !is_path)
      top.push_back(Index(f));
    else
      parts.push_back(
          {subtree_begin_[f], Index(f) + 1, height_of(subtree_begin_[f], Index(f) + 1), subtree_work_[f]});
  }
  std::reverse(top.begin(), top.end());
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.work > b.work; });
}

}  // namespace stickslip::internal
