#include "solvers/interior_point/relaxed_path.hpp"

#include "solve/monitor/monitor.hpp"
#include "solve/patience.hpp"
#include "solvers/interior_point/interior_iteration.hpp"

namespace stickslip::internal {
namespace {

/// Iterations without a fall of gap and residual by a tenth.
constexpr int patience = 8;

}  // namespace

void RelaxedPath::iterate(ContactProblem& problem, Monitor& monitor) {
  ConicProblem conic(problem, monitor.watch());
  InteriorPoint method(conic);
  r_.assign(monitor.start().begin(), monitor.start().end());
  method.set_law({}, 0);
  method.set_pin(options_.pin);
  method.set_digits(InteriorPoint::Digits::few);
  method.start_at(r_, options_.margin);
  monitor.setup_done();
  Patience waiting(0.9, patience);
  for (long k = 0; k < options_.iterations; ++k) {
    const auto step = method.iterate();
    if (!step.valid) break;
    method.projected(r_);
    if (monitor.show(r_)) return;
    if (step.gap < options_.gap && step.residual < options_.gap) break;
    if (waiting.lost_at(step.gap + step.residual)) break;
  }
  monitor.end(Status::stalled, "the end of the path of the convex relaxation");
}

}  // namespace stickslip::internal
