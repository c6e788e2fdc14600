#include "linalg/contact_system/front_lu.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "base/dimension.hpp"
#include "base/dot.hpp"
#include "base/pieces.hpp"
#include "base/raw_numbers.hpp"
#include "linalg/contact_system/dense_lu.hpp"
#include "linalg/contact_system/front_tree.hpp"

namespace stickslip::internal {
namespace {

using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

/// Columns of a strip of a front above the parts.
constexpr Eigen::Index strip = 128;
/// Numbers from which a solve shares a front; numbers of what is passed on that are kept for the next factorisation.
constexpr std::size_t shared_numbers = 100000, shared_block = 20000, kept_numbers = 1000000;

}  // namespace

struct FrontLu::Parts {
  using Numbers = RawNumbers;
  /// What a thread works with.
  struct Desk {
    /// Rows of a child that lie side by side in its parent too.
    struct Run {
      std::size_t first, to, count;
    };
    Numbers stack;
    std::vector<Run> runs;
    std::vector<Index> at;             // place of a contact in the front being assembled
    std::vector<double> later, above;  // parts of y that a front, and a part of the tree, touches later
    long replaced = 0;
  };

  BlockView W;
  FrontTree tree;
  ThreadTeam* team = nullptr;
  Numbers numbers;
  std::vector<Numbers>
      passed;  // by the fronts above the parts, and by the roots of those, until their parents take it
  std::vector<Index> exchanges;
  std::vector<double> gathered, carried;  // y; what each part of the tree takes off later contacts
  std::vector<std::size_t> carried_start;
  std::vector<Desk> desks;

  const double *left = nullptr, *right = nullptr;
  double alpha = 0;

  double* panel(const Front& front) { return &numbers[front.factors]; }
  std::size_t rows(const Front& front) const { return std::size_t(front.size()) * tree.d; }
  std::size_t pivots(const Front& front) const { return std::size_t(front.pivots()) * tree.d; }

  template <int D>
  void assemble(const Front& front, std::vector<Index>& at, ThreadTeam* shared);
  /// `shared` has the threads for a front above the parts, and is nullptr inside of them.
  void begin(const Front& front, Desk& desk, double* update, ThreadTeam* shared);
  void take(const Front& child, const Front& front, const double* from, double* update, Desk& desk,
            ThreadTeam* shared);
  void factorise_part(const FrontTree::Part& part, Desk& desk);
  void factorise_above(Index f, Desk& desk);
  void forward(const Front& front, double* y, Desk& desk, Index limit);
  void forward_above(const Front& front, double* y, Desk& desk);
  void backward(const Front& front, double* y, Desk& desk, bool shared);
};

FrontLu::FrontLu() : parts_(std::make_unique<Parts>()) {}
FrontLu::~FrontLu() = default;
long FrontLu::analyses() const { return parts_->tree.analyses; }
long FrontLu::stored() const { return long(parts_->tree.numbers); }
std::pair<long, long> FrontLu::shared() const {
  return {long(parts_->tree.parts.size()), long(parts_->tree.top.size())};
}
double FrontLu::bytes() const {
  if (!std::isfinite(parts_->tree.work)) return parts_->tree.work;
  std::size_t stack = 0;
  for (const FrontTree::Part& part : parts_->tree.parts) stack = std::max(stack, part.stack);
  return double(sizeof(double)) *
         (double(parts_->tree.numbers) + double(parts_->tree.passed) + double(stack));
}
double FrontLu::work() const { return parts_->tree.work; }

void FrontLu::analyse(const BlockView& W) {
  parts_->W = W;
  parts_->tree.analyse(W);
}

/// Puts the entries of A in the rows and columns of the front's pivots in their places.
template <int D>
void FrontLu::Parts::assemble(const Front& front, std::vector<Index>& where, ThreadTeam* shared) {
  const Index pivots = front.pivots();
  const auto lead = std::size_t(front.size()) * D;
  const std::size_t own_rows = std::size_t(pivots) * D, right_lead = lead - own_rows;
  double* F = panel(front);                  // [F₁₁; F₂₁], lead rows
  double* right_part = F + lead * own_rows;  // F₁₂ᵀ, right_lead rows
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
  const auto assemble_pivot = [&](Index j) {
    const auto i = std::size_t(tree.node[std::size_t(j)]);
    const auto own = std::size_t(j - front.first) * D;
    double* diagonal = F + own + lead * own;
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
          add(F + own + lead * at_k, 1, lead, i, W.block(forth));
        else
          add(right_part + (at_k - own_rows) + right_lead * own, right_lead, 1, i, W.block(forth));
      }
      // A_ji: column of the pivot; inside the pivots it is the other one's row.
      if (k >= front.last && tree.back[std::size_t(e)] >= 0)
        add(F + at_k + lead * own, 1, lead, std::size_t(other), W.block(tree.back[std::size_t(e)]));
    }
  };
  // No two pivots write to the same place.
  constexpr Index piece_pivots = 16;
  internal::share(shared, std::size_t((pivots + piece_pivots - 1) / piece_pivots), [&](std::size_t piece) {
    const Index from = front.first + piece_pivots * Index(piece);
    for (Index j = from; j < std::min(from + piece_pivots, front.last); ++j) assemble_pivot(j);
  });
}

