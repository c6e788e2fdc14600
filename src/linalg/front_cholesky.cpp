#include "linalg/front_cholesky.hpp"

#include <Eigen/Cholesky>
#include <Eigen/OrderingMethods>
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace stickslip::internal {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// A supernode is merged with its parent where at most this share of their common front would be zeros, or where it is this narrow.
constexpr double allowed_zeros = 0.12;
constexpr int narrow_node = 16;
/// Columns that are eliminated together; between two of them it may be stopped.
constexpr Eigen::Index panel_width = 128;

/// Vertices: runs of rows with one pattern.
struct Vertices {
  std::vector<int> start = {0};  // rows of vertex v: start[v] … start[v + 1] − 1
  std::vector<int> of_row;
  int count() const { return int(start.size()) - 1; }
  int weight(int v) const { return start[std::size_t(v) + 1] - start[std::size_t(v)]; }
};

Vertices find_vertices(const Sparse& A, const std::vector<char>& is_last) {
  Vertices vertices;
  const int n = int(A.cols());
  vertices.of_row.resize(std::size_t(n));
  const int *at = A.outerIndexPtr(), *row = A.innerIndexPtr();
  for (int j = 0; j < n; ++j) {
    const bool same = j > 0 && is_last[std::size_t(j)] == is_last[std::size_t(j) - 1] &&
                      at[j + 1] - at[j] == at[j] - at[j - 1] &&
                      std::equal(row + at[j], row + at[j + 1], row + at[j - 1]);
    if (j > 0 && !same) vertices.start.push_back(j);
    vertices.of_row[std::size_t(j)] = vertices.count();
  }
  vertices.start.push_back(n);
  return vertices;
}

using Graph = std::vector<std::vector<int>>;

Graph graph_of(const Sparse& A, const Vertices& vertices) {
  Graph graph(std::size_t(vertices.count()));
  for (int v = 0; v < vertices.count(); ++v) {
    auto& list = graph[std::size_t(v)];
    for (Sparse::InnerIterator entry(A, vertices.start[std::size_t(v)]); entry; ++entry)
      if (const int w = vertices.of_row[std::size_t(entry.row())];
          w != v && (list.empty() || list.back() != w))
        list.push_back(w);
  }
  return graph;
}

/// Minimum degree of the vertices that need not come last; these follow.
std::vector<int> order_vertices(const Graph& graph, const std::vector<char>& last) {
  std::vector<int> inner, place(graph.size(), -1), order;
  for (int v = 0; v < int(graph.size()); ++v)
    if (!last[std::size_t(v)]) {
      place[std::size_t(v)] = int(inner.size());
      inner.push_back(v);
    }
  if (!inner.empty()) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int v : inner) {
      entries.emplace_back(place[std::size_t(v)], place[std::size_t(v)], 1.0);
      for (int w : graph[std::size_t(v)])
        if (place[std::size_t(w)] >= 0)
          entries.emplace_back(place[std::size_t(w)], place[std::size_t(v)], 1.0);
    }
    Sparse pattern(Eigen::Index(inner.size()), Eigen::Index(inner.size()));
    pattern.setFromTriplets(entries.begin(), entries.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> found;
    Eigen::AMDOrdering<int>()(pattern, found);
    for (Eigen::Index k = 0; k < found.size(); ++k) order.push_back(inner[std::size_t(found.indices()[k])]);
  }
  for (int v = 0; v < int(graph.size()); ++v)
    if (last[std::size_t(v)]) order.push_back(v);
  return order;
}

/// Parents in the elimination tree of the graph in this order, −1 at a root (Davis 2006, 4.1).
std::vector<int> elimination_tree(const Graph& graph, const std::vector<int>& order,
                                  const std::vector<int>& place) {
  const int n = int(order.size());
  std::vector<int> parent(std::size_t(n), -1), ancestor(std::size_t(n), -1);
  for (int i = 0; i < n; ++i)
    for (int w : graph[std::size_t(order[std::size_t(i)])])
      for (int j = place[std::size_t(w)]; j != -1 && j < i;) {
        const int next = std::exchange(ancestor[std::size_t(j)], i);
        if (next == -1) parent[std::size_t(j)] = i;
        j = next;
      }
  return parent;
}

/// Children before parents, each subtree in one run.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = int(parent.size());
  std::vector<int> head(std::size_t(n), -1), next(std::size_t(n), -1), order, stack;
  for (int v = n - 1; v >= 0; --v)
    if (parent[std::size_t(v)] >= 0) {
      next[std::size_t(v)] = head[std::size_t(parent[std::size_t(v)])];
      head[std::size_t(parent[std::size_t(v)])] = v;
    }
  for (int root = 0; root < n; ++root) {
    if (parent[std::size_t(root)] >= 0) continue;
    stack.assign(1, root);
    while (!stack.empty()) {
      const int v = stack.back();
      if (const int child = head[std::size_t(v)]; child >= 0) {
        head[std::size_t(v)] = next[std::size_t(child)];
        stack.push_back(child);
      } else {
        order.push_back(v);
        stack.pop_back();
      }
    }
  }
  return order;
}

