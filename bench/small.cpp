// bench_small: problems of one to thirty contacts through the C++ interface, as in a control loop: the
// problem is prepared, solver (`auto`) and result are reused, the error check is included; cold, and with the
// impulses of the previous step as the guess. The fastest of all of Siconos' solvers on each in the same run.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/random.hpp"
#include "data_files.hpp"
#include "siconos_best.hpp"
#include "stickslip/stickslip.hpp"

namespace {

using namespace stickslip;
using namespace stickslip::internal;

constexpr double tolerance = 1e-8;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds for one solve: the best of many batches within 0.4 s.
double time_one(const ReducedProblem& problem, Solver& solver, std::span<const double> guess,
                SolveResult& result) {
  const SolveRequest request{.tolerance = tolerance, .time_limit = 10, .guess = guess};
  solver.solve(problem, request, result);  // brings memory and caches where they will be
  const double first = now();
  solver.solve(problem, request, result);
  const double once = now() - first;
  const int repetitions = std::clamp(int(1e-4 / once), 1, 200);
  double best = once;
  for (const double end = now() + 0.4; now() < end;) {
    const double start = now();
    for (int k = 0; k < repetitions; ++k) solver.solve(problem, request, result);
    best = std::min(best, (now() - start) / repetitions);
  }
  return best;
}

void row(const std::string& name, const ReducedProblem& problem, std::span<const double> guess = {}) {
  Solver solver("auto");
  SolveResult result;
  const double ours = time_one(problem, solver, guess, result);
  const auto theirs = bench::siconos_best(problem, tolerance, guess);
  fmt::print("{:<36} {:>8} {:>7} {:>8.1e} {:>9.2f}  {:<9}", name, problem.contacts(), result.iterations,
             result.error(), ours * 1e6, result.converged() ? result.stage : "FAILED");
  if (theirs.name.empty())
    fmt::print(" {:>12} {:>7}\n", "-", "-");
  else
    fmt::print(" {:>12.2f} {:>7.1f}  {}\n", theirs.seconds * 1e6, theirs.seconds / ours, theirs.name);
  std::fflush(stdout);
}

ReducedProblem reduced(const ProblemFile& file) {
  return file.is_global() ? Reduction(std::get<GlobalProblem>(file.problem)).reduced()
                          : std::get<ReducedProblem>(file.problem);
}

/// The next time step: forces (where bodies are not known, q) changed by some 1e-4.
ProblemFile next_step(const ProblemFile& file) {
  Random random(1);
  const auto changed = [&](std::span<const double> x) {
    std::vector<double> y(x.begin(), x.end());
    for (double& value : y) value *= 1 + 1e-4 * random.uniform(-1, 1);
    return y;
  };
  if (file.is_global()) {
    const auto& p = std::get<GlobalProblem>(file.problem);
    return {GlobalProblem(p.dimension(), p.M(), p.H(), changed(p.f()), {p.w().begin(), p.w().end()},
                          {p.mu().begin(), p.mu().end()}, p.G(), {p.b().begin(), p.b().end()})};
  }
  auto next = std::get<ReducedProblem>(file.problem);
  next.set_q(changed(next.q()));
  return {std::move(next)};
}

/// Cold, and the next step with the impulses of this one as the guess.
void two_rows(const std::string& name, const ProblemFile& file) {
  const ReducedProblem problem = reduced(file);
  row(name + ", cold", problem);
  const SolveResult before = solve(problem, {.tolerance = tolerance, .time_limit = 10});
  row(name + ", next step", reduced(next_step(file)), before.r);
}

ReducedProblem one(double slip) {
  const double A[9] = {2, 0.1, 0.2, 0.1, 1, 0.05, 0.2, 0.05, 1.3};
  return {BlockMatrix(3, {0, 0}, {}, {}, {A, A + 9}), {-1, slip, 0.5 * slip}, {0.5}};
}

/// Four contacts of a brick; at rest the first sweeps settle it.
ReducedProblem brick(double angle) { return reduced(generate("incline", {.angle = angle})); }

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
  fmt::print("{:<36} {:>8} {:>7} {:>8} {:>9}  {:<9} {:>12} {:>7}\n", "problem", "contacts", "steps", "error",
             "auto [us]", "by", "Siconos [us]", "ratio");
  row("one contact, sticks", one(-0.05));
  row("one contact, slips", one(1.5));
  row("four easy contacts", four_easy());
  row("brick on four corners, slips", brick(40));
  row("brick on four corners, sticks", brick(20));
  for (std::uint64_t seed : {1, 2, 3})
    row(fmt::format("rover, four wheels, seed {}", seed),
        reduced(generate("rover", {.size = 4, .seed = seed})));
  for (const auto& file : bench::data_files())
    if (file.filename().string().starts_with("Rover")) row(file.stem().string(), reduced(read_problem(file)));
  row("manufactured, nine contacts", reduced(generate("manufactured", {.size = 9})));
  two_rows("gripper", generate("gripper"));
  for (const char* family : {"manufactured", "boxes", "stack", "spheres"})
    two_rows(family, generate(family, {.size = 30}));
}
