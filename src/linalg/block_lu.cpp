#include "linalg/block_lu.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace stickslip::internal {

template <int D>
void BlockLu<D>::analyse(std::span<const Index> start, std::span<const Index> rows) {
  n_ = Index(start.size()) - 1;
  start_.assign(start.begin(), start.end());
  rows_.assign(rows.begin(), rows.end());
  const auto n = std::size_t(n_);
  order_.resize(n), place_.resize(n);

  // Approximate minimum degree on the graph of the contacts.
  std::vector<Eigen::Triplet<double>> ones;
  ones.reserve(rows.size());
  for (Index c = 0; c < n_; ++c)
    for (Index k = start[std::size_t(c)]; k < start[std::size_t(c) + 1]; ++k)
      ones.emplace_back(rows[std::size_t(k)], c, 1.0);
  Eigen::SparseMatrix<double> graph(n_, n_);
  graph.setFromTriplets(ones.begin(), ones.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  if (n_ > 0) Eigen::AMDOrdering<int>()(graph.selfadjointView<Eigen::Upper>(), permutation);
  for (std::size_t i = 0; i < n; ++i) {
    order_[i] = permutation.indices()[Index(i)];
    place_[std::size_t(order_[i])] = Index(i);
  }

  // The elimination tree, and the pattern of each row of L as what its entries reach in it.
  std::vector<Index> parent(n, -1), mark(n, -1), count(n, 0);
  std::vector<std::vector<Index>> row(n);
  for (Index k = 0; k < n_; ++k) {
    mark[std::size_t(k)] = k;
    const auto old = std::size_t(order_[std::size_t(k)]);
    for (Index e = start_[old]; e < start_[old + 1]; ++e)
      for (Index j = place_[std::size_t(rows_[std::size_t(e)])]; j < k && mark[std::size_t(j)] != k;
           j = parent[std::size_t(j)]) {
        if (parent[std::size_t(j)] < 0) parent[std::size_t(j)] = k;
        mark[std::size_t(j)] = k;
        row[std::size_t(k)].push_back(j);
        ++count[std::size_t(j)];
      }
    std::sort(row[std::size_t(k)].begin(), row[std::size_t(k)].end());
  }
  row_begin_.assign(n + 1, 0), column_begin_.assign(n + 1, 0);
  row_pattern_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    row_pattern_.insert(row_pattern_.end(), row[k].begin(), row[k].end());
    row_begin_[k + 1] = Index(row_pattern_.size());
    column_begin_[k + 1] = column_begin_[k] + count[k];
  }
  column_rows_.resize(row_pattern_.size()), column_end_.resize(n);
  work_row_.assign(n * area, 0.0), work_column_.assign(n * area, 0.0);
}

template <int D>
double BlockLu<D>::work() const {
  double sum = 0;
  for (std::size_t j = 0; j < std::size_t(n_); ++j) {
    const double length = column_begin_[j + 1] - column_begin_[j];
    sum += length * length;
  }
  return sum * D * D * D;
}

template <int D>
bool BlockLu<D>::factorise(std::span<const double> blocks) {
  const auto n = std::size_t(n_);
  pairs_.resize(row_pattern_.size() * 2 * area);
  pivots_.resize(n * area);
  std::copy(column_begin_.begin(), column_begin_.end() - 1, column_end_.begin());
  double diagonal[area], l[area], u[area];
  for (std::size_t k = 0; k < n; ++k) {
    // Row and column k of A, left of and above the diagonal; A_kj is the block of row k in column j.
    const auto old = std::size_t(order_[k]);
    for (Index e = start_[old]; e < start_[old + 1]; ++e) {
      const auto other = std::size_t(rows_[std::size_t(e)]), j = std::size_t(place_[other]);
      const double* entry = blocks.data() + std::size_t(e) * D * D;
      if (j == k) pad<D>(entry, diagonal);
      if (j >= k) continue;
      pad<D>(entry, &work_column_[j * area]);
      const auto first = rows_.begin() + start_[other], last = rows_.begin() + start_[other + 1];
      const auto at = std::size_t(std::lower_bound(first, last, Index(old)) - rows_.begin());
      pad<D>(blocks.data() + at * D * D, &work_row_[j * area]);
    }
    for (Index e = row_begin_[k]; e < row_begin_[k + 1]; ++e) {
      const auto j = std::size_t(row_pattern_[std::size_t(e)]);
      assign_product<D>(l, &work_row_[j * area], &pivots_[j * area]);
      std::copy_n(&work_column_[j * area], area, u);
      std::fill_n(&work_row_[j * area], area, 0.0);
      std::fill_n(&work_column_[j * area], area, 0.0);
      for (Index p = column_begin_[j]; p < column_end_[j]; ++p) {
        const auto i = std::size_t(column_rows_[std::size_t(p)]);
        const double* pair = &pairs_[std::size_t(p) * 2 * area];
        subtract_product<D>(&work_row_[i * area], l, pair + area);
        subtract_product<D>(&work_column_[i * area], pair, u);
      }
      subtract_product<D>(diagonal, l, u);
      const auto p = std::size_t(column_end_[j]++);
      column_rows_[p] = Index(k);
      std::copy_n(l, area, &pairs_[p * 2 * area]);
      std::copy_n(u, area, &pairs_[p * 2 * area + area]);
    }
    if (!invert<D>(diagonal, &pivots_[k * area])) {
      std::fill(work_row_.begin(), work_row_.end(), 0.0);
      std::fill(work_column_.begin(), work_column_.end(), 0.0);
      return false;
    }
  }
  return true;
}

template <int D>
void BlockLu<D>::solve(std::span<double> b) {
  constexpr std::size_t S = stride<D>;
  const auto n = std::size_t(n_);
  x_.assign(n * S, 0.0);
  for (std::size_t k = 0; k < n; ++k) std::copy_n(&b[std::size_t(order_[k]) * D], D, &x_[k * S]);
  for (std::size_t j = 0; j < n; ++j)
    for (auto p = std::size_t(column_begin_[j]); p < std::size_t(column_begin_[j + 1]); ++p)
      subtract_product_vector<D>(&x_[std::size_t(column_rows_[p]) * S], &pairs_[p * 2 * area], &x_[j * S]);
  for (std::size_t j = n; j-- > 0;) {
    double* x = &x_[j * S];
    for (auto p = std::size_t(column_begin_[j]); p < std::size_t(column_begin_[j + 1]); ++p)
      subtract_product_vector<D>(x, &pairs_[p * 2 * area + area], &x_[std::size_t(column_rows_[p]) * S]);
    double out[S] = {};
    subtract_product_vector<D>(out, &pivots_[j * area], x);
    for (std::size_t c = 0; c < D; ++c) x[c] = -out[c];
  }
  for (std::size_t k = 0; k < n; ++k) std::copy_n(&x_[k * S], D, &b[std::size_t(order_[k]) * D]);
}

template class BlockLu<2>;
template class BlockLu<3>;

}  // namespace stickslip::internal
