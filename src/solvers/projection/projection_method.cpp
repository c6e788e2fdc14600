#include "solvers/projection/projection_method.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "bodies/body_operator.hpp"
#include "cone/project.hpp"
#include "cone/small_matrix.hpp"
#include "problem/contact_sums.hpp"
#include "solve/monitor/monitor.hpp"
#include "solve/scaled_problem.hpp"
#include "solvers/parts/anderson.hpp"

namespace stickslip::internal {
namespace {

/// Products spent on ‖W‖. The estimate is a lower bound, and the adaptive rules correct it.
constexpr int power_iterations = 6;
/// A fixed ρ diverges when a step is this many times as long as the first,
constexpr double divergence = 1e6;
/// or when, as often as this many steps are doubled, the shortest step did not fall by a hundredth although
/// ρ‖W‖ > 2.
constexpr long first_look = 256;

/// What the passes over the contacts share.
struct Contacts {
  const ContactOperator& problem;
  const double *size, *weight, *inverse;
};

/// out_i ← P_C(z_i − ρ w_i F_i) with F from the velocity u; gives ‖z‖² and ‖z − out‖².
template <int D, class Law>
TrialStep project(const Contacts& contacts, double rho, const double* z, const double* u, double* out) {
  const auto sums = sum_contacts<2>(contacts.problem, [&](std::size_t i) {
    const double size = contacts.size[i], step = rho * contacts.weight[i];
    const Vec<D> zi = load<D>(z, i), F = Law::template force<D>(load<D>(u, i), size);
    const Vec<D> x = Law::template project<D>(add<D>(zi, -step, F), size), move = add<D>(zi, -1, x);
    for (std::size_t c = 0; c < D; ++c) out[i * D + c] = x[c];
    return std::array{contacts.inverse[i] * dot<D>(zi, zi), contacts.inverse[i] * dot<D>(move, move)};
  });
  TrialStep trial;
  trial.size = sums[0], trial.move = sums[1];
  return trial;
}

/// Adds ‖F − F̄‖² and (z − z̄)·(F − F̄) to the sums of a trial z̄ with velocity ū. With a base, also the second
/// half of extragradient in the same pass: out_i ← P_C(base_i − ρ w_i F̄_i).
template <int D, class Law, bool correct>
void compare(const Contacts& contacts, double rho, const double* z, const double* u, const double* trial,
             const double* trial_u, TrialStep& sums, const double* base, double* out) {
  const auto [change, product] = sum_contacts<2>(contacts.problem, [&](std::size_t i) {
    const double size = contacts.size[i], weight = contacts.weight[i];
    const Vec<D> F = Law::template force<D>(load<D>(u, i), size),
                 Ft = Law::template force<D>(load<D>(trial_u, i), size);
    const Vec<D> difference = add<D>(F, -1, Ft);
    if constexpr (correct) {
      const Vec<D> x = Law::template project<D>(add<D>(load<D>(base, i), -rho * weight, Ft), size);
      for (std::size_t c = 0; c < D; ++c) out[i * D + c] = x[c];
    }
    return std::array{weight * dot<D>(difference, difference),
                      dot<D>(add<D>(load<D>(z, i), -1, load<D>(trial, i)), difference)};
  });
  sums.change = change;
  sums.product = product;
}

}  // namespace

void VariationalOptions::visit_map(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 2> choices = {"off", "on"};
  step.visit(v);
  v.choice("scaling", scaling, choices,
           "scale each contact by its diagonal block, so that units do not matter; off: as published");
}

void ExtragradientOptions::visit_map(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 2> choices = {"start", "trial"};
  VariationalOptions::visit_map(v);
  v.choice("correction", correction, choices,
           "where the second half begins: at r (Korpelevich, RR (99)) or at the trial, as Siconos does, far "
           "faster here");
}

namespace {

void visit_solver(OptionVisitor& v, VariationalOptions& options) {
  static constexpr std::array<std::string_view, 3> forms = {"auto", "matrix", "velocity"};
  v.integer("anderson", options.anderson, {0, Anderson::most},
            "differences mixed by Anderson acceleration, at one product more an iteration; 0: none");
  v.choice("form", options.form, forms,
           "of global problems: form W, or go through the velocities of the bodies; auto: what is faster");
}

}  // namespace

void VariationalOptions::visit(OptionVisitor& v) {
  visit_map(v);
  visit_solver(v, *this);
}

void ExtragradientOptions::visit(OptionVisitor& v) {
  visit_map(v);
  visit_solver(v, *this);
}

VariationalMap::VariationalMap(const VariationalOptions& options) : options_(options), rule_(options.step) {
  options.step.validate();
}

VariationalMap::VariationalMap(const ExtragradientOptions& options)
    : VariationalMap(static_cast<const VariationalOptions&>(options)) {
  method_ =
      options.correction == ExtragradientOptions::Correction::start ? Method::from_start : Method::from_trial;
}

void VariationalMap::prepare(const ContactOperator& problem, ContactLaw law, std::span<const double> size) {
  problem_ = &problem;
  law_ = law;
  size_ = size;
  const std::size_t n = problem.mu().size(), d = std::size_t(problem.dimension());
  weight_.assign(n, 1.0);
  if (options_.scaling == Scaled::on) {
    contact_scale(problem, weight_);
    for (double& weight : weight_) weight *= weight;
  }
  inverse_.resize(n);
  for (std::size_t i = 0; i < n; ++i) inverse_[i] = 1 / weight_[i];
  trial_.resize(n * d);
  trial_u_.resize(n * d);
  rule_.start(options_.step.rho > 0 ? options_.step.rho : 1 / estimate_norm());
  first_move_ = 0;
  least_move_ = earlier_move_ = std::numeric_limits<double>::infinity();
  steps_ = 0;
  next_look_ = first_look;
  diverges_ = false;
}

/// ‖S W S‖ from below by power iterations that begin with q: x stands for S x'.
double VariationalMap::estimate_norm() {
  const double* q = problem_->q().data();
  const std::size_t d = std::size_t(problem_->dimension()), n = weight_.size();
  // x ← S² y; gives ‖S y‖² = Σ s_i² ‖y_i‖².
  const auto scale_back = [&](const double* y) {
    return sum_contacts(*problem_, [&](std::size_t i) {
      double sum = 0;
      for (std::size_t k = i * d; k < (i + 1) * d; ++k) {
        trial_[k] = weight_[i] * y[k];
        sum += weight_[i] * y[k] * y[k];
      }
      return sum;
    });
  };
  // Of the size of q', so that W x is not lost beside q.
  const double size = scale_back(q);
  double norm = 0;
  for (int iteration = 0; iteration < power_iterations; ++iteration) {
    problem_->velocity(trial_, trial_u_);
    for (std::size_t k = 0; k < n * d; ++k) trial_u_[k] -= q[k];
    const double product = scale_back(trial_u_.data());
    if (!(product > 0)) break;
    norm = std::max(norm, std::sqrt(product / size));
    const double shrink = std::sqrt(size / product);
    for (double& x : trial_) x *= shrink;
  }
  return norm > 0 ? norm : 1;
}

void VariationalMap::step(std::span<const double> r, std::span<const double> u, std::span<double> next,
                          std::span<double> next_u) {
  with_law(law_, [&]<class Law>(Law) {
    if (problem_->dimension() == 3)
      typed_step<3, Law>(r.data(), u.data(), next, next_u);
    else
      typed_step<2, Law>(r.data(), u.data(), next, next_u);
  });
  rule_.end_step();
}

template <int D, class Law>
void VariationalMap::typed_step(const double* r, const double* u, std::span<double> next,
                                std::span<double> next_u) {
  const Contacts contacts{*problem_, size_.data(), weight_.data(), inverse_.data()};
  TrialStep sums;
  if (method_ == Method::fixed_point) {
    // The accepted trial is the next iterate, and its velocity is known.
    do {
      sums = project<D, Law>(contacts, rule_.rho(), r, u, next.data());
      problem_->velocity(next, next_u);
      if (!rule_.adaptive()) break;
      compare<D, Law, false>(contacts, rule_.rho(), r, u, next.data(), next_u.data(), sums, nullptr, nullptr);
    } while (!rule_.accept(sums));
  } else {
    const double* base = method_ == Method::from_start ? r : trial_.data();
    // Each trial is corrected at once: few are refused.
    do {
      sums = project<D, Law>(contacts, rule_.rho(), r, u, trial_.data());
      problem_->velocity(trial_, trial_u_);
      compare<D, Law, true>(contacts, rule_.rho(), r, u, trial_.data(), trial_u_.data(), sums, base,
                            next.data());
    } while (rule_.adaptive() && !rule_.accept(sums));
    problem_->velocity(next, next_u);
  }
  watch(sums.move);
}

void VariationalMap::watch(double move) {
  if (!std::isfinite(move)) diverges_ = true;
  if (rule_.adaptive() || diverges_) return;
  if (first_move_ == 0) first_move_ = move;
  least_move_ = std::min(least_move_, move);
  if (move > divergence * divergence * first_move_) diverges_ = true;
  if (++steps_ < next_look_) return;
  if (least_move_ > 0.98 * earlier_move_ && rho() * estimate_norm() > 2) diverges_ = true;
  earlier_move_ = least_move_;
  next_look_ *= 2;
}

std::string VariationalMap::advice() {
  // One digit is as much as the estimate is worth.
  const double shorter = 0.5 / estimate_norm(), digit = std::pow(10, std::floor(std::log10(shorter)));
  return "diverges or cycles with rho=" + shortest(rho()) +
         "; try rho=" + shortest(digit * std::floor(shorter / digit)) + " or step=khobotov, which adapts it";
}

namespace {

class Variational final : public Method {
 public:
  Variational(VariationalMap map, const VariationalOptions& options)
      : map_(std::move(map)), form_(options.form), mixing_(options.anderson) {}

