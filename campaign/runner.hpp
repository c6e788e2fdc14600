// Runs what is pending in a store: one host process for each problem, so many at a time, each row written
// when it is finished. The campaign's own process only listens and writes.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "campaign/plan.hpp"
#include "campaign/store.hpp"

namespace stickslip::campaign {

/// Writes a plan into a new store: problems, solvers, tasks.
void write_plan(Store& store, const Plan& plan);

/// How far it has come; for progress displays.
struct RunnerProgress {
  std::size_t total = 0;                 ///< rows of the campaign
  std::size_t finished = 0, solved = 0;  ///< those before included
  std::size_t new_rows = 0;              ///< in this session
  double seconds = 0;                    ///< since it began
};

struct RunnerOptions {
  int jobs = 1;                             ///< problems at a time, ≥ 1
  const std::atomic<bool>* stop = nullptr;  ///< set: end the solves under way and return; they are not rows
  /// Called after each row, with the row and its solver, and every tenth of a second, with nullptr.
  std::function<void(const RunnerProgress&, const RunRecord*, const SolverRecord*)> observer = {};
};

struct RunnerSummary {
  RunnerProgress progress;
  bool interrupted = false;
};

/// Throws InputError when a problem has changed, OutputError when a row cannot be written; the rows written
/// before are safe. No process is left behind.
RunnerSummary run_pending(Store& store, const std::filesystem::path& folder, const RunnerOptions& options);

}  // namespace stickslip::campaign