void FrontLu::select(std::span<const std::uint8_t> active) { parts_->tree.select(active); }
void FrontLu::count(std::span<const std::uint8_t> active) { parts_->tree.count(active); }

void FrontLu::share(ThreadTeam* team) { parts_->team = team; }

/// The front's own entries of A, and room for what it passes on.
void FrontLu::Parts::begin(const Front& front, Desk& desk, double* update, ThreadTeam* shared) {
  const std::size_t n = rows(front), n1 = pivots(front), n2 = n - n1;
  const auto clear = [&](double* numbers_, std::size_t count) {
    in_pieces(shared, count,
              [&](std::size_t from, std::size_t to) { std::fill(numbers_ + from, numbers_ + to, 0.0); });
  };
  clear(panel(front), n * n1 + n2 * n1);
  clear(update, n2 * n2);
  with_dimension<1, 2, 3, 6>(int(tree.d), [&]<int D>() { assemble<D>(front, desk.at, shared); });
}

/// Adds what a child passes on, column by column, in runs of rows that stay side by side.
void FrontLu::Parts::take(const Front& child, const Front& front, const double* from, double* update,
                          Desk& desk, ThreadTeam* shared) {
  const std::size_t d = tree.d, n = rows(front), n1 = pivots(front), n2 = n - n1,
                    u = std::size_t(child.updates);
  double *const F = panel(front), *const right_part = F + n * n1;
  const Index* to = &tree.relative[child.rows];
  std::vector<Desk::Run>& runs = desk.runs;
  runs.clear();
  for (std::size_t a = 0; a < u; ++a) {
    const std::size_t row = std::size_t(to[a]) * d;
    if (!runs.empty() && runs.back().to + runs.back().count == row && row != n1)
      runs.back().count += d;
    else
      runs.push_back({a * d, row, d});
  }
  const auto take_column = [&](std::size_t at) {
    const double* passed_on = from + at * u * d;
    const auto column = std::size_t(to[at / d]) * d + at % d;
    // A column of the front is in the panel whole, or in F₁₂ (transposed) and F₂₂.
    const bool inside = column < n1;
    double* const below = inside ? F + column * n : update + (column - n1) * n2;
    for (const auto& [first, row, count] : runs) {
      const double* source = passed_on + first;
      if (inside || row >= n1)
        for (std::size_t k = 0; k < count; ++k) below[row - (inside ? 0 : n1) + k] += source[k];
      else
        for (std::size_t k = 0; k < count; ++k) right_part[(column - n1) + (row + k) * n2] += source[k];
    }
  };
  constexpr std::size_t piece_columns = 32;
  const std::size_t columns = u * d;
  internal::share(shared, (columns + piece_columns - 1) / piece_columns, [&](std::size_t piece) {
    for (std::size_t at = piece * piece_columns; at < std::min(columns, (piece + 1) * piece_columns); ++at)
      take_column(at);
  });
}

