#include "linalg/contact_system/contact_system.hpp"

#include <algorithm>
#include <cmath>

#include "base/dimension.hpp"
#include "base/pieces.hpp"

namespace stickslip::internal {
namespace {

/// Multiplications that are not worth a look at the bodies.
constexpr double little_work = 1e6;
/// Steps of refinement through the bodies at most: each gains what cancellation left over.
constexpr int body_refinements = 4;
/// A solve without pivots between contacts that leaves more than this is made again with them.
constexpr double worst_residual = 1e-6;
/// Through the bodies what refinement reaches is accepted, unless it says nothing of the solution.
constexpr double useless_residual = 0.5;

double length(std::span<const double> x, ThreadTeam* team) {
  return std::sqrt(sum_in_pieces(team, x.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) sum += x[k] * x[k];
    return sum;
  }));
}

}  // namespace

void ContactSystem::analyse(const ContactProducts& problem, Stopwatch* watch) {
  problem_ = &problem;
  watch_ = watch;
  ordered_ = false;
  penalty_ = -1;
  count_ = replaced_ = 0;
  fronts_.share(problem.team());
  everyone_.assign(std::size_t(problem.contacts()), 1);
  choose();
}

void ContactSystem::keep(Stopwatch* watch) {
  watch_ = watch;
  count_ = replaced_ = 0;
}

ContactSystem::Outcome ContactSystem::factorise_penalty(const double* right, double rho) {
  const bool kept = penalty_ == rho;
  if (!kept && !gradients_pay_for_a_penalty()) {
    const Outcome outcome = factorise({}, nullptr, right, 0);
    if (outcome.ok && used_ == Strategy::bodies) penalty_ = rho;
    return outcome;
  }
  take_all(right);
  if (kept) return {true, 0};
  const Turn turn(watch_, Activity::factorisation);
  used_ = Strategy::gradients;
  if (!bodies_.prepare_penalty(right)) return factorise({}, nullptr, right, 0);
  penalty_ = rho;
  return {true, 0};
}

void ContactSystem::take_all(const double* right) {
  active_ = {};
  left_ = nullptr;
  right_ = right;
  alpha_ = 0;
}

void ContactSystem::choose() {
  if (const BodyFactors* bodies = problem_->bodies(); bodies && bodies->solver) {
    bodies_.analyse(*bodies, problem_->dimension(), problem_->team());
    strategy_ = Strategy::bodies;
    return;
  }
  const BlockMatrix* W = problem_->blocks();
  if (W && W->size() <= SmallSystem::most) {
    small_.set(*W);
    strategy_ = Strategy::dense;
    return;
  }
  const bool by_contacts = W && contacts_.analyse(*W);
  strategy_ = by_contacts ? Strategy::contacts : Strategy::fronts;
  if (!by_contacts && W) {
    fronts_.analyse(*W);
    fronts_.select(everyone_);
    ordered_ = true;
  }
  if (!problem_->bodies() || (by_contacts && contacts_.work() < little_work)) return;
  bodies_.analyse(*problem_->bodies(), problem_->dimension(), problem_->team());
  if (!W || bodies_.work() * dense_speed < work()) strategy_ = Strategy::bodies;
}

double ContactSystem::work() const {
  switch (strategy_) {
    case Strategy::dense:
      return std::pow(double(everyone_.size()) * problem_->dimension(), 3) / 3;
    case Strategy::contacts:
      return contacts_.work();
    case Strategy::bodies:
    case Strategy::gradients:
      return bodies_.work() * dense_speed;
    case Strategy::fronts:
      break;
  }
  return fronts_.work() * dense_speed;
}

double ContactSystem::bytes() const {
  switch (strategy_) {
    case Strategy::dense:
      return 8 * std::pow(double(everyone_.size()) * problem_->dimension(), 2);
    case Strategy::contacts:
      return contacts_.bytes();
    case Strategy::bodies:
    case Strategy::gradients:
      return bodies_.bytes();
    case Strategy::fronts:
      break;
  }
  return fronts_.bytes();
}

