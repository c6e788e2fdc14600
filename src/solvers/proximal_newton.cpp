// The proximal point algorithm with Newton's method inside. The system keeps W's order of elimination for all
// α.
//
// What makes it robust on hyperstatic problems: inner problems are solved loosely and in full Newton steps, a
// failed one returns to r_k with a larger α, and every Newton iterate is shown to the monitor: near a
// solution the steps at small α jump onto it, although they often leave again.

#include <cmath>

#include "solve/monitor.hpp"
#include "solvers/proximal.hpp"

namespace stickslip {
namespace {

constexpr long default_steps = 10;
/// An inner residual that grew by this much will not come back.
constexpr double divergence = 1e6;
/// An inner solution whose outer residual grew by this much is refused.
constexpr double largest_growth = 2;
/// First plain steps, whose residual may rise: they may have to leave a wrong status of many contacts.
constexpr long trusted_steps = 2;
/// Systems that cannot be solved, before it gives up.
constexpr long most_unsolvable = 50;

class ProximalNewton final : public Solver {
 public:
  explicit ProximalNewton(const ProximalOptions& options)
      : options_(options), parameter_(options.parameter), step_(options.newton) {}

 private:
  void do_solve(const ReducedProblem& problem, Monitor& monitor) override {
    const std::size_t n = problem.q().size();
    const NewtonStepOptions& newton = options_.newton;
    system_.prepare(problem, newton.map, newton.rho_rule(), newton.scaling, newton.linear);
    for (auto* x : {&r_, &u_, &physical_, &physical_u_}) x->resize(n);
    system_.to_scaled(monitor.start(), r_);
    parameter_.start();
    unsolvable_ = 0;
    monitor.setup_done();
    if (options_.plain > 0 && solve_plain(monitor)) return;
    centre_ = r_;
    iterate(monitor);
  }

  void do_resume(const ReducedProblem&, Monitor& monitor) override {
    r_ = centre_;
    iterate(monitor);
  }

  /// From r_ and the present α on.
  void iterate(Monitor& monitor) {
    const std::size_t n = r_.size();
    for (;;) {
      centre_ = r_;
      system_.velocity(r_, u_);
      system_.set_proximal(0, {});
      const double before = residual();
      const double alpha = parameter_.next(monitor.best_error());
      const bool solved = solve_inner(alpha, before, monitor);
      if (monitor.stopped()) return;
      system_.set_proximal(0, {});
      if (solved && residual() < largest_growth * before) {
        parameter_.succeeded();
        for (std::size_t k = 0; k < n; ++k) r_[k] = centre_[k] + options_.relaxation * (r_[k] - centre_[k]);
      } else {
        parameter_.failed();
        r_ = centre_;
      }
    }
  }

  /// Newton steps on the problem itself, after which r_ is as before. True: stop now.
  bool solve_plain(Monitor& monitor) {
    centre_ = r_;
    system_.velocity(r_, u_);
    const double start = residual();
    step_.restart();
    for (long k = 0; k < options_.plain && advance(); ++k) {
      if (monitor.show(physical_, physical_u_)) return true;
      if (k >= trusted_steps && !(residual() < start)) break;
    }
    r_ = centre_;
    return monitor.out_of_limits();
  }

  /// A Newton step, and the physical impulses and velocities after it.
  bool advance() {
    if (!step_.advance(system_, r_, u_)) return false;
    system_.to_physical(r_, physical_);
    system_.velocity_to_physical(u_, physical_u_);
    return true;
  }

  /// Newton steps on the problem with α(r − r_k), until its residual is small against the outer one.
  bool solve_inner(double alpha, double outer, Monitor& monitor) {
    system_.set_proximal(alpha, centre_);
    step_.restart();
    const long steps = options_.inner_iterations > 0 ? options_.inner_iterations : default_steps;
    for (long k = 0; k < steps; ++k) {
      if (!advance()) {
        if (monitor.out_of_limits() || ++unsolvable_ < most_unsolvable) return false;
        monitor.end(Status::numerical_failure, "Newton's system cannot be solved");
        return false;
      }
      if (monitor.show(physical_, physical_u_)) return false;
      const double inner = residual();
      if (inner <= options_.inner_factor * outer) return true;
      if (!(inner < divergence * outer)) return false;
    }
    return false;
  }

  double residual() const { return std::sqrt(2 * system_.merit(r_, u_)); }

  ProximalOptions options_;
  ProximalParameter parameter_;
  NewtonSystem system_;
  NewtonStep step_;
  long unsolvable_ = 0;
  std::vector<double> r_, u_, centre_, physical_, physical_u_;
};

}  // namespace

std::unique_ptr<Solver> make_proximal_newton(const ProximalOptions& options) {
  return std::make_unique<ProximalNewton>(options);
}

}  // namespace stickslip
