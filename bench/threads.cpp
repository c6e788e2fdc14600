// bench_threads [--tolerance T] [--threads N]… [--repeat K] FAMILY:SIZE:SEED[:LOAD] …: what threads are worth.
//
// Makes problems of the built-in families in memory and solves each by `auto` with every number of threads, in turn. Prints a row of a table
// in Markdown: seconds of the clock, the least of K; the first divided by the others; whether the impulses have the same bits; the peak of
// memory during the solves, the problem itself counted.
#include <fmt/format.h>
#include <malloc.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "family_word.hpp"
#include "stickslip/catalog.hpp"

namespace {

using namespace stickslip;

/// Peak of the memory since the last call of forget_peak, MiB.
double peak() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::atof(line.c_str() + 6) / 1024;
  return 0;
}

void forget_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void run(const std::string& name, double tolerance, const std::vector<int>& threads, int repeat) {
  const auto [family, request] = bench::read_family_word(name);
  const ProblemFile made = generate(family, request);
  std::vector<double> first;
  std::string times, ratios;
  double serial = 0;
  bool same = true;
  SolveResult result;
  forget_peak();
  for (const int count : threads) {
    double best = 1e300;
    for (int k = 0; k < repeat; ++k) {
      const double begun = now();
      result = solve(made, {.tolerance = tolerance, .time_limit = 500, .threads = count}, "auto");
      best = std::min(best, now() - begun);
      if (best > 20) break;
    }
    if (first.empty()) {
      first = result.r;
      serial = best;
    }
    same = same && result.r == first;
    times += fmt::format(" {:.3g} |", best);
    if (count != threads.front()) ratios += fmt::format(" {:.2f} |", serial / best);
  }
  fmt::print("| {} | {} |{}{} {} | {:.0f} | {} ({}) {:.1e} |\n", name, result.contacts.size(), times, ratios,
             same ? "yes" : "NO", peak(), stickslip::name(result.status), result.stage, result.error());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) try {
  double tolerance = 1e-8;
  int repeat = 3;
  std::vector<int> threads;
  std::vector<std::string> names;
  for (int k = 1; k < count; ++k) {
    const auto is = [&](const char* option) { return std::strcmp(words[k], option) == 0 && k + 1 < count; };
    if (is("--tolerance"))
      tolerance = std::atof(words[++k]);
    else if (is("--repeat"))
      repeat = std::atoi(words[++k]);
    else if (is("--threads"))
      threads.push_back(std::atoi(words[++k]));
    else
      names.emplace_back(words[k]);
  }
  if (threads.empty()) threads = {1, 2};
  for (const std::string& name : names) run(name, tolerance, threads, repeat);
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_threads: {}\n", error.what());
  return 2;
}
