// Runs solvers on problem files and prints one CSV line a run: iterations, error, spurious energy, seconds.
// For studies in docs/ that count who solves what.
//
//   bench_table [--seconds S] [--iterations K] [--tolerance T] [--contacts N] [--frictionless] [--sets a,b]
//   SOLVER...
//
// The files are those of $STICKSLIP_DATA (bench/data_files.hpp) in folders whose name begins with one of the
// sets;
// --frictionless sets μ = 0; --contacts skips larger problems.
#include <cstdio>
#include <string>
#include <vector>

#include "data_files.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"

namespace {

using namespace stickslip;
using namespace stickslip::internal;

struct Arguments {
  double seconds = 5, tolerance = 1e-8;
  long iterations = 100000, contacts = 1000000;
  bool frictionless = false;
  std::vector<std::string> sets, solvers;
};

Arguments parse(int count, char** words) {
  Arguments a;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&] { return std::string(i + 1 < count ? words[++i] : ""); };
    if (word == "--seconds")
      a.seconds = std::stod(value());
    else if (word == "--tolerance")
      a.tolerance = std::stod(value());
    else if (word == "--iterations")
      a.iterations = std::stol(value());
    else if (word == "--contacts")
      a.contacts = std::stol(value());
    else if (word == "--frictionless")
      a.frictionless = true;
    else if (word == "--sets") {
      std::string list = value() + ",";
      for (std::size_t at; (at = list.find(',')) != std::string::npos; list.erase(0, at + 1))
        a.sets.push_back(list.substr(0, at));
    } else
      a.solvers.push_back(word);
  }
  return a;
}

bool chosen(const Arguments& a, const std::string& set) {
  for (const auto& name : a.sets)
    if (set.starts_with(name)) return true;
  return a.sets.empty();
}

ProblemFile without_friction(const ProblemFile& file) {
  const ReducedProblem p = file.is_global() ? Reduction(std::get<GlobalProblem>(file.problem)).reduced()
                                            : std::get<ReducedProblem>(file.problem);
  return {ReducedProblem(p.W(), {p.q().begin(), p.q().end()}, std::vector<double>(p.mu().size(), 0.0))};
}

}  // namespace

int main(int count, char** words) {
  const Arguments a = parse(count, words);
  std::printf("set,file,contacts,solver,status,iterations,error,energy,seconds,message\n");
  for (const auto& path : bench::data_files()) {
    const std::string set = path.parent_path().filename();
    if (!chosen(a, set)) continue;
    try {
      ProblemFile file = read_problem(path);
      if (a.frictionless) file = without_friction(file);
      const Index contacts = std::visit([](const auto& p) { return p.contacts(); }, file.problem);
      if (contacts > a.contacts) continue;
      for (const std::string& solver : a.solvers) {
        const SolveResult result =
            solve(file, {.tolerance = a.tolerance, .time_limit = a.seconds, .max_iterations = a.iterations},
                  solver);
        std::printf("%s,%s,%d,\"%s\",%s,%ld,%.3g,%.3g,%.3g,\"%s\"\n", set.c_str(), path.filename().c_str(),
                    int(contacts), solver.c_str(), std::string(name(result.status)).c_str(),
                    result.iterations, result.error(), result.measures.energy, result.timing.total,
                    result.message.c_str());
        std::fflush(stdout);
      }
    } catch (const InputError& failure) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), failure.what());
    }
  }
}
