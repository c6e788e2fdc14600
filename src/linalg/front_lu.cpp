#include "linalg/front_lu.hpp"

#include <Eigen/Core>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/dense_lu.hpp"

namespace stickslip {
namespace {

using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

/// Supernodes merge when the merged front has at most this many contacts, or when this share of it would be
/// zeros.
constexpr Index small_front = 8;
constexpr double zeros_allowed = 0.2;

}  // namespace

/// One supernode: the pivots [first, last) of the elimination order, and the later contacts that it touches.
struct Front {
  Index first, last, parent;
  std::size_t rows;     // where its update contacts begin in `touched`
  Index updates;        // how many
  std::size_t factors;  // where its numbers begin: [F₁₁; F₂₁] by columns, then F₁₂
  Index pivots() const { return last - first; }
  Index size() const { return pivots() + updates; }
};

struct FrontLu::Parts {
  const BlockMatrix* W = nullptr;
  std::size_t d = 3;
  // The graph of W + Wᵀ without the diagonal; for each neighbour j of i the places of W_ij and W_ji, −1 where
  // absent.
  std::vector<Index> start, neighbour, forth, back;
  std::vector<Index> order;  // contacts in elimination order, all of them

  // The analysed set.
  std::vector<std::uint8_t> active;
  bool valid = false;
  long analyses = 0;
  std::vector<Index> node;   // contact at each place of the elimination order of the set
  std::vector<Index> place;  // and back; −1: not in the set
  std::vector<Front> fronts;
  std::vector<Index> touched;   // update contacts of all fronts, as places
  std::vector<Index> relative;  // where each of them lies in the parent's front
  std::vector<Index> children_start, children;
  std::size_t stack_size = 0;

  std::vector<double> numbers, stack;
  std::vector<Index> exchanges;
  std::vector<double> gathered;

  void analyse_set(std::span<const std::uint8_t> set);
  void find_fronts(const std::vector<Index>& parent, const std::vector<Index>& column_start,
                   const std::vector<Index>& column);
  template <int D>
  void assemble(const Front& front, const double* left, const double* right, double alpha,
                std::vector<Index>& at);
  std::vector<Index> at;  // scratch: place of a contact in the front being assembled

