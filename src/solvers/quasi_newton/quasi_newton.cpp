#include "solvers/quasi_newton/quasi_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "linalg/gmres.hpp"
#include "problem/contact_sums.hpp"
#include "residual/operator_measures.hpp"
#include "solve/monitor/monitor.hpp"
#include "solvers/parts/contact_sweep.hpp"
#include "solvers/quasi_newton/smoothed_system.hpp"

namespace stickslip::internal {

void QuasiNewtonOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 4> relatives = {"none", "min", "avg", "max"};
  static constexpr std::array<std::string_view, 2> switches = {"off", "on"};
  static constexpr std::array<std::string_view, 2> fallbacks = {"none", "gauss_seidel"};
  static constexpr std::array<std::string_view, 3> forms = {"auto", "matrix", "velocity"};
  static constexpr std::array<std::string_view, 1> linears = {"gmres"};
  v.real("delta", delta, {0, 1e9},
         "regularisation δ; larger where the steps cycle, smaller where they creep, 0 for a regular W only");
  v.choice("relative", relative, relatives,
           "what δ is relative to: nothing, or the least, mean or largest W_ii");
  v.real("decay", decay, {0, 10},
         "δ falls like (‖C‖/‖q‖)^decay on the way to the solution; 0: it stays, as published");
  v.real("omega", omega, {0, 1, true},
         "smoothing ω, in the units of the system; the error reached is not far below it");
  int linear = 0;
  v.part("linear", linear, linears, "how the linear system is solved", [&](OptionVisitor& inner) {
    inner.real("accuracy", accuracy, {0, 1, true},
               "ε: residual of the system relative to ‖C‖; rough is robust");
    inner.integer("iterations", linear_iterations, {1, 1e6}, "m: products a step at most");
    inner.integer("restart", restart, {1, 1000}, "directions kept before a restart");
  });
  v.integer("iterations", iterations, {1, 1e9}, "n: steps before the fallback");
  v.integer("products", products, {1, 1e12}, "products with W in all linear systems before the fallback");
  v.real("energy", energy, {0, 1},
         "γ: end as converged_reduced when the spurious energy g(r), PQN (40), is at or below; 0: never");
  v.choice("scaling", scaling, switches,
           "scale each contact by its diagonal block, so that units do not matter; off: as published");
  v.choice("fallback", fallback, fallbacks, "what follows when the steps run out");
  v.choice("form", form, forms,
           "of global problems: form W, or multiply by way of the bodies; auto: what is faster for a sweep");
}

namespace {

class QuasiNewton final : public Method {
 public:
  explicit QuasiNewton(const QuasiNewtonOptions& options) : options_(options), gmres_(options.restart) {}

 private:
  using Form = QuasiNewtonOptions::Form;

  bool needs_matrix(ContactProblem& problem) const override {
    if (options_.form == Form::matrix) return true;
    return options_.form == Form::velocity ? !problem.bodies().applies()
                                           : !velocity_form_pays(problem.bodies());
  }

  std::string refusal_of_ranks() const override {
    return options_.form == Form::velocity ? "" : "the form must be velocity";
  }

  std::string refusal(ContactProblem& problem) const override {
    if (options_.form != Form::velocity || !problem.formed() || !problem.global()) return {};
    return "velocity form: " + problem.bodies().reason();
  }

  void iterate(ContactProblem& problem, Monitor& monitor) override {
    if (newton(problem, monitor)) return;
    Sweep& sweep =
        problem.formed() ? static_cast<Sweep&>(sweep_.prepare(problem.matrix())) : problem.velocity_sweep();
    sweep.start(r_);
    fall_back(problem, monitor, sweep);
  }

  /// Algorithm 1 up to its fallback. False: that is what follows.
  bool newton(const ContactOperator& problem, Monitor& monitor) {
    system_.prepare(problem, options_.scaling, options_.omega);
    const double delta = options_.delta * unit_of_delta(), load = system_.load_norm();
    r_.assign(monitor.start().begin(), monitor.start().end());
    u_.resize(r_.size());
    next_.resize(r_.size());
    step_.resize(r_.size());
    problem.velocity(r_, u_);
    monitor.setup_done();
    long products = 0;
    for (long k = 0; k < options_.iterations && products < options_.products; ++k) {
      const double norm = system_.residual(r_, u_);
      const double fallen = load > 0 ? std::min(1.0, norm / load) : 1.0;
      system_.linearise(r_, u_, options_.decay > 0 ? delta * std::pow(fallen, options_.decay) : delta);
      const GmresRun run =
          gmres_.solve([&](auto& x, auto& y) { system_.apply(x, y); },
                       [&](auto& x, auto& y) { system_.precondition(x, y); },
                       [&](auto& x, auto& y) { return contact_dot(problem, x, y); }, system_.C(),
                       options_.accuracy * norm, options_.linear_iterations, step_);
      products += run.products;
      system_.project_step(r_, step_, next_);
      r_.swap(next_);
      problem.velocity(r_, u_);
      if (monitor.show(r_, u_)) return true;
      if (goal_reached(problem, monitor)) return true;
    }
    if (options_.fallback == QuasiNewtonOptions::Fallback::gauss_seidel) return false;
    monitor.end(Status::stalled,
                "the steps ran out (options iterations, products), and there is no fallback");
    return true;
  }

  /// Gauss–Seidel from where the steps ended.
  void fall_back(const ContactOperator& problem, Monitor& monitor, Sweep& sweep) {
    constexpr long between_looks = 20;  // at the goal, which costs a product
    for (long k = 1; !monitor.show(r_, sweep.sweep({}, 1, r_.data()).relative()); ++k) {
      if (options_.energy == 0 || k % between_looks != 0) continue;
      problem.velocity(r_, u_);
      if (goal_reached(problem, monitor)) return;
    }
  }

  bool goal_reached(const ContactOperator& problem, Monitor& monitor) const {
    if (options_.energy == 0 || measure(problem, r_, u_).energy > options_.energy) return false;
    monitor.end(Status::converged_reduced, "the spurious energy is at or below " + shortest(options_.energy));
    return true;
  }

  double unit_of_delta() const {
    const SmoothedSystem::Diagonal w = system_.diagonal();
    switch (options_.relative) {
      case QuasiNewtonOptions::Relative::none:
        return 1;
      case QuasiNewtonOptions::Relative::min:
        return w.min;
      case QuasiNewtonOptions::Relative::avg:
        return w.avg;
      case QuasiNewtonOptions::Relative::max:
        break;
    }
    return w.max;
  }

  QuasiNewtonOptions options_;
  SmoothedSystem system_;
  Gmres gmres_;
  std::vector<double> r_, u_, next_, step_;
  KeptSweep sweep_;
};

}  // namespace

std::unique_ptr<Method> make_quasi_newton(const QuasiNewtonOptions& options) {
  return std::make_unique<QuasiNewton>(options);
}

}  // namespace stickslip::internal
