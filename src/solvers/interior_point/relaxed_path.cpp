#include "solvers/interior_point/relaxed_path.hpp"

#include <cmath>

#include "solve/monitor/monitor.hpp"
#include "solve/patience.hpp"

namespace stickslip::internal {
namespace {

/// By which the start is pushed into the cones, without and with slip speeds; the pin of the null space; all in scaled units.
constexpr double margin = 3, slip_margin = 1, pin = 1e-9;
/// Gap and residual where the path ends. By conjugate gradients it ends earlier: statuses are clear by then, and further down
/// they need many iterations.
constexpr double gap = 1e-5, loose_gap = 1e-2;
/// Where nothing slips the error falls with the gap: as long as an iteration brings it below this part, the path goes on to the tolerance.
constexpr double still_falls = 0.2;
/// Iterations at most, and without a fall of gap and residual by a tenth; by conjugate gradients of few digits, where each
/// takes long and what they leave over may be all that is left, the shorter one.
constexpr int longest_path = 40, patience = 8, short_patience = 3;

/// ‖u_T‖ at each contact.
std::vector<double> slip_speeds(const ContactProblem& problem, std::span<const double> r) {
  std::vector<double> u(r.size()), s(problem.mu().size());
  problem.velocity(r, u);
  const auto d = std::size_t(problem.dimension());
  for (std::size_t i = 0; i < s.size(); ++i) s[i] = std::hypot(u[i * d + 1], d == 3 ? u[i * d + 2] : 0.0);
  return s;
}

}  // namespace

void RelaxedPath::iterate(ContactProblem& problem, Monitor& monitor) {
  ConicProblem conic =
      system_ == System::springs ? ConicProblem::on_springs(problem) : ConicProblem(problem, monitor.watch());
  InteriorPoint method(conic);
  r_.assign(monitor.start().begin(), monitor.start().end());
  const bool slips = slip_ == Slip::of_the_start,
             loose = digits_ == InteriorPoint::Digits::few && conic.by_gradients();
  method.set_law(slips ? slip_speeds(problem, r_) : std::vector<double>(), 0);
  method.set_pin(pin);
  method.set_digits(digits_);
  method.start_at(r_, slips ? slip_margin : margin);
  const double enough = loose ? loose_gap : gap;
  monitor.setup_done();
  arrived_ = false;
  const bool brief = loose && InteriorPoint::spares(problem.contacts_in_all());
  Patience waiting(0.9, brief ? short_patience : patience);
  for (long k = 0; k < longest_path; ++k) {
    const auto step = method.iterate();
    if (!step.valid) break;
    method.projected(r_);
    const double before = monitor.best_error();
    if (monitor.show(r_)) return;
    const bool falls = monitor.best_error() < still_falls * before;
    arrived_ = step.gap < enough && step.residual < enough;
    if (arrived_ && !falls) break;
    if (waiting.lost_at(step.gap + step.residual)) break;
  }
  monitor.end(Status::stalled, "the end of the path of the convex relaxation");
}

}  // namespace stickslip::internal
