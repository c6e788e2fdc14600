// A part of a global problem: some of its contacts, the impulses of all others held.
//
//   M v = H_S r_S + f_S,   u_S = H_Sᵀ v + w_S,   f_S = f + Σ_{i ∉ S} H_i r_i       on the bodies that S touches
//
// In terms of W it is the principal block W_SS with q_S + Σ_{i ∉ S} W_Si r_i: one block of a block Gauss–Seidel.
#pragma once

#include <span>
#include <vector>

#include "bodies/body_graph.hpp"

namespace stickslip::internal {

/// The problem of `contacts` (rising) where the others have the impulses of r and v are the velocities that belong to r. Needs
/// graph.applies().
GlobalProblem part_of(const BodyGraph& graph, std::span<const Index> contacts, std::span<const double> r,
                      std::span<const double> v);

/// The contacts, rising, that share a body with those given, or with those that do, and so on `rings` times.
class Neighbourhood {
 public:
  explicit Neighbourhood(const BodyGraph& graph);
  std::vector<Index> around(std::span<const Index> contacts, int rings) const;

 private:
  const BodyGraph& graph_;
  std::vector<Index> start_, contacts_;  // of body b: contacts_[start_[b] … start_[b + 1])
};

}  // namespace stickslip::internal
