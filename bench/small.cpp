// bench_small: problems of one to nine contacts through the C++ interface, as in a control loop: the problem
// is prepared, the solver and the result are reused, the error check is included. Siconos' NSGS in the same
// run.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "siconos_nsgs.hpp"
#include "stickslip/stickslip.hpp"

namespace {

using namespace stickslip;

/// Seconds for one solve: the best of many batches.
double time_one(const ReducedProblem& problem, Solver& solver, double tolerance) {
  SolveResult result;
  const SolveRequest request{.tolerance = tolerance};
  double best = 1;
  for (int batch = 0; batch < 200; ++batch) {
    const int repetitions = 200;
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < repetitions; ++k) solver.solve(problem, request, result);
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / repetitions);
  }
  if (!result.converged()) fmt::print("  not converged: {}\n", result.error());
  return best;
}

void row(const std::string& name, const ReducedProblem& problem, double tolerance) {
  const auto solver = make_solver("NSGS-EXACT");
  SolveResult result;
  solver->solve(problem, {.tolerance = tolerance}, result);
  const double mine = time_one(problem, *solver, tolerance);
  double theirs = 0;
  for (const auto local : {bench::SiconosLocal::alart_curnier, bench::SiconosLocal::quartic_nu})
    if (const auto t = siconos_nsgs(problem, local, 1000000, tolerance, 2000); t.sweeps > 0)
      theirs = theirs == 0 ? t.seconds : std::min(theirs, t.seconds);
  fmt::print("{:<34} {:>8} {:>8} {:>10.1e} {:>10.0f} {:>12}\n", name, problem.contacts(), result.iterations,
             result.error(), mine * 1e9, theirs > 0 ? fmt::format("{:.0f}", theirs * 1e9) : "-");
}

ReducedProblem one(double slip) {
  const double A[9] = {2, 0.1, 0.2, 0.1, 1, 0.05, 0.2, 0.05, 1.3};
  return {BlockMatrix(3, {0, 0}, {}, {}, {A, A + 9}), {-1, slip, 0.5 * slip}, {0.5}};
}

/// Four contacts of a brick; at rest the first sweeps settle it.
ReducedProblem brick(double angle) {
  const auto file = generate("incline", {.angle = angle});
  return Reduction(std::get<GlobalProblem>(file.problem)).reduced();
}

/// Four contacts that hardly feel each other, as of four feet on separate bodies.
ReducedProblem four_easy() {
  std::vector<Triplet> W;
  std::vector<double> q;
  for (Index i = 0; i < 4; ++i) {
    for (Index a = 0; a < 3; ++a) W.push_back({3 * i + a, 3 * i + a, 1.0 + 0.2 * a});
    q.insert(q.end(), {i == 3 ? 0.5 : -1.0, 0.1 * double(i), i == 2 ? 2.0 : 0.1});
  }
  return {BlockMatrix(SparseMatrix(12, 12, W), 3), q, {0.5, 0.5, 0.5, 0.5}};
}

}  // namespace

int main() {
  fmt::print("{:<34} {:>8} {:>8} {:>10} {:>10} {:>12}\n", "problem", "contacts", "sweeps", "error",
             "ours [ns]", "Siconos [ns]");
  row("one contact, sticks", one(-0.05), 1e-8);
  row("one contact, slips", one(1.5), 1e-8);
  row("four easy contacts", four_easy(), 1e-8);
  row("brick on four corners, slips", brick(40), 1e-8);
  row("brick on four corners, sticks", brick(20), 1e-8);
  row("manufactured, nine contacts", std::get<ReducedProblem>(generate("manufactured", {.size = 9}).problem),
      1e-8);
}
