#include "siconos_nsgs.hpp"

#ifndef STICKSLIP_HAVE_SICONOS

namespace bench {
bool have_siconos() { return false; }
Timed siconos_nsgs(const stickslip::ReducedProblem&, SiconosLocal, long, double, int) { return {}; }
}  // namespace bench

#else

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SiconosNumerics.h>
#include <SolverOptions.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "siconos_matrix.hpp"
#include "stickslip/measures.hpp"

namespace bench {
namespace {

struct Shared {
  double seconds;
  long sweeps;
};

void run(const stickslip::ReducedProblem& p, SiconosLocal local, long sweeps, double tolerance,
         int repetitions, Shared& out, double* r) {
  FrictionContactProblem* problem = to_siconos(p);
  const auto q = p.q();
  std::vector<double> u(q.size());
  for (int k = 0; k < repetitions; ++k) {
    std::fill(r, r + q.size(), 0.0);
    std::fill(u.begin(), u.end(), 0.0);
    SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    solver_options_update_internal(options, 0,
                                   local == SiconosLocal::alart_curnier
                                       ? SICONOS_FRICTION_3D_ONECONTACT_NSN
                                       : SICONOS_FRICTION_3D_ONECONTACT_QUARTIC_NU);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = int(std::min(sweeps, 2000000000L));
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
        SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
    const auto start = std::chrono::steady_clock::now();
    fc3d_driver(problem, r, u.data(), options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    out.seconds = k == 0 ? seconds : std::min(out.seconds, seconds);
    out.sweeps = options->iparam[SICONOS_IPARAM_ITER_DONE];
  }
}

}  // namespace

bool have_siconos() { return true; }

Timed siconos_nsgs(const stickslip::ReducedProblem& problem, SiconosLocal local, long sweeps,
                   double tolerance, int repetitions) {
  const std::size_t bytes = sizeof(Shared) + problem.q().size() * sizeof(double);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
  auto* out = new (memory) Shared{};
  auto* r = reinterpret_cast<double*>(static_cast<char*>(memory) + sizeof(Shared));
  if (const pid_t child = fork(); child == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    alarm(60);
    run(problem, local, sweeps, tolerance, repetitions, *out, r);
    _exit(0);
  } else {
    int status = 0;
    waitpid(child, &status, 0);
  }
  std::vector<double> u(problem.q().size());
  const Timed result{out->seconds, out->sweeps, stickslip::natural_error(problem, {r, u.size()}, u)};
  munmap(memory, bytes);
  return result;
}

}  // namespace bench

#endif
