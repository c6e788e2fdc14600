// The linear system Ω δr = Π of a semismooth Newton step (SSN section 5.3), its rows from hybrid_rows, in
// scaled variables (problem/scaling) unless they are switched off: Ω = A (W + aI) + B, A and B block
// diagonal. Open contacts have δr = −r at once and are left out. a > 0 keeps the system regular where W is
// rank deficient, as it is in masonry.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/front_lu.hpp"
#include "solvers/semismooth/semismooth_rows.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::internal {

template <int D>
class HybridSystem {
 public:
  enum class Scaled { off, on };

  HybridSystem(const ReducedProblem& problem, Linearisation linearisation, Scaled scaled);

  std::size_t size() const { return q_.size(); }
  /// Scaled.
  const BlockMatrix& W() const { return W_; }
  std::span<const double> q() const { return q_; }
  void to_scaled(std::span<const double> r, std::span<double> scaled) const;
  void to_physical(std::span<const double> scaled, std::span<double> r) const;
  void velocity_to_scaled(std::span<const double> u, std::span<double> scaled) const;
  /// u ← W r + q, scaled.
  void velocity(std::span<const double> r, std::span<double> u) const { W_.multiply(r, q_, u); }
  /// The problem's own velocity from the scaled one.
  void velocity_to_physical(std::span<const double> scaled, std::span<double> u) const;

  /// The rows at r, with U the velocity that the sets are read from and T = W r + q − U. Whether a contact's
  /// state (open, stick, slip) is another than at the last call.
  bool linearise(std::span<const double> r, std::span<const double> U, std::span<const double> T);
  /// The same with the normal set given: UNIL.
  void linearise(std::span<const double> r, std::span<const double> U, std::span<const double> T,
                 std::span<const std::uint8_t> closed);
  /// δr of the last linearisation; false where it is not finite.
  bool step(double regularisation, std::span<double> delta);
  /// ½‖C‖², SSN (63), at r with u = W r + q.
  double merit(std::span<const double> r, std::span<const double> u) const;
  /// SCALE: ρ ← φρ where the last linearisation found stick turned into slip or slip into stick, `limit`
  /// times at most.
  void penalise(double factor, long limit);
  /// FIX: b_N ← r_N.
  void renew_bounds(std::span<const double> r);

 private:
  template <class Closed>
  bool fill_rows(std::span<const double> r, std::span<const double> U, std::span<const double> T,
                 Closed&& closed);

  std::vector<double> scale_;  // s_i; r = s r'/c
  double load_scale_ = 1;      // c
  Linearisation linearisation_;
  BlockMatrix W_;
  std::vector<double> q_, mu_, zero_, rho_, bound_;
  std::vector<Vec<D>> diagonal_;
  std::vector<HybridState> state_;
  std::vector<std::uint8_t> active_, turned_;
  std::vector<long> penalties_;
  std::vector<double> by_u_, by_r_, right_, product_;
  FrontLu factors_;
};

}  // namespace stickslip::internal
