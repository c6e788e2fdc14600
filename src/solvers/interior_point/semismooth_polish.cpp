#include "solvers/interior_point/semismooth_polish.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/line_search.hpp"
#include "solve/patience.hpp"
#include "solvers/newton/newton_system.hpp"

namespace stickslip::internal {
namespace {

/// ‖Φ‖ at the end of an inner problem, relative to a‖r − r_ref‖.
constexpr double inner_accuracy = 0.01;
/// Newton steps of one inner problem: so many count as easy, so many are too many.
constexpr int few_steps = 6, most_steps = 12;
/// Loose problems: ‖Φ‖ at the end relative to its start, Newton steps, the growth of ‖Φ‖ that has no return,
/// the growth of the problem's own ‖Φ‖ that is refused, the largest a.
constexpr double loose_accuracy = 0.5, divergence = 1e6, largest_growth = 2, largest_a = 10;
/// Most problems between a fall of a that failed and the next.
constexpr int loose_steps = 10, longest_wait = 15;
/// Norms that a step may be compared with.
constexpr std::size_t memory = 4;

using Show = std::function<bool(std::span<const double>)>;

class Polish {
 public:
  Polish(ConicProblem& problem, std::span<const double> s) : problem_(problem.scaled) {
    newton_.bind(problem.scaled, problem.system, Map::alart_curnier, RhoRule::one);
    newton_.set_shift(s);
    for (auto* v : {&u_, &step_, &trial_, &trial_u_}) v->resize(problem_.size());
  }

  double run(const PolishOptions& options, std::span<double> r, const Show& stop) {
    x_.assign(r.begin(), r.end());
    reference_ = x_;
    a_ = options.regularisation;
    budget_ = options.iterations;
    double best = true_norm();
    if (options.loose) return march(options, best, r, stop);
    Patience patience(0.9, options.patience);
    patience.restart(best);
    for (bool waiting = true; budget_ > 0 && waiting;) {
      const int before = budget_;
      const Inner inner = solve_around_reference(stop);
      if (inner == Inner::stopped) return true_norm();
      const double now = true_norm();
      waiting = !patience.lost_at(now);
      if (patience.fell()) {
        best = now;
        std::copy(x_.begin(), x_.end(), r.begin());
      }
      if (inner == Inner::failed) {
        a_ *= options.grow;
        x_ =
            reference_;  // the last problem that was solved: without visible progress it may yet have moved on
      } else {
        reference_ = x_;
        const int steps = before - budget_;
        if (steps <= few_steps)
          a_ = std::max((steps <= 2 ? options.shrink : std::sqrt(options.shrink)) * a_, options.floor);
      }
    }
    return best;
  }

 private:
  enum class Inner { solved, failed, stopped };

  /// The loose form. a falls after a success, but after a fall that failed only when `wait` more problems
  /// have been solved: they move on at a constant pace where a smaller a never succeeds. The reference runs
  /// ahead of the iterates by Nesterov's rule (Güler 1992), k counting the successes.
  double march(const PolishOptions& options, double before, std::span<double> r, const Show& stop) {
    double best = before;
    std::vector<double> last = x_;
    int wait = 0, due = 0, k = 0;
    bool fell = false;  // a, before the present problem
    while (budget_ > 0) {
      const Inner inner = solve_loosely(before, stop);
      const double now = true_norm();
      if (now < best) {
        best = now;
        std::copy(x_.begin(), x_.end(), r.begin());
      }
      if (inner == Inner::stopped) break;
      if (inner == Inner::solved && now < largest_growth * before) {
        const double ahead = double(k) / double(k + 3);
        ++k;
        for (std::size_t i = 0; i < x_.size(); ++i) reference_[i] = x_[i] + ahead * (x_[i] - last[i]);
        last = x_;
        before = now;
        if (fell) wait = 0;
        fell = due-- <= 0;
        if (fell) a_ = std::max(options.shrink * a_, options.floor);
      } else {
        x_ = reference_ = last;
        k /= 2;
        wait = fell ? std::min(2 * wait + 1, longest_wait) : 1;
        due = wait;
        fell = false;
        a_ = std::min(options.grow * a_, largest_a);
      }
    }
    return best;
  }

  /// Full Newton steps on the problem with a around the reference, whose own ‖Φ‖ is `outer`.
  Inner solve_loosely(double outer, const Show& stop) {
    linearise();
    for (int step = 0; step < loose_steps && budget_ > 0; ++step) {
      --budget_;
      if (!newton_.step(0, step_, ContactSystem::for_the_last_digit)) return Inner::failed;
      for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += step_[k];
      const double norm = linearise();
      if (stop(x_)) return Inner::stopped;
      if (norm <= loose_accuracy * outer) return Inner::solved;
      if (!(norm < divergence * outer)) return Inner::failed;
    }
    return Inner::failed;
  }

  /// Newton on the problem with a around the reference, until ‖Φ‖ is a part of what a adds.
  Inner solve_around_reference(const Show& stop) {
    double norm = linearise();
    NonmonotoneReference last(memory);
    last.push(norm);
    for (int step = 0;; ++step) {
      double distance = 0;
      for (std::size_t k = 0; k < x_.size(); ++k)
        distance += (x_[k] - reference_[k]) * (x_[k] - reference_[k]);
      const double enough =
          std::max(1e-15 * std::sqrt(double(x_.size())), inner_accuracy * a_ * std::sqrt(distance));
      if (step > 0 && norm <= enough) return Inner::solved;
      if (step == most_steps || budget_ == 0) return Inner::failed;
      --budget_;
      if (!newton_.step(0, step_, ContactSystem::for_the_last_digit) || !search(last.value()))
        return Inner::failed;
      norm = linearise();
      last.push(norm);
      if (stop(x_)) return Inner::stopped;
    }
  }

  /// Steps of length 1, 0.3, … along step_, against the largest of the last norms.
  bool search(double bound) {
    double t = 1;
    for (int trial = 0; trial < 4; ++trial, t *= 0.3) {
      for (std::size_t k = 0; k < x_.size(); ++k) trial_[k] = x_[k] + t * step_[k];
      problem_.velocity(trial_, trial_u_);
      if (!(std::sqrt(2 * newton_.merit(trial_, trial_u_)) <= (1 - 0.1 * t) * bound)) continue;
      x_.swap(trial_);
      return true;
    }
    return false;
  }

  /// ‖Φ‖ of the problem itself.
  double true_norm() {
    newton_.set_proximal(0, {});
    problem_.velocity(x_, u_);
    return std::sqrt(2 * newton_.merit(x_, u_));
  }

  /// ‖Φ‖ of the problem with a around the reference, which is linearised at x_.
  double linearise() {
    newton_.set_proximal(a_, reference_);
    problem_.velocity(x_, u_);
    return std::sqrt(2 * newton_.linearise(x_, u_));
  }

  const ScaledProblem& problem_;
  NewtonSystem newton_;
  double a_ = 0;
  int budget_ = 0;
  std::vector<double> x_, reference_, u_, step_, trial_, trial_u_;
};

}  // namespace

double semismooth_polish(ConicProblem& problem, std::span<const double> s, const PolishOptions& options,
                         std::span<double> r, const Show& stop) {
  return Polish(problem, s).run(options, r, stop);
}

}  // namespace stickslip::internal
