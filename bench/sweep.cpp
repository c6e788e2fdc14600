// bench_sweep [FILE...]: Gauss–Seidel sweeps per second, ours and Siconos' side by side, and the bandwidth of a sweep
// over a problem that is larger than the caches.
//
// Like for like: single thread, from zero, the same number of sweeps with an exact local solver, set-up included; ours
// also pays for the true error every twenty sweeps, Siconos' for its cheap error only.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "siconos_nsgs.hpp"
#include "stickslip/stickslip.hpp"

namespace {

using namespace stickslip;
using bench::Timed;

constexpr double unreachable = 1e-300;  // a tolerance that lets the sweeps run to their number
constexpr int rounds = 3;               // ours and theirs take turns, so that a slow moment of the machine hits both

Timed ours(const ReducedProblem& problem, Solver& solver, long sweeps, int repetitions) {
  Timed best;
  SolveResult result;
  for (int k = 0; k < repetitions; ++k) {
    solver.solve(problem, {.tolerance = unreachable, .max_iterations = sweeps}, result);
    if (k == 0 || result.timing.total < best.seconds) best.seconds = result.timing.total;
    best.sweeps = result.iterations;
    best.error = result.error();
  }
  return best;
}

/// Contacts per second, in millions.
double rate(const ReducedProblem& problem, const Timed& t) {
  return t.sweeps > 0 ? double(problem.contacts()) * double(t.sweeps) / t.seconds / 1e6 : 0;
}

std::vector<std::filesystem::path> default_files() {
  const char* given = std::getenv("STICKSLIP_DATA");
  const std::filesystem::path folder = given ? given : STICKSLIP_SOURCE_DIR "/../shared/data";
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, failure))
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

ReducedProblem as_reduced(const ProblemFile& file) {
  return file.is_global() ? Reduction(std::get<GlobalProblem>(file.problem)).reduced() : std::get<ReducedProblem>(file.problem);
}

/// Bytes per second of one core reading far more than the caches hold; the best of a few passes.
double read_bandwidth() {
  typedef double Eight __attribute__((vector_size(64)));
  std::vector<double> memory(std::size_t(64) << 20, 1.0);  // 512 MiB
  double best = 0, sink = 0;
  for (int pass = 0; pass < 5; ++pass) {
    const auto start = std::chrono::steady_clock::now();
    Eight a{}, b{}, c{}, d{};
    for (std::size_t i = 0; i + 32 <= memory.size(); i += 32) {
      __builtin_prefetch(&memory[i] + 512);
      __builtin_prefetch(&memory[i] + 520);
      __builtin_prefetch(&memory[i] + 528);
      __builtin_prefetch(&memory[i] + 536);
      Eight x[4];
      std::copy_n(&memory[i], 32, reinterpret_cast<double*>(x));
      a += x[0], b += x[1], c += x[2], d += x[3];
    }
    a += b + c + d;
    sink += a[0] + a[7];
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, double(memory.size() * sizeof(double)) / seconds);
  }
  return sink > 0 ? best : 0;
}

/// Bytes that one sweep must read and write at least: blocks with their columns, the row starts, q, r twice.
double sweep_bytes(const ReducedProblem& p) {
  const double n = p.contacts(), blocks = p.W().off_diagonal_blocks();
  return blocks * (72 + 4) + n * (4 + 3 * 8 * 3);
}

void compare_files(const std::vector<std::filesystem::path>& files) {
  fmt::print("{:<52} {:>8} {:>7} {:>10} {:>10} {:>10} {:>7}\n", "contacts/s in millions", "contacts", "blk/row", "NSGS-EXACT",
             "Sic. AC", "Sic. QNU", "ratio");
  double logs = 0, worst = INFINITY;
  long count = 0;
  const auto solver = make_solver("NSGS-EXACT");
  for (const auto& path : files) {
    try {
      const ReducedProblem problem = as_reduced(read_problem(path));
      if (problem.dimension() != 3) continue;
      // About 2 ms of sweeps, but at least 10 and at most 500.
      const long sweeps = std::clamp(20000L / std::max<long>(problem.contacts(), 1), 10L, 500L);
      Timed us, ac, qnu;
      for (int round = 0; round < rounds; ++round) {
        const auto keep = [&](Timed& best, const Timed& now) {
          if (round == 0 || (now.sweeps > 0 && now.seconds < best.seconds)) best = now;
        };
        keep(us, ours(problem, *solver, sweeps, 5));
        keep(ac, siconos_nsgs(problem, bench::SiconosLocal::alart_curnier, sweeps, unreachable, 3));
        keep(qnu, siconos_nsgs(problem, bench::SiconosLocal::quartic_nu, sweeps, unreachable, 3));
      }
      const double mine = rate(problem, us), theirs = std::max(rate(problem, ac), rate(problem, qnu));
      if (us.sweeps == 0) continue;  // zero is a solution
      const double ratio = mine / theirs;
      fmt::print("{:<52} {:>8} {:>7.1f} {:>10.2f} {:>10.2f} {:>10.2f} {:>7.2f}\n", path.stem().string().substr(0, 52),
                 problem.contacts(), double(problem.W().off_diagonal_blocks()) / problem.contacts() + 1, mine,
                 rate(problem, ac), rate(problem, qnu), ratio);
      if (theirs > 0) {
        logs += std::log(ratio);
        worst = std::min(worst, ratio);
        ++count;
      }
    } catch (const Error& error) {
      fmt::print("skipped: {}\n", error.what());
    }
  }
  if (count > 0)
    fmt::print("\nours / the better of Siconos' two on {} files: geometric mean {:.2f}, least {:.2f}\n", count,
               std::exp(logs / double(count)), worst);
}

void measure_bandwidth() {
  const ReducedProblem problem = as_reduced(generate("manufactured", {.size = 400000}));
  const auto solver = make_solver("NSGS-EXACT");
  const double bandwidth = read_bandwidth();
  Timed few = ours(problem, *solver, 1, 3), many = ours(problem, *solver, 16, 3);
  // Differences take set-up out; one to sixteen sweeps measure the true error at 1, 2, 4, 8 and 16, which is four more
  // passes over the same memory.
  const double passes = double(many.sweeps - few.sweeps) + 4;
  const double seconds = (many.seconds - few.seconds) / passes;
  fmt::print("\n{} contacts, W of {:.0f} MB: {:.1f} ms a pass, {:.1f} GB/s of {:.1f} GB/s read by one core: {:.0f} %\n",
             problem.contacts(), problem.W().off_diagonal_blocks() * 76e-6, seconds * 1e3, sweep_bytes(problem) / seconds / 1e9,
             bandwidth / 1e9, 100 * sweep_bytes(problem) / seconds / bandwidth);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files(argv + 1, argv + argc);
  if (files.empty()) files = default_files();
  if (!bench::have_siconos()) fmt::print("Siconos is not installed (libsiconos-numerics-dev): ours only\n");
  compare_files(files);
  measure_bandwidth();
}
