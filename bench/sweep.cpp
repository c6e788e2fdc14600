// bench_sweep [FILE... | --bandwidth]: Gauss–Seidel sweeps per second, ours and Siconos' side by side, and
// the bandwidth of a sweep over a problem that is larger than the caches.
//
// Like for like: single thread, from zero, the same number of sweeps, every local problem solved to rounding,
// set-up and the cheap error RR (132) included, the true error left out on both sides.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "data_files.hpp"
#include "lattice.hpp"
#include "siconos_nsgs.hpp"
#include "solvers/parts/contact_sweep.hpp"
#include "stickslip/stickslip.hpp"

namespace {

using namespace stickslip;
using namespace stickslip::internal;
using bench::Timed;

constexpr double unreachable = 1e-300;  // a tolerance that lets Siconos' sweeps run to their number
constexpr int rounds = 3;  // ours and theirs take turns, so that a slow moment of the machine hits both

Timed ours(const ReducedProblem& problem, ContactSweep& kernel, long sweeps, int repetitions) {
  Timed best{.sweeps = sweeps};
  std::vector<double> r(problem.q().size()), u(r.size());
  for (int k = 0; k < repetitions; ++k) {
    const auto start = std::chrono::steady_clock::now();
    std::fill(r.begin(), r.end(), 0.0);
    kernel.prepare(problem);
    double change = 0;
    for (long sweep = 0; sweep < sweeps; ++sweep) change += kernel.sweep({}, 1, r.data()).relative();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (k == 0 || seconds < best.seconds) best.seconds = seconds;
    if (!std::isfinite(change)) best.sweeps = 0;
  }
  best.error = natural_error(problem, r, u);
  return best;
}

/// Contacts per second, in millions.
double rate(const ReducedProblem& problem, const Timed& t) {
  return t.sweeps > 0 ? double(problem.contacts()) * double(t.sweeps) / t.seconds / 1e6 : 0;
}

ReducedProblem as_reduced(const ProblemFile& file) {
  return file.is_global() ? Reduction(std::get<GlobalProblem>(file.problem)).reduced()
                          : std::get<ReducedProblem>(file.problem);
}

/// Bytes per second of one core reading far more than the caches hold; the best of a few passes.
double read_bandwidth() {
  typedef double Eight __attribute__((vector_size(64)));
  std::vector<double> memory(std::size_t(64) << 20, 1.0);  // 512 MiB
  double best = 0, sink = 0;
  for (int pass = 0; pass < 12; ++pass) {
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

/// Bytes that one sweep must move at least: blocks with their columns, the row starts, q, r read and written,
/// and the prepared local problem.
double sweep_bytes(const ReducedProblem& p) {
  const double n = p.contacts(), blocks = p.W().off_diagonal_blocks();
  return blocks * (72 + 4) + n * (4 + 3 * 3 * 8 + sizeof(ExactLocalSolver<3>));
}

void compare_files(const std::vector<std::filesystem::path>& files) {
  fmt::print("{:<52} {:>8} {:>7} {:>10} {:>10} {:>10} {:>7}\n", "contacts/s in millions", "contacts",
             "blk/row", "NSGS-EXACT", "Sic. AC", "Sic. QNU", "ratio");
  double logs = 0, worst = INFINITY;
  long count = 0;
  const auto kernel = ContactSweep::make(3, {});
  for (const auto& path : files) {
    try {
      const ReducedProblem problem = as_reduced(read_problem(path));
      if (problem.dimension() != 3) continue;
      const long sweeps = std::clamp(50000L / std::max<long>(problem.contacts(), 1), 50L, 500L);
      Timed us, ac, qnu;
      for (int round = 0; round < rounds; ++round) {
        const auto keep = [&](Timed& best, const Timed& now) {
          if (round == 0 || (now.sweeps > 0 && now.seconds < best.seconds)) best = now;
        };
        keep(us, ours(problem, *kernel, sweeps, 5));
        keep(ac, siconos_nsgs(problem, bench::SiconosLocal::alart_curnier, sweeps, unreachable, 3));
        keep(qnu, siconos_nsgs(problem, bench::SiconosLocal::quartic_nu, sweeps, unreachable, 3));
      }
      const double mine = rate(problem, us), theirs = std::max(rate(problem, ac), rate(problem, qnu));
      const double ratio = mine / theirs;
      fmt::print("{:<52} {:>8} {:>7.1f} {:>10.2f} {:>10.2f} {:>10.2f} {:>7.2f}\n",
                 path.stem().string().substr(0, 52), problem.contacts(),
                 double(problem.W().off_diagonal_blocks()) / problem.contacts() + 1, mine, rate(problem, ac),
                 rate(problem, qnu), ratio);
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
    fmt::print("\nours / the better of Siconos' two on {} files: geometric mean {:.2f}, least {:.2f}\n",
               count, std::exp(logs / double(count)), worst);
}

void measure_bandwidth() {
  const ReducedProblem problem = Reduction(bench::lattice(42, 2, 6)).reduced();
  const auto kernel = ContactSweep::make(3, {});
  double bandwidth = read_bandwidth();
  const Timed few = ours(problem, *kernel, 2, 3), many = ours(problem, *kernel, 12, 3);
  const double seconds = (many.seconds - few.seconds) / 10;  // the difference takes set-up out
  bandwidth = std::max(bandwidth, read_bandwidth());
  fmt::print(
      "\n{} contacts, {:.1f} blocks a row, W of {:.0f} MB: {:.1f} ms a sweep, {:.1f} GB/s of the {:.1f} GB/s "
      "that one core "
      "reads: {:.0f} %\n",
      problem.contacts(), double(problem.W().off_diagonal_blocks()) / problem.contacts() + 1,
      problem.W().off_diagonal_blocks() * 76e-6, seconds * 1e3, sweep_bytes(problem) / seconds / 1e9,
      bandwidth / 1e9, 100 * sweep_bytes(problem) / seconds / bandwidth);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files(argv + 1, argv + argc);
  if (files.size() == 1 && files[0] == "--bandwidth") return measure_bandwidth(), 0;
  if (files.empty()) files = bench::data_files();
  if (!bench::have_siconos()) fmt::print("Siconos is not installed (libsiconos-numerics-dev): ours only\n");
  compare_files(files);
  measure_bandwidth();
}
