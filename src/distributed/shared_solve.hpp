// The contact problems of steps whose contacts are spread over the ranks: a plan that all of them make alike, and each one's part of the solve.
#pragma once

#include <memory>
#include <string>

#include "base/timer.hpp"
#include "distributed/division.hpp"
#include "distributed/shared_system.hpp"
#include "distributed/together.hpp"
#include "solve/shared_solver.hpp"

namespace stickslip::internal {

/// What steps took on several ranks: sums over all steps; contacts, colours, chunks and sweeps of the last solve.
struct SharedReport {
  long solves = 0, alone = 0;   ///< problems that ranks shared, and those that rank 0 solved
  std::vector<Index> contacts;  ///< of each rank
  Index colours = 0, chunks = 0;
  TrafficPlan plan;  ///< of what all ranks send
  Sent planned;      ///< by the plans and the passes of all solves
  Ranks::Passes passes;
  std::vector<std::int64_t> peak_memory;  ///< of each rank, bytes
  /// By SharedPhase: seconds and waiting of the rank that took longest, messages and bytes of all, sums that each took part in.
  std::array<PhaseTraffic, shared_phases> phases;
  SharedSystem::Report systems;  ///< linear systems that all ranks solved, on rank 0
};

/// cut_bodies of SharedSolver, for so many ranks.
using BodyCut = std::function<std::vector<int>(std::span<const std::int64_t> work, int ranks)>;

class SharedSolve final : public SharedSolver {
 public:
  /// Keeps a reference. Throws InputError for a solver that is unknown or not for several ranks; what `auto` does is said in division.hpp. `body_cut`: anything, at every step; changes no bit.
  SharedSolve(Ranks& ranks, const std::string& solver, CutRule cut = cut_evenly, BodyCut body_cut = {});
  /// Rank 0 solves all problems, by any solver, and all ranks its linear systems: where problems are large, those of bodies. Keeps references.
  SharedSolve(Ranks& ranks, const std::string& solver, ParallelSolver& systems);
  ~SharedSolve() override;

  Ranks& ranks() override { return ranks_; }
  bool shares(const ProblemKind& kind) const override { return division_.why_alone(kind).empty(); }
  std::vector<int> plan(Index bodies, std::vector<std::array<Index, 2>> bodies_of) override;
  void solve(GlobalProblem part, std::vector<Index> sizes, BodyGraph::Kind kind, const SolveRequest& request,
             SolveResult& result) override;
  std::vector<int> cut_bodies(std::span<const std::int64_t> work) const override {
    return body_cut_(work, ranks_.size());
  }
  bool cuts_bodies() const override { return bool(body_cut_); }
  void alone(const std::function<void(BlockSolver*)>& work) override;
  void end(SharedPhase phase) override;

  /// Called by all ranks, who get the same.
  SharedReport report();

 private:
  Ranks& ranks_;
  Division division_;
  std::unique_ptr<Method> method_;
  ParallelSolver* systems_ = nullptr;
  CutRule cut_;
  BodyCut body_cut_;
  SharePlan plan_;
  Index contacts_ = 0;  // of the whole
  SharedReport mine_;   // what this rank knows by itself
  Timer timer_;
  Ranks::Traffic before_;
};

}  // namespace stickslip::internal
