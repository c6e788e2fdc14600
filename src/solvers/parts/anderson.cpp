#include "solvers/parts/anderson.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "cone/project.hpp"

namespace stickslip::internal {
namespace {

/// Plain steps after a failure, at first and at most.
constexpr long shortest_pause = 2, longest_pause = 256;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  using Numbers = Eigen::Map<const Eigen::VectorXd>;
  return Numbers(a.data(), Eigen::Index(a.size())).dot(Numbers(b.data(), Eigen::Index(b.size())));
}

/// x ← x − w₀ a₀ − w₁ a₁ − w₂ a₂ − w₃ a₃: x is read once.
void subtract(const double* w, const std::vector<double>* a, std::span<double> x) {
  const double weights[4] = {w[0], w[1], w[2], w[3]};
  const double *a0 = a[0].data(), *a1 = a[1].data(), *a2 = a[2].data(), *a3 = a[3].data();
  double* const y = x.data();
  const std::size_t n = x.size();
  for (std::size_t c = 0; c < n; ++c)
    y[c] -= (weights[0] * a0[c] + weights[1] * a1[c]) + (weights[2] * a2[c] + weights[3] * a3[c]);
}

}  // namespace

void Anderson::start(int numbers, std::span<const double> mu, std::span<const double> scale, Set set) {
  dimension_ = numbers;
  set_ = set;
  mu_ = mu;
  scale_.assign(scale.begin(), scale.end());
  const std::size_t n = mu.size() * std::size_t(numbers);
  dF_.resize(window_);
  dT_.resize(window_);
  for (auto& column : dF_) column.assign(n, 0.0);
  for (auto& column : dT_) column.assign(n, 0.0);
  gram_.assign(window_ * window_, 0.0);
  gamma_.resize(window_);
  f_.assign(n, 0.0);
  last_f_.assign(n, 0.0);
  last_image_.assign(n, 0.0);
  forget();
  pause_ = 0;
  next_pause_ = shortest_pause;
}

void Anderson::forget() {
  stored_ = newest_ = 0;
  have_last_ = mixed_ = false;
}

bool Anderson::next(std::span<double> x, std::span<const double> image) {
  const auto d = std::size_t(dimension_);
  double size = 0;
  for (std::size_t i = 0; i < mu_.size(); ++i)
    for (std::size_t c = i * d; c < (i + 1) * d; ++c) {
      f_[c] = scale_[i] * (image[c] - x[c]);
      size += f_[c] * f_[c];
    }
  size = std::sqrt(size);
  if (mixed_ && size > last_size_) {  // mixing led astray: back to the plain step
    std::copy(last_image_.begin(), last_image_.end(), x.begin());
    forget();
    pause_ = next_pause_;
    next_pause_ = std::min(2 * next_pause_, longest_pause);
    return true;
  }
  if (mixed_) next_pause_ = std::max(next_pause_ - 1, shortest_pause);
  mixed_ = false;
  last_size_ = size;
  if (have_last_) add_difference(image);
  std::swap(f_, last_f_);
  std::copy(image.begin(), image.end(), last_image_.begin());
  have_last_ = true;

  std::copy(image.begin(), image.end(), x.begin());
  if (pause_ > 0) --pause_;
  if (pause_ > 0 || stored_ == 0 || !solve()) return false;
  mixed_ = true;
  std::size_t j = 0;
  for (; j + 4 <= stored_; j += 4) subtract(&gamma_[j], &dT_[j], x);
  for (; j < stored_; ++j) {
    const std::vector<double>& column = dT_[j];
    const double weight = gamma_[j];
    for (std::size_t c = 0; c < column.size(); ++c) x[c] -= weight * column[c];
  }
  if (set_ == Set::space) return true;
  if (set_ == Set::half_lines) {
    for (double& number : x) number = project_on_half_line(number);
    return true;
  }
  for (std::size_t i = 0; i < mu_.size(); ++i) {
    const auto project = [&]<int D>() {
      Vec<D> r;
      std::copy_n(&x[i * D], D, r.begin());
      r = project_on_cone<D>(r, mu_[i]);
      std::copy_n(r.begin(), D, &x[i * D]);
    };
    d == 3 ? project.template operator()<3>() : project.template operator()<2>();
  }
  return true;
}

/// Puts f − last f and image − last image in the place of the oldest pair, and renews its row of the Gram
/// matrix.
void Anderson::add_difference(std::span<const double> image) {
  newest_ = stored_ < window_ ? stored_ : (newest_ + 1) % window_;
  stored_ = std::min(stored_ + 1, window_);
  auto &F = dF_[newest_], &T = dT_[newest_];
  for (std::size_t c = 0; c < F.size(); ++c) {
    F[c] = f_[c] - last_f_[c];
    T[c] = image[c] - last_image_[c];
  }
  for (std::size_t j = 0; j < stored_; ++j)
    gram_[newest_ * window_ + j] = gram_[j * window_ + newest_] = dot(dF_[j], F);
}

bool Anderson::solve() {
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most, most>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most, 1>;
  const auto m = Eigen::Index(stored_);
  Square G(m, m);
  Column b(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < m; ++j) G(i, j) = gram_[std::size_t(i) * window_ + std::size_t(j)];
    b(i) = dot(dF_[std::size_t(i)], last_f_);
  }
  G.diagonal().array() += 1e-12 * G.trace() + std::numeric_limits<double>::min();
  const Eigen::LDLT<Square> factors(G);
  const Column x = factors.solve(b);
  if (factors.info() != Eigen::Success || !x.allFinite()) return false;
  std::copy_n(x.data(), m, gamma_.begin());
  return true;
}

}  // namespace stickslip::internal
