#include "solvers/newton/newton.hpp"

#include <algorithm>
#include <array>

#include "base/timer.hpp"
#include "solve/monitor/monitor.hpp"
#include "solve/prepared_system.hpp"
#include "solvers/newton/normal_step.hpp"
#include "solvers/parts/contact_sweep.hpp"

namespace stickslip::internal {

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
  v.integer(
      "patience", patience, {0, 1e9},
      "steps without a fall of the error by a tenth before sweeps are made; 0: any number, as published");
  v.integer("sweeps", sweeps, {0, 1e9},
            "Gauss–Seidel sweeps from the best iterate where Newton makes no progress, twice as many each "
            "time; 0: none, "
            "the solve ends as stalled");
  v.integer("iterations", iterations, {0, 1e9}, "Newton steps at most; 0: as many as the request allows");
  static constexpr std::array<std::string_view, 3> forms = {"auto", "matrix", "bodies"};
  v.choice(
      "form", form, forms,
      "of global problems: form W, or solve through the bodies (without start and sweeps, which need W; the "
      "regularisation must be positive); auto: form W unless it would be full and large");
}

namespace {

/// form=auto does not form W when it has more rows than this and M more entries a row than rigid bodies have,
/// so that W would be full.
constexpr Index largest_full_matrix = 12000, entries_of_flexible_bodies = 12;

class Newton final : public Method {
 public:
  explicit Newton(const NewtonOptions& options) : options_(options), step_(options), normal_(options) {
    if (options.start == NewtonOptions::Start::extragradient)
      start_ = make_extragradient(options.extragradient);
  }

 private:
  using Form = NewtonOptions::Form;

  bool needs_matrix(ContactProblem& problem) const override {
    const GlobalProblem& global = *problem.global();
    if (global.bilateral_constraints() > 0 || options_.form == Form::matrix) return true;
    if (options_.form == Form::bodies) return false;
    return global.contacts() * global.dimension() <= largest_full_matrix ||
           global.M().nonzeros() / entries_of_flexible_bodies <= global.M().rows();
  }

  std::string refusal(ContactProblem& problem) const override {
    return why_not(options_.map, problem.dimension());
  }

  void iterate(ContactProblem& problem, Monitor& monitor) override {
    physical_.assign(monitor.start().begin(), monitor.start().end());
    if (start_ && problem.formed() && improve_start(problem.matrix(), monitor)) return;
    PreparedSystem& parts = problem.prepared(options_.scaling, Frictionless::whole, monitor.watch());
    scaled_ = &parts.problem;
    system_.bind(parts.problem, parts.system, options_.map, options_.rho_rule());
    sweep_ = nullptr;
    march(problem.formed() ? &problem.matrix() : nullptr, monitor);
  }

  /// Newton's steps from physical_ on the prepared system; sweeps where there is a `problem` to sweep over.
  void march(const ReducedProblem* problem, Monitor& monitor) {
    for (auto* x : {&r_, &u_, &physical_u_}) x->resize(system_.size());
    restart();
    monitor.setup_done();
    long failures = 0, rescues = 0, sweeps = options_.sweeps;
    double best = monitor.best_error();
    kept_ = physical_;
    for (long k = 1;; ++k) {
      const bool moved =
          options_.map == Map::normal ? normal_.advance(system_, r_, u_) : step_.advance(system_, r_, u_);
      if (moved) {
        scaled_->to_physical(r_, physical_);
        scaled_->velocity_to_physical(u_, physical_u_);
        const double before = monitor.best_error();
        if (monitor.show(physical_, physical_u_)) return;
        if (monitor.best_error() < before) kept_ = physical_;
      }
      if (!moved && options_.regularisation == 0)
        return monitor.end(Status::numerical_failure, "the Newton matrix is singular");
      if (options_.iterations > 0 && k >= options_.iterations)
        return monitor.end(Status::iteration_limit,
                           "no convergence in " + std::to_string(k) + " steps (option iterations)");
      if (monitor.best_error() < 0.9 * best) {
        best = monitor.best_error();
        failures = 0;
        continue;
      }
      if (moved && (options_.patience == 0 || ++failures < options_.patience)) continue;
      if (!problem || options_.sweeps == 0)
        return monitor.end(Status::stalled, "Newton's method makes no progress");
      // Every second time with relaxation, which breaks the cycles that plain sweeps run into.
      if (sweep(*problem, monitor, sweeps, rescues++ % 2 == 0 ? 1.0 : 0.7)) return;
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
    return monitor.check(physical_) || monitor.over();
  }

  /// `count` Gauss–Seidel sweeps from the best iterate; true: stop.
  bool sweep(const ReducedProblem& problem, Monitor& monitor, long count, double relaxation) {
    if (!sweep_) sweep_ = &kept_sweep_.prepare(problem);
    physical_ = kept_;
    sweep_->start(physical_);
    for (long k = 0; k < count; ++k)
      if (monitor.show(physical_, sweep_->sweep({}, relaxation, physical_.data()).relative())) return true;
    kept_ = physical_;
    return monitor.check(physical_);
  }

  void restart() {
    scaled_->to_scaled(physical_, r_);
    scaled_->velocity(r_, u_);
    step_.restart();
    normal_.restart();
  }

  NewtonOptions options_;
  const ScaledProblem* scaled_ = nullptr;
  NewtonSystem system_;
  NewtonStep step_;
  NormalStep normal_;
  std::unique_ptr<Method> start_;
  SolveResult first_;
  std::vector<double> r_, u_, physical_, physical_u_, kept_;
  KeptSweep kept_sweep_;
  ContactSweep* sweep_ = nullptr;  // once it is prepared
};

}  // namespace

std::unique_ptr<Method> make_newton(const NewtonOptions& options) {
  return std::make_unique<Newton>(options);
}

}  // namespace stickslip::internal
