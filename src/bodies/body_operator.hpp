// The operator of a global problem by its bodies: u = Hᵀ M⁻¹ (H r + f) + w without forming W.
#pragma once

#include <vector>

#include "bodies/velocity_sweep.hpp"
#include "problem/contact_operator.hpp"

namespace stickslip::internal {

class BodyOperator final : public ContactOperator {
 public:
  /// Keeps references. `team` shares long loops, `ranks` have shares of the contacts; both may be nullptr.
  BodyOperator(const GlobalProblem& problem, VelocitySweep& bodies, ThreadTeam* team = nullptr,
               Ranks* ranks = nullptr);

  int dimension() const override { return problem_.dimension(); }
  std::span<const double> q() const override { return q_; }
  std::span<const double> mu() const override { return problem_.mu(); }
  double q_norm() const override { return q_norm_; }
  double q_energy() const override { return q_energy_; }
  const double* diagonal(Index i) const override { return bodies_.diagonal(i); }
  void velocity(std::span<const double> r, std::span<double> u) const override { bodies_.velocity(r, u); }
  /// |Hᵀ| |M⁻¹ H| |r| + |q| or more.
  void magnitude(std::span<const double> r, std::span<double> s) const override;

 private:
  const GlobalProblem& problem_;
  VelocitySweep& bodies_;
  ThreadTeam* team_;
  std::vector<double> q_;
  double q_norm_ = 0, q_energy_ = 0;
};

/// Whether a product u = W r + q through the bodies is faster than one with W, the building of W not counted.
bool velocity_products_pay(const BodyGraph& graph);

}  // namespace stickslip::internal
