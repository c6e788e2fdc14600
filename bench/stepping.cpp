// bench_stepping SCENE [-D NAME=VALUE]... [--steps N] [--tolerance T] [--every N] [--solver NAME] [--time-limit S]: where the time of a run goes.
//
// A row every N steps: time, contacts, iterations, error, seconds of the steps since the last row, and the share of detection
// and of the solver in them; then totals, with the cost of a contact, and of a contact in an iteration, in seconds of the processor, and the peak of memory. docs/dynamics_figures.md was made with it.

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>

#include "stickslip/simulation.hpp"

int main(int argc, char** argv) try {
  using namespace stickslip;
  std::string scene, solver;
  std::vector<Parameter> parameters;
  long steps = -1, every = 100;
  double tolerance = 0, limit = 0;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    const auto next = [&]() -> std::string { return k + 1 < argc ? argv[++k] : ""; };
    if (word == "-D") {
      const std::string given = next();
      const std::size_t at = given.find('=');
      parameters.push_back({given.substr(0, at), std::stod(given.substr(at + 1))});
    } else if (word == "--steps") {
      steps = std::stol(next());
    } else if (word == "--every") {
      every = std::stol(next());
    } else if (word == "--tolerance") {
      tolerance = std::stod(next());
    } else if (word == "--time-limit") {
      limit = std::stod(next());
    } else if (word == "--solver") {
      solver = next();
    } else {
      scene = word;
    }
  }
  Scene read = Simulation(scene, parameters).scene();
  if (tolerance > 0) read.solver.tolerance = tolerance;
  if (limit > 0) read.solver.time_limit = limit;
  if (!solver.empty()) read.solver.name = solver;
  Simulation simulation(read);
  if (steps < 0) steps = long(read.duration / read.step + 0.5);
  std::printf("%8s %9s %9s %10s %9s %10s %8s %8s %11s\n", "step", "contacts", "mean it.", "error", "seconds",
              "detection", "solver", "correct.", "kinetic");
  Counters last;
  double visits = 0;  // of contacts by iterations
  const auto processor = [] { return double(std::clock()) / CLOCKS_PER_SEC; };
  const double began = processor();
  for (long k = 1; k <= steps && simulation.step(); ++k) {
    visits += double(simulation.report().contacts) * double(simulation.report().iterations);
    if (k % every != 0 && k != steps) continue;
    const Counters& c = simulation.counters();
    const double seconds = c.seconds - last.seconds;
    std::printf("%8ld %9ld %9.1f %10.1e %9.3f %9.1f%% %7.1f%% %8ld %11.3e\n", k, simulation.report().contacts,
                (c.iterations_sum - last.iterations_sum) / double(c.steps - last.steps),
                simulation.report().error, seconds,
                100 * (c.detection_seconds - last.detection_seconds) / seconds,
                100 * (c.solve_seconds - last.solve_seconds) / seconds, c.corrections - last.corrections,
                simulation.kinetic());
    std::fflush(stdout);
    last = c;
  }
  const Counters& c = simulation.counters();
  const double used = processor() - began;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "%ld steps, %.3f s (%.3f s of the processor); %.1f contacts a step, at "
      "most %ld; %.2f iterations a step; %ld steps not "
      "converged, largest error %.1e\n"
      "detection %.1f %%, solver %.1f %%; %.3f µs a contact and step, %.3f µs without the solver; deepest "
      "penetration %.1e m, %ld corrections; "
      "%.0f MiB\n"
      "%.1f iterations a contact and step; the solver takes %.1f ns a contact and iteration\n",
      c.steps, c.seconds, used, c.contacts_sum / double(c.steps), c.contacts_max,
      c.iterations_sum / double(c.steps), c.unconverged, c.error_max, 100 * c.detection_seconds / c.seconds,
      100 * c.solve_seconds / c.seconds, 1e6 * used / c.contacts_sum,
      1e6 * used * (1 - c.solve_seconds / c.seconds) / c.contacts_sum, c.penetration_max, c.corrections,
      double(usage.ru_maxrss) / 1024, visits / c.contacts_sum,
      1e9 * used * c.solve_seconds / c.seconds / std::max(visits, 1.0));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_stepping: %s\n", error.what());
  return 2;
}
