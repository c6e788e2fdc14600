// bench_warm [--tolerance T] [--steps N] FAMILY:SIZE:SEED[:LOAD] …: what the last step is worth to the next.
//
// A problem of a built-in family whose load grows from none to LOAD (0.2) of the weight in equal steps, on the same bodies and contacts. Each step is
// solved by `auto` twice: cold, by a new solver from zero; warm, by the solver of the last step from its impulses. Prints a row of a table in
// Markdown: CPU milliseconds a step and iterations a step of both, and the ratio of the times.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "family_word.hpp"
#include "stickslip/catalog.hpp"

namespace {

using namespace stickslip;

double cpu() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Total {
  double seconds = 0;
  long iterations = 0, unsolved = 0;
  void add(double time, const SolveResult& result) {
    seconds += time;
    iterations += result.iterations;
    unsolved += !result.converged();
  }
};

void run(const std::string& name, double tolerance, int steps) {
  auto [family, request] = bench::read_family_word(name, 0.2);
  const ProblemFile last = generate(family, request);
  request.load = 0;
  ProblemFile file = generate(family, request);
  auto& problem = std::get<GlobalProblem>(file.problem);
  const std::vector<double> begin(problem.f().begin(), problem.f().end());
  const auto end = std::get<GlobalProblem>(last.problem).f();
  Solver kept("auto");
  SolveResult warm;
  Total cold_total, warm_total;
  std::vector<double> f(begin), r, u;
  for (int step = 0; step <= steps; ++step) {
    for (std::size_t k = 0; k < f.size(); ++k) f[k] = begin[k] + (end[k] - begin[k]) * step / steps;
    problem.set_f(f);
    SolveRequest ask{.tolerance = tolerance, .time_limit = 60};
    double begun = cpu();
    const SolveResult cold = Solver("auto").solve(problem, ask);
    const double cold_seconds = cpu() - begun;
    if (step > 0) {
      ask.guess = r;
      ask.guess_velocity = u;
    }
    begun = cpu();
    kept.solve(problem, ask, warm);
    const double warm_seconds = cpu() - begun;
    r = warm.r;
    u = warm.u;
    if (step == 0) continue;  // cold in both
    cold_total.add(cold_seconds, cold);
    warm_total.add(warm_seconds, warm);
  }
  const auto cell = [&](const Total& total) {
    return fmt::format("{:.3g} | {:.0f}{}", 1e3 * total.seconds / steps, double(total.iterations) / steps,
                       total.unsolved ? fmt::format(" ({} unsolved)", total.unsolved) : "");
  };
  fmt::print("| {} | {} | {} | {} | {:.2f} |\n", name, problem.contacts(), cell(cold_total), cell(warm_total),
             cold_total.seconds / warm_total.seconds);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) try {
  double tolerance = 1e-8;
  int steps = 20;
  std::vector<std::string> names;
  for (int k = 1; k < count; ++k) {
    const auto is = [&](const char* option) { return std::strcmp(words[k], option) == 0 && k + 1 < count; };
    if (is("--tolerance"))
      tolerance = std::atof(words[++k]);
    else if (is("--steps"))
      steps = std::atoi(words[++k]);
    else
      names.emplace_back(words[k]);
  }
  fmt::print(
      "| problem | contacts | cold: ms | iterations | warm: ms | iterations | cold/warm |\n| --- | --- | --- "
      "| --- | --- | --- | --- |\n");
  for (const std::string& name : names) run(name, tolerance, steps);
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_warm: {}\n", error.what());
  return 2;
}