  // Scratch of the analysis.
  std::vector<Index> parent, ancestor, column_start, column, post, mark, first_child, next_sibling, old_place;
};

FrontLu::FrontLu() : parts_(std::make_unique<Parts>()) {}
FrontLu::~FrontLu() = default;
long FrontLu::analyses() const { return parts_->analyses; }
long FrontLu::stored() const { return long(parts_->numbers.size()); }

void FrontLu::analyse(const BlockMatrix& W) {
  Parts& p = *parts_;
  p.W = &W;
  p.d = std::size_t(W.dimension());
  p.valid = false;
  const Index n = W.size();
  // Rows of W + Wᵀ: each block W_ij is a neighbour of i and of j.
  std::vector<Index> count(std::size_t(n) + 1, 0);
  for (Index i = 0; i < n; ++i)
    for (Index k = W.row_start()[std::size_t(i)]; k < W.row_start()[std::size_t(i) + 1]; ++k)
      ++count[std::size_t(W.column()[std::size_t(k)]) + 1];
  std::partial_sum(count.begin(), count.end(), count.begin());
  std::vector<Index> column_row(W.column().size()), column_place(W.column().size()),
      next(count.begin(), count.end() - 1);
  for (Index i = 0; i < n; ++i)
    for (Index k = W.row_start()[std::size_t(i)]; k < W.row_start()[std::size_t(i) + 1]; ++k) {
      const auto to = std::size_t(next[std::size_t(W.column()[std::size_t(k)])]++);
      column_row[to] = i;
      column_place[to] = k;
    }
  p.start.assign(1, 0);
  p.neighbour.clear();
  p.forth.clear();
  p.back.clear();
  for (Index i = 0; i < n; ++i) {
    // Row and column of i both rise: merge them.
    Index a = W.row_start()[std::size_t(i)], b = count[std::size_t(i)];
    const Index a_end = W.row_start()[std::size_t(i) + 1], b_end = count[std::size_t(i) + 1];
    while (a < a_end || b < b_end) {
      const Index ja = a < a_end ? W.column()[std::size_t(a)] : n,
                  jb = b < b_end ? column_row[std::size_t(b)] : n;
      p.neighbour.push_back(std::min(ja, jb));
      p.forth.push_back(ja <= jb ? a++ : -1);
      p.back.push_back(jb <= ja ? column_place[std::size_t(b++)] : -1);
    }
    p.start.push_back(Index(p.neighbour.size()));
  }
  p.order.resize(std::size_t(n));
  std::iota(p.order.begin(), p.order.end(), 0);
  const double full = double(n) * double(n - 1);
  if (n <= small_front || double(p.neighbour.size()) > 0.7 * full) return;  // as good as full
  // Eigen's minimum degree takes a contact without a diagonal entry for a full one: the diagonal has to be
  // there.
  Eigen::SparseMatrix<double, Eigen::ColMajor, Index> graph(n, n);
  graph.resizeNonZeros(Index(p.neighbour.size()) + n);
  Index place = 0;
  for (Index i = 0; i < n; ++i) {
    graph.outerIndexPtr()[i] = place;
    Index e = p.start[std::size_t(i)];
    const Index end = p.start[std::size_t(i) + 1];
    while (e < end && p.neighbour[std::size_t(e)] < i)
      graph.innerIndexPtr()[place++] = p.neighbour[std::size_t(e++)];
    graph.innerIndexPtr()[place++] = i;
    while (e < end) graph.innerIndexPtr()[place++] = p.neighbour[std::size_t(e++)];
  }
  graph.outerIndexPtr()[n] = place;
  std::fill_n(graph.valuePtr(), place, 1.0);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> permutation;
  Eigen::AMDOrdering<Index>()(graph.selfadjointView<Eigen::Lower>(), permutation);
  // The permutation that comes back sends old to new by its inverse: indices()[k] is the k-th contact.
  for (Index k = 0; k < n; ++k) p.order[std::size_t(k)] = permutation.indices()[k];
}

void FrontLu::Parts::analyse_set(std::span<const std::uint8_t> set) {
  ++analyses;
  active.assign(set.begin(), set.end());
  const std::size_t all = order.size();
  place.assign(all, -1);
  node.clear();
  for (Index i : order)
    if (set[std::size_t(i)]) {
      place[std::size_t(i)] = Index(node.size());
      node.push_back(i);
    }
  const auto m = Index(node.size());

  // Elimination tree by path compression (Liu 1990), then a postorder, so that supernodes are contiguous.
  parent.assign(std::size_t(m), -1);
  ancestor.assign(std::size_t(m), -1);
  for (Index j = 0; j < m; ++j) {
    const Index i = node[std::size_t(j)];
    for (Index e = start[std::size_t(i)]; e < start[std::size_t(i) + 1]; ++e) {
      Index k = place[std::size_t(neighbour[std::size_t(e)])];
      if (k < 0 || k >= j) continue;
      while (k != -1 && k < j) {
        const Index up = ancestor[std::size_t(k)];
        ancestor[std::size_t(k)] = j;
        if (up == -1) parent[std::size_t(k)] = j;
        k = up;
      }
    }
  }
  first_child.assign(std::size_t(m) + 1, -1);
  next_sibling.assign(std::size_t(m), -1);
  for (Index j = m - 1; j >= 0; --j) {
    const auto to = std::size_t(parent[std::size_t(j)] < 0 ? m : parent[std::size_t(j)]);
    next_sibling[std::size_t(j)] = first_child[to];
    first_child[to] = j;
  }
  post.clear();
  post.reserve(std::size_t(m));
  for (Index root = first_child[std::size_t(m)]; root != -1; root = next_sibling[std::size_t(root)]) {
    Index j = root;
    for (;;) {  // down to the first leaf, out through siblings and parents
      while (first_child[std::size_t(j)] != -1) j = first_child[std::size_t(j)];
      for (;;) {
        post.push_back(j);
        if (j == root) break;
        if (next_sibling[std::size_t(j)] != -1) {
          j = next_sibling[std::size_t(j)];
          break;
        }
        j = parent[std::size_t(j)];
      }
      if (j == root) break;
    }
  }
  old_place.assign(std::size_t(m), 0);  // old place → new place
  for (Index k = 0; k < m; ++k) old_place[std::size_t(post[std::size_t(k)])] = k;
  ancestor = parent;
  const std::vector<Index> before = node;
  for (Index j = 0; j < m; ++j) {
    const auto k = std::size_t(old_place[std::size_t(j)]);
    node[k] = before[std::size_t(j)];
    place[std::size_t(before[std::size_t(j)])] = Index(k);
    const Index up = ancestor[std::size_t(j)];
    parent[k] = up < 0 ? -1 : old_place[std::size_t(up)];
  }

  // The later contacts that each column touches: its own and those of its children.
  first_child.assign(std::size_t(m) + 1, -1);
  for (Index j = m - 1; j >= 0; --j) {
    const auto to = std::size_t(parent[std::size_t(j)] < 0 ? m : parent[std::size_t(j)]);
    next_sibling[std::size_t(j)] = first_child[to];
    first_child[to] = j;
  }
  column_start.assign(1, 0);
  column.clear();
  mark.assign(std::size_t(m), -1);
  for (Index j = 0; j < m; ++j) {
    const auto add = [&](Index k) {
      if (k <= j || mark[std::size_t(k)] == j) return;
      mark[std::size_t(k)] = j;
      column.push_back(k);
    };
    const Index i = node[std::size_t(j)];
    for (Index e = start[std::size_t(i)]; e < start[std::size_t(i) + 1]; ++e)
      add(place[std::size_t(neighbour[std::size_t(e)])]);
    for (Index c = first_child[std::size_t(j)]; c != -1; c = next_sibling[std::size_t(c)])
      for (Index e = column_start[std::size_t(c)]; e < column_start[std::size_t(c) + 1]; ++e)
        add(column[std::size_t(e)]);
    column_start.push_back(Index(column.size()));
  }
  find_fronts(parent, column_start, column);
  valid = true;
}

void FrontLu::Parts::find_fronts(const std::vector<Index>& up, const std::vector<Index>& begin,
                                 const std::vector<Index>& rows) {
  const auto m = Index(node.size());
  const auto length = [&](Index j) { return begin[std::size_t(j) + 1] - begin[std::size_t(j)]; };
  // Blocks that a front stores.
  const auto weight = [](double pivots, double updates) { return pivots * pivots + 2 * pivots * updates; };
  struct Group {
    Index first, last;
    double stored;  // blocks that are there without merging
  };
  std::vector<Group> groups;
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
  std::vector<Index>& group_of = mark;
  std::size_t factors = 0;
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
    fronts.push_back(front);
  }
  numbers.resize(factors);
  exchanges.resize(std::size_t(m) * d);
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
  std::vector<Index> next(children_start.begin(), children_start.end() - 1);
  for (std::size_t f = 0; f < fronts.size(); ++f)
    if (fronts[f].parent >= 0) children[std::size_t(next[std::size_t(fronts[f].parent)]++)] = Index(f);
  // The largest height of the stack of what is passed on.
  std::size_t height = 0, largest = 0;
  for (std::size_t f = 0; f < fronts.size(); ++f) {
    const auto own = d * d * std::size_t(fronts[f].updates) * std::size_t(fronts[f].updates);
    largest = std::max(largest, height + own);
    for (Index c = children_start[f]; c < children_start[f + 1]; ++c) {
      const auto u = std::size_t(fronts[std::size_t(children[std::size_t(c)])].updates);
      height -= d * d * u * u;
    }
    height += own;
  }
  stack.resize(largest);
}

