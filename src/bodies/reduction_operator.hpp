// The operator of a global problem with any M: u = Hᵀ M⁻¹ (H r + f) + w with M factorised once, W not formed.
#pragma once

#include <vector>

#include "problem/contact_operator.hpp"

namespace stickslip::internal {

/// For bodies that BodyOperator does not know, as finite elements. The diagonal blocks of W take d solves with M for each contact.
class ReductionOperator final : public ContactOperator {
 public:
  /// Keeps references to both.
  ReductionOperator(const GlobalProblem& problem, const Reduction& reduction);

  int dimension() const override { return problem_.dimension(); }
  std::span<const double> q() const override { return reduction_.q(); }
  std::span<const double> mu() const override { return problem_.mu(); }
  double q_norm() const override { return q_norm_; }
  double q_energy() const override { return q_energy_; }
  const double* diagonal(Index i) const override;
  void velocity(std::span<const double> r, std::span<double> u) const override;
  /// |Hᵀ| |v| + |w| with the velocities v that belong to r.
  void magnitude(std::span<const double> r, std::span<double> s) const override;

 private:
  const GlobalProblem& problem_;
  const Reduction& reduction_;
  std::vector<double> diagonal_;
  double q_norm_ = 0, q_energy_ = 0;
};

}  // namespace stickslip::internal
