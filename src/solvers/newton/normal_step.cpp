#include "solvers/newton/normal_step.hpp"

#include <algorithm>

#include "cone/jacobian.hpp"
#include "cone/project.hpp"
#include "cone/small_matrix.hpp"

namespace stickslip::internal {
namespace {

template <std::size_t N>
void store(const std::array<double, N>& from, std::vector<double>& to, std::size_t i) {
  std::copy(from.begin(), from.end(), &to[i * N]);
}

}  // namespace

bool NormalStep::advance(NewtonSystem& system, std::span<double> r, std::span<double> u) {
  return system.dimension() == 3 ? typed_advance<3>(system, r, u) : typed_advance<2>(system, r, u);
}

template <int D>
bool NormalStep::typed_advance(NewtonSystem& system, std::span<double> r, std::span<double> u) {
  const std::size_t n = system.problem().mu().size();
  for (auto* v : {&step_, &trial_x_, &trial_, &trial_u_, &phi_, &value_, &product_}) v->resize(n * D);
  for (auto* blocks : {&shift_, &by_u_, &by_r_}) blocks->resize(n * D * D);
  if (x_.empty()) {
    x_.resize(n * D);
    for (std::size_t i = 0; i < n; ++i)
      store(add<D>(load<D>(r, i), -system.rho(i).normal,
                   desaxce_shift<D>(load<D>(u, i), system.problem().mu()[i])),
            x_, i);
    std::fill(step_.begin(), step_.end(), 0.0);
    merit_at<D>(system, 0);  // r = P_K(x), which may not be the r that was given
    std::copy(trial_.begin(), trial_.end(), r.begin());
    std::copy(trial_u_.begin(), trial_u_.end(), u.begin());
  }

  // (ρ J B W + I − J) δr = −J Φ.
  double merit = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double mu = system.problem().mu()[i], rho = system.rho(i).normal;
    const Vec<D> x = load<D>(x_, i), v = load<D>(u, i);
    const Vec<D> phi = add<D>(add<D>(x, -1, load<D>(r, i)), rho, desaxce_shift<D>(v, mu));
    const Mat<D> J = cone_projection_jacobian<D>(x, mu), B = scaled<D>(rho, desaxce_jacobian<D>(v, mu));
    store(phi, phi_, i);
    store(B, shift_, i);
    store(multiply<D>(J, phi), value_, i);
    store(product<D>(J, B), by_u_, i);
    store(combine<D>(1, scaled_identity<D>(1), -1, J), by_r_, i);
    merit += dot<D>(phi, phi) / 2;
  }
  reference_.push(merit);
  system.set_rows(by_u_, by_r_, value_);
  double a = options_.regularisation;
  if (!solve_regularised(system, a, step_)) return false;

  // δx = δr − Φ − ρ B (W + aI) δr.
  system.problem().product(step_, product_);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec<D> dr = load<D>(step_, i), du = add<D>(load<D>(product_, i), a, dr);
    const Vec<D> pushed = multiply<D>(load_block<D>(&shift_[i * D * D]), du);
    store(add<D>(add<D>(dr, -1, load<D>(phi_, i)), -1, pushed), step_, i);
  }

  double t = 1;
  const auto at = [&](double length) { return merit_at<D>(system, length); };
  if (options_.search == NewtonStepOptions::Search::goldstein_price)
    t = goldstein_price(merit, -2 * merit, at);
  else if (options_.search != NewtonStepOptions::Search::none)
    t = armijo(reference_.value(), -2 * merit, at);
  merit_at<D>(system, t);
  x_ = trial_x_;
  std::copy(trial_.begin(), trial_.end(), r.begin());
  std::copy(trial_u_.begin(), trial_u_.end(), u.begin());
  return true;
}

template <int D>
double NormalStep::merit_at(const NewtonSystem& system, double t) {
  for (std::size_t k = 0; k < x_.size(); ++k) trial_x_[k] = x_[k] + t * step_[k];
  for (std::size_t i = 0; i < system.problem().mu().size(); ++i)
    store(project_on_cone<D>(load<D>(trial_x_, i), system.problem().mu()[i]), trial_, i);
  system.problem().velocity(trial_, trial_u_);
  double sum = 0;
  for (std::size_t i = 0; i < system.problem().mu().size(); ++i) {
    const Vec<D> F = desaxce_shift<D>(load<D>(trial_u_, i), system.problem().mu()[i]);
    const Vec<D> phi = add<D>(add<D>(load<D>(trial_x_, i), -1, load<D>(trial_, i)), system.rho(i).normal, F);
    sum += dot<D>(phi, phi);
  }
  return sum / 2;
}

}  // namespace stickslip::internal