/// The fronts of a subtree in turn; what they pass on lies on a stack, the last child on top, and what is left in the end is the root's.
void FrontLu::Parts::factorise_part(const FrontTree::Part& part, Desk& desk) {
  const std::size_t d = tree.d;
  if (desk.stack.size() < part.stack) desk.stack.resize(part.stack);
  desk.at.resize(tree.node.size());
  std::size_t height = 0;
  for (auto f = std::size_t(part.begin); f < std::size_t(part.end); ++f) {
    const Front& front = tree.fronts[f];
    const auto n1 = Eigen::Index(pivots(front)), n = Eigen::Index(rows(front)), n2 = n - n1;
    double* update = desk.stack.data() + height;
    begin(front, desk, update, nullptr);
    std::size_t below = height;
    for (Index c = tree.children_start[f + 1] - 1; c >= tree.children_start[f]; --c) {
      const Front& child = tree.fronts[std::size_t(tree.children[std::size_t(c)])];
      const auto u = std::size_t(child.updates);
      below -= d * d * u * u;
      take(child, front, desk.stack.data() + below, update, desk, nullptr);
    }
    double* F = panel(front);
    Index* own_exchanges = &exchanges[std::size_t(front.first) * d];
    desk.replaced += dense_lu(F, n, n1, n, own_exchanges);
    if (n2 > 0) {
      double* right_part = F + n * n1;
      Matrix F12(right_part, n2, n1, Eigen::OuterStride<>(n2)), F22(update, n2, n2, Eigen::OuterStride<>(n2));
      const Matrix L21(F + n1, n2, n1, Eigen::OuterStride<>(n));
      exchange_columns(right_part, n1, n2, n2, own_exchanges);
      transposed_unit_lower_solve(F, n, n1, right_part, n2, n2);
      F22.noalias() -= L21 * F12.transpose();
    }
    std::copy_n(update, n2 * n2, desk.stack.data() + below);  // downwards: safe where they overlap
    height = below + std::size_t(n2 * n2);
  }
  if (!tree.top.empty())
    passed[std::size_t(part.end) - 1].assign(desk.stack.begin(), desk.stack.begin() + std::ptrdiff_t(height));
}

/// A front above the parts: large, so that threads share its columns.
void FrontLu::Parts::factorise_above(Index at, Desk& desk) {
  const auto f = std::size_t(at);
  const Front& front = tree.fronts[f];
  const auto n1 = Eigen::Index(pivots(front)), n = Eigen::Index(rows(front)), n2 = n - n1;
  desk.at.resize(tree.node.size());
  passed[f].resize(std::size_t(n2 * n2));
  double* update = passed[f].data();
  ThreadTeam* const shared = std::size_t(n * n) > shared_numbers ? team : nullptr;
  begin(front, desk, update, shared);
  for (Index c = tree.children_start[f + 1] - 1; c >= tree.children_start[f]; --c) {
    const auto child = std::size_t(tree.children[std::size_t(c)]);
    take(tree.fronts[child], front, passed[child].data(), update, desk, shared);
    if (passed[child].size() > kept_numbers) Numbers().swap(passed[child]);
  }
  double* F = panel(front);
  Index* own_exchanges = &exchanges[std::size_t(front.first) * tree.d];
  desk.replaced += shared_dense_lu(F, n, n1, n, own_exchanges, team);
  double* right_part = F + n * n1;
  const auto in_strips = [&](const auto& work) {
    internal::share(team, std::size_t((n2 + strip - 1) / strip), [&](std::size_t piece) {
      const Eigen::Index from = strip * Eigen::Index(piece);
      work(from, std::min(strip, n2 - from));
    });
  };
  in_strips([&](Eigen::Index from, Eigen::Index count) {
    exchange_columns(right_part + from, n1, count, n2, own_exchanges);
    transposed_unit_lower_solve(F, n, n1, right_part + from, count, n2);
  });
  const Matrix L21(F + n1, n2, n1, Eigen::OuterStride<>(n));
  in_strips([&](Eigen::Index from, Eigen::Index count) {
    const Matrix F12(right_part + from, count, n1, Eigen::OuterStride<>(n2));
    Matrix(update + n2 * from, n2, count, Eigen::OuterStride<>(n2)).noalias() -= L21 * F12.transpose();
  });
}

long FrontLu::factorise(std::span<const std::uint8_t> active, const double* left, const double* right,
                        double alpha) {
  Parts& p = *parts_;
  p.tree.select(active);
  p.numbers.resize(p.tree.numbers);
  p.passed.resize(p.tree.top.empty() ? 0 : p.tree.fronts.size());
  p.exchanges.resize(p.tree.node.size() * p.tree.d);
  p.desks.resize(std::size_t(p.team ? p.team->size() : 1));
  p.left = left, p.right = right, p.alpha = alpha;
  for (Parts::Desk& desk : p.desks) desk.replaced = 0;
  internal::share(p.team, p.tree.parts.size(), [&](std::size_t part, int thread) {
    p.factorise_part(p.tree.parts[part], p.desks[std::size_t(thread)]);
  });
  for (Index f : p.tree.top) p.factorise_above(f, p.desks[0]);
  // Pivots are compared with the size of the rows, which the factors L_i set.
  long replaced = 0;
  for (const Parts::Desk& desk : p.desks) replaced += desk.replaced;
  return replaced;
}

