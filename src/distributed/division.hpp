// What several ranks do where a solver was asked for by name: share a problem, or leave it to rank 0.
#pragma once

#include <string>

#include "solve/shared_solver.hpp"

namespace stickslip::internal {

/// `auto` works in one process. On ranks it stands for `relaxed` on packings, and for itself, run by rank 0 alone, on all other problems. A packing has a
/// symmetric M, and either few contacts or hardly ever more than one of the same two bodies: dense lattices of balls have redundant contacts, but sweeps with mixing settle
/// them, which they do not do where faces meet. Other solvers are shared as they are.
class Division {
 public:
  /// Throws InputError for a solver that is unknown or not for several ranks.
  explicit Division(const std::string& solver);

  /// Rank 0 solves all problems, by any solver. Throws InputError for one that is unknown.
  static Division on_first(const std::string& solver);

  bool chooses() const { return chooses_; }
  /// The solver that ranks share problems with.
  const std::string& shared() const { return shared_; }
  /// Why rank 0 is to solve such a problem alone; empty: ranks share it.
  std::string why_alone(const ProblemKind& kind) const;

 private:
  Division() = default;

  bool chooses_ = false;
  std::string shared_, alone_;  // alone_: why nothing is shared
};

}  // namespace stickslip::internal
