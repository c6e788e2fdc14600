// The central path of contact without friction, for UNIL where its sets cycle: r_N, y > 0 with
//
//   y = W_NN r_N + q_N,   r_N y = m at each contact,   m → 0
//
// by Mehrotra's predictor and corrector (1992): (W_NN + diag(y/r_N) + aI) δr = c/r_N − (W_NN r_N + q_N − y),
// δy = (c − y δr)/r_N, first with c = −r_N y, then with c = σm − r_N y − δr δy, σ = (m after the first / m)³.
// A rank-deficient W does no harm, and which of r_N and y is larger tells the closed contacts from the open
// ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/hybrid_system.hpp"

namespace stickslip {

template <int D>
class NormalPath {
 public:
  /// Begins at r_N = 1, in the scaled units of the system, which it uses for its factorisations.
  NormalPath(HybridSystem<D>& system, double regularisation);

  /// One factorisation, one step. The length of the step, in [0, 1]; 0 where it is not finite.
  double step();
  /// m, the mean of r_N y.
  double gap() const;
  /// Sets r to the impulses, tangential ones to zero.
  void impulses(std::span<double> r) const;
  /// 1 where r_N > y.
  void closed(std::span<std::uint8_t> set) const;

 private:
  /// δr and δy for the given c.
  void direction(std::span<const double> c);
  /// The longest step, at most 1, with r_N ≥ 0 and y ≥ 0.
  double length() const;

  HybridSystem<D>& system_;
  double regularisation_;
  std::vector<double> r_, y_, slope_, residual_, c_, dr_, dy_, full_, velocity_;
};

}  // namespace stickslip
