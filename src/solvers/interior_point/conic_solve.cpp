#include "solvers/interior_point/conic_solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/dimension.hpp"
#include "cone/project.hpp"
#include "solvers/interior_point/semismooth_polish.hpp"

namespace stickslip::internal {
namespace {

/// Semismooth Newton is tried when the gap is below the first, and again after each fall by the second.
constexpr double polish_from = 1e-6, polish_again = 1e-3;
/// The interior point ends after so many iterations without a fall of gap and residual by a tenth.
constexpr int patience = 12;
/// Then loose proximal Newton steps have the last word, a march from this error on: so many steps a contact,
/// within these bounds.
constexpr double march_from = 1e-12;
constexpr int march_per_contact = 50, shortest_march = 300, longest_march = 5000;
/// The pin of the convex program, in scaled units. A larger one holds the self-stress back before q's part in
/// the null space of W has moved it (1e-10: four of 170 files more end short of 1e-12), a smaller one is lost
/// in rounding (1e-13: one more).
constexpr double convex_pin = 1e-12;
/// A residual below this, in scaled units, shows that the program has a solution.
constexpr double feasible_residual = 1e-4;

/// û = W r + q + μ s e_N and ‖r − P_K(r − û)‖/‖q‖.
template <int D>
double conic_error(const ContactProblem& problem, std::span<const double> s, std::span<const double> r,
                   std::span<double> u_hat) {
  problem.velocity(r, u_hat);
  double sum = 0;
  for (std::size_t i = 0; i < problem.mu().size(); ++i) {
    u_hat[i * D] += s.empty() ? 0 : problem.mu()[i] * s[i];
    Vec<D> z, w;
    for (std::size_t c = 0; c < D; ++c) z[c] = r[i * D + c], w[c] = u_hat[i * D + c];
    // Written as û + (z − P_K(z)), so that a small û is not lost beside a large r.
    const Vec<D> outside = project_on_polar_cone<D>(add<D>(z, -1, w), problem.mu()[i]);
    const Vec<D> e = add<D>(w, 1, outside);
    sum += dot<D>(e, e);
  }
  return std::sqrt(sum) / (problem.q_norm() > 0 ? problem.q_norm() : 1.0);
}

}  // namespace

ConicResult solve_conic(ConicProblem& problem, InteriorPoint& method, std::span<const double> s,
                        double tolerance, int max_iterations, const std::function<bool()>& stop) {
  const ContactProblem& physical = problem.physical;
  ConicResult best;
  best.error = std::numeric_limits<double>::infinity();
  std::vector<double> r(problem.scaled.size()), u(r.size()), scaled(r.size());
  const auto look = [&] {
    const double error =
        with_dimension(physical.dimension(), [&]<int D>() { return conic_error<D>(physical, s, r, u); });
    if (error < best.error) best.error = error, best.r = r, best.u_hat = u;
    return best.converged = best.error <= tolerance;
  };
  const auto pressed = [&] { return stop && stop(); };
  const std::vector<double> shift = problem.scaled_shift(s);
  const auto polish = [&](const std::vector<double>& from, const PolishOptions& options) {
    problem.scaled.to_scaled(from, scaled);
    semismooth_polish(problem, shift, options, scaled, [&](std::span<const double> iterate) {
      ++best.newton_steps;
      problem.scaled.to_physical(iterate, r);
      return look() || pressed();
    });
    return best.converged;
  };

  method.set_law(s, 0);
  method.set_pin(convex_pin);
  method.start_cold();
  if (look()) return best;
  double next_polish = polish_from, least = std::numeric_limits<double>::infinity();
  bool feasible = false;
  for (int waited = 0; best.iterations < max_iterations && waited < patience && !pressed();) {
    const auto step = method.iterate();
    if (!step.valid) break;
    ++best.iterations;
    method.projected(r);
    if (look()) return best;
    method.impulses(r);
    best.last = r;
    if (look()) return best;
    const double merit = step.gap + step.residual;
    waited = merit < 0.9 * least ? 0 : waited + 1;
    least = std::min(least, merit);
    feasible = feasible || step.residual < feasible_residual;
    // A diverging problem is left to diverge, so that its ray shows.
    if (!feasible) waited = 0;
    if (step.gap < next_polish && step.residual < std::sqrt(step.gap)) {
      next_polish = polish_again * step.gap;
      if (polish(best.r, {.iterations = 10})) return best;
    }
  }
  // The march is long: it is for what is missing to 1e-12, not for what hardly a double can show.
  if (best.error <= march_from) return best;
  // From the end of the path, not from the best point: there the self-stress is in the middle of its cones.
  const int march =
      int(std::clamp<std::size_t>(march_per_contact * problem.n(), shortest_march, longest_march));
  if (feasible && !pressed())
    polish(best.last,
           {.regularisation = 1e-2, .shrink = 1 / 3.0, .grow = 3, .iterations = march, .loose = true});
  return best;
}

}  // namespace stickslip::internal
