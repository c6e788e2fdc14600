// Problems solved by several ranks, with the bits that one process gives.
//
// Rank 0 has the problem. It cuts it (bodies/shares), sends each rank its share, and takes the parts of the result back; in between every rank
// runs the same method, with the same monitor on the same numbers, on its share. The other ranks serve: they wait for the next problem.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ranks.hpp"
#include "bodies/shares.hpp"
#include "distributed/traffic_plan.hpp"
#include "solve/method.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::internal {

/// One phase: seconds on rank 0, what all ranks sent, and the longest time that a rank spent on sending and waiting.
struct PhaseTraffic {
  double seconds = 0;
  Ranks::Traffic traffic;
  void operator+=(const PhaseTraffic& other);
};

/// How the work was shared, and what it took: sums over all solves, the rest of the last one.
struct TogetherReport {
  long solves = 0;
  std::string division;           ///< what was done where `auto` was asked for, in words
  std::vector<Index> contacts;    ///< of each rank
  Index colours = 0, chunks = 0;  ///< of the whole
  TrafficPlan plan;               ///< of what all ranks send
  Sent planned;                   ///< by the plan and the passes
  Ranks::Passes passes;
  std::vector<std::int64_t> peak_memory;  ///< of each rank, bytes
  PhaseTraffic sharing, solving, gathering;
};

/// The peak memory of each rank, on all of them.
std::vector<std::int64_t> peak_memories(Ranks& ranks);

/// What is told of a division of the work before it begins.
using Notice = std::function<void(std::string_view)>;

/// A rank for each chunk of the bodies' colouring.
using CutRule = std::function<std::vector<int>(const BodyGraph&, int ranks)>;

/// Rank 0's hold on the others, which are to call `serve`. They are let go when it ends.
class Together {
 public:
  explicit Together(Ranks& ranks, CutRule cut = cut_evenly) : ranks_(ranks), cut_(std::move(cut)) {}
  /// To be called where a solve takes another way than the solver asked for, before it begins.
  void set_notice(Notice notice) { notice_ = std::move(notice); }
  ~Together();
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

  /// As Solver::solve, with the same bits for any number of ranks, threads and any cut. What `auto` does is said in division.hpp; for other solvers a problem whose bodies are not found has the status
  /// not_applicable. Below coloured_contacts rank 0 works alone. What the clock or `cancel` of rank 0, or the clock of another, stops, stops for all. An observer only looks on. Throws InputError before anybody was asked
  /// to work where the request is wrong or the solver is not for ranks; any other exception leaves the ranks `entangled`.
  SolveResult solve(const GlobalProblem& problem, const std::string& solver, const SolveRequest& request);
  /// W has no bodies that ranks could share: for `auto` alone, which rank 0 runs. Throws InputError for other solvers.
  SolveResult solve(const ReducedProblem& problem, const std::string& solver, const SolveRequest& request);
  const TogetherReport& report() const { return report_; }
  /// The others wait for messages that will not come: only Ranks::abort ends them.
  bool entangled() const { return entangled_; }

 private:
  template <class Problem>
  SolveResult solve_alone(const std::string& solver, const Problem& problem, const SolveRequest& request,
                          const std::string& reason);
  void tell(std::string words);

  Ranks& ranks_;
  CutRule cut_;
  Notice notice_;
  TogetherReport report_;
  bool entangled_ = false;
};

/// Ranks other than 0: work on shares until rank 0 has no more. An exception that leaves must end all ranks.
void serve(Ranks& ranks);

}  // namespace stickslip::internal
