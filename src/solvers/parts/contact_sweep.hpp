// One Gauss–Seidel sweep over the contacts, for any method that needs one.
#pragma once

#include <memory>
#include <span>

#include "base/thread_team.hpp"
#include "local/sweep.hpp"
#include "solvers/parts/colouring.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::internal {

/// Gauss–Seidel on W: b_i = q_i + Σ_{j≠i} W_ij r_j with the newest r_j, then the local problem of contact i. A sweep is one pass
/// over the blocks of W; where they are those of one rigid body it needs few numbers of it (single_body.hpp).
class ContactSweep : public Sweep {
 public:
  /// Prepares the local problems. Keeps a reference to the problem; allocates only when the problem is larger
  /// than any before.
  virtual void prepare(const ReducedProblem& problem) = 0;
  using Sweep::sweep;
  /// The same colour by colour, the chunks of a colour shared out to the threads. The result does not depend
  /// on their number.
  virtual Change sweep(const Colouring& colouring, ThreadTeam& team, double omega, double* r) = 0;

  static std::unique_ptr<ContactSweep> make(int dimension, const LocalOptions& options);
};

/// The one of a dimension, made at its first use and prepared for the problem.
class KeptSweep {
 public:
  explicit KeptSweep(const LocalOptions& options = {}) : options_(options) {}

  ContactSweep& prepare(const ReducedProblem& problem) {
    auto& sweep = sweeps_[problem.dimension() == 3];
    if (!sweep) sweep = ContactSweep::make(problem.dimension(), options_);
    sweep->prepare(problem);
    return *sweep;
  }

 private:
  LocalOptions options_;
  std::unique_ptr<ContactSweep> sweeps_[2];  // in two and in three dimensions
};

}  // namespace stickslip::internal
