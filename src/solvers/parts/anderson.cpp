#include "solvers/parts/anderson.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/pieces.hpp"
#include "cone/project.hpp"

namespace stickslip::internal {
namespace {

/// Plain steps after a failure, at first and at most.
constexpr long shortest_pause = 2, longest_pause = 256;

template <class Number>
double dot(const float* a, const Number* b, std::size_t n) {
  constexpr std::size_t lanes = 8;
  double sum[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) sum[k] += double(a[i + k]) * double(b[i + k]);
  for (; i < n; ++i) sum[0] += double(a[i]) * double(b[i]);
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

}  // namespace

void Anderson::start(int numbers, std::span<const double> mu, std::span<const double> scale, Set set,
                     ThreadTeam* team) {
  dimension_ = numbers;
  team_ = team;
  set_ = set;
  mu_ = mu;
  scale_.assign(scale.begin(), scale.end());
  const std::size_t n = mu.size() * std::size_t(numbers);
  dF_.resize(window_);
  dT_.resize(window_);
  for (auto& column : dF_) column.resize(n);  // written before they are read
  for (auto& column : dT_) column.resize(n);
  gram_.assign(window_ * window_, 0.0);
  gamma_.resize(window_);
  forces_.resize(window_);
  for (auto* list : {&f_, &last_f_, &last_image_}) list->resize(n);
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
  const double size = std::sqrt(sum_in_pieces(team_, mu_.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t c = i * d; c < (i + 1) * d; ++c) {
        f_[c] = scale_[i] * (image[c] - x[c]);
        sum += f_[c] * f_[c];
      }
    return sum;
  }));
  if (!have_last_) take_units(size, x, image);
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
  have_last_ = true;
  if (pause_ > 0) --pause_;
  mixed_ = pause_ == 0 && stored_ > 0 && solve();
  in_pieces(team_, mu_.size(), [&](std::size_t begin, std::size_t end) { combine(begin, end, x, image); });
  return mixed_;
}

/// Differences are kept in parts of the first step, so that single precision has room for them in any units.
void Anderson::take_units(double size, std::span<const double> x, std::span<const double> image) {
  const double step = std::sqrt(sum_in_pieces(team_, x.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t c = begin; c < end; ++c) sum += (image[c] - x[c]) * (image[c] - x[c]);
    return sum;
  }));
  const auto inverse = [](double length) { return length > 0 && std::isfinite(1 / length) ? 1 / length : 1; };
  unit_f_ = inverse(size);
  unit_t_ = inverse(step);
}

/// x ← the image, less γ_j times the differences of images where they are mixed.
void Anderson::combine(std::size_t begin, std::size_t end, std::span<double> x,
                       std::span<const double> image) {
  const auto d = std::size_t(dimension_), from = begin * d, to = end * d;
  std::copy(image.begin() + std::ptrdiff_t(from), image.begin() + std::ptrdiff_t(to), &last_image_[from]);
  std::copy(image.begin() + std::ptrdiff_t(from), image.begin() + std::ptrdiff_t(to), &x[from]);
  if (!mixed_) return;
  for (std::size_t j = 0; j < stored_; ++j) {
    const RawVector<float>& column = dT_[j];
    const double weight = gamma_[j];
    for (std::size_t c = from; c < to; ++c) x[c] -= weight * double(column[c]);
  }
  if (set_ == Set::half_lines)
    for (std::size_t c = from; c < to; ++c) x[c] = project_on_half_line(x[c]);
  if (set_ != Set::cones) return;
  for (std::size_t i = begin; i < end; ++i) {
    const auto project = [&]<int D>() {
      Vec<D> r;
      std::copy_n(&x[i * D], D, r.begin());
      r = project_on_cone<D>(r, mu_[i]);
      std::copy_n(r.begin(), D, &x[i * D]);
    };
    d == 3 ? project.template operator()<3>() : project.template operator()<2>();
  }
}

/// Puts f − last f and image − last image in the place of the oldest pair, and renews its row of the Gram
/// matrix and the products with f, in one pass.
void Anderson::add_difference(std::span<const double> image) {
  newest_ = stored_ < window_ ? stored_ : (newest_ + 1) % window_;
  stored_ = std::min(stored_ + 1, window_);
  auto &F = dF_[newest_], &T = dT_[newest_];
  const auto d = std::size_t(dimension_);
  sums_.resize(2 * window_ * std::max<std::size_t>(pieces_of(mu_.size()), 1));
  in_pieces(team_, mu_.size(), [&](std::size_t begin, std::size_t end) {
    const std::size_t from = begin * d, count = (end - begin) * d;
    for (std::size_t c = from; c < from + count; ++c) {
      F[c] = float(unit_f_ * (f_[c] - last_f_[c]));
      T[c] = float(unit_t_ * (image[c] - last_image_[c]));
    }
    double* sum = &sums_[2 * window_ * (begin / piece_size)];
    for (std::size_t j = 0; j < stored_; ++j) {
      sum[j] = dot(&dF_[j][from], &F[from], count);
      sum[window_ + j] = dot(&dF_[j][from], &f_[from], count);
    }
  });
  for (std::size_t j = 0; j < stored_; ++j) {
    double square = 0, force = 0;
    for (std::size_t at = 0; at < sums_.size(); at += 2 * window_)
      square += sums_[at + j], force += sums_[at + window_ + j];
    gram_[newest_ * window_ + j] = gram_[j * window_ + newest_] = square;
    forces_[j] = force;
  }
}

bool Anderson::solve() {
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most, most>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most, 1>;
  const auto m = Eigen::Index(stored_);
  Square G(m, m);
  Column b(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < m; ++j) G(i, j) = gram_[std::size_t(i) * window_ + std::size_t(j)];
    b(i) = forces_[std::size_t(i)];
  }
  G.diagonal().array() += 1e-12 * G.trace() + std::numeric_limits<double>::min();
  const Eigen::LDLT<Square> factors(G);
  const Column x = factors.solve(b);
  if (factors.info() != Eigen::Success || !x.allFinite()) return false;
  for (Eigen::Index j = 0; j < m; ++j) gamma_[std::size_t(j)] = x(j) * (unit_f_ / unit_t_);
  return true;
}

}  // namespace stickslip::internal
