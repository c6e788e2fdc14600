#include "linalg/front_lu.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "linalg/dense_lu.hpp"
#include "linalg/front_tree.hpp"

namespace stickslip {
namespace {

using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

}  // namespace

struct FrontLu::Parts {
  const BlockMatrix* W = nullptr;
  FrontTree tree;
  std::vector<double> numbers, stack;
  std::vector<Index> exchanges;
  std::vector<double> gathered;
  std::vector<Index> at;  // place of a contact in the front being assembled

  template <int D>
  void assemble(const Front& front, const double* left, const double* right, double alpha,
                std::vector<Index>& at);
};

FrontLu::FrontLu() : parts_(std::make_unique<Parts>()) {}
FrontLu::~FrontLu() = default;
long FrontLu::analyses() const { return parts_->tree.analyses; }
long FrontLu::stored() const { return long(parts_->numbers.size()); }

void FrontLu::analyse(const BlockMatrix& W) {
  parts_->W = &W;
  parts_->tree.analyse(W);
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
    where[std::size_t(tree.touched[front.rows + std::size_t(k)])] = pivots + k;
  // target += L X
  const auto add = [&](double* target, std::size_t stride, const double* L, const double* X) {
    for (int b = 0; b < D; ++b)
      for (int c = 0; c < D; ++c) {
        const double x = X[c + D * b];
        for (int a = 0; a < D; ++a) target[std::size_t(a) + stride * std::size_t(b)] += L[a + D * c] * x;
      }
  };
  for (Index j = front.first; j < front.last; ++j) {
    const auto i = std::size_t(tree.node[std::size_t(j)]);
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
    for (Index e = tree.start[i]; e < tree.start[i + 1]; ++e) {
      const Index other = tree.neighbour[std::size_t(e)], k = tree.place[std::size_t(other)];
      if (k < j && k < front.first) continue;  // eliminated before, or not in the set (−1)
      const auto at_k = std::size_t(where[std::size_t(k)]) * D;
      if (tree.forth[std::size_t(e)] >= 0) {  // A_ij: row of the pivot
        double* target =
            k < front.last ? panel + own + lead * at_k : right_part + own + right_lead * (at_k - right_lead);
        add(target, k < front.last ? lead : right_lead, L, W->block(tree.forth[std::size_t(e)]));
      }
      // A_ji: column of the pivot; inside the pivots it is the other one's row.
      if (k >= front.last && tree.back[std::size_t(e)] >= 0)
        add(panel + at_k + lead * own, lead, left + std::size_t(other) * D * D,
            W->block(tree.back[std::size_t(e)]));
    }
  }
}

long FrontLu::factorise(std::span<const std::uint8_t> active, const double* left, const double* right,
                        double alpha) {
  Parts& p = *parts_;
  p.tree.select(active);
  p.numbers.resize(p.tree.numbers);
  p.stack.resize(p.tree.stack);
  p.exchanges.resize(p.tree.node.size() * p.tree.d);
  p.at.resize(p.tree.node.size());
  const std::size_t d = p.tree.d;
  std::fill(p.numbers.begin(), p.numbers.end(), 0.0);
  // Pivots are compared with the size of the rows, which the factors L_i set.
  long replaced = 0;
  std::size_t height = 0;
  for (std::size_t f = 0; f < p.tree.fronts.size(); ++f) {
    const Front& front = p.tree.fronts[f];
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
    for (Index c = p.tree.children_start[f + 1] - 1; c >= p.tree.children_start[f]; --c) {
      const Front& child = p.tree.fronts[std::size_t(p.tree.children[std::size_t(c)])];
      const auto u = std::size_t(child.updates);
      below -= d * d * u * u;
      const double* passed = p.stack.data() + below;
      const Index* to = &p.tree.relative[child.rows];
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
  const std::size_t d = p.tree.d;
  p.gathered.resize(p.tree.node.size() * d + 1);
  double* y = p.gathered.data();
  for (std::size_t j = 0; j < p.tree.node.size(); ++j)
    for (std::size_t c = 0; c < d; ++c) y[j * d + c] = x[std::size_t(p.tree.node[j]) * d + c];
  for (const Front& front : p.tree.fronts) {
    const std::size_t n1 = std::size_t(front.pivots()) * d, n = std::size_t(front.size()) * d;
    const double* panel = &p.numbers[front.factors];
    const Index* exchanges = &p.exchanges[std::size_t(front.first) * d];
    double* own = y + std::size_t(front.first) * d;
    for (std::size_t k = 0; k < n1; ++k) std::swap(own[k], own[exchanges[k]]);
    const Index* rows = p.tree.touched.data() + front.rows;
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
  for (auto front = p.tree.fronts.rbegin(); front != p.tree.fronts.rend(); ++front) {
    const std::size_t n1 = std::size_t(front->pivots()) * d, n = std::size_t(front->size()) * d;
    const double* panel = &p.numbers[front->factors];
    const double* right_part = panel + n * n1;
    double* own = y + std::size_t(front->first) * d;
    const Index* rows = p.tree.touched.data() + front->rows;
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
  for (std::size_t j = 0; j < p.tree.node.size(); ++j)
    for (std::size_t c = 0; c < d; ++c) x[std::size_t(p.tree.node[j]) * d + c] = y[j * d + c];
}

}  // namespace stickslip
