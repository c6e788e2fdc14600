#include "solvers/interior_point/semismooth_polish.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "cone/jacobian.hpp"
#include "cone/project.hpp"
#include "cone/small_matrix.hpp"
#include "residual/maps.hpp"

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

template <int D>
class Polish {
 public:
  Polish(ConicProblem& problem, const double* s) : p_(problem), s_(s) {
    for (auto* v : {&u_, &phi_, &trial_, &trial_phi_}) v->resize(p_.q.size());
    L_.resize(p_.q.size() * D), B_.resize(p_.q.size() * D);
  }

  double run(const PolishOptions& options, std::span<double> r,
             const std::function<bool(std::span<const double>)>& stop) {
    x_.assign(r.begin(), r.end());
    reference_ = x_;
    a_ = options.regularisation;
    budget_ = options.iterations;
    double best = true_norm(x_);
    if (options.loose) return march(options, best, r, stop);
    for (int waited = 0; budget_ > 0 && waited < options.patience;) {
      const int before = budget_;
      const Inner inner = solve_around_reference(stop);
      if (inner == Inner::stopped) return true_norm(x_);
      const double now = true_norm(x_);
      if (now < 0.9 * best) {
        best = now;
        waited = 0;
        std::copy(x_.begin(), x_.end(), r.begin());
      } else {
        ++waited;
      }
      if (inner == Inner::failed) {
        a_ *= options.grow;
        x_ = reference_;  // the last problem that was solved: without visible progress it may yet have moved
                          // on
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
  double march(const PolishOptions& options, double before, std::span<double> r,
               const std::function<bool(std::span<const double>)>& stop) {
    double best = before;
    std::vector<double> last = x_;
    int wait = 0, due = 0, k = 0;
    bool fell = false;  // a, before the present problem
    while (budget_ > 0) {
      const Inner inner = solve_loosely(before, stop);
      const double now = true_norm(x_);
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
  Inner solve_loosely(double outer, const std::function<bool(std::span<const double>)>& stop) {
    evaluate(x_, phi_);
    for (int step = 0; step < loose_steps && budget_ > 0; ++step) {
      --budget_;
      linearise(x_);
      if (!p_.factors.factorise(L_, B_)) return Inner::failed;
      p_.factors.solve(phi_);
      for (std::size_t k = 0; k < x_.size(); ++k) x_[k] -= phi_[k];
      const double norm = evaluate(x_, phi_);
      if (stop(x_)) return Inner::stopped;
      if (norm <= loose_accuracy * outer) return Inner::solved;
      if (!(norm < divergence * outer)) return Inner::failed;
    }
    return Inner::failed;
  }

  /// Newton on the problem with a around the reference, until ‖Φ‖ is a part of what a adds.
  Inner solve_around_reference(const std::function<bool(std::span<const double>)>& stop) {
    double norm = evaluate(x_, phi_);
    std::deque<double> last = {norm};
    for (int step = 0;; ++step) {
      double distance = 0;
      for (std::size_t k = 0; k < x_.size(); ++k)
        distance += (x_[k] - reference_[k]) * (x_[k] - reference_[k]);
      const double enough =
          std::max(1e-15 * std::sqrt(double(x_.size())), inner_accuracy * a_ * std::sqrt(distance));
      if (step > 0 && norm <= enough) return Inner::solved;
      if (step == most_steps || budget_ == 0) return Inner::failed;
      --budget_;
      linearise(x_);
      if (!p_.factors.factorise(L_, B_)) return Inner::failed;
      for (double& value : phi_) value = -value;
      p_.factors.solve(phi_);
      if (!search(last, norm)) return Inner::failed;
      if (stop(x_)) return Inner::stopped;
    }
  }

  /// Steps of length 1, 0.3, … along phi_, against the largest of the last norms.
  bool search(std::deque<double>& last, double& norm) {
    const double bound = *std::max_element(last.begin(), last.end());
    double t = 1;
    for (int trial = 0; trial < 4; ++trial, t *= 0.3) {
      for (std::size_t k = 0; k < x_.size(); ++k) trial_[k] = x_[k] + t * phi_[k];
      norm = evaluate(trial_, trial_phi_);
      if (!(norm <= (1 - 0.1 * t) * bound)) continue;
      x_.swap(trial_);
      phi_.swap(trial_phi_);
      last.push_back(norm);
      if (last.size() > memory) last.pop_front();
      return true;
    }
    return false;
  }

  static Vec<D> load(std::span<const double> v, std::size_t i) {
    Vec<D> z;
    for (std::size_t c = 0; c < D; ++c) z[c] = v[i * D + c];
    return z;
  }

  Vec<D> shifted(const Vec<D>& u, std::size_t i) const {
    Vec<D> w = u;
    w[0] += p_.mu[i] * s_[i];
    return w;
  }

  /// ‖Φ‖ of the problem itself.
  double true_norm(std::span<const double> r) {
    const double kept = std::exchange(a_, 0.0);
    const double norm = evaluate(r, trial_phi_);
    a_ = kept;
    return norm;
  }

  /// u ← W r + q + a (r − reference).
  void velocity(std::span<const double> r) {
    p_.velocity(r, u_);
    for (std::size_t k = 0; k < u_.size(); ++k) u_[k] += a_ * (r[k] - reference_[k]);
  }

  double evaluate(std::span<const double> r, std::vector<double>& phi) {
    velocity(r);
    double sum = 0;
    for (std::size_t i = 0; i < p_.n; ++i) {
      const Vec<D> ri = load(r, i), ui = load(u_, i);
      Vec<D> value;
      if (s_) {
        const Vec<D> w = shifted(ui, i);
        value = add<D>(w, 1, project_on_polar_cone<D>(add<D>(ri, -1, w), p_.mu[i]));
      } else {
        value = map_residual<D>(Map::alart_curnier, ui, ri, p_.mu[i], 1, 1);
      }
      for (std::size_t c = 0; c < D; ++c) phi[i * D + c] = value[c];
      sum += dot<D>(value, value);
    }
    return std::sqrt(sum);
  }

  /// L = Φ_u, B = Φ_r + a Φ_u at r, whose u is known.
  void linearise(std::span<const double> r) {
    velocity(r);
    for (std::size_t i = 0; i < p_.n; ++i) {
      const Vec<D> ri = load(r, i), ui = load(u_, i);
      Mat<D> by_u, by_r;
      if (s_) {
        by_u = cone_projection_jacobian<D>(add<D>(ri, -1, shifted(ui, i)), p_.mu[i]);
        by_r = combine<D>(1, scaled_identity<D>(1), -1, by_u);
      } else {
        const auto map = evaluate_map<D>(Map::alart_curnier, ui, ri, p_.mu[i], 1, 1);
        by_u = map.by_u, by_r = map.by_r;
      }
      by_r = combine<D>(1, by_r, a_, by_u);
      std::copy(by_u.begin(), by_u.end(), &L_[i * D * D]);
      std::copy(by_r.begin(), by_r.end(), &B_[i * D * D]);
    }
  }

  ConicProblem& p_;
  const double* s_;
  double a_ = 0;
  int budget_ = 0;
  std::vector<double> x_, reference_, u_, phi_, trial_, trial_phi_, L_, B_;
};

}  // namespace

double semismooth_polish(ConicProblem& problem, const double* s, const PolishOptions& options,
                         std::span<double> r, const std::function<bool(std::span<const double>)>& stop) {
  return problem.dimension == 3 ? Polish<3>(problem, s).run(options, r, stop)
                                : Polish<2>(problem, s).run(options, r, stop);
}

}  // namespace stickslip::internal
