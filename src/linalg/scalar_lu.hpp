// The same factorisation as FrontLu by Eigen's sparse LU, scalar by scalar with column ordering (COLAMD) and
// threshold pivoting: slower, and a yardstick.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "stickslip/block_matrix.hpp"

namespace stickslip::internal {

class ScalarLu {
 public:
  ScalarLu();
  ~ScalarLu();

  /// Keeps a reference to W.
  void analyse(const BlockMatrix& W);
  /// See FrontLu::factorise. Returns 1 where the matrix is singular, 0 otherwise.
  long factorise(std::span<const std::uint8_t> active, const double* left, const double* right, double alpha);
  /// x ← A⁻¹ x on the active contacts; x is not finite there after a singular factorisation.
  void solve(std::span<double> x) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip::internal
