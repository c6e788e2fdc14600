// Siconos' Gauss–Seidel on the same problem, for comparison only. Built where libsiconos-numerics-dev is
// installed.
#pragma once

#include "stickslip/problem.hpp"

namespace bench {

/// Siconos' one-contact solvers: its Alart–Curnier Newton and its closed form with a fallback.
enum class SiconosLocal { alart_curnier, quartic_nu };

struct Timed {
  double seconds = 0;  ///< of the fastest repetition
  long sweeps = 0;
  double error = 0;  ///< natural-map error, recomputed by us
};

bool have_siconos();

/// Runs Siconos' NSGS with its cheap error for at most `sweeps` sweeps to `tolerance`, `repetitions` times,
/// in a process of its own. sweeps = 0 in the result means that it failed.
Timed siconos_nsgs(const stickslip::ReducedProblem& problem, SiconosLocal local, long sweeps,
                   double tolerance, int repetitions);

}  // namespace bench
