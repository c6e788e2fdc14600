#include "solvers/semismooth/semismooth.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/dimension.hpp"
#include "base/line_search.hpp"
#include "base/text.hpp"
#include "solve/monitor/monitor.hpp"
#include "solvers/semismooth/active_set.hpp"
#include "solvers/semismooth/normal_path.hpp"
#include "solvers/semismooth/semismooth_system.hpp"

namespace stickslip::internal {

void SemismoothOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 4> linearisations = {"hyb", "newt", "fix", "unil"};
  static constexpr std::array<std::string_view, 3> searches = {"none", "armijo", "nonmonotone"};
  static constexpr std::array<std::string_view, 2> switches = {"off", "on"},
                                                   starts = {"forgotten", "remembered"},
                                                   ways = {"path", "active_sets"},
                                                   opens = {"stick", "vanish"};
  v.choice("linearisation", linearisation, linearisations,
           "of friction: hybrid, consistent Newton, Tresca with bounds that are renewed; unil: no friction, "
           "μ = 0 only");
  int kind = static_cast<int>(search);
  v.part("search", kind, searches, "line search on ½‖C‖²; fix and unil make none", [&](OptionVisitor& inner) {
    if (kind == static_cast<int>(Search::none)) return;
    if (kind == static_cast<int>(Search::nonmonotone))
      inner.integer("memory", memory, {0, 1000}, "J: earlier merits that a step may rise to; 0 is armijo");
    inner.choice("first_merit", first_merit, starts,
                 "whether the merit of the start is one of them; remembered: as published");
    inner.real("shrink", shrink, {0, 0.999, true}, "σ: factor of each shorter trial");
    inner.real("decrease", decrease, {0, 0.5}, "γ: decrease asked for");
    inner.real("shortest", shortest, {0, 1, true}, "β: a step this short is taken whatever it does");
  });
  search = static_cast<Search>(kind);
  v.real("factor", factor, {1, 1e6},
         "φ: what ρ of a contact is multiplied by when it turns between stick and slip");
  v.integer("penalties", penalties, {0, 1000},
            "L: how often at most, and iterations before the first; 0: ρ stays");
  v.real("bound_accuracy", bound_accuracy, {0, 1, true},
         "ε of fix: change of r below which the bounds are renewed");
  v.real("regularisation", regularisation, {0, 1},
         "first a of W + aI, in scaled units; halved by full steps, tripled by failed searches; 0: as "
         "published");
  v.choice("scaling", scaling, switches,
           "scale each contact by its diagonal block, so that units do not matter; off: as published");
  v.choice(
      "open", open, opens,
      "of hyb and fix: an open contact that sticks keeps the tangential rows of stick for a step, or has no "
      "impulse after it; vanish: as published");
  v.choice(
      "frictionless", frictionless, ways,
      "of unil: sweeps and a central path around the active sets, or SSN's active sets alone, as published");
  v.integer("iterations", iterations, {1, 1e9}, "K: iterations at most");
}

namespace {

/// The regularisation of the linear systems, in scaled units, stays within these.
constexpr double least_regularisation = 1e-10, largest_regularisation = 0.1, strongest_regularisation = 1;
/// A normal velocity or impulse this small beside the loads and the largest impulse is zero to the active
/// set.
constexpr double slack = 1e-9;
/// How often in a row the active sets may fail to get closer: at first, and around a centre.
constexpr int first_patience = 3, patience = 12;
/// Sweeps before the first factorisation, and what they may leave (normal_path) where W_NN is well
/// conditioned.
constexpr int sweeps = 100;
constexpr double little_left = 1e-4;
/// A step of the active set that pulls by more than this part of the largest impulse is not believed.
constexpr double believed_pull = 0.5;
/// The central path is blocked by steps this short.
constexpr double blocked_step = 0.05;

template <int D>
class Scsol {
 public:
  Scsol(const SemismoothOptions& options, ContactProblem& problem, Monitor& monitor)
      : options_(options),
        monitor_(monitor),
        system_(problem, options.linearisation, options.open, options.scaling, monitor.watch()),
        reference_(options.search == SemismoothOptions::Search::nonmonotone ? std::size_t(options.memory) + 1
                                                                            : 1) {
    const std::size_t n = system_.size();
    for (auto* x : {&r_, &U_, &T_, &step_, &full_, &full_u_, &trial_, &trial_u_, &physical_, &physical_u_})
      x->assign(n, 0.0);
    system_.problem().to_scaled(monitor.start(), r_);
    system_.renew_bounds(r_);
    system_.problem().velocity(r_, U_);
    // A cold start is at rest too, U = 0 with the residual T = q: the first step then takes every contact as
    // closed and without friction, and impulses spread through the whole structure at once. A warm one has the last U.
    if (!monitor.start_velocity().empty()) {
      std::copy(U_.begin(), U_.end(), T_.begin());
      for (std::size_t k = 0; k < n; ++k) {
        U_[k] = system_.problem().velocity_factor(Index(k / D)) * monitor.start_velocity()[k];
        T_[k] -= U_[k];
      }
    } else if (std::all_of(r_.begin(), r_.end(), [](double x) { return x == 0; })) {
      U_.swap(T_);
    }
  }

