// A problem prepared for interior points and their polish: in scaled units (solve/scaled_problem), frictionless contacts reduced
// to their normals, the system analysed once for every factorisation to come.
#pragma once

#include <vector>

#include "solve/prepared_system.hpp"

namespace stickslip::internal {

struct ConicProblem {
  /// Keeps a reference. `watch` times the factorisations; it may be nullptr.
  explicit ConicProblem(ContactProblem& problem, Stopwatch* watch = nullptr);

  /// s of CAD (16) in scaled units; empty gives zeros, and so does μ = 0, where s has no effect.
  std::vector<double> scaled_shift(std::span<const double> s) const;

  std::size_t n() const { return scaled.mu().size(); }

  ContactProblem& physical;
  const ScaledProblem& scaled;
  ContactSystem& system;

 private:
  ConicProblem(ContactProblem& problem, PreparedSystem& parts)
      : physical(problem), scaled(parts.problem), system(parts.system) {}
};

}  // namespace stickslip::internal
