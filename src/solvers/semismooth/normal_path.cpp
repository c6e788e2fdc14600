#include "solvers/semismooth/normal_path.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip::internal {
namespace {

/// Terms of the series: a solve each, a tenth to an eightieth of a factorisation.
constexpr int order = 16;
/// Added to W_NN, in scaled units.
constexpr double regularisation = 1e-12;
/// The sweeps lower m to this part when they are within `kept_up` of it, and not below `least_gap`.
constexpr double fall = 0.7, kept_up = 0.01, least_gap = 0.1;
/// A diagonal entry below this is taken as this in the sweeps.
constexpr double least_diagonal = 1e-6;
/// The first aim σ of a step, and the second: after a long, a middling and a short reach of the first.
constexpr double first_aim = 1e-3, lower_aim = 1e-5, higher_aim = 0.1, centre_aim = 1;
constexpr double long_reach = 0.99, short_reach = 0.5;
/// No r_N y is below this part of their mean, and the mean does not rise above this multiple.
constexpr double centred = 1e-3, rise = 10;
/// What the residual W r + q − y counts beside m.
constexpr double residual_weight = 3;

/// s from 1 downwards: 1 − s in 23 equal ratios from 1e-4 to 0.5, then s in ratios of 0.7.
std::vector<double> reaches() {
  std::vector<double> s = {1.0};
  for (int k = 0; k < 24; ++k) s.push_back(1 - 1e-4 * std::pow(5000.0, k / 23.0));
  for (int k = 1; k < 12; ++k) s.push_back(0.5 * std::pow(0.7, k));
  return s;
}

}  // namespace

NormalPath::NormalPath(const NormalMatrix& W, std::span<const double> q)
    : W_(W), q_(q), r_(q.size(), 1.0), y_(q.size(), 1.0), series_(2 * q.size(), order) {
  residual_.resize(q.size());
  trial_.resize(2 * q.size());
  solved_.resize(q.size());
  slope_.resize(q.size());
  all_.assign(q.size(), 1);
  BlockView blocks;
  blocks.dimension = 1;
  blocks.row_start = W.row_start;
  blocks.column = W.column;
  blocks.blocks = W.value.data();
  blocks.diagonals = W.diagonal.data();
  factors_.analyse(blocks);
}

double NormalPath::sweep(int sweeps) {
  const std::size_t n = r_.size();
  std::fill(r_.begin(), r_.end(), 1.0);
  double m = 1, left = 0;
  for (int s = 0; s < sweeps && n > 0; ++s) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = s % 2 == 0 ? k : n - 1 - k;
      const double w = std::max(W_.diagonal[i], least_diagonal);
      double u = q_[i] + W_.diagonal[i] * r_[i];
      for (auto e = std::size_t(W_.row_start[i]); e < std::size_t(W_.row_start[i + 1]); ++e)
        u += W_.value[e] * r_[std::size_t(W_.column[e])];
      sum += (u - m / r_[i]) * (u - m / r_[i]);
      // r² − 2hr = m/w, written so that nothing cancels.
      const double h = (r_[i] - u / w) / 2, root = std::sqrt(h * h + m / w);
      r_[i] = h > 0 ? h + root : m / w / (root - h);
    }
    left = sum / double(n) / m;
    if (left < kept_up && s + 1 < sweeps) m = std::max(least_gap, fall * m);
  }
  for (std::size_t i = 0; i < n; ++i) y_[i] = m / r_[i];
  return left;
}

double NormalPath::gap() const {
  double sum = 0;
  for (std::size_t i = 0; i < r_.size(); ++i) sum += r_[i] * y_[i];
  return sum / double(std::max<std::size_t>(1, r_.size()));
}

void NormalPath::closed(std::span<std::uint8_t> set) const {
  for (std::size_t i = 0; i < r_.size(); ++i) set[i] = r_[i] > y_[i];
}

void NormalPath::factorise() {
  for (std::size_t i = 0; i < r_.size(); ++i) slope_[i] = y_[i] / r_[i];
  factors_.factorise(all_, nullptr, slope_.data(), regularisation);
}

int NormalPath::expand(double sigma) {
  const std::size_t n = r_.size();
  for (int k = 1; k <= order; ++k) {
    // In the units of r and y: r_k/r + y_k/y = c_k/(r y).
    for (std::size_t i = 0; i < n; ++i) {
      const auto rho = series_.terms(i), eta = series_.terms(n + i);
      double c = k == 1 ? sigma * gap_ / (r_[i] * y_[i]) - 1 : 0.0;
      for (int j = 1; j < k; ++j) c -= rho[std::size_t(j)] * eta[std::size_t(k - j)];
      eta[std::size_t(k)] = c;
      solved_[i] = c * y_[i] - (k == 1 ? residual_[i] : 0.0);
    }
    factors_.solve(solved_);
    for (std::size_t i = 0; i < n; ++i) {
      series_.terms(i)[std::size_t(k)] = solved_[i] / r_[i];
      series_.terms(n + i)[std::size_t(k)] -= solved_[i] / r_[i];
    }
  }
  return series_.prepare();
}

bool NormalPath::consider(double s) {
  const std::size_t n = r_.size();
  double sum = 0, least = INFINITY;
  for (std::size_t i = 0; i < n; ++i) {
    const double product = trial_[i] * trial_[n + i] * r_[i] * y_[i];
    sum += product;
    least = std::min(least, product);
  }
  const double gap = sum / double(n);
  if (!(least >= centred * gap) || !(gap <= rise * gap_)) return false;
  const double merit =
      gap / gap_ + residual_weight * (1 - s) * std::min(1.0, infeasibility_ / std::sqrt(gap_));
  if (merit < best_.merit) {
    best_.merit = merit;
    best_.reach = s;
    best_.x.assign(trial_.begin(), trial_.end());
  }
  return true;
}

double NormalPath::follow(double sigma) {
  static const std::vector<double> grid = reaches();
  const int usable = expand(sigma);
  double reached = 0;
  for (int terms : {usable / 2, usable})
    for (auto sum : {PathSeries::Sum::taylor, PathSeries::Sum::rational})
      for (double s : grid) {
        if (terms < 1 || s < reached) break;
        if (!series_.positive_point(s, terms, sum, trial_) || !consider(s)) continue;
        reached = s;
        break;
      }
  return reached;
}

double NormalPath::step() {
  const std::size_t n = r_.size();
  if (n == 0) return 0;
  W_.multiply(r_, q_, residual_);
  infeasibility_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    residual_[i] -= y_[i];
    infeasibility_ = std::max(infeasibility_, std::abs(residual_[i]));
  }
  gap_ = gap();
  factorise();
  best_.reach = 0;
  best_.merit = INFINITY;
  const double reached = follow(first_aim);
  follow(reached > long_reach ? lower_aim : reached > short_reach ? higher_aim : centre_aim);
  if (best_.reach == 0) return 0;
  for (std::size_t i = 0; i < n; ++i) {
    r_[i] *= best_.x[i];
    y_[i] *= best_.x[n + i];
  }
  return best_.reach;
}

}  // namespace stickslip::internal
