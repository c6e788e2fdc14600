// Siconos as an external solver of a campaign:
//
//   siconos_adapter NAME PROBLEM SOLUTION TOLERANCE TIME_LIMIT [REPEAT_FOR [REPETITIONS]]
//   siconos_adapter --list
//
// Reads a problem, forms W where it is global, gives it to Siconos' local solver NAME, writes r as plain
// numbers and prints one JSON object. What makes it a fair comparison:
//
// - The error that counts is ours, ‖r − P_K(r − û)‖/‖q‖. Siconos divides by max(‖q‖, ‖r‖, ‖u‖) instead, so it
//   may stop too early: it is then asked again for less until ours is met, and only the last solve is timed.
// - `seconds` is fc3d_driver alone: without reading, forming W, converting, making options.
//   Forming W is told apart.
// - Short solves are repeated on the same problem, hot, until they add up to REPEAT_FOR (0.05 s) and there
// are
//   REPETITIONS (1) of them; the fastest counts.
// - One thread. No iteration limit; each solve has the whole time limit for itself.

#include <FrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsVerbose.h>
#include <SiconosNumerics.h>
#include <SolverOptions.h>
#include <fcntl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "siconos_matrix.hpp"
#include "siconos_variants.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"
#include "stickslip/measures.hpp"

extern "C" __thread void (*external_fault_handler)(size_t, const char*);  // of libsiconos_externals

