// bench_global_form FILE... [--limit SECONDS] [--tolerance T]: problems in global form, factorisation included.
//
// `auto` on M and H beside Siconos' global solvers (gfc3d_driver), which reduce by themselves (…_WR) or work on M. Each run is a process of its own
// with a time limit; times are those of the processor. The error that counts is ours, ‖r − P_K(r − û)‖/‖q‖ on the reduced problem; Siconos is asked for less until it is met, and
// the last solve counts.

#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>

#include "stickslip/io.hpp"
#include "stickslip/measures.hpp"
#include "stickslip/solver.hpp"

namespace {

using namespace stickslip;

struct Outcome {
  double seconds = -1, error = 1;
};

/// Of this process, s.
double processor_time() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// Runs `work` in a child for at most `limit` seconds.
Outcome in_child(double limit, const std::function<Outcome()>& work) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    rlimit most{};
    most.rlim_cur = most.rlim_max = rlim_t(limit) + 1;
    setrlimit(RLIMIT_CPU, &most);
    const Outcome outcome = work();
    const auto written = write(pipe_ends[1], &outcome, sizeof outcome);
    std::_Exit(written == sizeof outcome ? 0 : 1);
  }
  close(pipe_ends[1]);
  Outcome outcome;
  if (read(pipe_ends[0], &outcome, sizeof outcome) != sizeof outcome) outcome = {};
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return outcome;
}

NumericsMatrix* to_siconos(const SparseMatrix& A) {
  NumericsMatrix* M = NM_create(NM_SPARSE, int(A.rows()), int(A.columns()));
  NM_triplet_alloc(M, int(A.value().size()));
  for (Index i = 0; i < A.rows(); ++i)
    for (Index k = A.row_start()[std::size_t(i)]; k < A.row_start()[std::size_t(i) + 1]; ++k)
      NM_entry(M, int(i), int(A.column()[std::size_t(k)]), A.value()[std::size_t(k)]);
  return M;
}

double* copy(std::span<const double> x) {
  auto* y = static_cast<double*>(std::malloc(std::max<std::size_t>(1, x.size()) * sizeof(double)));
  std::copy(x.begin(), x.end(), y);
  return y;
}

double error_of(const ReducedProblem& reduced, const std::vector<double>& r) {
  std::vector<double> u(r.size());
  return natural_error(reduced, r, u);
}

Outcome siconos(const GlobalProblem& p, const ReducedProblem& reduced, int solver, double tolerance,
                double limit) {
  numerics_set_verbose(0);
  Outcome outcome;
  for (double asked = tolerance; asked > 1e-3 * tolerance && outcome.error > tolerance; asked /= 4) {
    GlobalFrictionContactProblem* problem = globalFrictionContactProblem_new();
    problem->dimension = 3;
    problem->numberOfContacts = int(p.contacts());
    problem->M = to_siconos(p.M());
    problem->H = to_siconos(p.H());
    problem->q = copy(p.f());
    problem->b = copy(p.w());
    problem->mu = copy(p.mu());
    SolverOptions* options = solver_options_create(solver);
    options->dparam[SICONOS_DPARAM_TOL] = asked;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
    std::vector<double> r(std::size_t(3 * p.contacts()), 0.0), u(r.size(), 0.0),
        v(std::size_t(p.degrees_of_freedom()), 0.0);
    const double start = processor_time();
    gfc3d_driver(problem, r.data(), u.data(), v.data(), options);
    outcome.seconds = processor_time() - start;
    outcome.error = error_of(reduced, r);
    if (outcome.seconds > limit) break;
  }
  return outcome;
}

}  // namespace

int main(int argc, char** argv) try {
  double limit = 60, tolerance = 1e-8;
  std::vector<std::string> files;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--limit" && k + 1 < argc)
      limit = std::atof(argv[++k]);
    else if (word == "--tolerance" && k + 1 < argc)
      tolerance = std::atof(argv[++k]);
    else
      files.push_back(word);
  }
  const std::pair<const char*, int> solvers[] = {{"NSGS_WR", SICONOS_GLOBAL_FRICTION_3D_NSGS_WR},
                                                 {"NSN_AC_WR", SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR},
                                                 {"ADMM_WR", SICONOS_GLOBAL_FRICTION_3D_ADMM_WR},
                                                 {"ADMM", SICONOS_GLOBAL_FRICTION_3D_ADMM},
                                                 {"ACLMFP", SICONOS_GLOBAL_FRICTION_3D_ACLMFP}};
  for (const std::string& name : files) {
    const ProblemFile file = read_problem(name);
    if (!file.is_global()) {
      fmt::print("{}: not in global form\n", name);
      continue;
    }
    const auto& problem = std::get<GlobalProblem>(file.problem);
    const double start = processor_time();
    const ReducedProblem reduced = Reduction(problem).reduced();
    fmt::print("{}: {} degrees of freedom, {} contacts; W alone {:.3f} s\n", name,
               problem.degrees_of_freedom(), problem.contacts(), processor_time() - start);
    std::fflush(stdout);
    const Outcome ours = in_child(limit, [&] {
      Outcome best;
      best.seconds = 1e300;
      for (int k = 0; k < (problem.contacts() < 100 ? 10 : 1); ++k) {
        Solver solver("auto");
        const double began = processor_time();
        const SolveResult result = solver.solve(problem, {.tolerance = tolerance});
        best.seconds = std::min(best.seconds, processor_time() - began);
        best.error = error_of(reduced, result.r);
      }
      return best;
    });
    fmt::print("  {:<10} {:10.4f} s  error {:.1e}\n", "auto", ours.seconds, ours.error);
    for (const auto& [label, id] : solvers) {
      const Outcome other =
          in_child(limit, [&, id = id] { return siconos(problem, reduced, id, tolerance, limit); });
      if (other.seconds < 0)
        fmt::print("  {:<10} more than {:.0f} s, or it crashed\n", label, limit);
      else
        fmt::print("  {:<10} {:10.4f} s  error {:.1e}{}\n", label, other.seconds, other.error,
                   other.error > tolerance ? "  (missed)" : "");
      std::fflush(stdout);
    }
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_global_form: {}\n", error.what());
  return 2;
}
