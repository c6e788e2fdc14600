#include "campaign/synthetic.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "campaign/store.hpp"

namespace stickslip::campaign::tests {

using internal::Random;
namespace {

struct SetShape {
  const char* name;
  double mu;
  int contacts_low, contacts_high;
  double density, hardness;
};

constexpr SetShape shapes[] = {
    {"Cubes_H8", 0.3, 3, 388, 0.05, 0.1},    {"LowWall_FEM", 0.83, 624, 688, 0.28, 0.3},
    {"Bridge_PR", 0.9, 70, 108, 1.9, 0.8},   {"Capsules", 0.7, 17, 304, 1.1, 0.2},
    {"Chain", 0.3, 8, 28, 0.9, 0.15},        {"KaplasTower", 0.7, 48, 933, 3.2, 0.6},
    {"Chute_1000", 1.0, 74, 5056, 1.8, 0.5}, {"<b>boxes</b>", 0.7, 1, 200, 1.9, 0.4}};

struct Method {
  const char* label;
  const char* composition;
  double speed, robustness;
  bool superlinear;
};

constexpr Method methods[] = {
    {"NSGS-AC", "gs(local=newton(map=ac))", 1.0, 0.80, false},
    {"NSGS-AC-GP", "gs(local=newton(map=ac, search=goldstein_price))", 1.3, 0.86, false},
    {"NSGS-FP-VI-UPK", "gs(local=fixed_point(step=khobotov))", 2.2, 0.88, false},
    {"PSOR-AC", "gs(local=newton(map=ac), relaxation=1.4)", 0.8, 0.55, false},
    {"FP-DS", "fixed_point(step=fixed, rho=1)", 6.0, 0.30, false},
    {"FP-VI-UPK", "fixed_point(step=khobotov)", 9.0, 0.72, false},
    {"EG-VI-UPK", "extragradient(step=khobotov)", 8.0, 0.75, false},
    {"EG-VI-UPTS", "extragradient(step=solodov_tseng)", 8.3, 0.74, false},
    {"NSN-AC-GP", "newton(map=ac, search=goldstein_price)", 0.35, 0.52, true},
    {"NSN-FB-A", "newton(map=fb, search=armijo)", 0.45, 0.48, true},
    {"NSN-AC-HYBRID", "newton(map=ac, start=extragradient(step=khobotov, iterations=100))", 0.7, 0.70, true},
    {"ADMM", "admm(penalty=adaptive)", 1.8, 0.78, false}};

/// Every outcome that the store knows but `converged`, the frequent ones first.
constexpr const char* failures[] = {"time_limit",    "time_limit",      "iteration_limit",
                                    "stalled",       "iteration_limit", "numerical_failure",
                                    "killed_time",   "not_applicable",  "crashed",
                                    "killed_memory", "wrong",           "infeasible"};

ProblemRecord make_problem(const SetShape& shape, int number, Random& random) {
  ProblemRecord p;
  p.set = shape.name;
  p.name = p.set + "-i" + std::to_string(1000 + number);
  p.source = p.name + ".hdf5";
  p.fingerprint = "0123456789abcdef";
  p.given_form = p.form = "reduced";
  p.contacts = std::lround(random.uniform(shape.contacts_low, shape.contacts_high));
  p.dimension = 3;
  p.density = shape.density * random.uniform(0.8, 1.2);
  p.degrees_of_freedom = std::lround(3.0 * double(*p.contacts) / *p.density);
  p.rank_ratio = std::min(1.0, 1 / *p.density);
  if (*p.contacts < 500) p.conditioning = std::pow(10, random.uniform(1, 7));
  p.asymmetry = std::pow(10, random.uniform(-18, -2));
  p.mu_min = p.mu_max = shape.mu;
  return p;
}

std::vector<HistoryPoint> make_history(const RunRecord& run, bool superlinear, Random& random) {
  std::vector<HistoryPoint> history;
  const int points = int(std::clamp<std::int64_t>(*run.iterations, 2, 200));
  const double last = std::log10(*run.error);
  for (int k = 0; k < points; ++k) {
    const double s = double(k) / (points - 1);
    const double level =
        (superlinear ? std::pow(s, 3.0) : s) * last + (k == points - 1 ? 0 : 0.15 * random.normal());
    history.push_back({std::lround(s * double(*run.iterations)), s * *run.seconds, std::pow(10.0, level)});
  }
  return history;
}

RunRecord make_run(const SetShape& shape, const ProblemRecord& problem, const Method& method,
                   double tolerance, double luck, Random& random) {
  RunRecord run;
  const double strictness = tolerance < 1e-6 ? 1.0 : 0.6;
  const double size = double(*problem.contacts);
  run.solved = random.uniform() >
               (1 - method.robustness) * strictness + 0.35 * shape.hardness * strictness * random.uniform();
  run.status = run.solved ? "converged" : failures[random.below(std::size(failures))];
  const double decades = -std::log10(tolerance);
  run.iterations = std::lround((method.superlinear ? 3 : 12 * method.speed) * decades *
                               (1 + 4 * shape.hardness) * std::exp(0.4 * random.normal() + luck)) +
                   1;
  run.seconds = 2e-7 * size * double(*run.iterations) * (method.superlinear ? 8 + size / 60 : 1) *
                std::exp(0.2 * random.normal());
  run.error = tolerance * (run.solved ? random.uniform(0.05, 1) : std::pow(10, random.uniform(0.3, 4)));
  run.verified_error = run.error;
  run.cpu_seconds = *run.seconds * 0.99;
  run.setup_seconds = *run.seconds * 0.05;
  run.repetitions = *run.seconds < 0.1 ? 3 : 1;
  if (run.repetitions > 1) run.spread = 0.02 + 0.1 * random.uniform();
  run.peak_memory = std::lround(2e7 + 4e4 * size);
  run.load = 0.9 + 0.3 * random.uniform();
  run.used = method.composition;
  if (run.status == "time_limit" || run.status == "killed_time") run.seconds = 10;
  if (run.status == "crashed") {
    run.message = "ended by signal 11 (segmentation fault)";
    run.error = run.verified_error = run.seconds = run.cpu_seconds = std::nullopt;
    run.iterations = std::nullopt;
  }
  if (run.status == "not_applicable") run.message = "needs a symmetric W; </script><script>alert(1)</script>";
  return run;
}

}  // namespace

void make_synthetic_campaign(const std::filesystem::path& folder, const SyntheticSize& size) {
  Random random(size.seed);
  Store store = Store::create(folder);
  Transaction transaction = store.transaction();
  store.set_meta("title", "Synthetic study & <test>");
  store.set_meta("plan_name", "synthetic.toml");
  store.set_meta("plan", "title = \"Synthetic study\"\n\n[[set]]\nfiles = \"<nowhere>/*.hdf5\"\n");
  store.set_meta("version", "0.1.0");
  store.set_meta("created", "2025-01-31T11:55:00Z");
  Machine machine{0,          "bench", "Synthetic processor 3000", 8, 16LL << 30, "Linux 6.1 x86_64",
                  "GCC 12.2", "0.1.0"};
  store.add(machine);
  std::vector<Method> used;
  std::vector<SolverRecord> solvers;
  const int known = int(std::size(methods));
  for (int s = 0; s < size.solvers; ++s) {
    Method method = methods[s % known];
    SolverRecord solver;
    solver.label = method.label + (s < known ? std::string() : "-tol" + std::to_string(s / known));
    solver.given = solver.label;
    solver.composition = method.composition;
    method.speed *= 1 + 0.15 * (s / known);
    store.add(solver);
    used.push_back(method);
    solvers.push_back(solver);
  }
  const int sets = int(std::size(shapes));
  int left = size.unfinished, row = 0;
  for (int k = 0; k < size.problems; ++k) {
    const SetShape& shape = shapes[k * sets / std::max(1, size.problems)];
    ProblemRecord problem = make_problem(shape, k, random);
    store.add(problem);
    for (const double tolerance : {1e-4, 1e-8}) {
      const double luck = 0.5 * random.normal();
      for (std::size_t s = 0; s < solvers.size(); ++s) {
        RunRecord run = make_run(shape, problem, used[s], tolerance, luck, random);
        run.task = {problem.id, solvers[s].id, tolerance, 10};
        run.machine = machine.id;
        run.started = "2025-01-31T12:" + std::to_string(10 + (row / 600) % 50) + ":00Z";
        store.add(run.task);
        if (left-- > 0) continue;
        if (size.histories && row % 3 == 0 && run.iterations && run.error)
          run.history = make_history(run, used[s].superlinear, random);
        store.add(run);
        ++row;
      }
    }
  }
  transaction.commit();
}

}  // namespace stickslip::campaign::tests