/// L: the columns of a front, [F₁₁ ; F₂₁] → [L₁₁ ; L₂₁], panel by panel; U ← U − L₂₁ L₂₁ᵀ. False: F₁₁ is not positive definite.
bool eliminate(Eigen::MatrixXd& L, Eigen::MatrixXd& U, const Stop& stop) {
  const Eigen::Index own = L.cols(), rest = U.rows();
  for (Eigen::Index k = 0; k < own; k += panel_width) {
    if (k > 0) ask(stop);
    const Eigen::Index width = std::min(panel_width, own - k), after = own - k - width;
    Eigen::Ref<Eigen::MatrixXd> diagonal = L.block(k, k, width, width);
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> llt(diagonal);
    if (llt.info() != Eigen::Success) return false;
    if (after + rest == 0) break;
    auto below = L.block(k + width, k, after + rest, width);
    diagonal.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
    if (after > 0) {
      L.block(k + width, k + width, after, after).triangularView<Eigen::Lower>() -=
          below.topRows(after) * below.topRows(after).transpose();
      if (rest > 0)
        L.block(own, k + width, rest, after).noalias() -=
            below.bottomRows(rest) * below.topRows(after).transpose();
    }
    if (rest > 0) U.selfadjointView<Eigen::Lower>().rankUpdate(below.bottomRows(rest), -1);
  }
  return true;
}

}  // namespace

struct FrontCholesky::Parts {
  /// Columns first … last − 1 of L (in rows of P A Pᵀ), and the rows below them that they have entries in.
  struct Front {
    int first = 0, last = 0;
    std::vector<int> below;
    std::vector<int> children;
    Eigen::MatrixXd L;  // [L₁₁ ; L₂₁]
    int columns() const { return last - first; }
  };
  std::vector<int> row_at, place;  // the row of A that stands at a place, and back
  std::vector<Front> fronts;       // children before parents
  std::vector<int> last;           // places of the rows that were asked to come last
  mutable Eigen::MatrixXd room;

  void analyse(const Sparse& A, std::span<const int> wanted_last);
  bool number(const Sparse& A, const Stop& stop);
};