  void iterate() {
    monitor_.setup_done();
    if (options_.linearisation == Linearisation::unil)
      options_.frictionless == SemismoothOptions::Frictionless::path ? iterate_without_friction()
                                                                     : iterate_active_sets();
    else
      iterate_with_friction();
  }

 private:
  void iterate_with_friction() {
    const bool fixed = options_.linearisation == Linearisation::fix;
    const bool searching = options_.search != SemismoothOptions::Search::none && !fixed;
    double a = options_.regularisation;
    for (long k = 0; k < options_.iterations; ++k) {
      system_.linearise(r_, U_, T_);
      if (!solve(a)) return;
      if (k == 0 && options_.first_merit == SemismoothOptions::Start::remembered) remember_start();
      const double alpha = searching && k > 0 ? search() : 1.0;
      const double change = advance(alpha);
      if (show()) return;
      if (fixed && change <= options_.bound_accuracy) system_.renew_bounds(r_);
      if (!fixed && k >= options_.penalties) system_.penalise(options_.factor, options_.penalties);
      if (alpha == 1) a = std::max(std::min(least_regularisation, options_.regularisation), a / 2);
      if (alpha <= options_.shortest)
        a = std::min(std::max(largest_regularisation, options_.regularisation), 3 * a);
    }
    run_out();
  }

  /// UNIL as printed: A_N = { d_N ≥ 0 } and its complement, a system each, until they no longer change. SSN (47)–(48).
  void iterate_active_sets() {
    while (more()) {
      const bool changed = system_.linearise(r_, U_, T_);
      if (iteration_ > 2 && !changed)
        return monitor_.end(Status::stalled, "the closed contacts no longer change");
      if (!solve(options_.regularisation)) return;
      advance(1);
      if (show()) return;
    }
    run_out();
  }

  /// UNIL: SSN's active sets where W_NN is well conditioned, which the sweeps tell, or from a guess. Else,
  /// and where these pull or cycle, the central path. Where that is blocked the proximal point method.
  void iterate_without_friction() {
    const NormalMatrix W(*system_.problem().blocks());
    std::vector<double> q(W.diagonal.size());
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = system_.problem().q()[i * D];
    NormalPath path(W, q);
    std::vector<std::uint8_t> closed(q.size());
    const bool cold = std::all_of(r_.begin(), r_.end(), [](double x) { return x == 0; });
    double left = 0;
    if (cold) {
      left = path.sweep(sweeps);
      path.closed(closed);
    } else {
      for (std::size_t i = 0; i < closed.size(); ++i) closed[i] = r_[i * D] - U_[i * D] >= 0;
    }
    bool settled = false;
    if (left < little_left) {
      if (try_active_sets(closed, largest(cold ? path.impulses() : r_), settled)) return;
      if (!cold) path.sweep(sweeps);
    }
    if (!settled && follow_central_path(path, closed)) return;
    if (!iterate_around_centres(closed)) run_out();
  }

  // Each of the three changes r and the set of closed contacts, and says whether the solve is over.

  bool try_active_sets(std::vector<std::uint8_t>& closed, double impulse, bool& settled) {
    ActiveSet set;
    set.start(closed, first_patience);
    for (bool moving = true; moving;) {
      if (active_set_step(set.closed(), least_regularisation)) return true;
      double pull = 0;
      for (std::size_t i = 0; i < r_.size(); i += D) pull = std::max(pull, -r_[i]);
      if (pull > believed_pull * impulse) return false;
      const auto outcome = update(set);
      settled = outcome == ActiveSet::Outcome::settled;
      moving = outcome == ActiveSet::Outcome::changed && more();
    }
    closed.assign(set.closed().begin(), set.closed().end());
    return false;
  }

  bool follow_central_path(NormalPath& path, std::vector<std::uint8_t>& closed) {
    for (int blocked = 0; blocked < 3 && more();) {
      const double reached = path.step();
      blocked = reached < blocked_step ? blocked + 1 : 0;
      std::fill(r_.begin(), r_.end(), 0.0);
      for (std::size_t i = 0; i < closed.size(); ++i) r_[i * D] = path.impulses()[i];
      system_.problem().velocity(r_, U_);
      if (show()) return true;
      path.closed(closed);
      if (reached == 0) break;
    }
    return false;
  }

  static double largest(std::span<const double> r) {
    double value = 0;
    for (double x : r) value = std::max(value, x);
    return value;
  }

