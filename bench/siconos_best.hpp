// The fastest of all of Siconos' solvers on a small problem, for comparison only. Built where
// libsiconos-numerics-dev is installed.
#pragma once

#include <span>
#include <string>

#include "stickslip/problem.hpp"

namespace bench {

struct SiconosBest {
  std::string name;    ///< of siconos_variants.hpp; empty: none met the tolerance, or no Siconos here
  double seconds = 0;  ///< of its fastest repetition
  long iterations = 0;
  double error = 0;  ///< natural-map error, recomputed by us
};

/// Each variant in a process of its own, for a third of a second, from `guess` (empty: zero) to a true error
/// ≤ tolerance: where Siconos' own error ends it too early, it is asked for less.
SiconosBest siconos_best(const stickslip::ReducedProblem& problem, double tolerance,
                         std::span<const double> guess = {});

}  // namespace bench
