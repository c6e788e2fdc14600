// A problem prepared for interior points and their polish: in scaled units (solve/scaled_problem), frictionless contacts reduced
// to their normals, the system analysed once for every factorisation to come.
#pragma once

#include <vector>

#include "solve/scaled_problem.hpp"

namespace stickslip::internal {

struct ConicProblem {
  /// Keeps a reference. `watch` times the factorisations; it may be nullptr.
  explicit ConicProblem(const ContactProblem& problem, Stopwatch* watch = nullptr);
  ConicProblem(const ConicProblem&) = delete;
  ConicProblem& operator=(const ConicProblem&) = delete;

  /// s of CAD (16) in scaled units; empty gives zeros, and so does μ = 0, where s has no effect.
  std::vector<double> scaled_shift(std::span<const double> s) const;

  std::size_t n() const { return scaled.mu().size(); }

  const ContactProblem& physical;
  ScaledProblem scaled;
  ContactSystem system{ContactSystem::for_the_last_digit};
};

}  // namespace stickslip::internal
