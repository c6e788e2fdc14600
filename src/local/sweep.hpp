// What every sweep over the contacts shares: the choice of a one-contact solver, and how far a sweep moved.
#pragma once

#include <cmath>

#include "local/fixed_point.hpp"
#include "local/newton.hpp"

namespace stickslip {

/// How the problem of one contact is solved.
struct LocalOptions {
  enum class Kind { exact, newton, fixed_point };

  Kind kind = Kind::exact;
  LocalNewtonOptions newton;
  LocalFixedPointOptions fixed_point;
};

/// Σ‖Δr_i‖² and Σ‖r_i‖² of a sweep.
struct Change {
  double step = 0, size = 0;

  /// ‖Δr‖/‖r‖, RR (132).
  double relative() const { return std::sqrt(size > 0 ? step / size : step); }
};

}  // namespace stickslip