/// Puts the entries of A in the rows and columns of the front's pivots in their places.
template <int D>
void FrontLu::Parts::assemble(const Front& front, const double* left, const double* right, double alpha,
                              std::vector<Index>& where) {
  const Index pivots = front.pivots();
  const auto lead = std::size_t(front.size()) * D;
  double* panel = &numbers[front.factors];                      // [F₁₁; F₂₁], lead rows
  double* right_part = panel + lead * std::size_t(pivots) * D;  // F₁₂, pivots·D rows
  const std::size_t right_lead = std::size_t(pivots) * D;
  for (Index j = front.first; j < front.last; ++j) where[std::size_t(j)] = j - front.first;
  for (Index k = 0; k < front.updates; ++k)
    where[std::size_t(touched[front.rows + std::size_t(k)])] = pivots + k;
  // target += L X
  const auto add = [&](double* target, std::size_t stride, const double* L, const double* X) {
    for (int b = 0; b < D; ++b)
      for (int c = 0; c < D; ++c) {
        const double x = X[c + D * b];
        for (int a = 0; a < D; ++a) target[std::size_t(a) + stride * std::size_t(b)] += L[a + D * c] * x;
      }
  };
  for (Index j = front.first; j < front.last; ++j) {
    const auto i = std::size_t(node[std::size_t(j)]);
    const auto own = std::size_t(j - front.first) * D;
    const double* L = left + i * D * D;
    double* diagonal = panel + own + lead * own;
    double shifted[D * D];
    std::copy_n(W->diagonal(Index(i)), D * D, shifted);
    for (int a = 0; a < D; ++a) shifted[a * (D + 1)] += alpha;
    add(diagonal, lead, L, shifted);
    for (int b = 0; b < D; ++b)
      for (int a = 0; a < D; ++a)
        diagonal[std::size_t(a) + lead * std::size_t(b)] += right[i * D * D + std::size_t(a + D * b)];
    for (Index e = start[i]; e < start[i + 1]; ++e) {
      const Index other = neighbour[std::size_t(e)], k = place[std::size_t(other)];
      if (k < j && k < front.first) continue;  // eliminated before, or not in the set (−1)
      const auto at_k = std::size_t(where[std::size_t(k)]) * D;
      if (forth[std::size_t(e)] >= 0) {  // A_ij: row of the pivot
        double* target =
            k < front.last ? panel + own + lead * at_k : right_part + own + right_lead * (at_k - right_lead);
        add(target, k < front.last ? lead : right_lead, L, W->block(forth[std::size_t(e)]));
      }
      // A_ji: column of the pivot; inside the pivots it is the other one's row.
      if (k >= front.last && back[std::size_t(e)] >= 0)
        add(panel + at_k + lead * own, lead, left + std::size_t(other) * D * D,
            W->block(back[std::size_t(e)]));
    }
  }
}

