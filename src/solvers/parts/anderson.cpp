#include "solvers/parts/anderson.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/pieces.hpp"
#include "cone/project.hpp"
#include "solve/scaled_problem.hpp"

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
  ranks_ = nullptr;
  exact_ = false;
  order_ = {};
  mu_.assign(mu.begin(), mu.end());
  scale_.assign(scale.begin(), scale.end());
  parts_.clear();
  for (std::size_t begin = 0; begin == 0 || begin < mu.size(); begin += piece_size)
    parts_.push_back({begin, std::min(mu.size(), begin + piece_size)});
  forget_all(mu.size());
}

void Anderson::start(ContactProblem& problem) {
  contact_scale(problem, given_scale_);
  for (double& scale : given_scale_) scale = 1 / scale;
  start(problem, Set::cones);
}

void Anderson::start_in_space(ContactProblem& problem) {
  given_scale_.assign(problem.mu().size(), 1.0);
  start(problem, Set::space);
}

void Anderson::start(ContactProblem& problem, Set set) {
  start(problem.dimension(), problem.mu(), given_scale_, set, problem.team());
  ranks_ = problem.ranks();
  const Colouring* layout = problem.layout();
  exact_ = layout != nullptr;
  if (!layout) return;
  parts_.clear();
  for (Index chunk = 0; chunk < layout->chunks(); ++chunk)
    parts_.push_back({std::size_t(layout->chunk_start[std::size_t(chunk)]),
                      std::size_t(layout->chunk_start[std::size_t(chunk) + 1])});
  order_ = layout->contacts;
  for (std::size_t k = 0; k < order_.size(); ++k) {
    mu_[k] = problem.mu()[contact(k)];
    scale_[k] = given_scale_[contact(k)];
  }
}

void Anderson::forget_all(std::size_t contacts) {
  const std::size_t n = contacts * std::size_t(dimension_);
  dF_.resize(window_);
  dT_.resize(window_);
  for (auto& column : dF_) column.resize(n);  // written before they are read
  for (auto& column : dT_) column.resize(n);
  gram_.assign(window_ * window_, 0.0);
  gamma_.resize(window_);
  forces_.resize(window_);
  for (auto* list : {&f_, &last_f_, &image_, &last_image_}) list->resize(n);
  forget();
  pause_ = 0;
  next_pause_ = shortest_pause;
}

void Anderson::forget() {
  stored_ = newest_ = 0;
  have_last_ = mixed_ = false;
}

bool Anderson::next(std::span<double> x, std::span<const double> image) {
  const double size = take(x, image);
  if (!have_last_) take_units(size, x);
  if (mixed_ && size > last_size_) {  // mixing led astray: back to the plain step
    restore(x);
    forget();
    pause_ = next_pause_;
    next_pause_ = std::min(2 * next_pause_, longest_pause);
    return true;
  }
  if (mixed_) next_pause_ = std::max(next_pause_ - 1, shortest_pause);
  mixed_ = false;
  last_size_ = size;
  if (have_last_) add_difference();
  std::swap(f_, last_f_);
  have_last_ = true;
  if (pause_ > 0) --pause_;
  mixed_ = pause_ == 0 && stored_ > 0 && solve();
  share(team_, parts_.size(), [&](std::size_t part) { combine(parts_[part], x); });
  std::swap(image_, last_image_);
  return mixed_;
}

template <class Work>
std::span<const double> Anderson::sum_parts(std::size_t count, const Work& work) {
  sums_.reserve((parts_.size() + 1) * 2 * window_);  // as many as there will be
  sums_.assign((parts_.size() + 1) * count, 0.0);
  share(team_, parts_.size(), [&](std::size_t part) { work(parts_[part], &sums_[(part + 1) * count]); });
  const std::span<double> all(sums_.data(), count);
  if (!exact_)
    for (std::size_t k = 0; k < parts_.size() * count; ++k) all[k % count] += sums_[count + k];
  if (!exact_ && !ranks_) return all;
  exact_sums_.reserve(2 * window_);
  exact_sums_.assign(count, ExactSum());
  if (exact_)
    for (std::size_t k = 0; k < parts_.size() * count; ++k) exact_sums_[k % count].add(sums_[count + k]);
  else  // one rank has all contacts
    for (std::size_t k = 0; k < count; ++k) exact_sums_[k].add(all[k]);
  std::array<ExactSum*, 2 * most> places;
  for (std::size_t k = 0; k < count; ++k) places[k] = &exact_sums_[k];
  add_up(ranks_, {places.data(), count});
  for (std::size_t k = 0; k < count; ++k) all[k] = exact_sums_[k].value();
  return all;
}

