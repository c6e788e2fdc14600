#include "siconos_best.hpp"

#ifndef STICKSLIP_HAVE_SICONOS

namespace bench {
SiconosBest siconos_best(const stickslip::ReducedProblem&, double, std::span<const double>, double,
                         std::string_view) {
  return {};
}
}  // namespace bench

#else

#include <FrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsVerbose.h>
#include <SiconosNumerics.h>
#include <SolverOptions.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "siconos_matrix.hpp"
#include "siconos_variants.hpp"
#include "stickslip/measures.hpp"

namespace bench {
namespace {

constexpr double least_seconds = 0.33;

/// What a child has found so far; it may be killed at any time.
struct Shared {
  double seconds = 0, error = 0;
  long iterations = 0;
  bool good = false;
};

double now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec t{};
  clock_gettime(clock, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// Whether a comma-separated list has `name`; an empty one has all.
bool has(std::string_view names, std::string_view name) {
  if (names.empty()) return true;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t end = std::min(names.find(',', at), names.size());
    if (names.substr(at, end - at) == name) return true;
    at = end + 1;
  }
  return false;
}

void run(const stickslip::ReducedProblem& p, const SiconosVariant& variant, double tolerance,
         std::span<const double> guess, double limit, volatile Shared& out) {
  FrictionContactProblem* problem = to_siconos(p);
  const auto q = p.q();
  const std::vector<double> start =
      guess.empty() ? std::vector<double>(q.size()) : std::vector<double>(guess.begin(), guess.end());
  std::vector<double> r(q.size()), u(q.size()), start_u(q.size());
  if (!guess.empty()) p.W().multiply(start, q, start_u);
  double reading = 1;  // what it takes to look at the clock
  for (int k = 0; k < 100; ++k) {
    const double began = now();
    reading = std::min(reading, now() - began);
  }
  double asked = tolerance;
  // Repeated for the least time; a long solve is made once, and again where the true error asks for it.
  for (const double begin = now(); now() - begin < (out.good ? least_seconds : limit);) {
    r = start;
    u = start_u;
    SolverOptions* options = make_options(variant, asked);
    if (!options) return;
    const double worked = now(CLOCK_PROCESS_CPUTIME_ID), began = now();
    const int info = fc3d_driver(problem, r.data(), u.data(), options);
    double seconds = now() - began - reading;
    // What takes long enough to be interrupted is timed by the processor, as ours is.
    if (seconds > 2e-3) seconds = now(CLOCK_PROCESS_CPUTIME_ID) - worked;
    const long iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    solver_options_delete(options);
    const double error = stickslip::natural_error(p, r, u);
    if (error <= tolerance) {
      if (!out.good || seconds < out.seconds) {
        out.seconds = seconds;
        out.iterations = iterations;
        out.error = error;
      }
      out.good = true;
    } else if (info != 0 || out.good || asked < 1e-16) {
      return;
    } else {
      asked *= std::min(0.5, 0.5 * tolerance / error);
    }
  }
}

}  // namespace

SiconosBest siconos_best(const stickslip::ReducedProblem& problem, double tolerance,
                         std::span<const double> guess, double seconds, std::string_view names) {
  SiconosBest best;
  for (const auto& variant : siconos_variants()) {
    if (!has(names, variant.name)) continue;
    const double limit =
        std::max(least_seconds, best.name.empty() ? seconds : std::min(seconds, 1.5 * best.seconds));
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return best;
    auto* out = new (memory) Shared{};
    if (const pid_t child = fork(); child == 0) {
      const int null = open("/dev/null", O_WRONLY);
      dup2(null, STDOUT_FILENO);
      dup2(null, STDERR_FILENO);
      // By the wall, and with room for the problem in Siconos' own form, which is made first, outside its time.
      const double wall = least_seconds + 1.2 * limit;
      itimerval timer{};
      timer.it_value.tv_sec = time_t(wall);
      timer.it_value.tv_usec = suseconds_t(1e6 * (wall - double(timer.it_value.tv_sec)));
      setitimer(ITIMER_REAL, &timer, nullptr);
      run(problem, variant, tolerance, guess, limit, *out);
      _exit(0);
    } else {
      int status = 0;
      waitpid(child, &status, 0);
    }
    if (out->good && (best.name.empty() || out->seconds < best.seconds))
      best = {variant.name, out->seconds, out->iterations, out->error};
    munmap(memory, sizeof(Shared));
  }
  return best;
}

}  // namespace bench

#endif
