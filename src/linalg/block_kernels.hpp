// The inner loops over block rows: one pass over the stream of blocks, typed on the dimension, prefetched.
#pragma once

#include <cstring>

#include "stickslip/block_matrix.hpp"

namespace stickslip::internal {

/// Blocks are fetched this many numbers ahead of their use (measured: 256 to 512 are alike, bench/sweep).
inline constexpr int prefetch_distance = 384;

/// A column of a block, read as a whole vector: for D = 3 the last number is the neighbour's and unused.
template <int D>
struct RowLanes;
template <>
struct RowLanes<2> {
  typedef double Column __attribute__((vector_size(16), aligned(8), may_alias));
};
template <>
struct RowLanes<3> {
  typedef double Column __attribute__((vector_size(32), aligned(8), may_alias));
};

/// Σ_j W_ij r_j over the off-diagonal blocks [begin, end) of a row, added to sum[0..D).
template <int D>
inline void add_row(const double* block, const Index* column, Index begin, Index end, const double* r,
                    double* sum);

/// Three accumulators hide the latency of the multiply-adds.
template <>
inline void add_row<3>(const double* blocks, const Index* column, Index begin, Index end, const double* r,
                       double* sum) {
  using Four = RowLanes<3>::Column;
  Four c0 = {}, c1 = {}, c2 = {};
  const double* B = blocks + std::size_t(begin) * 9;
  for (Index k = begin; k < end; ++k, B += 9) {
    __builtin_prefetch(B + prefetch_distance);
    const double* x = r + std::size_t(column[k]) * 3;
    c0 += *reinterpret_cast<const Four*>(B) * x[0];
    c1 += *reinterpret_cast<const Four*>(B + 3) * x[1];
    c2 += *reinterpret_cast<const Four*>(B + 6) * x[2];
  }
  c0 += c1 + c2;
  sum[0] += c0[0];
  sum[1] += c0[1];
  sum[2] += c0[2];
}

template <>
inline void add_row<2>(const double* blocks, const Index* column, Index begin, Index end, const double* r,
                       double* sum) {
  using Two = RowLanes<2>::Column;
  Two c0 = {}, c1 = {};
  const double* B = blocks + std::size_t(begin) * 4;
  for (Index k = begin; k < end; ++k, B += 4) {
    __builtin_prefetch(B + prefetch_distance);
    const double* x = r + std::size_t(column[k]) * 2;
    c0 += *reinterpret_cast<const Two*>(B) * x[0];
    c1 += *reinterpret_cast<const Two*>(B + 2) * x[1];
  }
  c0 += c1;
  sum[0] += c0[0];
  sum[1] += c0[1];
}

/// The same, and Σ_j |W_ij||r_j| added to size[0..D): what bounds the rounding of that sum.
template <int D>
inline void add_row_with_size(const double* blocks, const Index* column, Index begin, Index end,
                              const double* r, double* sum, double* size) {
  if (begin == end) return;
  using Lanes = typename RowLanes<D>::Column;
  Lanes c[D] = {}, s[D] = {};
  const double* B = blocks + std::size_t(begin) * D * D;
  for (Index k = begin; k < end; ++k, B += D * D) {
    __builtin_prefetch(B + prefetch_distance);
    const double* x = r + std::size_t(column[k]) * D;
    for (int b = 0; b < D; ++b) {
      const Lanes entries = *reinterpret_cast<const Lanes*>(B + D * b), product = entries * x[b];
      c[b] += entries * x[b];  // rounded once, as in add_row
      s[b] += product < 0 ? -product : product;
    }
  }
  for (int b = 1; b < D; ++b) s[0] += s[b];
  if constexpr (D == 3) c[1] += c[2];
  c[0] += c[1];
  for (int a = 0; a < D; ++a) sum[a] += c[0][a], size[a] += s[0][a];
}

/// sum += A x for one D×D column-major block.
template <int D>
inline void add_block(const double* A, const double* x, double* sum) {
  for (int j = 0; j < D; ++j)
    for (int i = 0; i < D; ++i) sum[i] += A[i + D * j] * x[j];
}

/// Calls row(i, u_i) with u_i = (W r + q)_i for each contact i.
template <int D, class Row>
inline void for_each_row(const BlockMatrix& W, const double* r, const double* q, Row&& row) {
  const Index n = W.size();
  const Index* start = W.row_start().data();
  const Index* column = W.column().data();
  const double* blocks = W.block(0);
  for (Index i = 0; i < n; ++i) {
    double u[D];
    for (int c = 0; c < D; ++c) u[c] = q[std::size_t(i) * D + std::size_t(c)];
    add_block<D>(W.diagonal(i), r + std::size_t(i) * D, u);
    add_row<D>(blocks, column, start[i], start[i + 1], r, u);
    row(i, u);
  }
}

}  // namespace stickslip::internal