 private:
  using Form = VariationalOptions::Form;

  bool needs_matrix(ContactProblem& problem) const override {
    if (form_ == Form::matrix) return true;
    return form_ == Form::velocity ? !problem.bodies().applies() : !velocity_products_pay(problem.bodies());
  }

  std::string refusal_of_ranks() const override {
    return form_ == Form::velocity ? "" : "the form must be velocity";
  }

  std::string refusal(ContactProblem& problem) const override {
    if (form_ != Form::velocity || !problem.formed() || !problem.global()) return {};
    return "velocity form: " + problem.bodies().reason();
  }

  void iterate(ContactProblem& problem, Monitor& monitor) override {
    map_.prepare(problem);
    r_.assign(monitor.start().begin(), monitor.start().end());
    u_.assign(problem.q().begin(), problem.q().end());
    next_.resize(r_.size());
    next_u_.resize(r_.size());
    // A rank whose own impulses vanish makes the product with the others.
    if (problem.ranks() || std::any_of(r_.begin(), r_.end(), [](double x) { return x != 0; }))
      problem.velocity(r_, u_);
    if (mixing_.active()) mixing_.start(problem);
    monitor.setup_done();
    for (;;) {
      map_.step(r_, u_, next_, next_u_);
      if (map_.diverges()) return monitor.end(Status::numerical_failure, map_.advice());
      if (monitor.show(next_, next_u_)) return;
      if (mixing_.active() && mixing_.next(r_, next_)) {
        problem.velocity(r_, u_);
      } else {
        r_.swap(next_);
        u_.swap(next_u_);
      }
    }
  }

  VariationalMap map_;
  Form form_;
  Anderson mixing_;
  std::vector<double> r_, u_, next_, next_u_;
};

}  // namespace

std::unique_ptr<Method> make_fixed_point(const VariationalOptions& options) {
  return std::make_unique<Variational>(VariationalMap(options), options);
}

std::unique_ptr<Method> make_extragradient(const ExtragradientOptions& options) {
  return std::make_unique<Variational>(VariationalMap(options), options);
}

}  // namespace stickslip::internal
