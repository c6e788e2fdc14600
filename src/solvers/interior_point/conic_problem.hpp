// A problem prepared for second-order methods: in scaled units (problem/scaling), frictionless contacts
// reduced to their normals, the pattern of W analysed once for every factorisation to come.
#pragma once

#include <vector>

#include "linalg/block_factorisation.hpp"
#include "problem/scaling.hpp"
#include "solve/method.hpp"

namespace stickslip::internal {

struct ConicProblem {
  explicit ConicProblem(const ContactProblem& problem);
  /// `bodies`: the global problem that W was formed from, where there is one; without bilateral constraints
  /// its M and H serve the factorisation.
  explicit ConicProblem(const ReducedProblem& problem, const GlobalProblem* bodies = nullptr);

  /// u ← W r + q, scaled.
  void velocity(std::span<const double> r, std::span<double> u) const;
  /// s of CAD (16) in scaled units; empty gives zeros, and so does μ = 0, where s has no effect.
  std::vector<double> scaled_shift(std::span<const double> s) const;

  const ReducedProblem& physical;
  int dimension;
  std::size_t n;
  Scaling scaling;
  std::vector<double> mu;
  bool symmetric;
  SparseMatrix W;         ///< without the tangents of contacts with μ = 0, which carry no impulse
  std::vector<double> q;  ///< likewise
  BlockFactorisation factors;
};

}  // namespace stickslip::internal
