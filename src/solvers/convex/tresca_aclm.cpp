#include "solvers/convex/tresca_aclm.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "solve/monitor/monitor.hpp"
#include "solvers/parts/anderson.hpp"

namespace stickslip::internal {

void SuccessiveOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 2> accelerations = {"none", "anderson"};
  inner.visit(v, "inner", FrozenOperator::Rows::all);
  v.real("inner_tolerance", inner_tolerance, {0, 0.999, true},
         "the convex program is solved to this part of the error reached so far (RR 7.5)");
  v.integer("inner_iterations", inner_iterations, {1, 1e9}, "of the convex program, at most");
  v.choice("acceleration", acceleration, accelerations,
           "of the outer fixed point: as published, or safeguarded Anderson mixing");
  v.integer("window", window, {1, Anderson::most}, "differences mixed by acceleration=anderson");
}

namespace {

class Successive final : public Method {
 public:
  /// What is frozen: the bound on friction, cylinders are left; or the shift, cones are left.
  Successive(const SuccessiveOptions& options, ContactLaw law)
      : options_(options),
        law_(law),
        inner_(options.inner),
        mixing_(options.acceleration == SuccessiveOptions::Acceleration::anderson ? options.window : 0) {}

 private:
  void iterate(ContactProblem& given, Monitor& monitor) override {
    const ReducedProblem& problem = given.matrix();
    const std::size_t n = problem.mu().size();
    r_.assign(monitor.start().begin(), monitor.start().end());
    u_.resize(r_.size());
    x_.resize(n);
    image_.resize(n);
    size_.assign(problem.mu().begin(), problem.mu().end());
    const std::string reason = inner_.prepare(problem, law_, size_, FrozenOperator::Rows::all);
    if (!reason.empty()) return monitor.end(Status::not_applicable, reason);
    problem.W().multiply(r_, problem.q(), u_);
    image(problem, x_);
    start_mixing(problem);
    const std::function<bool()> stop = [&] { return monitor.interrupted(); };
    monitor.setup_done();
    for (;;) {
      freeze(problem);
      const ConvexResult step =
          inner_.solve(options_.inner_tolerance, monitor.best_error(), options_.inner_iterations, stop, r_);
      if (!inner_.trouble().empty()) return monitor.end(Status::numerical_failure, inner_.trouble());
      problem.W().multiply(r_, problem.q(), u_);
      if (monitor.show(r_, u_)) return;
      image(problem, image_);
      if (step.residual == 0 && step.iterations == 0 && x_ == image_)
        return monitor.end(Status::stalled, "the convex program no longer changes");
      if (mixing_.active())
        mixing_.next(x_, image_);
      else
        x_.swap(image_);
    }
  }

  /// x ← r_N, or μ‖u_T‖.
  void image(const ReducedProblem& problem, std::vector<double>& x) const {
    const auto d = std::size_t(problem.dimension());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = law_ == ContactLaw::cylinders
                 ? std::max(r_[i * d], 0.0)
                 : problem.mu()[i] * std::hypot(u_[i * d + 1], d == 3 ? u_[i * d + 2] : 0);
  }

  /// The convex program of x.
  void freeze(const ReducedProblem& problem) {
    if (law_ == ContactLaw::cylinders)
      for (std::size_t i = 0; i < x_.size(); ++i) size_[i] = problem.mu()[i] * x_[i];
    else
      for (std::size_t i = 0, k = 0; i < x_.size(); ++i, k += std::size_t(problem.dimension()))
        inner_.b()[k] = problem.q()[k] + x_[i];
  }

  /// In units of energy: an impulse is weighed by √W_NN, a velocity by its inverse.
  void start_mixing(const ReducedProblem& problem) {
    if (!mixing_.active()) return;
    scale_.resize(x_.size());
    for (std::size_t i = 0; i < scale_.size(); ++i) {
      const double root = std::sqrt(problem.W().diagonal(Index(i))[0]);
      scale_[i] = law_ == ContactLaw::cylinders ? root : 1 / root;
    }
    mixing_.start(1, problem.mu(), scale_, Anderson::Set::half_lines, nullptr);
  }

  SuccessiveOptions options_;
  ContactLaw law_;
  ConvexSolver inner_;
  Anderson mixing_;
  std::vector<double> r_, u_, x_, image_, size_, scale_;
};

}  // namespace

std::unique_ptr<Method> make_tresca(const SuccessiveOptions& options) {
  return std::make_unique<Successive>(options, ContactLaw::cylinders);
}

std::unique_ptr<Method> make_aclm(const SuccessiveOptions& options) {
  return std::make_unique<Successive>(options, ContactLaw::cones);
}

}  // namespace stickslip::internal
