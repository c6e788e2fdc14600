// ADMM on min ½rᵀWr + (q + s)ᵀr, r = z ∈ K, with s = g(u) renewed at every iteration (scaled variables,
// solve/scaled_problem):
//
//   r ← (W + ρI)⁻¹ ( ρ(z − ξ) − q − s ),     s_N = μρ‖ξ_T‖   since û = −ρξ at a solution
//   x ← α r + (1 − α) z,   z ← P_K(x + ξ),   ξ ← ξ + x − z
//
// (Boyd and others 2011; Kanno, Daniilidis and others; Acary and others for friction.) One factorisation
// serves until the penalty ρ is rebalanced so that ‖r − z‖ and ρ‖Δz‖ stay comparable.

#include "solvers/admm/admm.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/dimension.hpp"
#include "base/pieces.hpp"
#include "base/raw_numbers.hpp"
#include "cone/project.hpp"
#include "problem/contact_sums.hpp"
#include "solve/monitor/monitor.hpp"
#include "solve/prepared_system.hpp"
#include "solvers/parts/anderson.hpp"

namespace stickslip::internal {

void AdmmOptions::visit(OptionVisitor& v) {
  v.real("rho", rho, {0, 1e6},
         "first penalty, in scaled units; 0: 0.3, or 0.001 where bodies are known and contacts redundant");
  v.real("relaxation", relaxation, {0, 2, true}, "over-relaxation α; 1.5 to 1.8 is usual");
  static constexpr std::array<std::string_view, 2> intervals = {"fixed", "doubled"};
  v.integer("rebalance", rebalance, {0, 1e9}, "iterations between changes of ρ; 0: never");
  v.choice("interval", interval, intervals,
           "between changes of ρ: always `rebalance`, or doubled after each");
  v.real("floor", floor, {0, 1e6, true}, "least ρ");
  v.integer("anderson", anderson, {0, Anderson::most}, "differences mixed by Anderson acceleration; 0: none");
  static constexpr std::array<std::string_view, 2> forms = {"auto", "velocity"};
  v.choice(
      "form", form, forms,
      "how r is solved for: by factors, or through the contacts of known bodies without any, which several "
      "processes share");
}

namespace {

/// Where r comes from conjugate gradients: of the last step's length, what it may lack.
constexpr double accuracy = 0.03;
/// First penalties in scaled units, and the contact unknowns a degree of freedom from which the weak one is taken.
constexpr double usual_penalty = 0.3, weak_penalty = 1e-3, redundancy = 2;

/// Conjugate gradients for one r at most.
constexpr long most_gradients = 1000;

/// Squares that steer the penalty.
struct Residuals {
  double primal = 0, dual = 0, size = 0;
};

// Contact by contact, in one copy each: loops over contacts might fuse other products in their last rounds, or where contacts are few, and both depend on the
// ranks.

/// z ← P_K(y), ξ ← y − z of a contact.
template <int D>
STICKSLIP_ONE_COPY void split(std::span<const double> mu, std::size_t i, std::span<const double> y,
                              std::span<double> z, std::span<double> xi) {
  Vec<D> yi;
  for (std::size_t c = 0; c < D; ++c) yi[c] = y[i * D + c];
  const Vec<D> zi = project_on_cone<D>(yi, mu[i]);
  for (std::size_t c = 0; c < D; ++c) z[i * D + c] = zi[c], xi[i * D + c] = yi[c] - zi[c];
}

/// z ← P_K(x + ξ), ξ ← ξ + x − z for the relaxed x of a contact; primal, dual and size of the step.
template <int D>
STICKSLIP_ONE_COPY std::array<double, 3> project(std::span<const double> mu, std::size_t i, double alpha,
                                                 std::span<const double> r, std::span<double> z,
                                                 std::span<double> xi) {
  double primal = 0, dual = 0, size = 0;
  Vec<D> y;
  for (std::size_t c = 0; c < D; ++c) {
    const std::size_t k = i * D + c;
    primal += (r[k] - z[k]) * (r[k] - z[k]);
    y[c] = alpha * r[k] + (1 - alpha) * z[k] + xi[k];
  }
  const Vec<D> next = project_on_cone<D>(y, mu[i]);
  for (std::size_t c = 0; c < D; ++c) {
    const std::size_t k = i * D + c;
    dual += (next[c] - z[k]) * (next[c] - z[k]);
    size += next[c] * next[c];
    xi[k] = y[c] - next[c];
    z[k] = next[c];
  }
  return {primal, dual, size};
}

/// r ← ρ(z − ξ) − q − s of a contact.
template <int D>
STICKSLIP_ONE_COPY void push(std::span<const double> mu, std::size_t i, double rho, std::span<const double> q,
                             std::span<const double> z, std::span<const double> xi, std::span<double> r) {
  double slip = 0;
  for (std::size_t c = 1; c < D; ++c) slip += xi[i * D + c] * xi[i * D + c];
  for (std::size_t c = 0; c < D; ++c) r[i * D + c] = rho * (z[i * D + c] - xi[i * D + c]) - q[i * D + c];
  r[i * D] -= mu[i] * rho * std::sqrt(slip);
}

class Admm final : public Method {
 public:
  explicit Admm(const AdmmOptions& options) : options_(options), mixing_(options.anderson) {}