void FrontCholesky::Parts::analyse(const Sparse& A, std::span<const int> wanted_last) {
  const int n = int(A.cols());
  std::vector<char> is_last(std::size_t(n), 0);
  for (int row : wanted_last) is_last[std::size_t(row)] = 1;
  const Vertices vertices = find_vertices(A, is_last);
  const Graph graph = graph_of(A, vertices);
  std::vector<char> late(std::size_t(vertices.count()));
  for (int v = 0; v < vertices.count(); ++v)
    late[std::size_t(v)] = is_last[std::size_t(vertices.start[std::size_t(v)])];

  // Order, tree, then the same order with subtrees in runs.
  std::vector<int> order = order_vertices(graph, late), at(order.size());
  const auto renumber = [&] {
    for (std::size_t k = 0; k < order.size(); ++k) at[std::size_t(order[k])] = int(k);
  };
  renumber();
  const int inner = int(std::count(late.begin(), late.end(), 0)), count = vertices.count();
  std::vector<int> parent = elimination_tree(graph, order, at);
  // All that come last make one chain at the end.
  for (int v = 0; v < count; ++v) {
    if (v < inner && parent[std::size_t(v)] >= inner) parent[std::size_t(v)] = inner;
    if (v >= inner) parent[std::size_t(v)] = v + 1 < count ? v + 1 : -1;
  }
  {
    std::vector<int> run = postorder(parent), moved(order.size()), new_parent(order.size());
    // Roots beside the chain come before it.
    std::stable_partition(run.begin(), run.end(), [&](int v) { return v < inner; });
    for (std::size_t k = 0; k < run.size(); ++k) moved[std::size_t(run[k])] = int(k);
    for (std::size_t k = 0; k < run.size(); ++k)
      new_parent[k] = parent[std::size_t(run[k])] < 0 ? -1 : moved[std::size_t(parent[std::size_t(run[k])])];
    std::vector<int> sorted;
    for (int v : run) sorted.push_back(order[std::size_t(v)]);
    order = sorted;
    parent = new_parent;
    renumber();
  }
  row_at.clear();
  std::vector<int> first_row(order.size() + 1, 0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (int r = 0; r < vertices.weight(order[k]); ++r)
      row_at.push_back(vertices.start[std::size_t(order[k])] + r);
    first_row[k + 1] = int(row_at.size());
  }
  place.resize(std::size_t(n));
  for (int k = 0; k < n; ++k) place[std::size_t(row_at[std::size_t(k)])] = k;

  // The structure of each column, from its neighbours and its children; columns with the structure of their only way up are one front.
  struct Node {
    int first, last;         // vertices, in the order
    std::vector<int> below;  // vertices, rising
    std::vector<int> children;
    double zeros = 0;
  };
  std::vector<Node> nodes;
  std::vector<int> node_of(order.size(), -1), mark(order.size(), -1);
  std::vector<std::vector<int>> children_of(order.size());  // nodes that wait for a vertex
  const auto rows_of = [&](const std::vector<int>& list) {
    int sum = 0;
    for (int v : list) sum += first_row[std::size_t(v) + 1] - first_row[std::size_t(v)];
    return sum;
  };
  for (int j = 0; j < count; ++j) {
    const int end = j < inner ? j + 1 : count;
    Node node{j, end, {}, children_of[std::size_t(j)], 0};
    for (int v = j; v < end; ++v) {
      for (int w : graph[std::size_t(order[std::size_t(v)])])
        if (const int k = at[std::size_t(w)]; k >= end && mark[std::size_t(k)] != j) {
          mark[std::size_t(k)] = j;
          node.below.push_back(k);
        }
    }
    for (int c : node.children)
      for (int k : nodes[std::size_t(c)].below)
        if (k >= end && mark[std::size_t(k)] != j) {
          mark[std::size_t(k)] = j;
          node.below.push_back(k);
        }
    std::sort(node.below.begin(), node.below.end());
    // The child that ends just before takes this column in where few zeros come of it.
    if (j > 0 && j < inner && node_of[std::size_t(j) - 1] >= 0) {
      const int c = node_of[std::size_t(j) - 1];
      Node& child = nodes[std::size_t(c)];
      if (child.last == j && !child.below.empty() && child.below[0] == j) {
        const double wide = first_row[std::size_t(j)] - first_row[std::size_t(child.first)],
                     own = first_row[std::size_t(j) + 1] - first_row[std::size_t(j)];
        const double rows = rows_of(node.below),
                     zeros = child.zeros + wide * (own + rows - rows_of(child.below));
        const double whole = (wide + own) * (wide + own + rows);
        if (zeros <= allowed_zeros * whole || (wide <= narrow_node && node.children.size() == 1)) {
          for (int other : node.children)
            if (other != c) child.children.push_back(other);
          child.last = j + 1;
          child.below = std::move(node.below);
          child.zeros = zeros;
          node_of[std::size_t(j)] = c;
          if (!child.below.empty()) {
            // Whoever waited for it waits for the next vertex above.
            const int up = child.below[0] < inner ? child.below[0] : inner;
            children_of[std::size_t(up)].push_back(c);
          }
          continue;
        }
      }
    }
    const int made = int(nodes.size());
    for (int v = j; v < end; ++v) node_of[std::size_t(v)] = made;
    if (!node.below.empty())
      children_of[std::size_t(node.below[0] < inner ? node.below[0] : inner)].push_back(made);
    nodes.push_back(std::move(node));
    j = end - 1;
  }
  fronts.assign(nodes.size(), {});
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    Front& front = fronts[k];
    front.first = first_row[std::size_t(nodes[k].first)];
    front.last = first_row[std::size_t(nodes[k].last)];
    for (int v : nodes[k].below)
      for (int r = first_row[std::size_t(v)]; r < first_row[std::size_t(v) + 1]; ++r)
        front.below.push_back(r);
    front.children = nodes[k].children;
  }
  last.clear();
  for (int row : wanted_last) last.push_back(place[std::size_t(row)]);
}