/// Keeps the image and f in the order of the parts; ‖f‖.
double Anderson::take(std::span<const double> x, std::span<const double> image) {
  const auto d = std::size_t(dimension_);
  return std::sqrt(sum_parts(1, [&](const Part& part, double* size) {
    double sum = 0;
    for (std::size_t k = part.begin; k < part.end; ++k) {
      const double *from = &x[contact(k) * d], *to = &image[contact(k) * d];
      for (std::size_t c = 0; c < d; ++c) {
        image_[k * d + c] = to[c];
        const double f = scale_[k] * (to[c] - from[c]);
        f_[k * d + c] = f;
        sum += f * f;
      }
    }
    *size = sum;
  })[0]);
}

/// Differences are kept in parts of the first step, so that single precision has room for them in any units.
void Anderson::take_units(double size, std::span<const double> x) {
  const auto d = std::size_t(dimension_);
  const double step = std::sqrt(sum_parts(1, [&](const Part& part, double* squares) {
    double sum = 0;
    for (std::size_t k = part.begin; k < part.end; ++k)
      for (std::size_t c = 0; c < d; ++c) {
        const double moved = image_[k * d + c] - x[contact(k) * d + c];
        sum += moved * moved;
      }
    *squares = sum;
  })[0]);
  const auto inverse = [](double length) { return length > 0 && std::isfinite(1 / length) ? 1 / length : 1; };
  unit_f_ = inverse(size);
  unit_t_ = inverse(step);
}

/// x ← the image before.
void Anderson::restore(std::span<double> x) const {
  const auto d = std::size_t(dimension_);
  share(team_, parts_.size(), [&](std::size_t part) {
    for (std::size_t k = parts_[part].begin; k < parts_[part].end; ++k)
      std::copy_n(&last_image_[k * d], d, &x[contact(k) * d]);
  });
}

/// x ← the image, less γ_j times the differences of images where they are mixed.
void Anderson::combine(const Part& part, std::span<double> x) {
  constexpr std::size_t in_the_cache = 512;
  const auto d = std::size_t(dimension_);
  RawNumbers& mixed = f_;  // no longer needed
  for (std::size_t begin = part.begin; begin < part.end; begin += in_the_cache) {
    const std::size_t end = std::min(begin + in_the_cache, part.end), from = begin * d, to = end * d;
    std::copy(&image_[from], &image_[from] + (to - from), &mixed[from]);
    for (std::size_t j = 0; mixed_ && j < stored_; ++j) {
      const RawVector<float>& column = dT_[j];
      const double weight = gamma_[j];
      for (std::size_t c = from; c < to; ++c) mixed[c] -= weight * double(column[c]);
    }
    if (mixed_ && set_ == Set::half_lines)
      for (std::size_t c = from; c < to; ++c) mixed[c] = project_on_half_line(mixed[c]);
    for (std::size_t k = begin; k < end; ++k) {
      const auto project = [&]<int D>() {
        Vec<D> r;
        std::copy_n(&mixed[k * D], D, r.begin());
        r = project_on_cone<D>(r, mu_[k]);
        std::copy_n(r.begin(), D, &mixed[k * D]);
      };
      if (mixed_ && set_ == Set::cones)
        d == 3 ? project.template operator()<3>() : project.template operator()<2>();
      std::copy_n(&mixed[k * d], d, &x[contact(k) * d]);
    }
  }
}

/// Puts f − last f and image − last image in the place of the oldest pair, and renews its row of the Gram
/// matrix and the products with f, in one pass.
void Anderson::add_difference() {
  newest_ = stored_ < window_ ? stored_ : (newest_ + 1) % window_;
  stored_ = std::min(stored_ + 1, window_);
  auto &F = dF_[newest_], &T = dT_[newest_];
  const auto d = std::size_t(dimension_);
  const auto sums = sum_parts(2 * stored_, [&](const Part& part, double* sum) {
    const std::size_t from = part.begin * d, count = (part.end - part.begin) * d;
    for (std::size_t c = from; c < from + count; ++c) {
      F[c] = float(unit_f_ * (f_[c] - last_f_[c]));
      T[c] = float(unit_t_ * (image_[c] - last_image_[c]));
    }
    for (std::size_t j = 0; j < stored_; ++j) {
      sum[j] = dot(&dF_[j][from], &F[from], count);
      sum[stored_ + j] = dot(&dF_[j][from], &f_[from], count);
    }
  });
  for (std::size_t j = 0; j < stored_; ++j) {
    gram_[newest_ * window_ + j] = gram_[j * window_ + newest_] = sums[j];
    forces_[j] = sums[stored_ + j];
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
