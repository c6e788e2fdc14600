// The Cholesky factorisation A = L Lᵀ of a full matrix, panel by panel, so that long work can be stopped.
#pragma once

#include <Eigen/Core>

#include "base/interrupted.hpp"

namespace stickslip::internal {

class DenseCholesky {
 public:
  /// Takes a symmetric matrix, of which the lower triangle is read. False: it is not positive definite. `stop` is asked before
  /// each panel; true: Interrupted is thrown.
  bool factorise(Eigen::MatrixXd A, const Stop& stop);
  /// X ← A⁻¹ X. Precondition: factorised.
  void solve(Eigen::Ref<Eigen::MatrixXd> X) const;

 private:
  Eigen::MatrixXd L_;
};

}  // namespace stickslip::internal