namespace {

using stickslip::ReducedProblem;

int report_to = STDOUT_FILENO;  // the real standard output; Siconos prints to nowhere

void report(const nlohmann::json& object) {
  const std::string line = object.dump() + "\n";
  if (::write(report_to, line.data(), line.size()) < 0) std::_Exit(2);
}

/// Ends the process from a signal handler, with a line that was made before.
char last_words[200] = "{}\n";
void give_up(int) {
  if (::write(report_to, last_words, std::strlen(last_words)) < 0) std::_Exit(2);
  std::_Exit(1);
}

/// Siconos found something it cannot go on with.
void fault(size_t, const char* message) {
  report(
      {{"status", "numerical_failure"}, {"message", std::string("Siconos: ") + (message ? message : "?")}});
  std::_Exit(1);
}

void set_alarm(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = time_t(seconds);
  timer.it_value.tv_usec = suseconds_t((seconds - std::floor(seconds)) * 1e6);
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

double clock_seconds(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Solve {
  int info = 0;
  long iterations = 0;
  double seconds = 0, cpu = 0, error = 0;
};

class Adapter {
 public:
  Adapter(const ReducedProblem& problem, const bench::SiconosVariant& variant, double limit)
      : problem_(problem),
        variant_(variant),
        limit_(limit),
        q_(problem.q().begin(), problem.q().end()),
        mu_(problem.mu().begin(), problem.mu().end()),
        siconos_(frictionContactProblem_new()),
        r(q_.size()),
        u_(q_.size()) {
    siconos_->dimension = 3;
    siconos_->numberOfContacts = problem.contacts();
    siconos_->M = bench::to_siconos(problem.W());
    siconos_->q = q_.data();
    siconos_->mu = mu_.data();
    numerics_set_verbose(0);
    external_fault_handler = fault;
    std::signal(SIGALRM, give_up);
  }

  Solve solve(double asked) {
    std::fill(r.begin(), r.end(), 0.0);
    std::fill(u_.begin(), u_.end(), 0.0);
    SolverOptions* options = bench::make_options(variant_, asked);
    if (!options) throw stickslip::InputError("this Siconos has no such solver");
    set_alarm(limit_);
    const double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID), wall = clock_seconds(CLOCK_MONOTONIC);
    Solve result;
    result.info = fc3d_driver(siconos_, r.data(), u_.data(), options);
    result.seconds = clock_seconds(CLOCK_MONOTONIC) - wall;
    result.cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    set_alarm(0);
    result.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    solver_options_delete(options);
    result.error = stickslip::natural_error(problem_, r, u_);
    return result;
  }

 private:
  const ReducedProblem& problem_;
  const bench::SiconosVariant& variant_;
  double limit_;
  std::vector<double> q_, mu_;
  FrictionContactProblem* siconos_;

 public:
  std::vector<double> r;

 private:
  std::vector<double> u_;
};

int list() {
  for (const auto& v : bench::siconos_variants()) std::printf("%-18s %s\n", v.name, v.about);
  return 0;
}

void write_solution(const std::string& path, const std::vector<double>& r) {
  std::FILE* out = std::fopen(path.c_str(), "w");
  if (!out) throw stickslip::OutputError(path + ": cannot be written");
  for (const double x : r) std::fprintf(out, "%.17g\n", x);
  if (std::fclose(out) != 0) throw stickslip::OutputError(path + ": cannot be written");
}

std::string used(const bench::SiconosVariant& variant, double tolerance, double asked) {
  char text[100];
  std::snprintf(text, sizeof text, asked < tolerance ? "Siconos %s, asked for %.2g" : "Siconos %s",
                variant.name, asked);
  return text;
}

int run(const std::vector<std::string>& words) {
  const bench::SiconosVariant* variant = nullptr;
  for (const auto& v : bench::siconos_variants())
    if (words[0] == v.name) variant = &v;
  if (!variant)
    throw stickslip::InputError("no solver '" + words[0] + "' (siconos_adapter --list shows all)");
  const double tolerance = std::stod(words[3]), limit = std::stod(words[4]);
  const double repeat_for = words.size() > 5 ? std::stod(words[5]) : 0.05;
  const std::size_t repetitions = words.size() > 6 ? std::stoul(words[6]) : 1;
  if (!(tolerance > 0 && limit > 0)) throw stickslip::InputError("tolerance and time limit must be > 0");

  stickslip::ProblemFile file = stickslip::read_problem(words[1]);
  double reduction = 0;
  if (file.is_global()) {
    const double start = clock_seconds(CLOCK_MONOTONIC);
    file.problem = stickslip::Reduction(std::get<stickslip::GlobalProblem>(file.problem)).reduced();
    reduction = clock_seconds(CLOCK_MONOTONIC) - start;
  }
  const auto& problem = std::get<ReducedProblem>(file.problem);
  if (problem.dimension() != 3) {
    report({{"status", "not_applicable"}, {"message", "three dimensions only"}});
    return 1;
  }
  std::snprintf(last_words, sizeof last_words, "{\"status\": \"time_limit\", \"seconds\": %.9g}\n", limit);

  const int nowhere = ::open("/dev/null", O_WRONLY);
  report_to = ::dup(STDOUT_FILENO);
  ::dup2(nowhere, STDOUT_FILENO);
  Adapter adapter(problem, *variant, limit);
  double asked = tolerance;
  Solve best = adapter.solve(asked);
  for (int k = 0;
       k < 6 && best.info == 0 && best.error > tolerance && best.seconds < limit / 3 && asked > 1e-16; ++k) {
    asked *= std::min(0.5, 0.5 * tolerance / best.error);
    best = adapter.solve(asked);
  }
  const bool good = best.error <= tolerance;
  write_solution(words[2], adapter.r);

  std::vector<double> seconds = {best.seconds};
  double cpu = best.cpu, spent = best.seconds;
  const auto enough = [&] {
    if (spent >= limit || seconds.size() >= 10'000) return true;
    return spent >= repeat_for && seconds.size() >= repetitions;
  };
  while (good && !enough()) {
    const Solve again = adapter.solve(asked);
    seconds.push_back(again.seconds);
    cpu += again.cpu;
    spent += again.seconds;
  }
  std::sort(seconds.begin(), seconds.end());
  nlohmann::json out = {{"status", good ? "converged" : "stalled"},
                        {"error", best.error},
                        {"iterations", best.iterations},
                        {"seconds", seconds[0]},
                        {"cpu_seconds", cpu / double(seconds.size())},
                        {"repetitions", seconds.size()},
                        {"reduction_seconds", reduction},
                        {"solver_used", used(*variant, tolerance, asked)}};
  if (seconds.size() > 1 && seconds[0] > 0) out["spread"] = seconds[seconds.size() / 2] / seconds[0] - 1;
  if (!good) out["message"] = "Siconos ended with info " + std::to_string(best.info);
  report(out);
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // The BLAS behind Siconos takes its number of threads from here, and only when it is loaded.
  const char* threads = std::getenv("OPENBLAS_NUM_THREADS");
  if (!threads || std::string(threads) != "1") {
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    ::setenv("OMP_NUM_THREADS", "1", 1);
    ::execv("/proc/self/exe", argv);
  }
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "--list") return list();
  if (words.size() < 5 || words.size() > 7) {
    std::cerr << "usage: siconos_adapter NAME PROBLEM SOLUTION TOLERANCE TIME_LIMIT [REPEAT_FOR "
                 "[REPETITIONS]] | --list\n";
    return 2;
  }
  try {
    return run(words);
  } catch (const std::exception& error) {
    std::cerr << "siconos_adapter: " << error.what() << '\n';
    return 2;
  }
}