/// Each front has its own part of y; the parts of the later contacts that it touches are gathered in z. From `limit` on they belong to
/// fronts above this part of the tree, and are taken off later.
void FrontLu::Parts::forward(const Front& front, double* y, Desk& desk, Index limit) {
  const std::size_t d = tree.d, n1 = pivots(front), n = rows(front), n2 = n - n1;
  const double* F = panel(front);
  const Index* own_exchanges = &exchanges[std::size_t(front.first) * d];
  double* own = y + std::size_t(front.first) * d;
  for (std::size_t k = 0; k < n1; ++k) std::swap(own[k], own[own_exchanges[k]]);
  desk.later.assign(n2, 0.0);
  double* z = desk.later.data();
  for (std::size_t k = 0; k < n1; ++k) {
    const double v = own[k];
    const double* column = F + k * n;
    for (std::size_t i = k + 1; i < n1; ++i) own[i] -= column[i] * v;
    for (std::size_t i = 0; i < n2; ++i) z[i] += column[n1 + i] * v;
  }
  const Index* later = tree.touched.data() + front.rows;
  for (Index k = 0; k < front.updates; ++k) {
    double* to = (later[k] < limit ? y : desk.above.data()) + std::size_t(later[k]) * d;
    for (std::size_t c = 0; c < d; ++c) to[c] -= *z++;
  }
}

/// The same for a front above the parts, its rows in strips.
void FrontLu::Parts::forward_above(const Front& front, double* y, Desk& desk) {
  const std::size_t d = tree.d, n1 = pivots(front), n = rows(front), n2 = n - n1;
  const double* F = panel(front);
  const Index* own_exchanges = &exchanges[std::size_t(front.first) * d];
  double* own = y + std::size_t(front.first) * d;
  for (std::size_t k = 0; k < n1; ++k) std::swap(own[k], own[own_exchanges[k]]);
  desk.later.assign(n2, 0.0);
  double* z = desk.later.data();
  // Pivots in blocks: first what they do to each other, then what they do to all rows below.
  constexpr std::size_t block = 64, piece_rows = 256;
  for (std::size_t k0 = 0; k0 < n1; k0 += block) {
    const std::size_t k1 = std::min(n1, k0 + block);
    for (std::size_t k = k0; k < k1; ++k)
      for (std::size_t i = k + 1; i < k1; ++i) own[i] -= F[k * n + i] * own[k];
    internal::share((n - k1) * (k1 - k0) > shared_block ? team : nullptr,
                    (n - k1 + piece_rows - 1) / piece_rows, [&](std::size_t piece) {
                      const std::size_t from = k1 + piece * piece_rows, to = std::min(n, from + piece_rows);
                      for (std::size_t k = k0; k < k1; ++k) {
                        const double v = own[k];
                        const double* column = F + k * n;
                        for (std::size_t i = from; i < std::min(to, n1); ++i) own[i] -= column[i] * v;
                        for (std::size_t i = std::max(from, n1); i < to; ++i) z[i - n1] += column[i] * v;
                      }
                    });
  }
  const Index* later = tree.touched.data() + front.rows;
  for (Index k = 0; k < front.updates; ++k)
    for (std::size_t c = 0; c < d; ++c) y[std::size_t(later[k]) * d + c] -= *z++;
}

