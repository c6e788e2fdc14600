#include "solvers/quasi_newton/smoothed_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cone/project.hpp"
#include "cone/small_matrix.hpp"
#include "cone/smoothing.hpp"
#include "problem/contact_sums.hpp"

namespace stickslip::internal {
namespace {

template <int D>
void store(const Mat<D>& m, double* out) {
  std::copy(m.begin(), m.end(), out);
}

/// A⁻¹ where it exists; else the identity over the largest entry, which is as good a guess as any.
template <int D>
Mat<D> inverse_or_scale(const Mat<D>& A) {
  double largest = 0;
  for (double entry : A) largest = std::max(largest, std::abs(entry));
  const double det = determinant<D>(A);
  if (std::abs(det) > 1e-14 * std::pow(largest, D)) return inverse<D>(A);
  return scaled_identity<D>(largest > 0 ? 1 / largest : 1);
}

/// y_i ← B_i x_i.
template <int D>
void multiply_blocks(const std::vector<double>& B, const double* x, double* y) {
  for (std::size_t i = 0; i < B.size() / (D * D); ++i) {
    const Vec<D> v = multiply<D>(load_block<D>(&B[i * D * D]), load<D>(x, i));
    for (std::size_t c = 0; c < D; ++c) y[i * D + c] = v[c];
  }
}

}  // namespace

void SmoothedSystem::prepare(const ContactOperator& problem, Scaled scaled, double omega) {
  problem_ = &problem;
  omega_ = omega;
  c_ = 1;
  const std::size_t n = problem.mu().size(), d = std::size_t(problem.dimension());
  s_.assign(n, 1.0);
  // ‖c S q‖².
  const auto load = [&] {
    return sum_contacts(problem, [&](std::size_t i) {
      double sum = 0;
      for (std::size_t k = i * d; k < (i + 1) * d; ++k) sum += std::pow(c_ * s_[i] * problem.q()[k], 2);
      return sum;
    });
  };
  if (scaled == Scaled::on) {
    contact_scale(problem, s_);
    if (const double sum = load(); sum > 0) c_ = std::sqrt(double(problem.contacts_in_all()) / sum);
  }
  load_norm_ = std::sqrt(load());
  X_.resize(n * d * d);
  Y_.resize(n * d * d);
  inverse_.resize(n * d * d);
  C_.resize(n * d);
  point_.resize(n * d);
  image_.resize(n * d);
}

SmoothedSystem::Diagonal SmoothedSystem::diagonal() const {
  const auto d = std::size_t(problem_->dimension());
  const auto entry = [&](std::size_t i, std::size_t c) {
    return s_[i] * s_[i] * problem_->diagonal(Index(i))[c * (d + 1)];
  };
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (std::size_t i = 0; i < s_.size(); ++i)
    for (std::size_t c = 0; c < d; ++c) {
      least = std::min(least, entry(i, c));
      largest = std::max(largest, entry(i, c));
    }
  double bounds[2] = {-least, largest};
  if (problem_->ranks()) problem_->ranks()->largest(bounds);
  const double sum = sum_contacts(*problem_, [&](std::size_t i) {
    double trace = 0;
    for (std::size_t c = 0; c < d; ++c) trace += entry(i, c);
    return trace;
  });
  return {-bounds[0], sum / (double(problem_->contacts_in_all()) * double(d)), bounds[1]};
}

void SmoothedSystem::linearise(std::span<const double> r, std::span<const double> u, double delta) {
  if (problem_->dimension() == 3)
    typed_linearise<3>(r.data(), u.data(), delta);
  else
    typed_linearise<2>(r.data(), u.data(), delta);
}

template <int D>
void SmoothedSystem::typed_linearise(const double* r, const double* u, double delta) {
  constexpr std::size_t block = D * D;
  for (std::size_t i = 0; i < s_.size(); ++i) {
    const double mu = problem_->mu()[i];
    const Smoothed<D> F = smoothed_desaxce_shift<D>(load<D>(u, i, c_ * s_[i]), mu, omega_);
    const Smoothed<D> m =
        smoothed_polar_projection<D>(add<D>(load<D>(r, i, c_ / s_[i]), -1, F.value), mu, omega_);
    for (std::size_t c = 0; c < D; ++c) C_[i * D + c] = F.value[c] + m.value[c];
    const Mat<D> X = product<D>(combine<D>(1, scaled_identity<D>(1), -1, m.jacobian), F.jacobian);
    const Mat<D> Y = combine<D>(1, m.jacobian, delta, scaled_identity<D>(1));
    const Mat<D> W = load_block<D>(problem_->diagonal(Index(i)), s_[i] * s_[i]);
    store<D>(X, &X_[i * block]);
    store<D>(Y, &Y_[i * block]);
    store<D>(inverse_or_scale<D>(combine<D>(1, product<D>(X, W), 1, Y)), &inverse_[i * block]);
  }
}

void SmoothedSystem::apply(std::span<const double> x, std::span<double> y) {
  const std::size_t d = std::size_t(problem_->dimension());
  // W' x = c S (W (S x/c) + q) − c S q. With ‖x‖ = 1 and c S q of unit size a contact, q takes few digits.
  for (std::size_t k = 0; k < x.size(); ++k) point_[k] = s_[k / d] / c_ * x[k];
  problem_->velocity(point_, image_);
  for (std::size_t k = 0; k < x.size(); ++k) point_[k] = c_ * s_[k / d] * (image_[k] - problem_->q()[k]);
  if (d == 3) {
    multiply_blocks<3>(X_, point_.data(), image_.data());
    multiply_blocks<3>(Y_, x.data(), y.data());
  } else {
    multiply_blocks<2>(X_, point_.data(), image_.data());
    multiply_blocks<2>(Y_, x.data(), y.data());
  }
  for (std::size_t k = 0; k < x.size(); ++k) y[k] += image_[k];
}

void SmoothedSystem::precondition(std::span<const double> x, std::span<double> y) const {
  if (problem_->dimension() == 3)
    multiply_blocks<3>(inverse_, x.data(), y.data());
  else
    multiply_blocks<2>(inverse_, x.data(), y.data());
}

namespace {

template <int D>
void project_contacts(std::span<const double> mu, const double* s, double c, const double* r, const double* x,
                      double* next) {
  for (std::size_t i = 0; i < mu.size(); ++i) {
    const Vec<D> p = project_on_cone<D>(add<D>(load<D>(r, i), -s[i] / c, load<D>(x, i)), mu[i]);
    for (std::size_t k = 0; k < D; ++k) next[i * D + k] = p[k];
  }
}

template <int D>
double squared_residual(const ContactOperator& problem, const double* s, double c, double omega,
                        const double* r, const double* u) {
  return sum_contacts(problem, [&](std::size_t i) {
    const double mu = problem.mu()[i];
    const Vec<D> F = smoothed_desaxce_shift<D>(load<D>(u, i, c * s[i]), mu, omega).value;
    const Vec<D> m = smoothed_polar_projection<D>(add<D>(load<D>(r, i, c / s[i]), -1, F), mu, omega).value;
    const Vec<D> C = add<D>(F, 1, m);
    return dot<D>(C, C);
  });
}

}  // namespace

double SmoothedSystem::residual(std::span<const double> r, std::span<const double> u) const {
  return std::sqrt(problem_->dimension() == 3
                       ? squared_residual<3>(*problem_, s_.data(), c_, omega_, r.data(), u.data())
                       : squared_residual<2>(*problem_, s_.data(), c_, omega_, r.data(), u.data()));
}

void SmoothedSystem::project_step(std::span<const double> r, std::span<const double> x,
                                  std::span<double> next) const {
  if (problem_->dimension() == 3)
    project_contacts<3>(problem_->mu(), s_.data(), c_, r.data(), x.data(), next.data());
  else
    project_contacts<2>(problem_->mu(), s_.data(), c_, r.data(), x.data(), next.data());
}

}  // namespace stickslip::internal
