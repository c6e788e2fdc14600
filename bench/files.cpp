// bench_files: `auto` on the problem files of $STICKSLIP_DATA with W given, hot: problem, solver and result are
// reused, the fastest repetition counts. One CSV line a file and tolerance, to be joined with that of another build;
// with --siconos the fastest of Siconos' solvers beside it.
//
//   bench_files [--siconos] [--variants A,B…] [--patience K] [--tolerance T] [--limit S] [--seconds S] [SET...]
//
// --limit is that of a solve, --seconds what repetitions of a file may take; SET is how a folder's name begins. A variant of Siconos (all, or
// those named) has K (0) times the time of `auto`, a third of a second at least and --limit at most.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "data_files.hpp"
#include "siconos_best.hpp"
#include "stickslip/stickslip.hpp"

namespace {

using namespace stickslip;

struct Arguments {
  std::vector<double> tolerances = {1e-4, 1e-8};
  double limit = 20, seconds = 0.1;
  bool siconos = false;
  std::string variants;
  double patience = 0;
  std::vector<std::string> sets;
};

Arguments parse(int count, char** words) {
  Arguments a;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const auto value = [&] { return std::stod(i + 1 < count ? words[++i] : "1"); };
    if (word == "--siconos")
      a.siconos = true;
    else if (word == "--variants")
      a.variants = i + 1 < count ? words[++i] : "";
    else if (word == "--patience")
      a.patience = value();
    else if (word == "--tolerance")
      a.tolerances = {value()};
    else if (word == "--limit")
      a.limit = value();
    else if (word == "--seconds")
      a.seconds = value();
    else
      a.sets.emplace_back(word);
  }
  return a;
}

bool chosen(const Arguments& a, const std::string& set) {
  for (const auto& name : a.sets)
    if (set.starts_with(name)) return true;
  return a.sets.empty();
}

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// Seconds of the fastest solve: of the processor where one takes long enough to be interrupted, else of the clock, since the count of the
/// processor's time is corrected by jumps.
double time_one(const ReducedProblem& problem, const SolveRequest& request, double seconds,
                SolveResult& result) {
  Solver solver("auto");
  const auto time = [&](clockid_t clock, int repetitions) {
    const double start = seconds_of(clock);
    for (int k = 0; k < repetitions; ++k) solver.solve(problem, request, result);
    return (seconds_of(clock) - start) / repetitions;
  };
  double best = time(CLOCK_PROCESS_CPUTIME_ID, 1);
  for (const double end = seconds_of(CLOCK_MONOTONIC) + seconds; seconds_of(CLOCK_MONOTONIC) < end;) {
    const bool brief = best < 2e-3;
    best = std::min(best, time(brief ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, best < 2e-5 ? 10 : 1));
  }
  return best;
}

void row(const Arguments& a, const std::string& set, const std::string& file, const ReducedProblem& problem,
         double tolerance) {
  SolveResult result;
  const double ours = time_one(problem, {.tolerance = tolerance, .time_limit = a.limit}, a.seconds, result);
  std::printf("%s,%s,%d,%g,%s,%s,%ld,%.3g,%.4g", set.c_str(), file.c_str(), int(problem.contacts()),
              tolerance, std::string(name(result.status)).c_str(), result.stage.c_str(), result.iterations,
              result.error(), ours * 1e6);
  if (a.siconos) {
    const auto theirs =
        bench::siconos_best(problem, tolerance, {}, std::min(a.limit, a.patience * ours), a.variants);
    if (theirs.name.empty())
      std::printf(",,,");
    else
      std::printf(",%s,%.4g,%.3g", theirs.name.c_str(), theirs.seconds * 1e6, theirs.seconds / ours);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const Arguments a = parse(count, words);
  std::printf("set,file,contacts,tolerance,status,stage,iterations,error,microseconds%s\n",
              a.siconos ? ",siconos,its microseconds,ratio" : "");
  for (const auto& path : bench::data_files()) {
    const std::string set = path.parent_path().filename();
    if (!chosen(a, set)) continue;
    try {
      const ProblemFile file = read_problem(path);
      const ReducedProblem problem = file.is_global()
                                         ? Reduction(std::get<GlobalProblem>(file.problem)).reduced()
                                         : std::get<ReducedProblem>(file.problem);
      for (double tolerance : a.tolerances) row(a, set, path.filename(), problem, tolerance);
    } catch (const InputError& failure) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), failure.what());
    }
  }
}
