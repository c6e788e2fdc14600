// The fastest of all of Siconos' solvers on a small problem, for comparison only. Built where
// libsiconos-numerics-dev is installed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "stickslip/problem.hpp"

namespace bench {

struct SiconosBest {
  std::string name;    ///< of siconos_variants.hpp; empty: none met the tolerance, or no Siconos here
  double seconds = 0;  ///< of its fastest repetition
  long iterations = 0;
  double error = 0;  ///< natural-map error, recomputed by us
};

/// Each variant in a process of its own, from `guess` (empty: zero) to a true error ≤ tolerance: where Siconos' own error ends it too early, it
/// is asked for less. A variant has `seconds` (a third of a second at least), one that follows a faster one half as much again as that one took.
/// `names`: of the variants, with commas between; empty: all.
SiconosBest siconos_best(const stickslip::ReducedProblem& problem, double tolerance,
                         std::span<const double> guess = {}, double seconds = 0, std::string_view names = {});

}  // namespace bench
