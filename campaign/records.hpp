// What a campaign keeps, as plain values: machines, problems, solvers, tasks (what was planned) and runs
// (what was done). They carry no behaviour beyond what follows from their own fields; store.hpp reads and
// writes them.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace stickslip::campaign {

/// Where rows were computed.
struct Machine {
  std::int64_t id = 0;
  std::string name;       ///< of the host
  std::string processor;  ///< as the system names it
  std::int64_t cores = 0;
  std::int64_t memory = 0;  ///< bytes
  std::string system;       ///< kernel and architecture
  std::string compiler;     ///< that built the command
  std::string version;      ///< of stickslip
};

/// One problem of the plan. The figures (RR Table 5) are known once it has been loaded: `fingerprint` is not
/// empty then.
struct ProblemRecord {
  std::int64_t id = 0;
  std::string set;          ///< the problem set of the plan, e.g. Chute
  std::string name;         ///< unique within the set
  std::string source;       ///< file path, or family with its request: "manufactured(size=20, seed=3)"
  std::string fingerprint;  ///< of the numbers, 16 hexadecimal digits; empty until loaded
  std::string given_form;   ///< reduced | global: as the source holds it
  std::string form;         ///< reduced | global: as the solvers were given it
  std::optional<std::int64_t> contacts, dimension, degrees_of_freedom;
  std::optional<double> density;       ///< c = d·nc / degrees of freedom
  std::optional<std::int64_t> blocks;  ///< of W, diagonal included
  std::optional<double> blocks_per_row;
  std::optional<double> rank_ratio;    ///< rank W / (d·nc); RR prints its inverse
  std::optional<double> conditioning;  ///< largest / smallest eigenvalue of W's symmetric part above 1e-9
  std::optional<double> asymmetry;     ///< ‖W − Wᵀ‖/‖W‖
  std::optional<double> smallest_block, largest_block;  ///< of tr(W_αα)/d
  std::optional<std::int64_t> islands;
  std::optional<double> mu_min, mu_max, q_norm;
  std::string message;  ///< why it could not be loaded, or empty
};

/// One solver of the plan.
struct SolverRecord {
  std::int64_t id = 0;
  std::string label;        ///< unique in the campaign; names it in tables and figures
  std::string given;        ///< the solver as the plan writes it, or the command of an external one
  std::string composition;  ///< internal: the family with every option that differs from its default
  std::string family;       ///< internal: of the catalogue; external: as the plan says, or "external"
  std::string reference;
  bool external = false;
  /// External: it is killed after this many time limits and a grace (it may start, read and repeat in that
  /// time).
  double patience = 1;
};

/// A row to be computed. The four columns are the key of a run.
struct Task {
  std::int64_t problem = 0, solver = 0;
  double tolerance = 0, time_limit = 0;

  auto key() const { return std::tie(problem, solver, tolerance, time_limit); }
  bool operator<(const Task& other) const { return key() < other.key(); }
  bool operator==(const Task& other) const { return key() == other.key(); }
};

struct HistoryPoint {
  std::int64_t iteration = 0;
  double seconds = 0, error = 0;
};

/// A finished row. Every number that is not known is absent, never zero or NaN.
struct RunRecord {
  std::int64_t id = 0;
  Task task;
  /// As in stickslip::Status (converged, stalled, iteration_limit, time_limit, …), or
  ///   crashed        the process ended by a signal or with an error
  ///   killed_time    it went on beyond the time limit and was killed
  ///   killed_memory  it went beyond the memory limit
  ///   wrong          it claims to have converged; the recomputed error says otherwise
  ///   load_failed    the problem itself could not be loaded
  std::string status;
  /// Status converged, and the recomputed error at or below the tolerance.
  bool solved = false;
  std::string used;             ///< the composition that ran (an automatic choice differs by problem)
  std::optional<double> error;  ///< as the solver reports it
  std::optional<double> verified_error;     ///< recomputed by verify from r and the problem
  std::optional<double> verified_rounding;  ///< what the recomputed error cannot resolve
  std::optional<double> verified_energy;    ///< spurious energy, PQN (40), recomputed
  std::optional<std::int64_t> iterations;
  std::optional<double> seconds;      ///< wall-clock time of the solve, the minimum of the repetitions
  std::optional<double> cpu_seconds;  ///< processor time of a solve, the mean of the repetitions
  std::optional<double> setup_seconds, factorisation_seconds, iteration_seconds, measuring_seconds;
  std::int64_t repetitions = 0;
  std::optional<double> spread;  ///< (median − minimum)/minimum of the repetitions' seconds: their noise
  std::optional<std::int64_t> open, stick, slip;  ///< contacts at the solution, recomputed
  std::optional<std::int64_t> peak_memory;        ///< bytes
  std::optional<double> load;                     ///< of the machine (1 min) when the solve began
  std::string message;
  std::int64_t machine = 0;
  std::string started;                ///< UTC, ISO 8601
  std::vector<HistoryPoint> history;  ///< empty unless the plan asks; thinned to a few hundred points
};

/// A whole campaign in memory.
struct Campaign {
  std::map<std::string, std::string> meta;  ///< see store.hpp for the keys
  std::vector<Machine> machines;
  std::vector<ProblemRecord> problems;  ///< ascending by id, as all below
  std::vector<SolverRecord> solvers;
  std::vector<Task> tasks;
  std::vector<RunRecord> runs;
};

}  // namespace stickslip::campaign