bool FrontCholesky::Parts::number(const Sparse& A, const Stop& stop) {
  const int n = int(A.cols());
  std::vector<Eigen::MatrixXd> passed(fronts.size());
  std::vector<int> local(std::size_t(n), -1);
  // A node that took a column in may have children with larger numbers: by their first columns parents come after children.
  std::vector<int> sequence(fronts.size());
  std::iota(sequence.begin(), sequence.end(), 0);
  std::sort(sequence.begin(), sequence.end(),
            [&](int p, int q) { return fronts[std::size_t(p)].last < fronts[std::size_t(q)].last; });
  for (int k : sequence) {
    ask(stop);
    Front& front = fronts[std::size_t(k)];
    const int own = front.columns(), rest = int(front.below.size()), size = own + rest;
    for (int c = 0; c < own; ++c) local[std::size_t(front.first + c)] = c;
    for (int r = 0; r < rest; ++r) local[std::size_t(front.below[std::size_t(r)])] = own + r;
    Eigen::MatrixXd& L = front.L;
    L.setZero(size, own);
    Eigen::MatrixXd U = Eigen::MatrixXd::Zero(rest, rest);
    for (int c = 0; c < own; ++c)
      for (Sparse::InnerIterator entry(A, row_at[std::size_t(front.first + c)]); entry; ++entry)
        if (const int p = place[std::size_t(entry.row())]; p >= front.first + c)
          L(local[std::size_t(p)], c) += entry.value();
    for (int child : front.children) {
      const std::vector<int>& rows = fronts[std::size_t(child)].below;
      const Eigen::MatrixXd& from = passed[std::size_t(child)];
      for (std::size_t j = 0; j < rows.size(); ++j) {
        const int column = local[std::size_t(rows[j])];
        double* to = column < own ? &L(0, column) : &U(0, column - own);
        const int shift = column < own ? 0 : own;
        for (std::size_t i = j; i < rows.size(); ++i)
          to[local[std::size_t(rows[i])] - shift] += from(Eigen::Index(i), Eigen::Index(j));
      }
      passed[std::size_t(child)].resize(0, 0);
    }
    if (!eliminate(L, U, stop)) return false;
    if (rest > 0) passed[std::size_t(k)] = std::move(U);
  }
  std::vector<Front> sorted;
  for (int k : sequence) sorted.push_back(std::move(fronts[std::size_t(k)]));
  fronts = std::move(sorted);
  return true;
}

FrontCholesky::FrontCholesky() : parts_(std::make_unique<Parts>()) {}
FrontCholesky::~FrontCholesky() = default;
FrontCholesky::FrontCholesky(FrontCholesky&&) noexcept = default;
FrontCholesky& FrontCholesky::operator=(FrontCholesky&&) noexcept = default;

bool FrontCholesky::factorise(const Sparse& A, std::span<const int> last, const Stop& stop) {
  parts_->analyse(A, last);
  return parts_->number(A, stop);
}

void FrontCholesky::solve(Eigen::Ref<Eigen::MatrixXd> X) const {
  const Parts& p = *parts_;
  Eigen::MatrixXd Y(X.rows(), X.cols());
  for (Eigen::Index k = 0; k < X.rows(); ++k) Y.row(k) = X.row(p.row_at[std::size_t(k)]);
  for (const Parts::Front& front : p.fronts) {
    auto own = Y.middleRows(front.first, front.columns());
    front.L.topRows(front.columns()).triangularView<Eigen::Lower>().solveInPlace(own);
    if (front.below.empty()) continue;
    p.room.noalias() = front.L.bottomRows(Eigen::Index(front.below.size())) * own;
    for (std::size_t r = 0; r < front.below.size(); ++r) Y.row(front.below[r]) -= p.room.row(Eigen::Index(r));
  }
  for (auto at = p.fronts.rbegin(); at != p.fronts.rend(); ++at) {
    const Parts::Front& front = *at;
    auto own = Y.middleRows(front.first, front.columns());
    if (!front.below.empty()) {
      p.room.resize(Eigen::Index(front.below.size()), Y.cols());
      for (std::size_t r = 0; r < front.below.size(); ++r)
        p.room.row(Eigen::Index(r)) = Y.row(front.below[r]);
      own.noalias() -= front.L.bottomRows(Eigen::Index(front.below.size())).transpose() * p.room;
    }
    front.L.topRows(front.columns()).triangularView<Eigen::Lower>().transpose().solveInPlace(own);
  }
  for (Eigen::Index k = 0; k < X.rows(); ++k) X.row(p.row_at[std::size_t(k)]) = Y.row(k);
}

Eigen::MatrixXd FrontCholesky::last_inverse() const {
  const Parts& p = *parts_;
  const Eigen::Index m = Eigen::Index(p.last.size());
  if (m == 0) return {};
  const Parts::Front& root = p.fronts.back();
  // L⁻¹ E, lower triangular in the order of the places, then its product with itself.
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(m, m);
  root.L.topRows(m).triangularView<Eigen::Lower>().solveInPlace(inverse);
  Eigen::MatrixXd product = Eigen::MatrixXd::Zero(m, m);
  product.selfadjointView<Eigen::Lower>().rankUpdate(inverse.transpose());
  product.triangularView<Eigen::StrictlyUpper>() = product.transpose();
  Eigen::MatrixXd result(m, m);
  for (Eigen::Index j = 0; j < m; ++j)
    for (Eigen::Index i = 0; i < m; ++i)
      result(i, j) = product(p.last[std::size_t(i)] - root.first, p.last[std::size_t(j)] - root.first);
  return result;
}

Eigen::Index FrontCholesky::size() const { return Eigen::Index(parts_->row_at.size()); }

double FrontCholesky::fill() const {
  double sum = 0;
  for (const Parts::Front& front : parts_->fronts) sum += double(front.L.size());
  return sum;
}

}  // namespace stickslip::internal
