// One Gauss–Seidel sweep over the contacts, for any method that needs one.
#pragma once

#include <memory>
#include <span>

#include "base/thread_team.hpp"
#include "local/sweep.hpp"
#include "solvers/parts/colouring.hpp"
#include "stickslip/problem.hpp"

namespace stickslip {

/// Gauss–Seidel on the contacts: b_i = q_i + Σ_{j≠i} W_ij r_j with the newest r_j, then the local problem of
/// contact i. Typed once on the dimension and the local solver; a sweep is one pass over the blocks of W,
/// allocates nothing and calls nothing virtual inside.
class ContactSweep {
 public:
  virtual ~ContactSweep() = default;

  /// Prepares the local problems. Keeps a reference to the problem; allocates only when the problem is larger
  /// than any before.
  virtual void prepare(const ReducedProblem& problem) = 0;
  /// The tolerance of iterative local solvers from the next sweep on (RR 6.3); the exact one has none.
  virtual void set_local_tolerance(double tolerance) = 0;
  /// r ← one sweep, contacts in the given order (empty: as they are numbered), relaxed by ω (PSOR) unless ω
  /// = 1.
  virtual Change sweep(std::span<const Index> order, double omega, double* r) = 0;

  /// The same colour by colour, the chunks of a colour shared out to the threads. The result does not depend
  /// on their number.
  virtual Change sweep(const Colouring& colouring, ThreadTeam& team, double omega, double* r) = 0;

  static std::unique_ptr<ContactSweep> make(int dimension, const LocalOptions& options);
};

}  // namespace stickslip