long FrontLu::factorise(std::span<const std::uint8_t> active, const double* left, const double* right,
                        double alpha) {
  Parts& p = *parts_;
  if (!p.valid || !std::equal(active.begin(), active.end(), p.active.begin(), p.active.end()))
    p.analyse_set(active);
  p.at.resize(p.node.size());
  const std::size_t d = p.d;
  std::fill(p.numbers.begin(), p.numbers.end(), 0.0);
  // Pivots are compared with the size of the rows, which the factors L_i set.
  long replaced = 0;
  std::size_t height = 0;
  for (std::size_t f = 0; f < p.fronts.size(); ++f) {
    const Front& front = p.fronts[f];
    const auto n1 = Eigen::Index(std::size_t(front.pivots()) * d),
               n2 = Eigen::Index(std::size_t(front.updates) * d), n = n1 + n2;
    double* panel = &p.numbers[front.factors];
    double* right_part = panel + n * n1;
    double* update = p.stack.data() + height;
    std::fill_n(update, n2 * n2, 0.0);
    if (d == 3)
      p.assemble<3>(front, left, right, alpha, p.at);
    else
      p.assemble<2>(front, left, right, alpha, p.at);
    // Add what the children pass on; they lie on the stack, the last child on top.
    std::size_t below = height;
    for (Index c = p.children_start[f + 1] - 1; c >= p.children_start[f]; --c) {
      const Front& child = p.fronts[std::size_t(p.children[std::size_t(c)])];
      const auto u = std::size_t(child.updates);
      below -= d * d * u * u;
      const double* passed = p.stack.data() + below;
      const Index* to = &p.relative[child.rows];
      for (std::size_t b = 0; b < u; ++b)
        for (std::size_t bc = 0; bc < d; ++bc, passed += u * d) {
          const auto column = std::size_t(to[b]) * d + bc;
          // A column of the front is in the panel whole, or in F₁₂ and F₂₂.
          double *top, *bottom;
          if (column < std::size_t(n1)) {
            top = panel + column * std::size_t(n);
            bottom = top + n1;
          } else {
            top = right_part + (column - std::size_t(n1)) * std::size_t(n1);
            bottom = update + (column - std::size_t(n1)) * std::size_t(n2);
          }
          for (std::size_t a = 0; a < u; ++a) {
            const auto row = std::size_t(to[a]) * d;
            double* target = row < std::size_t(n1) ? top + row : bottom + (row - std::size_t(n1));
            for (std::size_t c2 = 0; c2 < d; ++c2) target[c2] += passed[a * d + c2];
          }
        }
    }
    Index* exchanges = &p.exchanges[std::size_t(front.first) * d];
    replaced += dense_lu(panel, n, n1, n, exchanges);
    if (n2 > 0) {
      Matrix F12(right_part, n1, n2, Eigen::OuterStride<>(n1)), F22(update, n2, n2, Eigen::OuterStride<>(n2));
      const Matrix L11(panel, n1, n1, Eigen::OuterStride<>(n)),
          L21(panel + n1, n2, n1, Eigen::OuterStride<>(n));
      exchange_rows(right_part, n1, n1, n2, exchanges);
      unit_lower_solve(panel, n, n1, right_part, n1, n2);
      F22.noalias() -= L21 * F12;
    }
    std::copy_n(update, n2 * n2, p.stack.data() + below);  // downwards: safe where they overlap
    height = below + std::size_t(n2 * n2);
  }
  return replaced;
}

