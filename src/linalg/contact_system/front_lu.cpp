#include "linalg/contact_system/front_lu.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "base/dimension.hpp"
#include "linalg/contact_system/dense_lu.hpp"
#include "linalg/contact_system/front_tree.hpp"

namespace stickslip::internal {
namespace {

using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

/// x·y, in sixteen sums side by side.
double dot(const double* x, const double* y, std::size_t n) {
  constexpr std::size_t lanes = 16;
  double sum[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    for (std::size_t i = 0; i < lanes; ++i) sum[i] += x[k + i] * y[k + i];
  for (std::size_t i = 0; k < n; ++k, ++i) sum[i] += x[k] * y[k];
  for (std::size_t half = lanes / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) sum[i] += sum[i + half];
  return sum[0];
}

}  // namespace

struct FrontLu::Parts {
  BlockView W;
  FrontTree tree;
  // Aligned, so that the kernels take the same path, and the numbers have the same bits, wherever they lie.
  std::vector<double, Eigen::aligned_allocator<double>> numbers, stack;
  std::vector<Index> exchanges;
  std::vector<double> gathered, later;
  std::vector<Index> at;  // place of a contact in the front being assembled

  template <int D>
  void assemble(const Front& front, const double* left, const double* right, double alpha,
                std::vector<Index>& at);
};

FrontLu::FrontLu() : parts_(std::make_unique<Parts>()) {}
FrontLu::~FrontLu() = default;
long FrontLu::analyses() const { return parts_->tree.analyses; }
long FrontLu::stored() const { return long(parts_->tree.numbers); }
double FrontLu::bytes() const {
  return double(sizeof(double)) * (double(parts_->tree.numbers) + double(parts_->tree.stack));
}
double FrontLu::work() const { return parts_->tree.work; }

void FrontLu::analyse(const BlockView& W) {
  parts_->W = W;
  parts_->tree.analyse(W);
}

/// Puts the entries of A in the rows and columns of the front's pivots in their places.
template <int D>
void FrontLu::Parts::assemble(const Front& front, const double* left, const double* right, double alpha,
                              std::vector<Index>& where) {
  const Index pivots = front.pivots();
  const auto lead = std::size_t(front.size()) * D;
  const std::size_t own_rows = std::size_t(pivots) * D, right_lead = lead - own_rows;
  double* panel = &numbers[front.factors];       // [F₁₁; F₂₁], lead rows
  double* right_part = panel + lead * own_rows;  // F₁₂ᵀ, right_lead rows
  for (Index j = front.first; j < front.last; ++j) where[std::size_t(j)] = j - front.first;
  for (Index k = 0; k < front.updates; ++k)
    where[std::size_t(tree.touched[front.rows + std::size_t(k)])] = pivots + k;
  // target += L_i X, the entries of a column `down` apart and those of a row `across`.
  const auto add = [&](double* target, std::size_t down, std::size_t across, std::size_t i, const double* X) {
    double product[D * D];
    if (left) {
      const double* L = left + i * D * D;
      for (int b = 0; b < D; ++b)
        for (int a = 0; a < D; ++a) {
          product[a + D * b] = L[a] * X[D * b];
          for (int c = 1; c < D; ++c) product[a + D * b] += L[a + D * c] * X[c + D * b];
        }
      X = product;
    }
    for (std::size_t b = 0; b < D; ++b)
      for (std::size_t a = 0; a < D; ++a) target[a * down + b * across] += X[a + D * b];
  };
  for (Index j = front.first; j < front.last; ++j) {
    const auto i = std::size_t(tree.node[std::size_t(j)]);
    const auto own = std::size_t(j - front.first) * D;
    double* diagonal = panel + own + lead * own;
    double shifted[D * D];
    std::copy_n(W.diagonal(Index(i)), D * D, shifted);
    for (int a = 0; a < D; ++a) shifted[a * (D + 1)] += alpha;
    add(diagonal, 1, lead, i, shifted);
    for (int b = 0; right && b < D; ++b)
      for (int a = 0; a < D; ++a)
        diagonal[std::size_t(a) + lead * std::size_t(b)] += right[i * D * D + std::size_t(a + D * b)];
    for (Index e = tree.start[i]; e < tree.start[i + 1]; ++e) {
      const Index other = tree.neighbour[std::size_t(e)], k = tree.place[std::size_t(other)];
      if (k < j && k < front.first) continue;  // eliminated before, or not in the set (−1)
      const auto at_k = std::size_t(where[std::size_t(k)]) * D;
      if (const Index forth = tree.forth[std::size_t(e)]; forth >= 0) {  // A_ij: row of the pivot
        if (k < front.last)
          add(panel + own + lead * at_k, 1, lead, i, W.block(forth));
        else
          add(right_part + (at_k - own_rows) + right_lead * own, right_lead, 1, i, W.block(forth));
      }
      // A_ji: column of the pivot; inside the pivots it is the other one's row.
      if (k >= front.last && tree.back[std::size_t(e)] >= 0)
        add(panel + at_k + lead * own, 1, lead, std::size_t(other), W.block(tree.back[std::size_t(e)]));
    }
  }
}

void FrontLu::select(std::span<const std::uint8_t> active) { parts_->tree.select(active); }

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
    with_dimension<1, 2, 3, 6>(int(d), [&]<int D>() { p.assemble<D>(front, left, right, alpha, p.at); });
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
          // A column of the front is in the panel whole, or in F₁₂ (transposed) and F₂₂.
          if (column < std::size_t(n1)) {
            double* whole = panel + column * std::size_t(n);
            for (std::size_t a = 0; a < u; ++a)
              for (std::size_t c2 = 0; c2 < d; ++c2) whole[std::size_t(to[a]) * d + c2] += passed[a * d + c2];
            continue;
          }
          double* top = right_part + (column - std::size_t(n1));
          double* bottom = update + (column - std::size_t(n1)) * std::size_t(n2);
          for (std::size_t a = 0; a < u; ++a) {
            const auto row = std::size_t(to[a]) * d;
            for (std::size_t c2 = 0; c2 < d; ++c2)
              (row < std::size_t(n1) ? top[(row + c2) * std::size_t(n2)]
                                     : bottom[row + c2 - std::size_t(n1)]) += passed[a * d + c2];
          }
        }
    }
    Index* exchanges = &p.exchanges[std::size_t(front.first) * d];
    replaced += dense_lu(panel, n, n1, n, exchanges);
    if (n2 > 0) {
      Matrix F12(right_part, n2, n1, Eigen::OuterStride<>(n2)), F22(update, n2, n2, Eigen::OuterStride<>(n2));
      const Matrix L21(panel + n1, n2, n1, Eigen::OuterStride<>(n));
      exchange_columns(right_part, n1, n2, exchanges);
      transposed_unit_lower_solve(panel, n, n1, right_part, n2);
      F22.noalias() -= L21 * F12.transpose();
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
  // Each front has its own part of y; the parts of the later contacts that it touches are gathered in z.
  for (const Front& front : p.tree.fronts) {
    const std::size_t n1 = std::size_t(front.pivots()) * d, n = std::size_t(front.size()) * d, n2 = n - n1;
    const double* panel = &p.numbers[front.factors];
    const Index* exchanges = &p.exchanges[std::size_t(front.first) * d];
    double* own = y + std::size_t(front.first) * d;
    for (std::size_t k = 0; k < n1; ++k) std::swap(own[k], own[exchanges[k]]);
    p.later.assign(n2, 0.0);
    double* z = p.later.data();
    for (std::size_t k = 0; k < n1; ++k) {
      const double v = own[k];
      const double* column = panel + k * n;
      for (std::size_t i = k + 1; i < n1; ++i) own[i] -= column[i] * v;
      for (std::size_t i = 0; i < n2; ++i) z[i] += column[n1 + i] * v;
    }
    const Index* later = p.tree.touched.data() + front.rows;
    for (Index k = 0; k < front.updates; ++k)
      for (std::size_t c = 0; c < d; ++c) y[std::size_t(later[k]) * d + c] -= *z++;
  }
  for (auto front = p.tree.fronts.rbegin(); front != p.tree.fronts.rend(); ++front) {
    const std::size_t n1 = std::size_t(front->pivots()) * d, n = std::size_t(front->size()) * d, n2 = n - n1;
    const double* panel = &p.numbers[front->factors];
    double* own = y + std::size_t(front->first) * d;
    p.later.resize(n2);
    double* z = p.later.data();
    const Index* later = p.tree.touched.data() + front->rows;
    for (Index k = 0; k < front->updates; ++k)
      for (std::size_t c = 0; c < d; ++c) *z++ = y[std::size_t(later[k]) * d + c];
    const double* row = panel + n * n1;
    for (std::size_t i = 0; i < n1; ++i, row += n2) own[i] -= dot(row, p.later.data(), n2);
    for (std::size_t k = n1; k-- > 0;) {
      const double* column = panel + k * n;
      own[k] /= column[k];
      for (std::size_t i = 0; i < k; ++i) own[i] -= column[i] * own[k];
    }
  }
  for (std::size_t j = 0; j < p.tree.node.size(); ++j)
    for (std::size_t c = 0; c < d; ++c) x[std::size_t(p.tree.node[j]) * d + c] = y[j * d + c];
}

}  // namespace stickslip::internal
