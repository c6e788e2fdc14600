#include "solvers/parts/single_body.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip::internal {
namespace {

/// What is left of a diagonal that counts as nothing, relative to its largest number.
constexpr double nothing = 1e-11;

/// Block (i, j) of a W without holes.
const double* block_of(const BlockMatrix& W, Index i, Index j) {
  return i == j ? W.diagonal(i) : W.block(W.row_start()[std::size_t(i)] + j - (j > i));
}

}  // namespace

/// The least number of contacts with more unknowns than one body has degrees of freedom: elimination with pivots from the diagonal
/// must leave nothing after `rank` of them. Most other matrices without holes fail here.
template <int D>
bool SingleBody<D>::may_be_one(const BlockMatrix& W) {
  constexpr Index n = rank / D + 1, size = n * D;
  double S[size][size];
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      for (Index b = 0; b < D; ++b)
        for (Index a = 0; a < D; ++a) S[i * D + a][j * D + b] = block_of(W, i, j)[a + D * b];
  double largest = 0;
  for (int step = 0; step <= rank; ++step) {
    Index pivot = 0;
    for (Index k = 1; k < size; ++k)
      if (S[k][k] > S[pivot][pivot]) pivot = k;
    largest = std::max(largest, S[pivot][pivot]);
    if (S[pivot][pivot] <= nothing * largest) return true;
    if (step == rank) return false;
    double row[size];
    std::copy_n(S[pivot], size, row);
    for (Index k = 0; k < size; ++k) {
      const double factor = S[k][pivot] / row[pivot];
      for (Index l = 0; l < size; ++l) S[k][l] -= factor * row[l];
    }
  }
  return false;
}

template <int D>
bool SingleBody<D>::find(const BlockMatrix& W) {
  contacts_.clear();
  const Index n = W.size();
  if (long(W.off_diagonal_blocks()) != long(n) * (n - 1) || !may_be_one(W)) return false;
  contacts_.assign(std::size_t(n), {});
  left_.resize(std::size_t(n) * D);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < D; ++c) left_[std::size_t(i * D + c)] = W.diagonal(i)[c * (D + 1)];
  const double largest = *std::ranges::max_element(left_);
  for (int k = 0; k < rank; ++k) {
    const auto at = std::ranges::max_element(left_) - left_.begin();
    const double left = left_[std::size_t(at)];
    if (!(left > nothing * largest)) break;
    const auto pivot = Index(at / D), c = Index(at % D);
    const Contact own = contacts_[std::size_t(pivot)];
    for (Index i = 0; i < n; ++i) {
      Contact& contact = contacts_[std::size_t(i)];
      const double *column = block_of(W, i, pivot) + D * c, *row = block_of(W, pivot, i) + c;
      for (Index a = 0; a < D; ++a) {
        double x = column[a], y = row[D * a];
        for (int l = 0; l < k; ++l) {
          x -= contact.A[l][a] * own.B[c][l];
          y -= contact.B[a][l] * own.A[l][c];
        }
        contact.A[k][a] = x / left;
        contact.B[a][k] = y;
        left_[std::size_t(i * D + a)] -= contact.A[k][a] * y;
      }
    }
  }
  if (std::ranges::all_of(left_, [&](double x) { return std::abs(x) <= nothing * largest; })) return true;
  contacts_.clear();
  return false;
}

template <int D>
void SingleBody<D>::start(std::span<const double> r) {
  std::ranges::fill(v_, 0.0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) add_impulse(Index(i), &r[i * D]);
}

template class SingleBody<2>;
template class SingleBody<3>;

}  // namespace stickslip::internal