  /// Active sets for u + a(r − c) ⊥ r. Where they cycle a rises, and W + aI is positive definite in earnest;
  /// when the closed contacts are found, c ← r and a falls, by less after each cycle.
  bool iterate_around_centres(std::vector<std::uint8_t>& settled) {
    ActiveSet set;
    set.start(settled, patience);
    double a = least_regularisation, fall = 0.1;
    std::vector<double> centre = r_;
    while (more()) {
      if (active_set_step(set.closed(), a)) return true;
      // From here on U is the velocity of the regularised problem.
      for (std::size_t i = 0; i < r_.size(); ++i) U_[i] += a * (r_[i] - centre[i]);
      const auto outcome = update(set);
      if (outcome == ActiveSet::Outcome::changed) continue;
      if (outcome == ActiveSet::Outcome::settled) {
        settled.assign(set.closed().begin(), set.closed().end());
        centre = r_;
        a = std::max(least_regularisation, fall * a);
      } else {
        r_ = centre;
        a = std::clamp(10 * a, 0.001, strongest_regularisation);
        fall = std::sqrt(fall);
      }
      system_.problem().velocity(r_, U_);
      set.start(settled, patience);
    }
    return false;
  }

  /// Whether one more iteration is allowed; it then counts.
  bool more() { return iteration_++ < options_.iterations; }

  /// u_N = 0 on the closed contacts, r_N = 0 on others. True: the solve is over.
  bool active_set_step(std::span<const std::uint8_t> closed, double regularisation) {
    system_.linearise(r_, U_, T_, closed);
    if (!solve(regularisation)) return true;
    advance(1);
    return show();
  }

  ActiveSet::Outcome update(ActiveSet& set) const {
    double impulse = 0;
    for (std::size_t i = 0; i < r_.size(); i += D) impulse = std::max(impulse, r_[i]);
    return set.update(r_, U_, D, slack * impulse, slack);
  }

  bool solve(double regularisation) {
    if (system_.step(regularisation, step_) ||
        (regularisation > 0 && system_.step(std::max(largest_regularisation, regularisation), step_)))
      return true;
    monitor_.end(Status::numerical_failure, "the linear system has no finite solution");
    return false;
  }

  bool show() {
    system_.problem().to_physical(r_, physical_);
    system_.problem().velocity_to_physical(U_, physical_u_);
    return monitor_.show(physical_, physical_u_);
  }

  void run_out() {
    monitor_.end(Status::iteration_limit, "no convergence in " + std::to_string(options_.iterations) +
                                              " iterations (option iterations)");
  }

  /// M⁰ is that of u = W r + q, SSN (63), whatever U the sets are read from.
  void remember_start() {
    system_.problem().velocity(r_, full_u_);
    reference_.push(system_.merit(r_, full_u_));
  }

  /// The length of the step, SSN (64).
  double search() {
    for (std::size_t k = 0; k < r_.size(); ++k) full_[k] = r_[k] + step_[k];
    system_.problem().velocity(full_, full_u_);
    const double merit = system_.merit(r_, U_);
    reference_.push(merit);
    double alpha = 1;
    while (alpha > options_.shortest &&
           !(merit_at(alpha) <= reference_.value() - 2 * options_.decrease * alpha * merit))
      alpha *= options_.shrink;
    return alpha;
  }

  double merit_at(double alpha) {
    for (std::size_t k = 0; k < r_.size(); ++k) {
      trial_[k] = r_[k] + alpha * step_[k];
      trial_u_[k] = U_[k] + alpha * (full_u_[k] - U_[k]);
    }
    return system_.merit(trial_, trial_u_);
  }

  /// r ← r + α δr; ‖δr‖/‖r‖.
  double advance(double alpha) {
    double moved = 0, size = 0;
    for (std::size_t k = 0; k < r_.size(); ++k) {
      r_[k] += alpha * step_[k];
      moved += step_[k] * step_[k];
      size += r_[k] * r_[k];
    }
    system_.problem().velocity(r_, U_);
    std::fill(T_.begin(), T_.end(), 0.0);
    return std::sqrt(size > 0 ? moved / size : moved);
  }

  const SemismoothOptions& options_;
  Monitor& monitor_;
  SemismoothSystem<D> system_;
  NonmonotoneReference reference_;
  long iteration_ = 1;
  std::vector<double> r_, U_, T_, step_, full_, full_u_, trial_, trial_u_, physical_, physical_u_;
};

class Semismooth final : public Method {
 public:
  explicit Semismooth(const SemismoothOptions& options) : options_(options) {}

 private:
  std::string refusal(ContactProblem& problem) const override {
    if (options_.linearisation != Linearisation::unil) return {};
    const auto rough = std::ranges::find_if(problem.mu(), [](double mu) { return mu > 0; });
    if (rough == problem.mu().end()) return {};
    return "linearisation=unil is for problems without friction, μ = 0; a contact has μ = " +
           shortest(*rough);
  }

  void iterate(ContactProblem& problem, Monitor& monitor) override {
    with_dimension(problem.dimension(), [&]<int D>() { Scsol<D>(options_, problem, monitor).iterate(); });
  }

  SemismoothOptions options_;
};

}  // namespace

std::unique_ptr<Method> make_semismooth(const SemismoothOptions& options) {
  return std::make_unique<Semismooth>(options);
}

}  // namespace stickslip::internal
