#include "siconos_best.hpp"

#ifndef STICKSLIP_HAVE_SICONOS

namespace bench {
SiconosBest siconos_best(const stickslip::ReducedProblem&, double, std::span<const double>) { return {}; }
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
#include <chrono>
#include <vector>

#include "siconos_matrix.hpp"
#include "siconos_variants.hpp"
#include "stickslip/measures.hpp"

namespace bench {
namespace {

constexpr double seconds_a_variant = 0.33;

/// What a child has found so far; it may be killed at any time.
struct Shared {
  double seconds = 0, error = 0;
  long iterations = 0;
  bool good = false;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void run(const stickslip::ReducedProblem& p, const SiconosVariant& variant, double tolerance,
         std::span<const double> guess, volatile Shared& out) {
  FrictionContactProblem* problem = to_siconos(p);
  const auto q = p.q();
  const std::vector<double> start =
      guess.empty() ? std::vector<double>(q.size()) : std::vector<double>(guess.begin(), guess.end());
  std::vector<double> r(q.size()), u(q.size()), start_u(q.size());
  if (!guess.empty()) p.W().multiply(start, q, start_u);
  double asked = tolerance;
  for (const double end = now() + seconds_a_variant; now() < end;) {
    r = start;
    u = start_u;
    SolverOptions* options = make_options(variant, asked);
    if (!options) return;
    const double began = now();
    const int info = fc3d_driver(problem, r.data(), u.data(), options);
    const double seconds = now() - began;
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
                         std::span<const double> guess) {
  SiconosBest best;
  for (const auto& variant : siconos_variants()) {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return best;
    auto* out = new (memory) Shared{};
    if (const pid_t child = fork(); child == 0) {
      const int null = open("/dev/null", O_WRONLY);
      dup2(null, STDOUT_FILENO);
      dup2(null, STDERR_FILENO);
      itimerval timer{};
      timer.it_value.tv_usec = suseconds_t(2e6 * seconds_a_variant);
      setitimer(ITIMER_REAL, &timer, nullptr);
      run(problem, variant, tolerance, guess, *out);
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
