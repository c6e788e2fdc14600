#include "linalg/block_lu.hpp"

#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

namespace stickslip {

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
  return sum * area * D;
}

template <int D>
bool BlockLu<D>::factorise(std::span<const double> blocks) {
  using Block = Eigen::Matrix<double, D, D>;
  using View = Eigen::Map<Block>;
  using ConstView = Eigen::Map<const Block>;
  const auto n = std::size_t(n_);
  pairs_.resize(row_pattern_.size() * 2 * area);
  pivots_.resize(n * area);
  std::copy(column_begin_.begin(), column_begin_.end() - 1, column_end_.begin());
  for (std::size_t k = 0; k < n; ++k) {
    // Row and column k of A; the column is scattered from A's own column, the row from its transposed places.
    const auto old = std::size_t(order_[k]);
    Block diagonal = Block::Zero();
    for (Index e = start_[old]; e < start_[old + 1]; ++e) {
      const auto j = std::size_t(place_[std::size_t(rows_[std::size_t(e)])]);
      const ConstView entry(blocks.data() + std::size_t(e) * area);
      if (j == k) diagonal = entry;
      if (j < k) View(work_column_.data() + j * area) = entry;  // A_jk
    }
    for (Index e = start_[old]; e < start_[old + 1]; ++e) {
      const auto other = std::size_t(rows_[std::size_t(e)]);
      const auto j = std::size_t(place_[other]);
      if (j >= k) continue;
      const auto first = rows_.begin() + start_[other], last = rows_.begin() + start_[other + 1];
      const auto at = std::lower_bound(first, last, Index(old));  // A_kj: row k in column j
      View(work_row_.data() + j * area) = ConstView(blocks.data() + std::size_t(at - rows_.begin()) * area);
    }
    for (Index e = row_begin_[k]; e < row_begin_[k + 1]; ++e) {
      const auto j = std::size_t(row_pattern_[std::size_t(e)]);
      View row(work_row_.data() + j * area), column(work_column_.data() + j * area);
      const Block l = row * ConstView(pivots_.data() + j * area), u = column;
      row.setZero(), column.setZero();
      for (Index p = column_begin_[j]; p < column_end_[j]; ++p) {
        const auto i = std::size_t(column_rows_[std::size_t(p)]);
        const double* pair = pairs_.data() + std::size_t(p) * 2 * area;
        View(work_row_.data() + i * area).noalias() -= l * ConstView(pair + area);
        View(work_column_.data() + i * area).noalias() -= ConstView(pair) * u;
      }
      diagonal.noalias() -= l * u;
      const Index p = column_end_[j]++;
      column_rows_[std::size_t(p)] = Index(k);
      View(pairs_.data() + std::size_t(p) * 2 * area) = l;
      View(pairs_.data() + std::size_t(p) * 2 * area + area) = u;
    }
    const Block inverse = diagonal.partialPivLu().inverse();
    if (!inverse.allFinite()) {
      std::fill(work_row_.begin(), work_row_.end(), 0.0);
      std::fill(work_column_.begin(), work_column_.end(), 0.0);
      return false;
    }
    View(pivots_.data() + k * area) = inverse;
  }
  return true;
}

template <int D>
void BlockLu<D>::solve(std::span<double> b) {
  using Block = Eigen::Matrix<double, D, D>;
  using Part = Eigen::Matrix<double, D, 1>;
  using ConstView = Eigen::Map<const Block>;
  const auto n = std::size_t(n_);
  x_.resize(n * D);
  const auto part = [&](std::size_t k) { return Eigen::Map<Part>(x_.data() + k * D); };
  for (std::size_t k = 0; k < n; ++k) part(k) = Eigen::Map<Part>(b.data() + std::size_t(order_[k]) * D);
  for (std::size_t j = 0; j < n; ++j)
    for (Index p = column_begin_[j]; p < column_begin_[j + 1]; ++p)
      part(std::size_t(column_rows_[std::size_t(p)])) -=
          ConstView(pairs_.data() + std::size_t(p) * 2 * area) * part(j);
  for (std::size_t j = n; j-- > 0;) {
    Part sum = part(j);
    for (Index p = column_begin_[j]; p < column_begin_[j + 1]; ++p)
      sum -= ConstView(pairs_.data() + std::size_t(p) * 2 * area + area) *
             part(std::size_t(column_rows_[std::size_t(p)]));
    part(j) = ConstView(pivots_.data() + j * area) * sum;
  }
  for (std::size_t k = 0; k < n; ++k) Eigen::Map<Part>(b.data() + std::size_t(order_[k]) * D) = part(k);
}

template class BlockLu<2>;
template class BlockLu<3>;

}  // namespace stickslip
