// A problem prepared for interior points and their polish: in scaled units (solve/scaled_problem), frictionless contacts reduced
// to their normals, the system analysed once for every factorisation to come.
#pragma once

#include <memory>
#include <vector>

#include "solve/prepared_system.hpp"

namespace stickslip::internal {

struct ConicProblem {
  /// Keeps a reference. `watch` times the factorisations; it may be nullptr.
  explicit ConicProblem(ContactProblem& problem, Stopwatch* watch = nullptr);
  /// For convex paths without factors, which ranks share: `system` is not to be used. Precondition: M is symmetric and has the bodies that sweeps know.
  static ConicProblem on_springs(ContactProblem& problem);

  /// s of CAD (16) in scaled units; empty gives zeros, and so does μ = 0, where s has no effect.
  std::vector<double> scaled_shift(std::span<const double> s) const;

  std::size_t n() const { return scaled.mu().size(); }

  /// Takes the blocks of diag(B) in (W + B) x = b, a few digits being enough where `loosely`. False: singular.
  bool factorise(const double* blocks, bool loosely);
  /// x ← (W + B)⁻¹ x. False: not finite.
  bool solve(std::span<double> x, const ContactSystem::Accuracy& accuracy);
  bool through_springs() const { return bool(springs_); }
  /// Whether few digits come from conjugate gradients.
  bool by_gradients() const { return springs_ || system.gradients_pay(); }

  ContactProblem& physical;
  const ScaledProblem& scaled;
  ContactSystem& system;

 private:
  ConicProblem(ContactProblem& problem, PreparedSystem& parts)
      : physical(problem), scaled(parts.problem), system(parts.system) {}

  std::unique_ptr<PreparedSystem> own_;  // of springs
  std::unique_ptr<SpringSystem> springs_;
};

}  // namespace stickslip::internal
