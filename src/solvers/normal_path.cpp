#include "solvers/normal_path.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

/// The least y to begin with, in scaled units.
constexpr double margin = 0.1;
/// The part of the way to the border that a step goes at least when it would cross it; more as m vanishes.
constexpr double least_part = 0.9;

}  // namespace

template <int D>
NormalPath<D>::NormalPath(HybridSystem<D>& system, double regularisation)
    : system_(system), regularisation_(regularisation), full_(system.size()), velocity_(system.size()) {
  const std::size_t n = system.size() / D;
  r_.assign(n, 1.0);
  for (auto* v : {&y_, &slope_, &residual_, &c_, &dr_, &dy_}) v->resize(n);
  impulses(full_);
  system_.velocity(full_, velocity_);
  for (std::size_t i = 0; i < n; ++i) y_[i] = std::max(velocity_[i * D], margin);
}

template <int D>
double NormalPath<D>::gap() const {
  double sum = 0;
  for (std::size_t i = 0; i < r_.size(); ++i) sum += r_[i] * y_[i];
  return sum / double(std::max<std::size_t>(1, r_.size()));
}

template <int D>
void NormalPath<D>::impulses(std::span<double> r) const {
  std::fill(r.begin(), r.end(), 0.0);
  for (std::size_t i = 0; i < r_.size(); ++i) r[i * D] = r_[i];
}

template <int D>
void NormalPath<D>::closed(std::span<std::uint8_t> set) const {
  for (std::size_t i = 0; i < r_.size(); ++i) set[i] = r_[i] > y_[i];
}

template <int D>
void NormalPath<D>::direction(std::span<const double> c) {
  std::fill(full_.begin(), full_.end(), 0.0);
  for (std::size_t i = 0; i < r_.size(); ++i) full_[i * D] = c[i] / r_[i] - residual_[i];
  system_.solve_normal(full_);
  for (std::size_t i = 0; i < r_.size(); ++i) {
    dr_[i] = full_[i * D];
    dy_[i] = (c[i] - y_[i] * dr_[i]) / r_[i];
  }
}

template <int D>
double NormalPath<D>::length() const {
  double longest = 1;
  for (std::size_t i = 0; i < r_.size(); ++i) {
    if (dr_[i] < 0) longest = std::min(longest, -r_[i] / dr_[i]);
    if (dy_[i] < 0) longest = std::min(longest, -y_[i] / dy_[i]);
  }
  return longest;
}

template <int D>
double NormalPath<D>::step() {
  const std::size_t n = r_.size();
  impulses(full_);
  system_.velocity(full_, velocity_);
  for (std::size_t i = 0; i < n; ++i) {
    residual_[i] = velocity_[i * D] - y_[i];
    slope_[i] = y_[i] / r_[i];
    c_[i] = -r_[i] * y_[i];
  }
  system_.factorise_normal(slope_, regularisation_);
  const double m = gap();
  direction(c_);
  const double predicted = length();
  double after = 0;
  for (std::size_t i = 0; i < n; ++i)
    after += (r_[i] + predicted * dr_[i]) * (y_[i] + predicted * dy_[i]) / double(n);
  const double aim = m * std::pow(after / m, 3);
  for (std::size_t i = 0; i < n; ++i) c_[i] += aim - dr_[i] * dy_[i];
  direction(c_);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::abs(dr_[i]) + std::abs(dy_[i]);
  if (!std::isfinite(sum)) return 0;
  const double taken = std::min(1.0, std::max(least_part, 1 - m) * length());
  for (std::size_t i = 0; i < n; ++i) {
    r_[i] = std::max(r_[i] + taken * dr_[i], 1e-300);
    y_[i] = std::max(y_[i] + taken * dy_[i], 1e-300);
  }
  return taken;
}

template class NormalPath<2>;
template class NormalPath<3>;

}  // namespace stickslip