ContactSystem::Outcome ContactSystem::factorise(std::span<const std::uint8_t> active, const double* left,
                                                const double* right, double alpha) {
  active_ = active;
  left_ = left;
  right_ = right;
  alpha_ = alpha;
  penalty_ = -1;
  replaced_ = 0;
  ++count_;
  if (strategy_ == Strategy::dense && !active.empty()) leave_out_inactive();
  bool ok = factorise_by(strategy_);
  if (!ok && problem_->blocks() && strategy_ != Strategy::fronts && strategy_ != Strategy::dense)
    ok = factorise_by(Strategy::fronts);
  return {ok, replaced_};
}

bool ContactSystem::gradients_pay_for_a_penalty() const {
  return strategy_ == Strategy::bodies && bodies_.gradients_pay_for_a_penalty();
}

bool ContactSystem::gradients_pay() const { return strategy_ == Strategy::bodies && bodies_.gradients_pay(); }

ContactSystem::Outcome ContactSystem::factorise_loosely(const double* right) {
  if (!gradients_pay()) return factorise({}, nullptr, right, 0);
  take_all(right);
  penalty_ = -1;
  replaced_ = 0;
  const Turn turn(watch_, Activity::factorisation);
  used_ = Strategy::gradients;
  return bodies_.prepare_gradients(right) ? Outcome{true, 0} : factorise({}, nullptr, right, 0);
}

/// The dense matrix has all contacts: those that do not take part get the row x_i = 0.
void ContactSystem::leave_out_inactive() {
  const auto d = std::size_t(problem_->dimension()), area = d * d;
  masked_left_.assign(everyone_.size() * area, 0.0);
  masked_right_.assign(right_, right_ + everyone_.size() * area);
  for (std::size_t i = 0; i < everyone_.size(); ++i)
    for (std::size_t k = 0; k < area; ++k) {
      const double unit = k % (d + 1) == 0 ? 1.0 : 0.0;
      if (active_[i])
        masked_left_[i * area + k] = left_ ? left_[i * area + k] : unit;
      else
        masked_right_[i * area + k] = unit;
    }
  left_ = masked_left_.data();
  right_ = masked_right_.data();
}

bool ContactSystem::factorise_by(Strategy strategy) {
  const Turn turn(watch_, Activity::factorisation);
  used_ = strategy;
  const std::span<const std::uint8_t> set =
      active_.empty() ? std::span<const std::uint8_t>(everyone_) : active_;
  switch (strategy) {
    case Strategy::dense:
      return true;  // at once with the right-hand side
    case Strategy::contacts:
      return contacts_.factorise(set, left_, right_, alpha_);
    case Strategy::bodies:
    case Strategy::gradients:
      return bodies_.factorise(active_, left_, right_, alpha_);
    case Strategy::fronts:
      break;
  }
  if (!ordered_) fronts_.analyse(*problem_->blocks());
  ordered_ = true;
  replaced_ = fronts_.factorise(set, left_, right_, alpha_);
  return true;
}

void ContactSystem::apply(std::span<double> x) {
  switch (used_) {
    case Strategy::dense:
      if (small_.solve(left_, right_, alpha_, x)) return;
      factorise_by(Strategy::fronts);  // which put something in the place of pivots that vanish
      return fronts_.solve(x);
    case Strategy::contacts:
      return contacts_.solve(x);
    case Strategy::bodies:
    case Strategy::gradients:
      return bodies_.solve(x);
    case Strategy::fronts:
      return fronts_.solve(x);
  }
}

template <int D>
double ContactSystem::residual(std::span<const double> x) {
  return std::sqrt(sum_in_pieces(problem_->team(), everyone_.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += residual_at<D>(i, x);
    return sum;
  }));
}

template <int D>
[[gnu::always_inline]] inline double ContactSystem::residual_at(std::size_t i, std::span<const double> x) {
  if (!active_.empty() && !active_[i]) {
    std::fill_n(&rest_[i * D], D, 0.0);
    return 0;
  }
  double sum = 0;
  double velocity[D], left[D];  // of (W + αI) x, then what is left of b
  for (std::size_t a = 0; a < D; ++a) velocity[a] = product_[i * D + a] + alpha_ * x[i * D + a];
  for (std::size_t a = 0; a < D; ++a) left[a] = b_[i * D + a] - (left_ ? 0.0 : velocity[a]);
  for (std::size_t b = 0; b < D; ++b)
    for (std::size_t a = 0; a < D; ++a) left[a] -= right_[(i * D + b) * D + a] * x[i * D + b];
  if (left_)
    for (std::size_t b = 0; b < D; ++b)
      for (std::size_t a = 0; a < D; ++a) left[a] -= left_[(i * D + b) * D + a] * velocity[b];
  for (std::size_t a = 0; a < D; ++a) {
    rest_[i * D + a] = left[a];
    sum += left[a] * left[a];
  }
  return sum;
}

