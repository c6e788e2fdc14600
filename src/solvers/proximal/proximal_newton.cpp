// The proximal point algorithm with Newton's method inside. The system keeps W's order of elimination for all
// α.
//
// What makes it robust on hyperstatic problems: inner problems are solved loosely and in full Newton steps, a
// failed one returns to r_k with a larger α, and every Newton iterate is shown to the monitor: near a
// solution the steps at small α jump onto it, although they often leave again.

#include <cmath>

#include "solve/monitor/monitor.hpp"
#include "solve/prepared_system.hpp"
#include "solvers/proximal/compliance.hpp"
#include "solvers/proximal/proximal.hpp"

namespace stickslip::internal {
namespace {

constexpr long default_steps = 10;
/// An inner residual that grew by this much will not come back.
constexpr double divergence = 1e6;
/// An inner solution whose outer residual grew by this much is refused.
constexpr double largest_growth = 2;
/// A room that keeps this part over so many falls of the compliance will not vanish.
constexpr std::size_t watched_falls = 4;
constexpr double least_fall = 0.7;
/// Systems that cannot be solved, before it gives up.
constexpr long most_unsolvable = 50;

class ProximalNewton final : public Method {
 public:
  explicit ProximalNewton(const ProximalOptions& options)
      : options_(options), parameter_(options.parameter), step_(options.newton) {}

 private:
  bool needs_matrix(ContactProblem& problem) const override { return !problem.bodies_pay(); }

  std::string refusal(ContactProblem& problem) const override {
    return why_not(options_.newton.map, problem.dimension());
  }

  void iterate(ContactProblem& problem, Monitor& monitor) override {
    const std::size_t n = problem.q().size();
    const NewtonStepOptions& newton = options_.newton;
    PreparedSystem& parts = problem.prepared(newton.scaling, Frictionless::whole, monitor.watch());
    scaled_ = &parts.problem;
    system_.bind(parts.problem, parts.system, newton.map, newton.rho_rule());
    for (auto* x : {&r_, &u_, &physical_, &physical_u_}) x->resize(n);
    scaled_->to_scaled(monitor.start(), r_);
    parameter_.start();
    unsolvable_ = 0;
    if (options_.compliance > 0) {
      compliance_.start(*scaled_, options_.compliance);
      system_.set_compliance(compliance_.scaled());
      rooms_.clear();
    }
    monitor.setup_done();
    march(monitor);
  }

  void resume(ContactProblem&, Monitor& monitor) override {
    r_ = centre_;
    march(monitor);
  }

  /// From r_ and the present α on. At the centre α(r − r_k) vanishes: the linearisation that tells the outer
  /// residual serves the first inner step too.
  void march(Monitor& monitor) {
    const std::size_t n = r_.size();
    scaled_->velocity(r_, u_);
    double merit = outer_merit();
    for (;;) {
      centre_ = r_;
      centre_u_ = u_;
      const double before = std::sqrt(2 * merit), alpha = parameter_.next(monitor.best_error());
      const bool solved = solve_inner(alpha, merit, monitor);
      if (monitor.stopped()) return;
      if (solved) merit = outer_merit();
      if (solved && std::sqrt(2 * merit) < largest_growth * before) {
        parameter_.succeeded();
        if (options_.compliance > 0) {
          if (!yield_less(merit))
            return monitor.end(Status::stalled, "the room that is missing does not fall");
          continue;
        }
        if (options_.relaxation == 1) continue;
        for (std::size_t k = 0; k < n; ++k) r_[k] = centre_[k] + options_.relaxation * (r_[k] - centre_[k]);
        scaled_->velocity(r_, u_);
      } else {
        parameter_.failed();
        r_ = centre_;
        u_ = centre_u_;
      }
      merit = outer_merit();
    }
  }

  /// The next compliance where the problem with the present one is solved well enough, with its merit. False: the room e r_N stays
  /// as it is, whatever e.
  bool yield_less(double& merit) {
    const double room = compliance_.room(r_);
    if (!(std::sqrt(2 * merit) <= options_.compliance_accuracy * room)) return true;
    rooms_.push_back(room);
    if (rooms_.size() > watched_falls && room > least_fall * rooms_[rooms_.size() - 1 - watched_falls])
      return false;
    compliance_.fall(options_.compliance_fall);
    merit = outer_merit();
    return true;
  }

  /// ½‖Φ‖² of the problem itself (with the compliance), which is linearised at r_.
  double outer_merit() {
    system_.set_proximal(0, {});
    return system_.linearise(r_, u_);
  }

  /// Newton steps on the problem with α(r − r_k), until its residual is small against the outer one. The
  /// system is linearised at r_ = r_k with ½‖Φ‖² = merit.
  bool solve_inner(double alpha, double merit, Monitor& monitor) {
    system_.set_proximal(alpha, centre_, options_.damping == ProximalOptions::Damping::on);
    step_.restart();
    const double outer = std::sqrt(2 * merit);
    const long steps = options_.inner_iterations > 0 ? options_.inner_iterations : default_steps;
    for (long k = 0; k < steps; ++k) {
      if (!step_.move(system_, merit, r_, u_)) {
        if (monitor.over() || ++unsolvable_ < most_unsolvable) return false;
        monitor.end(Status::numerical_failure, "Newton's system cannot be solved");
        return false;
      }
      scaled_->to_physical(r_, physical_);
      scaled_->velocity_to_physical(u_, physical_u_);
      if (monitor.show(physical_, physical_u_)) return false;
      merit = system_.linearise(r_, u_);
      const double inner = std::sqrt(2 * merit);
      if (inner <= options_.inner_factor * outer) return true;
      if (!(inner < divergence * outer)) return false;
    }
    return false;
  }

  ProximalOptions options_;
  ProximalParameter parameter_;
  const ScaledProblem* scaled_ = nullptr;
  NewtonSystem system_;
  NewtonStep step_;
  long unsolvable_ = 0;
  Compliance compliance_;
  std::vector<double> rooms_;  // at the end of each e
  std::vector<double> r_, u_, centre_, centre_u_, physical_, physical_u_;
};

}  // namespace

std::unique_ptr<Method> make_proximal_newton(const ProximalOptions& options) {
  return std::make_unique<ProximalNewton>(options);
}

}  // namespace stickslip::internal
