// A change of units, contact by contact, that keeps the friction cones.
//
//   s_i = (tr W_ii/d)^(−1/2),  c = 1/rms‖s_i q_i‖,  W' = S W S,  q' = c S q,  r = S r'/c
//
// One scalar a contact multiplies normal and tangents alike, so r ∈ K ⇔ r' ∈ K, and ρ = 1 suits every
// contact.
#pragma once

#include <span>
#include <vector>

#include "stickslip/problem.hpp"

namespace stickslip::internal {

class Scaling {
 public:
  explicit Scaling(const ReducedProblem& problem);

  /// W' = S W S, scalar by scalar.
  SparseMatrix matrix(const BlockMatrix& W) const;
  /// q' = c S q.
  std::vector<double> load(std::span<const double> q) const;
  /// r' from r, and r from r'.
  void to_scaled(std::span<const double> r, std::span<double> scaled) const;
  void to_physical(std::span<const double> scaled, std::span<double> r) const;
  /// s_i.
  double factor(Index i) const { return s_[std::size_t(i)]; }
  /// c s_i: u' of contact i is that times u.
  double velocity_factor(Index i) const { return c_ * s_[std::size_t(i)]; }

 private:
  int dimension_;
  std::vector<double> s_;
  double c_ = 1;
};

}  // namespace stickslip::internal
