// A plan: which problems, which solvers, to which tolerances, within which limits. Written in TOML;
// docs/campaigns.md describes every key.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "campaign/records.hpp"

namespace stickslip::campaign {

/// What is asked of every solver on a set.
struct Goal {
  double tolerance = 1e-8;
  double time_limit = 10;  ///< seconds
};

/// How each solve is carried out.
struct Settings {
  std::int64_t memory_limit = 4096;  ///< MiB for each solve, beyond what the problem takes
  std::int64_t repetitions = 1;      ///< at least so many, where the solve succeeds
  double repeat_for = 0.05;          ///< seconds: shorter solves are repeated until they add up to this
  double grace = 2;                  ///< seconds beyond the time limit until a solve is killed
  bool history = false;              ///< keep the error of every iteration (by one more solve, not timed)
  std::int64_t threads = 1;          ///< of each solve
  std::int64_t rank_limit = 10'000;  ///< rows of W up to which its rank is computed; conditioning: a tenth
};

struct ProblemSet {
  std::string name;
  std::vector<ProblemRecord> problems;  ///< form is "reduced" where W is to be formed beforehand
  std::vector<Goal> goals;
};

struct Plan {
  std::string title;
  std::string text;  ///< the file as it is
  std::filesystem::path file;
  Settings settings;
  std::vector<ProblemSet> sets;
  std::vector<SolverRecord> solvers;
  std::vector<std::string> notes;  ///< what was left out and why, one line each
};

/// What the command line may change in a plan.
struct PlanChanges {
  std::vector<std::filesystem::path> problems = {};  ///< folders or files instead of the plan's sets
  std::optional<double> time_limit = {};             ///< for all goals
  std::optional<std::vector<double>> tolerances = {};
  std::optional<std::int64_t> sample = {};  ///< at most so many problems of each set, evenly taken
};

/// Throws InputError with one line that names the file, the line, the key and the nearest valid choice. Files
/// and solvers are looked up, so that nothing is missing once the campaign runs. `binaries` is what {bin}
/// stands for.
Plan read_plan(const std::filesystem::path& file, const std::filesystem::path& binaries,
               const PlanChanges& changes = {});

/// The settings alone, of a plan that was read before.
Settings read_settings(const std::string& text, const std::string& name);

}  // namespace stickslip::campaign
