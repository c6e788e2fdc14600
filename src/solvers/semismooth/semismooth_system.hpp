// The linear system Ω δr = Π of a semismooth Newton step (SSN section 5.3), its rows from semismooth_rows, in
// scaled variables (solve/scaled_problem) unless they are switched off: Ω = A (W + aI) + B, A and B block
// diagonal. Open contacts have δr = −r at once and are left out. a > 0 keeps the system regular where W is
// rank deficient, as it is in masonry.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/prepared_system.hpp"
#include "solvers/semismooth/semismooth_rows.hpp"

namespace stickslip::internal {

template <int D>
class SemismoothSystem {
 public:
  /// Keeps a reference. `watch` times the factorisations; it may be nullptr.
  SemismoothSystem(ContactProblem& problem, Linearisation linearisation, OpenStick open, Scaled scaled,
                   Stopwatch* watch);

  std::size_t size() const { return problem_.size(); }
  const ScaledProblem& problem() const { return problem_; }

  /// The rows at r, with U the velocity that the sets are read from and T = W r + q − U. Whether a contact's
  /// state is another than at the last call.
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
  SemismoothSystem(PreparedSystem& parts, Linearisation linearisation, OpenStick open);

  template <class Closed>
  bool fill_rows(std::span<const double> r, std::span<const double> U, std::span<const double> T,
                 Closed&& closed);

  Linearisation linearisation_;
  OpenStick open_;
  const ScaledProblem& problem_;
  ContactSystem& system_;
  std::vector<double> rho_, bound_;
  std::vector<Vec<D>> diagonal_;
  std::vector<SemismoothState> state_;
  std::vector<std::uint8_t> active_, turned_;
  std::vector<long> penalties_;
  std::vector<double> by_u_, by_r_, right_, product_;
};

}  // namespace stickslip::internal