 private:
  bool through_contacts() const { return options_.form == AdmmOptions::Form::velocity; }

  bool needs_matrix(ContactProblem& problem) const override {
    return through_contacts() ? !problem.bodies().applies() : !problem.bodies_pay();
  }

  std::string refusal(ContactProblem& problem) const override {
    if (!through_contacts() || !problem.global()) return {};
    if (problem.formed()) return "velocity form: " + problem.bodies().reason();
    return problem.bodies().symmetric() ? "" : "velocity form: M is not symmetric";
  }

  std::string refusal_of_ranks() const override {
    return through_contacts() ? "" : "the form must be velocity";
  }

  void iterate(ContactProblem& problem, Monitor& monitor) override {
    springs_.reset();
    if (through_contacts() && !problem.formed()) {
      own_.prepare(problem, Scaled::on);
      scaled_ = &own_;
      springs_ = problem.make_springs(own_.bodies()->scale, own_.bodies()->idle);
    } else {
      PreparedSystem& parts = problem.prepared(Scaled::on, Frictionless::whole, monitor.watch());
      scaled_ = &parts.problem;
      system_ = &parts.system;
    }
    with_dimension(problem.dimension(), [&]<int D>() { iterate_typed<D>(problem, monitor); });
  }

  template <int D>
  void iterate_typed(ContactProblem& problem, Monitor& monitor) {
    const std::span<const double> q = scaled_->q(), mu = problem.mu();
    ThreadTeam* const team = problem.team();
    double rho = first_penalty(problem);
    if (!factorise(rho)) return monitor.end(Status::numerical_failure, "W + ρI cannot be factorised");
    for (auto* x : {&r_, &z_, &xi_, &physical_}) x->resize(q.size());
    fill(team, xi_, 0);
    scaled_->to_scaled(monitor.start(), z_);
    if (!springs_ && std::ranges::equal(monitor.start(), monitor.guess()))
      take_velocities<D>(monitor.start_velocity(), rho, mu, team);
    const auto add_up = [&](RawNumbers& y) {
      in_pieces(team, y.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) y[k] = z_[k] + xi_[k];
      });
    };
    // An iteration maps y = z + ξ on the next y, since z = P_K(y): that is what is mixed.
    if (mixing_.active()) {
      for (auto* x : {&y_, &image_}) x->resize(q.size());
      add_up(y_);
      springs_ ? mixing_.start_in_space(problem)
               : mixing_.start(D, mu, std::vector<double>(mu.size(), 1.0), Anderson::Set::space, team);
    }
    long next_rebalance = options_.rebalance;
    double moved = monitor.best_error() * std::sqrt(contact_dot(problem, q, q));  // by the last step
    monitor.setup_done();
    for (long k = 1;; ++k) {
      in_pieces(team, mu.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) push<D>(mu, i, rho, q, z_, xi_, r_);
      });
      if (!solve(rho, accuracy * moved))
        return monitor.end(Status::numerical_failure, "W + ρI cannot be solved with");
      const auto sums = sum_contacts<3>(
          problem, [&](std::size_t i) { return project<D>(mu, i, options_.relaxation, r_, z_, xi_); });
      const Residuals step{sums[0], sums[1], sums[2]};
      scaled_->to_physical(z_, physical_);
      moved = std::sqrt(step.primal + step.dual);
      const double change = std::sqrt((step.primal + step.dual) / std::max(step.size, 1e-300));
      if (monitor.show(physical_, change)) return;
      if (mixing_.active()) {
        add_up(image_);
        mixing_.next(y_, image_);
        in_pieces(team, mu.size(), [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) split<D>(mu, i, y_, z_, xi_);
        });
      }
      if (options_.rebalance == 0 || k < next_rebalance) continue;
      next_rebalance = options_.interval == AdmmOptions::Interval::doubled ? 2 * k : k + options_.rebalance;
      const double before = rho;
      if (!rebalance(step, rho, xi_))
        return monitor.end(Status::numerical_failure, "W + ρI cannot be factorised");
      if (mixing_.active() && rho != before) {
        add_up(y_);
        mixing_.forget();
      }
    }
  }

  /// ξ = −û/ρ of the velocities that belong to the guess.
  template <int D>
  void take_velocities(std::span<const double> u, double rho, std::span<const double> mu, ThreadTeam* team) {
    if (u.empty()) return;
    in_pieces(team, mu.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Vec<D> shifted = desaxce_shift<D>(load<D>(u.data(), i), mu[i]);
        for (std::size_t c = 0; c < D; ++c)
          xi_[i * D + c] = -scaled_->velocity_factor(Index(i)) * shifted[c] / rho;
      }
    });
  }

  /// Redundant contacts leave W a large null space, in which ρ alone acts: a weak one moves freely there.
  double first_penalty(ContactProblem& problem) const {
    if (options_.rho > 0) return options_.rho;
    const bool redundant = problem.global() && problem.redundancy() >= redundancy;
    return redundant ? weak_penalty : usual_penalty;
  }

  /// ρ grows when r and z disagree more than z moves, and the other way round.
  bool rebalance(const Residuals& step, double& rho, RawNumbers& xi) {
    const double primal = std::sqrt(step.primal), dual = rho * std::sqrt(step.dual);
    if (!(primal > 0 && dual > 0)) return true;
    const double factor = std::clamp(std::sqrt(primal / dual), 0.2, 5.0),
                 next = std::max(rho * factor, options_.floor);
    if (next < 1.5 * rho && rho < 1.5 * next) return true;
    for (double& x : xi) x *= rho / next;  // û = −ρξ stays
    rho = next;
    return factorise(rho);
  }

  static void fill(ThreadTeam* team, RawNumbers& x, double value) {
    in_pieces(team, x.size(), [&](std::size_t begin, std::size_t end) {
      std::fill(x.data() + begin, x.data() + end, value);
    });
  }

  /// W + ρI.
  bool factorise(double rho) {
    const auto d = std::size_t(scaled_->dimension());
    penalty_.resize(scaled_->size() * d);
    in_pieces(scaled_->team(), scaled_->size(), [&](std::size_t begin, std::size_t end) {
      std::fill(&penalty_[begin * d], penalty_.data() + end * d, 0.0);
      for (std::size_t k = begin; k < end; ++k) penalty_[k * d + k % d] = rho;
    });
    return springs_ ? springs_->prepare(penalty_.data())
                    : system_->factorise_penalty(penalty_.data(), rho).ok;
  }

  /// r ← (W + ρI)⁻¹ r up to about `enough`, where no factors are there.
  bool solve(double rho, double enough) {
    return springs_ ? springs_->go_on(r_, rho * enough * enough, most_gradients) >= 0
                    : system_->solve_penalty(r_, enough);
  }

  AdmmOptions options_;
  Anderson mixing_;
  const ScaledProblem* scaled_ = nullptr;
  ContactSystem* system_ = nullptr;
  ScaledProblem own_;
  std::unique_ptr<SpringSystem> springs_;  // in place of the system
  RawNumbers penalty_;                     // ρI as blocks
  RawNumbers r_, z_, xi_, y_, image_, physical_;
};

}  // namespace

std::unique_ptr<Method> make_admm(const AdmmOptions& options) { return std::make_unique<Admm>(options); }

}  // namespace stickslip::internal