/// x ← A⁻¹ b with steps of refinement as long as the residual falls; ‖b − A x‖/‖b‖.
double ContactSystem::refine(std::span<double> x, Accuracy accuracy) {
  const auto measure = [&](std::span<const double> at) {
    problem_->product(at, product_);
    return with_dimension<3, 2, 1>(problem_->dimension(), [&]<int D>() { return residual<D>(at); });
  };
  const double size = std::max(length(b_, problem_->team()), std::numeric_limits<double>::min());
  const bool by_bodies = used_ == Strategy::bodies;
  const double enough = (by_bodies ? accuracy.through_bodies : accuracy.enough) * size;
  const int most = by_bodies ? std::max(body_refinements, accuracy.refinements) : accuracy.refinements;
  apply(x);
  double best = measure(x);
  trial_.resize(x.size());
  for (int step = 0; step < most && !(best <= enough); ++step) {
    apply(rest_);
    in_pieces(problem_->team(), x.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) trial_[k] = x[k] + rest_[k];
    });
    const double next = measure(trial_);
    if (!(next < best)) break;
    std::copy(trial_.begin(), trial_.end(), x.begin());
    const bool slow = next > 0.5 * best;
    best = next;
    if (slow) break;
  }
  return best / size;
}

bool ContactSystem::solve_penalty(std::span<double> x, double enough) {
  if (used_ == Strategy::gradients) {
    if (bodies_.solve_penalty(x, penalty_ * enough * enough)) return true;
    if (!factorise_by(Strategy::bodies)) return false;
  }
  // Where B is of the size of W, nothing cancels: through the bodies a solve is not looked at.
  return std::isfinite(solve(x, {1e-6, 1, 1, 1e-6, 0}));
}

double ContactSystem::solve(std::span<double> x, Accuracy accuracy) {
  if (used_ == Strategy::gradients) {
    if (bodies_.solve_by_gradients(x, accuracy.by_gradients, accuracy.velocities))
      return accuracy.by_gradients;
    if (!factorise_by(Strategy::bodies)) return std::numeric_limits<double>::infinity();
  }
  // Pivots in fronts are trusted where a few digits are enough, and in a dense matrix always.
  const auto trusted = [&] {
    return used_ == Strategy::dense || (used_ == Strategy::fronts && accuracy.refinements <= 1) ||
           (used_ == Strategy::bodies && accuracy.through_bodies >= 1);
  };
  if (trusted() && (active_.empty() || used_ == Strategy::fronts || used_ == Strategy::bodies)) {
    apply(x);
    return 0;
  }
  b_.assign(x.begin(), x.end());
  const auto d = std::size_t(problem_->dimension());
  for (std::size_t i = 0; i < active_.size(); ++i)
    if (!active_[i])
      for (std::size_t k = i * d; k < (i + 1) * d; ++k) b_[k] = 0;
  product_.resize(x.size());
  rest_.resize(x.size());
  x_ = b_;
  double left = 0;
  if (trusted()) {
    apply(x_);
  } else {
    left = refine(x_, accuracy);
    const double believed =
        used_ == Strategy::bodies ? std::numeric_limits<double>::infinity() : worst_residual;
    if (!(left <= believed) && used_ != Strategy::fronts && problem_->blocks()) {
      factorise_by(Strategy::fronts);
      x_ = b_;
      if (trusted())
        apply(x_), left = 0;
      else
        left = refine(x_, accuracy);
    }
  }
  if (used_ == Strategy::bodies && !(left <= useless_residual))
    left = std::numeric_limits<double>::infinity();
  if (active_.empty()) std::copy(x_.begin(), x_.end(), x.begin());
  for (std::size_t i = 0; i < active_.size(); ++i)
    if (active_[i])
      for (std::size_t k = i * d; k < (i + 1) * d; ++k) x[k] = x_[k];
  return left;
}

}  // namespace stickslip::internal
