#include "solvers/convex/convex_relaxation.hpp"

#include "base/text.hpp"
#include "solve/monitor/monitor.hpp"

namespace stickslip::internal {
namespace {

class ConvexRelaxation final : public Method {
 public:
  explicit ConvexRelaxation(const ConvexRelaxationOptions& options) : inner_(options.inner) {}

 private:
  void iterate(ContactProblem& given, Monitor& monitor) override {
    const ReducedProblem& problem = given.matrix();
    r_.assign(monitor.start().begin(), monitor.start().end());
    const std::string reason =
        inner_.prepare(problem, ContactLaw::cones, problem.mu(), FrozenOperator::Rows::all);
    if (!reason.empty()) return monitor.end(Status::not_applicable, reason);
    monitor.setup_done();
    const std::function<bool()> stop = [&] { return monitor.interrupted(); };
    ConvexResult result;
    do {  // With a skew part on the right-hand side one solve is not the end: the next starts from its r.
      result = inner_.solve(1, monitor.tolerance(), monitor.remaining().max_iterations, stop, r_);
      monitor.count(result.iterations);
      if (!inner_.trouble().empty()) monitor.end(Status::numerical_failure, inner_.trouble());
    } while (!monitor.over() && result.iterations > 0);
    if (monitor.check(r_)) {  // Coulomb's law holds as well, or a limit was reached
      if (!monitor.converged()) monitor.answer(r_);
      return;
    }
    monitor.answer(r_);
    if (!result.converged)
      return monitor.end(Status::stalled, "the convex relaxation makes no more progress");
    monitor.end(Status::converged_reduced,
                "the convex relaxation, another law than Coulomb's, is solved (its own error " +
                    shortest(float(result.residual)) + "); where contacts slide they lift off");
  }

  ConvexSolver inner_;
  std::vector<double> r_;
};

}  // namespace

std::unique_ptr<Method> make_convex_relaxation(const ConvexRelaxationOptions& options) {
  return std::make_unique<ConvexRelaxation>(options);
}

}  // namespace stickslip::internal
