#include "linalg/contact_system/contact_lu.hpp"

#include <algorithm>

#include "base/dimension.hpp"
#include "linalg/contact_system/elimination_order.hpp"
#include "linalg/contact_system/small_blocks.hpp"

namespace stickslip::internal {
namespace {

/// Products of blocks up to which fronts are slower: any number of them for few contacts, so many for each of
/// more, and what is worth its memory.
constexpr Index few_contacts = 64;
constexpr std::size_t products_per_contact = 1500, most_products = 20'000'000;

}  // namespace

bool ContactLu::analyse(const BlockView& W) {
  W_ = W;
  const auto same = [](std::span<const Index> a, const std::vector<Index>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  if (same(W.row_start, row_start_) && same(W.column, column_)) return usable_;
  row_start_.assign(W.row_start.begin(), W.row_start.end());
  column_.assign(W.column.begin(), W.column.end());
  usable_ = (W.dimension == 2 || W.dimension == 3) && symmetric_pattern();
  if (!usable_) return false;
  minimum_degree_order(row_start_, column_, order_);
  usable_ = find_touched();
  if (usable_) place_products();
  return usable_;
}

bool ContactLu::symmetric_pattern() const {
  for (Index i = 0; i < W_.size(); ++i)
    for (Index e = row_start_[std::size_t(i)]; e < row_start_[std::size_t(i) + 1]; ++e) {
      const auto j = std::size_t(column_[std::size_t(e)]);
      if (!std::binary_search(column_.begin() + row_start_[j], column_.begin() + row_start_[j + 1], i))
        return false;
    }
  return true;
}

bool ContactLu::find_touched() {
  const std::size_t n = order_.size();
  const std::size_t most =
      W_.size() <= few_contacts ? n * n * n : std::min(products_per_contact * n, most_products);
  place_.resize(n);
  for (std::size_t j = 0; j < n; ++j) place_[std::size_t(order_[j])] = Index(j);
  touched_.clear();
  touched_start_.assign(1, 0);
  child_.assign(n, -1);
  sibling_.assign(n, -1);
  mark_.assign(n, -1);
  std::size_t products = 0;
  for (std::size_t j = 0; j < n; ++j) {
    // Its own neighbours, and what the pivots touch whose first touched place it is.
    const std::size_t begin = touched_.size();
    mark_[j] = Index(j);
    const auto touch = [&](Index i) {
      if (i < Index(j) || mark_[std::size_t(i)] == Index(j)) return;
      mark_[std::size_t(i)] = Index(j);
      touched_.push_back(i);
    };
    const auto contact = std::size_t(order_[j]);
    for (Index e = row_start_[contact]; e < row_start_[contact + 1]; ++e)
      touch(place_[std::size_t(column_[std::size_t(e)])]);
    for (Index c = child_[j]; c >= 0; c = sibling_[std::size_t(c)])
      for (Index e = touched_start_[std::size_t(c)]; e < touched_start_[std::size_t(c) + 1]; ++e)
        touch(touched_[std::size_t(e)]);
    std::sort(touched_.begin() + std::ptrdiff_t(begin), touched_.end());
    touched_start_.push_back(Index(touched_.size()));
    const std::size_t count = touched_.size() - begin;
    products += count * count;
    if (products > most) return false;
    if (count == 0) continue;
    const auto parent = std::size_t(touched_[begin]);
    sibling_[j] = child_[parent];
    child_[parent] = Index(j);
  }
  target_.resize(products);
  return true;
}

void ContactLu::place_products() {
  const auto n = Index(order_.size());
  const auto first = [&](Index j) { return n + 2 * touched_start_[std::size_t(j)]; };
  const auto later = [&](Index j) {
    return touched_start_[std::size_t(j) + 1] - touched_start_[std::size_t(j)];
  };
  // The block of A_ij and that of A_ji for places i > j, the `at`-th that j touches.
  const auto lower = [&](Index j, Index at) { return first(j) + at; };
  const auto upper = [&](Index j, Index at) { return first(j) + later(j) + at; };
  Index* target = target_.data();
  for (Index j = 0; j < n; ++j) {
    const Index count = later(j);
    const Index* mine = touched_.data() + touched_start_[std::size_t(j)];
    for (Index a = 0; a < count; ++a) {
      target[a * count + a] = mine[a];
      // What j touches after mine[a] is among what mine[a] touches; both rise.
      const Index* its = touched_.data() + touched_start_[std::size_t(mine[a])];
      Index at = 0;
      for (Index b = a + 1; b < count; ++b) {
        while (its[at] != mine[b]) ++at;
        target[b * count + a] = lower(mine[a], at);
        target[a * count + b] = upper(mine[a], at);
      }
    }
    target += count * count;
  }
  entry_.resize(column_.size());
  for (Index i = 0; i < n; ++i)
    for (auto e = std::size_t(row_start_[std::size_t(i)]); e < std::size_t(row_start_[std::size_t(i) + 1]);
         ++e) {
      const Index row = place_[std::size_t(i)], col = place_[std::size_t(column_[e])];
      const auto j = std::size_t(std::min(row, col));
      const auto begin = touched_.begin() + touched_start_[j], end = touched_.begin() + touched_start_[j + 1];
      const auto at = Index(std::lower_bound(begin, end, std::max(row, col)) - begin);
      entry_[e] = row > col ? lower(col, at) : upper(row, at);
    }
}

double ContactLu::bytes() const {
  const auto d = double(W_.dimension);
  const double blocks = double(order_.size()) + 2 * double(touched_.size());
  return 8 * d * d * (blocks + double(order_.size())) + 4 * double(target_.size() + entry_.size());
}

double ContactLu::work() const {
  const double d = W_.dimension;
  return double(target_.size()) * d * d * d;
}

template <int D>
void ContactLu::assemble(const double* left, const double* right, double alpha) {
  constexpr std::size_t area = padded<D>;
  const std::size_t n = order_.size();
  numbers_.assign((n + 2 * touched_.size()) * area, 0.0);
  inverses_.resize(n * area);
  const Index* start = W_.row_start.data();
  const Index* other = W_.column.data();
  for (std::size_t j = 0; j < n; ++j) {
    if (!active_[j]) continue;
    const auto i = std::size_t(order_[j]);
    double L[area];
    if (left) pad<D>(left + i * D * D, L);
    // L_i X, X packed.
    const auto multiply = [&](const double* X, double* to) {
      if (!left) return pad<D>(X, to);
      for (int b = 0; b < D; ++b) {
        auto sum = column<D>(L, 0) * X[D * b];
        for (int c = 1; c < D; ++c) sum += column<D>(L, c) * X[c + D * b];
        set_column<D>(to, b, sum);
      }
    };
    double shifted[D * D];
    std::copy_n(W_.diagonal(Index(i)), D * D, shifted);
    for (int a = 0; a < D; ++a) shifted[a * (D + 1)] += alpha;
    double* pivot = &numbers_[j * area];
    multiply(shifted, pivot);
    for (int b = 0; b < D; ++b)
      for (int a = 0; a < D; ++a) pivot[a + stride<D> * b] += right[i * D * D + std::size_t(a + D * b)];
    for (Index e = start[i]; e < start[i + 1]; ++e)
      if (active_[std::size_t(place_[std::size_t(other[e])])])
        multiply(W_.block(e), &numbers_[std::size_t(entry_[std::size_t(e)]) * area]);
  }
}

template <int D>
bool ContactLu::eliminate() {
  constexpr std::size_t area = padded<D>;
  const std::size_t n = order_.size();
  double* const A = numbers_.data();
  double* own = A + n * area;  // L_ij and U_ji of pivot j
  const Index* target = target_.data();
  const Index* touched = touched_.data();
  for (std::size_t j = 0; j < n; ++j) {
    const auto count = std::size_t(touched_start_[j + 1] - touched_start_[j]);
    if (active_[j]) {
      double* inverse = &inverses_[j * area];
      if (!invert<D>(A + j * area, inverse)) return false;
      for (std::size_t a = 0; a < count; ++a) {
        if (!active_[std::size_t(touched[a])]) continue;
        double l[area];
        assign_product<D>(l, own + a * area, inverse);
        std::copy_n(l, area, own + a * area);
        const double* upper = own + count * area;
        for (std::size_t b = 0; b < count; ++b, upper += area)
          subtract_product<D>(A + std::size_t(target[a * count + b]) * area, l, upper);
      }
    }
    own += 2 * count * area;
    target += count * count;
    touched += count;
  }
  return true;
}

bool ContactLu::factorise(std::span<const std::uint8_t> active, const double* left, const double* right,
                          double alpha) {
  active_.resize(order_.size());
  for (std::size_t j = 0; j < order_.size(); ++j) active_[j] = active[std::size_t(order_[j])];
  return with_dimension(W_.dimension, [&]<int D>() {
    assemble<D>(left, right, alpha);
    return eliminate<D>();
  });
}

template <int D>
void ContactLu::substitute(double* x) {
  constexpr std::size_t S = stride<D>, area = padded<D>;
  const std::size_t n = order_.size();
  y_.assign(n * S, 0.0);
  double* const y = y_.data();
  for (std::size_t j = 0; j < n; ++j)
    if (active_[j]) std::copy_n(x + std::size_t(order_[j]) * D, D, y + j * S);
  const Index* touched = touched_.data();
  const double* own = &numbers_[n * area];
  for (std::size_t j = 0; j < n; ++j) {
    const auto count = std::size_t(touched_start_[j + 1] - touched_start_[j]);
    for (std::size_t a = 0; active_[j] && a < count; ++a)
      subtract_product_vector<D>(y + std::size_t(touched[a]) * S, own + a * area, y + j * S);
    touched += count;
    own += 2 * count * area;
  }
  for (std::size_t j = n; j-- > 0;) {
    const auto count = std::size_t(touched_start_[j + 1] - touched_start_[j]);
    touched -= count;
    own -= 2 * count * area;
    if (!active_[j]) continue;
    for (std::size_t a = 0; a < count; ++a)
      subtract_product_vector<D>(y + j * S, own + (count + a) * area, y + std::size_t(touched[a]) * S);
    double negative[S] = {};
    subtract_product_vector<D>(negative, &inverses_[j * area], y + j * S);
    for (std::size_t c = 0; c < D; ++c) x[std::size_t(order_[j]) * D + c] = y[j * S + c] = -negative[c];
  }
}

void ContactLu::solve(std::span<double> x) {
  with_dimension(W_.dimension, [&]<int D>() { substitute<D>(x.data()); });
}

}  // namespace stickslip::internal
