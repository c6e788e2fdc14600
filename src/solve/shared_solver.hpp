// A problem that no rank has whole, solved by all of them with the bits of one process.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "base/ranks.hpp"
#include "bodies/body_graph.hpp"
#include "linalg/contact_system/block_solver.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::internal {

/// What the time of a step on several ranks goes to.
enum class SharedPhase { detection, agreeing, sharing, solving, gathering, moving };
inline constexpr std::size_t shared_phases = 6;

/// What decides whether ranks share a problem: contact unknowns a degree of freedom, contacts of two bodies that touch, M = Mᵀ.
struct ProblemKind {
  double redundancy = 0, contacts_a_pair = 1;
  bool symmetric = true;
};

/// Every function but `end` is called by all ranks, in the same order.
class SharedSolver {
 public:
  virtual ~SharedSolver() = default;
  virtual Ranks& ranks() = 0;
  /// Whether ranks share a problem; else rank 0 is to solve it alone. All ranks give the same figures and get the same answer.
  virtual bool shares(const ProblemKind& kind) const = 0;
  /// The rank that is to solve each contact, where contact i touches bodies_of[i] (as BodyGraph::bodies_of). All ranks give the same list and get
  /// the same answer.
  virtual std::vector<int> plan(Index bodies, std::vector<std::array<Index, 2>> bodies_of) = 0;
  /// Solves what was planned. `part`: the contacts of this rank and the bodies that they touch, each in the order of the whole; `sizes`: rows of
  /// these bodies. The result has this part's r, u, v and statuses, and the whole's measures.
  virtual void solve(GlobalProblem part, std::vector<Index> sizes, BodyGraph::Kind kind,
                     const SolveRequest& request, SolveResult& result) = 0;
  /// Where the line of bodies is to be cut at this step: rank k has the places cut[k] … cut[k + 1] − 1 of it. `work`: a number for each place.
  virtual std::vector<int> cut_bodies(std::span<const std::int64_t> work) const = 0;
  /// Whether cut_bodies is asked at every step; else the step decides by itself.
  virtual bool cuts_bodies() const = 0;
  /// Rank 0 does `work`: it solves a problem alone. `work` gets who solves with matrices of bodies for it, by all ranks together; nullptr: nobody.
  virtual void alone(const std::function<void(BlockSolver*)>& work) = 0;
  /// What was done since the last call belongs to this phase.
  virtual void end(SharedPhase phase) = 0;
};

}  // namespace stickslip::internal
