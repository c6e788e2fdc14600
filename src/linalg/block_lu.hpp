// Sparse LU of a matrix of D×D blocks with a symmetric pattern: no pivoting between blocks, so that the order
// and the pattern are found once; row by row along the elimination tree.
//
//   k = 0, 1, …:  L_kj = (A_kj − Σ_{i<j} L_ki U_ij) U_jj⁻¹,  U_jk = A_jk − Σ_{i<j} L_ji U_ik,  U_kk = A_kk −
//   Σ_j L_kj U_jk
//
// For the matrices of second-order contact methods (W + block diagonal, and the like) diagonal blocks are fit
// pivots; who calls must look at the residual all the same. About twice the work of LDLᵀ, in blocks.
#pragma once

#include <span>
#include <vector>

#include "linalg/small_blocks.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

template <int D>
class BlockLu {
 public:
  /// The pattern: block (i, k) exists for k in rows[start[i] .. start[i+1]), the diagonal included,
  /// symmetric.
  void analyse(std::span<const Index> start, std::span<const Index> rows);
  /// Operations of one factorisation, in multiplications.
  double work() const;
  /// blocks[k] is the D×D column-major block at place k of the pattern; columns are compressed, so that place
  /// k in column c holds block (rows[k], c). False when a pivot is singular or not finite.
  bool factorise(std::span<const double> blocks);
  /// x ← A⁻¹ x.
  void solve(std::span<double> x);

 private:
  static constexpr std::size_t area = padded<D>;  // of a block inside (linalg/small_blocks)

  Index n_ = 0;
  std::vector<Index> order_, place_;             // order_[new] = old, place_[old] = new
  std::vector<Index> start_, rows_;              // the pattern as given
  std::vector<Index> row_begin_, row_pattern_;   // L_k·: columns j < k in rising order
  std::vector<Index> column_begin_;              // where column j of L (and row j of U) begins
  std::vector<Index> column_rows_, column_end_;  // rows i > j, filled up to column_end_[j]
  std::vector<double> pairs_;                    // for each of them L_ij, then U_ji
  std::vector<double> pivots_, x_;               // U_kk⁻¹
  std::vector<double> work_row_, work_column_;
};

}  // namespace stickslip::internal