void FrontLu::Parts::backward(const Front& front, double* y, Desk& desk, bool shared) {
  const std::size_t d = tree.d, n1 = pivots(front), n = rows(front), n2 = n - n1;
  const double* F = panel(front);
  double* own = y + std::size_t(front.first) * d;
  desk.later.resize(n2);
  double* z = desk.later.data();
  const Index* later = tree.touched.data() + front.rows;
  for (Index k = 0; k < front.updates; ++k)
    for (std::size_t c = 0; c < d; ++c) *z++ = y[std::size_t(later[k]) * d + c];
  const double* right_part = F + n * n1;
  constexpr std::size_t piece_rows = 32;
  internal::share(shared && n1 * n2 > shared_numbers ? team : nullptr, (n1 + piece_rows - 1) / piece_rows,
                  [&](std::size_t piece) {
                    for (std::size_t i = piece * piece_rows; i < std::min(n1, (piece + 1) * piece_rows); ++i)
                      own[i] -= dot(right_part + i * n2, desk.later.data(), n2);
                  });
  constexpr std::size_t block = 64, block_rows = 256;
  for (std::size_t k1 = n1; k1 > 0;) {
    const std::size_t k0 = k1 > block ? k1 - block : 0;
    for (std::size_t k = k1; k-- > k0;) {
      const double* column = F + k * n;
      own[k] /= column[k];
      for (std::size_t i = k0; i < k; ++i) own[i] -= column[i] * own[k];
    }
    internal::share(shared && k0 * (k1 - k0) > shared_block ? team : nullptr,
                    (k0 + block_rows - 1) / block_rows, [&](std::size_t piece) {
                      const std::size_t from = piece * block_rows, to = std::min(k0, from + block_rows);
                      for (std::size_t k = k1; k-- > k0;)
                        for (std::size_t i = from; i < to; ++i) own[i] -= F[k * n + i] * own[k];
                    });
    k1 = k0;
  }
}

void FrontLu::solve(std::span<double> x) const {
  Parts& p = *parts_;
  const std::size_t d = p.tree.d;
  p.gathered.resize(p.tree.node.size() * d + 1);
  double* y = p.gathered.data();
  for (std::size_t j = 0; j < p.tree.node.size(); ++j)
    for (std::size_t c = 0; c < d; ++c) y[j * d + c] = x[std::size_t(p.tree.node[j]) * d + c];
  const auto part_root = [&](std::size_t part) -> const Front& {
    return p.tree.fronts[std::size_t(p.tree.parts[part].end) - 1];
  };
  p.carried_start.assign(1, 0);
  for (std::size_t part = 0; part < p.tree.parts.size(); ++part)
    p.carried_start.push_back(p.carried_start.back() + std::size_t(part_root(part).updates) * d);
  p.carried.resize(p.carried_start.back());
  internal::share(p.team, p.tree.parts.size(), [&](std::size_t part, int thread) {
    Parts::Desk& desk = p.desks[std::size_t(thread)];
    const Front& root = part_root(part);
    const Index* later = p.tree.touched.data() + root.rows;
    if (root.updates > 0) desk.above.resize(p.gathered.size());
    for (Index k = 0; k < root.updates; ++k) std::fill_n(&desk.above[std::size_t(later[k]) * d], d, 0.0);
    for (Index f = p.tree.parts[part].begin; f < p.tree.parts[part].end; ++f)
      p.forward(p.tree.fronts[std::size_t(f)], y, desk, root.last);
    for (Index k = 0; k < root.updates; ++k)
      std::copy_n(&desk.above[std::size_t(later[k]) * d], d,
                  &p.carried[p.carried_start[part] + std::size_t(k) * d]);
  });
  for (std::size_t part = 0; part < p.tree.parts.size(); ++part) {
    const Front& root = part_root(part);
    for (Index k = 0; k < root.updates; ++k)
      for (std::size_t c = 0; c < d; ++c)
        y[std::size_t(p.tree.touched[root.rows + std::size_t(k)]) * d + c] +=
            p.carried[p.carried_start[part] + std::size_t(k) * d + c];
  }
  for (Index f : p.tree.top) p.forward_above(p.tree.fronts[std::size_t(f)], y, p.desks[0]);
  for (auto f = p.tree.top.rbegin(); f != p.tree.top.rend(); ++f)
    p.backward(p.tree.fronts[std::size_t(*f)], y, p.desks[0], true);
  internal::share(p.team, p.tree.parts.size(), [&](std::size_t part, int thread) {
    for (Index f = p.tree.parts[part].end; f-- > p.tree.parts[part].begin;)
      p.backward(p.tree.fronts[std::size_t(f)], y, p.desks[std::size_t(thread)], false);
  });
  for (std::size_t j = 0; j < p.tree.node.size(); ++j)
    for (std::size_t c = 0; c < d; ++c) x[std::size_t(p.tree.node[j]) * d + c] = y[j * d + c];
}

}  // namespace stickslip::internal
