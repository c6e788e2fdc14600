#include "solvers/automatic/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "local/exact.hpp"
#include "problem/islands.hpp"
#include "solve/monitor/monitor.hpp"
#include "solvers/certificate/certificate.hpp"
#include "solvers/gauss_seidel/gauss_seidel.hpp"
#include "solvers/interior_point/nipm.hpp"
#include "solvers/newton/newton.hpp"
#include "solvers/parts/island_solver.hpp"
#include "solvers/proximal/proximal.hpp"

namespace stickslip::internal {

void AutomaticOptions::visit(OptionVisitor& v) {
  v.integer("horizon", horizon, {0, 1e9}, "sweeps that plain Gauss–Seidel may be expected to need");
  v.real("mixing", mixing, {0, 1e9},
         "sweeps with Anderson mixing for each contact that are worth as much as the proximal point; 0: no "
         "mixing");
  v.integer("lease", lease, {1, 1e9}, "Newton steps of the first proximal phase");
  v.real("lease_per_contact", lease_per_contact, {0, 1e9}, "the same for each contact, where that is more");
  v.integer("growth", growth, {1, 100}, "of the leases from round to round");
  v.integer("rounds", rounds, {1, 100}, "of proximal and interior phases before it gives up");
  v.integer("small", small, {0, 1e9},
            "contacts up to which Newton's method and mixing come before the proximal point");
  v.integer("small_horizon", small_horizon, {0, 1e9},
            "horizon up to that many contacts, where Newton's steps are cheap");
  v.integer("small_mixing", small_mixing, {0, 1e9},
            "the same for mixing; sweeps that may be expected to need no more are followed by it");
  v.integer("largest", largest, {0, 1e9}, "contacts up to which W is factorised");
}

namespace {

/// Above this error a problem that took a whole lease is suspected to have no solution.
constexpr double suspicious = 1e-4;
/// The error falls faster in the first sweeps; these say nothing about the others.
constexpr long settling_sweeps = 4;
/// Below this error Newton's method is likely to end a small problem in a few steps.
constexpr double near = 1e-4;
/// Sweeps and paths of the interior point that belong to a lease of this many Newton steps.
constexpr long lease_per_path = 200;

std::unique_ptr<Method> make_sweeps() {
  GaussSeidelOptions options;
  options.extrapolation = GaussSeidelOptions::Extrapolation::aitken;
  return make_gauss_seidel(options);
}

std::unique_ptr<Method> make_mixing(long window) {
  GaussSeidelOptions options;
  options.anderson = window;
  return make_gauss_seidel(options);
}

/// Newton's method as long as it makes progress.
std::unique_ptr<Method> make_short_newton() {
  NewtonOptions options;
  options.patience = 4;
  options.regularisation = 1e-6;
  options.sweeps = 0;
  return make_newton(options);
}

std::unique_ptr<Method> make_interior(long paths) {
  NipmOptions options;
  options.paths = paths;
  options.burst = 0;
  options.certificate = false;
  return make_nipm(options);
}

/// The methods in turn.
class Sequence final : public Method {
 public:
  /// `islands` solves several islands one by one; nullptr: there is one.
  Sequence(const AutomaticOptions& options, std::unique_ptr<Method> islands)
      : options_(options),
        islands_(std::move(islands)),
        sweeps_(make_sweeps()),
        mixing_(make_mixing(8)),
        short_mixing_(make_mixing(5)),
        newton_(make_short_newton()),
        proximal_(make_proximal({})) {}

 private:
  /// Contacts that do not feel each other are solved exactly one by one.
  bool offer(const ReducedProblem& problem, std::span<double> r) override {
    if (problem.W().off_diagonal_blocks() > 0) return false;
    problem.dimension() == 3 ? solve_each<3>(problem, r.data()) : solve_each<2>(problem, r.data());
    return true;
  }

  template <int D>
  [[gnu::flatten]] static void solve_each(const ReducedProblem& problem, double* r) {
    for (std::size_t i = 0; i < problem.mu().size(); ++i) {
      ExactLocalSolver<D> local;
      local.prepare(problem.W().diagonal(Index(i)), problem.mu()[i]);
      double* own = r + i * D;
      for (int c = 0; c < D; ++c) own[c] = 0;
      local.solve(&problem.q()[i * D], own);
    }
  }

  bool needs_matrix(ContactProblem& problem) const override {
    return problem.global()->contacts() <= options_.largest;
  }

  void iterate(ContactProblem& problem, Monitor& monitor) override {
    if (!problem.formed()) {
      run("sweeps", *sweeps_, {}, problem, monitor);
      return give_up(monitor, "sweeps");
    }
    monitor.prefer_zero();
    if (monitor.stopped()) return monitor.note("the guess, or zero, is a solution");
    const bool small = problem.contacts() <= options_.small;
    const long sweeps = small ? std::min(options_.small_horizon, options_.horizon) : options_.horizon;
    if (sweeps > 0 &&
        run("sweeps", *sweeps_, {.horizon = sweeps, .settle = small ? settling_sweeps : 0}, problem, monitor))
      return;
    if (islands_ && problem.contacts() > 1) {
      parts_.find(problem.matrix().W());
      if (parts_.count() > 1) return islands_->iterate_within(problem, monitor);
    }
    if (problem.contacts() > options_.largest) {
      monitor.note(fmt::format("{} contacts: too many to factorise W, sweeps with mixing to the end",
                               problem.contacts()));
      run("mixing", *mixing_, {}, problem, monitor);
      return give_up(monitor, "sweeps, sweeps with mixing");
    }
    if (small && solve_small(problem, monitor)) return;
    const auto horizon = long(options_.mixing * double(problem.contacts()));
    if (horizon > options_.horizon &&
        run("mixing", *mixing_, {.horizon = horizon, .looks = 2}, problem, monitor))
      return;
    long lease = std::max(options_.lease, long(options_.lease_per_contact * double(problem.contacts())));
    asked_ = false;
    for (long round = 0; round < options_.rounds; ++round, lease *= options_.growth) {
      // A small error is not nearness: from the best iterate the proximal point may get no further. So it
      // first goes on where it was, then starts afresh, and only then follows the best.
      if (round == 2) monitor.start_from_zero();
      if (run("proximal", *proximal_, {.iterations = lease}, problem, monitor, round == 1)) return;
      const bool suspected = round == 0 && monitor.best_error() > suspicious;
      if ((suspected || (round + 1 == options_.rounds && !asked_)) && prove(problem, monitor)) return;
      if (round == 0) continue;  // most problems need a little longer, and its steps are the cheapest
      const auto interior = make_interior(std::max(1L, lease / lease_per_path));
      if (run("interior", *interior, {}, problem, monitor)) return;
      if (run("mixing", *mixing_, {.iterations = lease * sweeps_per_step}, problem, monitor)) return;
    }
    give_up(monitor, small ? "sweeps, Newton's method, proximal point, interior point, mixing"
                           : "sweeps, proximal point, interior point, mixing");
  }

  /// Newton's method and mixing, mixing first where the sweeps were not slow. True: the solve is over.
  bool solve_small(ContactProblem& problem, Monitor& monitor) {
    const auto mix = [&] {
      return run("mixing", *short_mixing_, {.horizon = options_.small_mixing, .looks = 2}, problem, monitor);
    };
    const bool mixing_first =
        monitor.best_error() > near && monitor.expected() <= double(options_.small_mixing);
    if (mixing_first && mix()) return true;
    return run("newton", *newton_, {}, problem, monitor) || (!mixing_first && mix());
  }

  /// A method for a phase, going on where its last phase ended if it is to `resume`. True: the solve is over.
  bool run(const char* method, Method& solver, const Phase& phase, ContactProblem& problem, Monitor& monitor,
           bool resume = false) {
    const long before = monitor.iterations();
    const double started = monitor.seconds(), error = monitor.best_error();
    monitor.start_phase(phase);
    resume ? solver.resume_within(problem, monitor) : solver.iterate_within(problem, monitor);
    const bool over = monitor.end_phase();
    if (monitor.explaining())
      monitor.note(fmt::format("{}: {} iterations, {:.2g} s, error {:.1e} → {:.1e}{}", method,
                               monitor.iterations() - before, monitor.seconds() - started, error,
                               monitor.best_error(), over ? "" : ", left"));
    if (over) monitor.used(method);
    return over;
  }

  bool prove(const ContactProblem& problem, Monitor& monitor) {
    asked_ = true;
    auto d = prove_infeasible(problem.matrix(), [&] { return monitor.interrupted(); });
    monitor.note(d ? "proof: a certificate shows that there is no solution"
                   : "proof: no certificate against a solution found");
    if (d) monitor.infeasible(std::move(*d));
    return monitor.over();
  }

  /// Ends with what was tried; the monitor adds where the error sits.
  static void give_up(Monitor& monitor, const char* tried) {
    if (monitor.stopped()) return;
    monitor.end(Status::stalled, fmt::format("tried {}", tried));
  }

  static constexpr long sweeps_per_step = 10;

  AutomaticOptions options_;
  std::unique_ptr<Method> islands_, sweeps_, mixing_, short_mixing_, newton_, proximal_;
  Islands parts_;
  bool asked_ = false;  // for a proof that there is no solution
};

}  // namespace

std::unique_ptr<Method> make_automatic(const AutomaticOptions& options) {
  auto part = std::make_unique<Sequence>(options, nullptr);
  return std::make_unique<Sequence>(options, make_island_solver(std::move(part)));
}

}  // namespace stickslip::internal