void FrontLu::solve(std::span<double> x) const {
  Parts& p = *parts_;
  const std::size_t d = p.d;
  p.gathered.resize(p.node.size() * d + 1);
  double* y = p.gathered.data();
  for (std::size_t j = 0; j < p.node.size(); ++j)
    for (std::size_t c = 0; c < d; ++c) y[j * d + c] = x[std::size_t(p.node[j]) * d + c];
  for (const Front& front : p.fronts) {
    const std::size_t n1 = std::size_t(front.pivots()) * d, n = std::size_t(front.size()) * d;
    const double* panel = &p.numbers[front.factors];
    const Index* exchanges = &p.exchanges[std::size_t(front.first) * d];
    double* own = y + std::size_t(front.first) * d;
    for (std::size_t k = 0; k < n1; ++k) std::swap(own[k], own[exchanges[k]]);
    const Index* rows = p.touched.data() + front.rows;
    for (std::size_t k = 0; k < n1; ++k) {
      const double v = own[k];
      const double* column = panel + k * n;
      for (std::size_t i = k + 1; i < n1; ++i) own[i] -= column[i] * v;
      const double* below = column + n1;
      for (Index r = 0; r < front.updates; ++r)
        for (std::size_t c = 0; c < d; ++c)
          y[std::size_t(rows[r]) * d + c] -= below[std::size_t(r) * d + c] * v;
    }
  }
  for (auto front = p.fronts.rbegin(); front != p.fronts.rend(); ++front) {
    const std::size_t n1 = std::size_t(front->pivots()) * d, n = std::size_t(front->size()) * d;
    const double* panel = &p.numbers[front->factors];
    const double* right_part = panel + n * n1;
    double* own = y + std::size_t(front->first) * d;
    const Index* rows = p.touched.data() + front->rows;
    for (Index r = 0; r < front->updates; ++r)
      for (std::size_t c = 0; c < d; ++c) {
        const double v = y[std::size_t(rows[r]) * d + c];
        const double* column = right_part + (std::size_t(r) * d + c) * n1;
        for (std::size_t i = 0; i < n1; ++i) own[i] -= column[i] * v;
      }
    for (std::size_t k = n1; k-- > 0;) {
      const double* column = panel + k * n;
      own[k] /= column[k];
      for (std::size_t i = 0; i < k; ++i) own[i] -= column[i] * own[k];
    }
  }
  for (std::size_t j = 0; j < p.node.size(); ++j)
    for (std::size_t c = 0; c < d; ++c) x[std::size_t(p.node[j]) * d + c] = y[j * d + c];
}

}  // namespace stickslip
