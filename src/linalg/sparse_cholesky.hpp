// The Cholesky factorisation of a sparse positive definite matrix, P A Pᵀ = L Lᵀ, whose last columns, where L fills up, are
// those of a full matrix.
//
//   [ A11  A21ᵀ ]   [ L11   0  ] [ L11ᵀ L21ᵀ ]     L11, L21: sparse, row by row (up-looking; Davis, Direct methods for sparse
//   [ A21  A22  ] = [ L21  L22 ] [  0   L22ᵀ ]     linear systems, 2006, 4.7); the same pass leaves A22 − L21 L21ᵀ = L22 L22ᵀ,
//                                                  which is factorised panel by panel
//
// P is the order of approximate minimum degree, which puts the fill at the end.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "linalg/dense_cholesky.hpp"

namespace stickslip::internal {

class SparseCholesky {
 public:
  /// Takes a symmetric matrix. False: it is not positive definite. `stop` is asked now and then; true: Interrupted is thrown.
  bool factorise(const Eigen::SparseMatrix<double>& A, const Stop& stop);
  /// X ← A⁻¹ X. Precondition: factorised.
  void solve(Eigen::Ref<Eigen::MatrixXd> X) const;

  /// Columns of the full part.
  Eigen::Index full() const { return size() - sparse_; }
  Eigen::Index size() const { return order_.size(); }

 private:
  using Order = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;
  using Upper = Eigen::SparseMatrix<double>;

  /// Fixes where the full part begins and takes the memory. `upper`: the upper triangle of P A Pᵀ by columns.
  void analyse(const Upper& upper, const Stop& stop);
  /// The columns of L, below `end`, that row i has entries in, into row_; rising along each path of the tree, so that none comes
  /// before one that it depends on.
  void reach(const Upper& upper, int i, int end);

  Order order_;     // P
  int sparse_ = 0;  // columns of L11
  std::vector<int> parent_, mark_,
      row_;                    // of the elimination tree; the last row that visited a column; a row of L
  std::vector<double> pivot_;  // diagonal of L11
  std::vector<std::size_t> start_, end_;  // of the columns of L11 and L21, without the diagonal
  std::vector<int> index_;
  std::vector<double> value_;
  DenseCholesky full_;
};

}  // namespace stickslip::internal
