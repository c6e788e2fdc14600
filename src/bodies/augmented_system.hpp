// A global problem whose W is not formed, as an operator and as Newton's linear system with the velocities as
// unknowns.
//
//   ⎡ M    −G   −H S  ⎤ ⎡ δv ⎤   ⎡ 0 ⎤
//   ⎢ Gᵀ    0    0    ⎥ ⎢ δλ ⎥ = ⎢ 0 ⎥        A = L (S W S + αI) + R on the contacts that take part,
//   ⎣ L S Hᵀ 0  R + αL⎦ ⎣ δr ⎦   ⎣ b ⎦        W = Hᵀ M⁻¹ H
//
// Sparse where W is full, as with finite elements: the matrix has the size of the bodies. M is factorised
// once for the products; the diagonal blocks of W, which scale the contacts, take d solves with M for each
// contact.
#pragma once

#include <cstdint>
#include <memory>

#include "problem/contact_operator.hpp"

namespace stickslip {

class AugmentedSystem final : public ContactOperator {
 public:
  /// Keeps a reference. Throws InputError as Reduction does.
  explicit AugmentedSystem(const GlobalProblem& problem);
  ~AugmentedSystem() override;

  int dimension() const override;
  std::span<const double> q() const override;
  std::span<const double> mu() const override;
  double q_norm() const override;
  double q_energy() const override;
  const double* diagonal(Index i) const override;
  void velocity(std::span<const double> r, std::span<double> u) const override;
  /// |Hᵀ| |v| + |w| with the velocities v that belong to r.
  void magnitude(std::span<const double> r, std::span<double> s) const override;

  /// y ← W x.
  void product(std::span<const double> x, std::span<double> y) const;
  /// Factorises for the contacts with active ≠ 0, each scaled by s_i. Returns 1 where the matrix is singular,
  /// 0 otherwise.
  long factorise(std::span<const std::uint8_t> active, const double* left, const double* right, double alpha,
                 std::span<const double> scale);
  /// x ← A⁻¹ x on the active contacts, not finite after a singular factorisation.
  void solve(std::span<double> x) const;
  const Reduction& reduction() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip
