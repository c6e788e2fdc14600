#include "solvers/newton.hpp"

#include <algorithm>
#include <array>

#include "solve/monitor.hpp"
#include "solvers/contact_sweep.hpp"

namespace stickslip {

void NewtonOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 2> starts = {"none", "extragradient"};
  NewtonStepOptions::visit(v);
  int kind = static_cast<int>(start);
  v.part("start", kind, starts, "a first-order method that improves the start", [&](OptionVisitor& inner) {
    if (kind == 0) return;
    inner.integer("iterations", start_iterations, {0, 1e9}, "of the first-order method");
    extragradient.visit(inner);
  });
  start = static_cast<Start>(kind);
  v.integer("patience", patience, {1, 1e9},
            "steps without a fall of the error by a tenth before sweeps are made");
  v.integer("sweeps", sweeps, {0, 1e9},
            "Gauss–Seidel sweeps from the best iterate where Newton makes no progress, twice as many each "
            "time; 0: none, "
            "the solve ends as stalled");
}

namespace {

class Newton final : public Solver {
 public:
  explicit Newton(const NewtonOptions& options) : options_(options), step_(options) {
    if (options.start == NewtonOptions::Start::extragradient)
      start_ = make_extragradient(options.extragradient);
  }

 private:
  void do_solve(const ReducedProblem& problem, Monitor& monitor) override {
    const std::size_t n = problem.q().size();
    physical_.assign(monitor.start().begin(), monitor.start().end());
    if (start_ && improve_start(problem, monitor)) return;
    system_.prepare(problem, options_.map, options_.rho_rule(), options_.scaling, options_.linear);
    r_.resize(n);
    u_.resize(n);
    physical_u_.resize(n);
    restart();
    prepared_ = false;
    monitor.setup_done();
    long failures = 0, rescues = 0, sweeps = options_.sweeps;
    double best = monitor.best_error();
    kept_ = physical_;
    for (;;) {
      const bool moved = step_.advance(system_, r_, u_);
      if (moved) {
        system_.to_physical(r_, physical_);
        system_.velocity_to_physical(u_, physical_u_);
        if (monitor.show(physical_, physical_u_)) return;
        if (monitor.best_error() < best) kept_ = physical_;
      }
      if (monitor.best_error() < 0.9 * best) {
        best = monitor.best_error();
        failures = 0;
        continue;
      }
      if (moved && ++failures < options_.patience) continue;
      if (options_.sweeps == 0) return monitor.end(Status::stalled, "Newton's method makes no progress");
      // Every second time with relaxation, which breaks the cycles that plain sweeps run into.
      if (sweep(problem, monitor, sweeps, rescues++ % 2 == 0 ? 1.0 : 0.7)) return;
      sweeps = std::min(2 * sweeps, 16 * options_.sweeps);
      failures = 0;
      best = monitor.best_error();
      restart();
    }
  }

  /// The first-order method from the start; true: stop.
  bool improve_start(const ReducedProblem& problem, Monitor& monitor) {
    SolveRequest request = monitor.remaining();
    request.max_iterations = std::min(request.max_iterations, options_.start_iterations);
    request.guess = monitor.start();
    start_->solve(problem, request, first_);
    monitor.count(first_.iterations);
    physical_ = first_.r;
    return monitor.check(physical_) || monitor.out_of_limits();
  }

  /// `count` Gauss–Seidel sweeps from the best iterate; true: stop.
  bool sweep(const ReducedProblem& problem, Monitor& monitor, long count, double relaxation) {
    auto& sweep = sweeps_[problem.dimension() == 3];
    if (!sweep) sweep = ContactSweep::make(problem.dimension(), {});
    if (!prepared_) sweep->prepare(problem);
    prepared_ = true;
    physical_ = kept_;
    for (long k = 0; k < count; ++k)
      if (monitor.show(physical_, sweep->sweep({}, relaxation, physical_.data()).relative())) return true;
    kept_ = physical_;
    return monitor.check(physical_);
  }

  void restart() {
    system_.to_scaled(physical_, r_);
    system_.velocity(r_, u_);
    step_.restart();
  }

  NewtonOptions options_;
  NewtonSystem system_;
  NewtonStep step_;
  std::unique_ptr<Solver> start_;
  SolveResult first_;
  std::vector<double> r_, u_, physical_, physical_u_, kept_;
  std::unique_ptr<ContactSweep> sweeps_[2];  // in two and in three dimensions
  bool prepared_ = false;
};

}  // namespace

std::unique_ptr<Solver> make_newton(const NewtonOptions& options) {
  return std::make_unique<Newton>(options);
}

}  // namespace stickslip
