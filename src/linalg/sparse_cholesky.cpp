#include "linalg/sparse_cholesky.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip::internal {
namespace {

/// Rows up to which a matrix may be full: 8 n² bytes, 1.2 GB.
constexpr int largest_full = 12000;
/// An operation of the full factorisation takes about a tenth of the time of one of the sparse factorisation.
constexpr double speed_of_full = 10;
/// Rows between two questions whether to stop.
constexpr int rows_between_asks = 128;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The parent of a column in the elimination tree: the row of the first entry of L below its diagonal, or −1 (Davis, 4.1).
std::vector<int> elimination_tree(const Eigen::SparseMatrix<double>& upper) {
  const int n = int(upper.cols());
  std::vector<int> parent(std::size_t(n), -1), ancestor(std::size_t(n), -1);
  for (int i = 0; i < n; ++i)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(upper, i); entry; ++entry)
      for (int j = entry.row(); j != -1 && j < i;) {
        const int next = std::exchange(ancestor[std::size_t(j)], i);  // paths are shortened on the way
        if (next == -1) parent[std::size_t(j)] = i;
        j = next;
      }
  return parent;
}

/// Where the full part begins, c the numbers in the columns of L: Σ_{j<k} c² + (n − k)³/3 at the speed of the full part is least.
int first_full(const std::vector<int>& count) {
  const int n = int(count.size());
  double sparse = 0, least = std::pow(double(n), 3) / (3 * speed_of_full);
  int best = 0;
  for (int k = 1; k <= n; ++k) {
    sparse += std::pow(double(count[std::size_t(k) - 1]), 2);
    const double cost = sparse + std::pow(double(n - k), 3) / (3 * speed_of_full);
    if (cost < least || n - best > largest_full) least = cost, best = k;
  }
  return best;
}

}  // namespace

void SparseCholesky::reach(const Upper& upper, int i, int end) {
  row_.clear();
  mark_[std::size_t(i)] = i;
  for (Upper::InnerIterator entry(upper, i); entry; ++entry) {
    // Up the tree from each entry, to a column that is known or to the row itself.
    const std::size_t known = row_.size();
    for (int j = entry.row(); j < end && mark_[std::size_t(j)] != i; j = parent_[std::size_t(j)]) {
      row_.push_back(j);
      mark_[std::size_t(j)] = i;
    }
    // A new path comes before those that it leads into.
    std::rotate(row_.begin(), row_.begin() + long(known), row_.end());
  }
}

void SparseCholesky::analyse(const Upper& upper, const Stop& stop) {
  const int n = int(upper.cols());
  parent_ = elimination_tree(upper);
  mark_.assign(std::size_t(n), -1);
  std::vector<int> count(std::size_t(n), 1);
  for (int i = 0; i < n; ++i) {
    if (i % rows_between_asks == 0) ask(stop);
    reach(upper, i, i);
    for (int j : row_) ++count[std::size_t(j)];
  }
  sparse_ = first_full(count);
  start_.assign(std::size_t(sparse_) + 1, 0);
  for (std::size_t j = 0; j < std::size_t(sparse_); ++j)
    start_[j + 1] = start_[j] + std::size_t(count[j] - 1);
  end_ = start_;
  pivot_.resize(std::size_t(sparse_));
  index_.resize(start_.back());
  value_.resize(start_.back());
  mark_.assign(std::size_t(n), -1);
}

bool SparseCholesky::factorise(const Eigen::SparseMatrix<double>& A, const Stop& stop) {
  Eigen::AMDOrdering<int>()(A, order_);
  order_ = order_.inverse().eval();  // Eigen gives the way back
  Upper upper;
  upper.selfadjointView<Eigen::Upper>() = A.selfadjointView<Eigen::Lower>().twistedBy(order_);
  analyse(upper, stop);
  const int n = int(A.cols());
  Eigen::MatrixXd rest(n - sparse_, n - sparse_);
  std::vector<double> x(std::size_t(n), 0.0);
  for (int i = 0; i < n; ++i) {
    if (i % rows_between_asks == 0) ask(stop);
    for (Upper::InnerIterator entry(upper, i); entry; ++entry) x[std::size_t(entry.row())] = entry.value();
    // Row i of L: L11 y = a_i, a column at a time; what is left over behind column k is row i of A22 − L21 L21ᵀ.
    reach(upper, i, std::min(i, sparse_));
    for (const int column : row_) {
      const auto j = std::size_t(column);
      const double y = std::exchange(x[j], 0.0) / pivot_[j];
      for (std::size_t k = start_[j]; k < end_[j]; ++k) x[std::size_t(index_[k])] -= value_[k] * y;
      x[std::size_t(i)] -= y * y;
      index_[end_[j]] = i;
      value_[end_[j]++] = y;
    }
    if (i < sparse_) {
      const double square = std::exchange(x[std::size_t(i)], 0.0);
      if (!(square > 0)) return false;
      pivot_[std::size_t(i)] = std::sqrt(square);
    } else {
      for (int j = sparse_; j <= i; ++j)
        rest(i - sparse_, j - sparse_) = std::exchange(x[std::size_t(j)], 0.0);
    }
  }
  return full_.factorise(std::move(rest), stop);
}

void SparseCholesky::solve(Eigen::Ref<Eigen::MatrixXd> X) const {
  // L y = P x, then Lᵀ z = y. Many columns of X row by row, all at once; a single one with its numbers at hand.
  if (X.cols() == 1) {
    Eigen::MatrixXd y = order_ * X;
    for (std::size_t j = 0; j < pivot_.size(); ++j) {
      const double yj = y(Eigen::Index(j)) /= pivot_[j];
      for (std::size_t k = start_[j]; k < end_[j]; ++k) y(index_[k]) -= value_[k] * yj;
    }
    full_.solve(y.bottomRows(full()));
    for (std::size_t j = pivot_.size(); j-- > 0;) {
      double yj = y(Eigen::Index(j));
      for (std::size_t k = start_[j]; k < end_[j]; ++k) yj -= value_[k] * y(index_[k]);
      y(Eigen::Index(j)) = yj / pivot_[j];
    }
    X = order_.inverse() * y;
    return;
  }
  RowMajor Y = order_ * X;
  for (std::size_t j = 0; j < pivot_.size(); ++j) {
    Y.row(Eigen::Index(j)) /= pivot_[j];
    for (std::size_t k = start_[j]; k < end_[j]; ++k) Y.row(index_[k]) -= value_[k] * Y.row(Eigen::Index(j));
  }
  Eigen::MatrixXd rest = Y.bottomRows(full());
  full_.solve(rest);
  Y.bottomRows(full()) = rest;
  for (std::size_t j = pivot_.size(); j-- > 0;) {
    for (std::size_t k = start_[j]; k < end_[j]; ++k) Y.row(Eigen::Index(j)) -= value_[k] * Y.row(index_[k]);
    Y.row(Eigen::Index(j)) /= pivot_[j];
  }
  X = order_.inverse() * Y;
}

}  // namespace stickslip::internal
