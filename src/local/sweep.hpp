// What every sweep over the contacts shares: the choice of a one-contact solver, how far a sweep moved, and the verbs.
#pragma once

#include <cmath>
#include <span>

#include "local/fixed_point.hpp"
#include "local/hybrid.hpp"
#include "local/newton.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// How the problem of one contact is solved.
struct LocalOptions {
  enum class Kind { exact, newton, fixed_point, hybrid };

  Kind kind = Kind::exact;
  LocalNewtonOptions newton;
  LocalFixedPointOptions fixed_point;
  LocalHybridOptions hybrid;
  /// ω of PSOR's local problem, RR (117)–(119): W_αα/ω in the place of W_αα. Sweeps on W only.
  double omega = 1;

  void set_tolerance(double tolerance) {
    newton.tolerance = fixed_point.tolerance = tolerance;
    hybrid.newton.tolerance = hybrid.fixed_point.tolerance = tolerance;
  }
};

/// Σ‖Δr_i‖² and Σ‖r_i‖² of a sweep.
struct Change {
  double step = 0, size = 0;

  /// ‖Δr‖/‖r‖, RR (132).
  double relative() const { return std::sqrt(size > 0 ? step / size : step); }
};

/// Gauss–Seidel over the contacts of a problem it was made for, on W (solvers/parts/contact_sweep) or on the velocities of the
/// bodies (bodies/velocity_sweep). Typed once on the dimension and the local solver; a sweep allocates nothing and calls nothing
/// virtual inside.
class Sweep {
 public:
  virtual ~Sweep() = default;

  /// The tolerance of iterative local solvers from the next sweep on (RR 6.3); the exact one has none.
  virtual void set_local_tolerance(double tolerance) = 0;
  /// Comes before the first sweep and whenever r changes otherwise than by a sweep.
  virtual void start(std::span<const double> r) = 0;
  /// r ← one sweep, contacts in the given order (empty: that of the layout); unless ω = 1 each impulse is averaged with its old
  /// value, r ← ω r_new + (1 − ω) r. r is the one of the last start or sweep.
  virtual Change sweep(std::span<const Index> order, double omega, double* r) = 0;
  /// u ← W r + q of the last start or sweep where the sweep has it at hand, up to the rounding of its updates. False: it has not, u is as it was.
  virtual bool velocity_at_hand(std::span<double> u) {
    static_cast<void>(u);
    return false;
  }
};

}  // namespace stickslip::internal
