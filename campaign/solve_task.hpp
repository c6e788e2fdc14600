// One task to one row: by one of our solvers in a process of its own, or by an external command; then the
// error is recomputed and the status judged.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "campaign/plan.hpp"
#include "campaign/records.hpp"
#include "campaign/verification.hpp"

namespace stickslip::campaign {

/// What all tasks of one problem share.
struct TaskContext {
  const ProblemFile& file;
  const Verifier& verifier;
  const Settings& settings;
  std::vector<int> cores;
  std::filesystem::path plan_folder;  ///< relative commands are seen from here
  std::filesystem::path scratch;      ///< a folder for files that pass between processes
  /// The problem as an FCLIB file for external commands; made when it is first asked for.
  std::function<std::string()> problem_file;
};

/// Never throws for what the solver does: a hang, a crash, a memory hog are rows.
RunRecord solve_task(const Task& task, const SolverRecord& solver, const TaskContext& context);

}  // namespace stickslip::campaign
