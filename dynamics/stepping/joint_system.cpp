#include "dynamics/stepping/joint_system.hpp"

#include <algorithm>
#include <numeric>

namespace stickslip::internal {
namespace {

/// Relative to the largest pivot. Rounding leaves 1e-15 of a row that says the same as others; a light link on a long arm (a gram a metre from its
/// joints) between kilograms has pivots of 1e-13 that count.
constexpr double least_pivot = 1e-14;
/// ε of the sparse factorisation, and the iterations that take it out.
constexpr double shift = 1e-9;
constexpr int refinements = 4;

}  // namespace

void JointSystem::factorise(const Bodies& bodies, const JointSet& joints) {
  rows_ = joints.rows();
  sparse_ = rows_ > most_dense;
  Y_.assign(std::size_t(rows_) * 24, 0.0);
  for (int r = 0; r < rows_; ++r)
    for (int side = 0; side < 2; ++side) {
      const int body = joints.bodies_of(r)[std::size_t(side)];
      if (body < 0) continue;
      double* y = &Y_[std::size_t(2 * r + side) * 12];
      std::copy_n(joints.block(r, side), bodies.models[std::size_t(body)].rows(), y);
      bodies.apply_inverse(body, y);
    }
  const auto product = [&](int r, int side_r, int s, int side_s, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += joints.block(r, side_r)[i] * Y(s, side_s)[i];
    return sum;
  };
  // Rows meet where they share a body: for each body, the rows that have it, as 2·row + side.
  start_.assign(std::size_t(bodies.size()) + 1, 0);
  for (int r = 0; r < rows_; ++r)
    for (const int body : joints.bodies_of(r))
      if (body >= 0) ++start_[std::size_t(body) + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  sides_.resize(std::size_t(start_.back()));
  next_.assign(start_.begin(), start_.end());
  for (int r = 0; r < rows_; ++r)
    for (int side = 0; side < 2; ++side)
      if (const int body = joints.bodies_of(r)[std::size_t(side)]; body >= 0)
        sides_[std::size_t(next_[std::size_t(body)]++)] = 2 * r + side;
  scale_.setZero(rows_);
  for (int r = 0; r < rows_; ++r)
    for (int side = 0; side < 2; ++side)
      if (const int body = joints.bodies_of(r)[std::size_t(side)]; body >= 0)
        scale_[r] += product(r, side, r, side, bodies.models[std::size_t(body)].rows());
  scale_ = (scale_.array() > 0).select(scale_.array().rsqrt(), 1.0);
  if (!sparse_) S_.setZero(rows_, rows_);
  entries_.clear();
  for (int body = 0; body < bodies.size(); ++body) {
    const int n = bodies.models[std::size_t(body)].rows();
    const auto mine =
        std::span(sides_).subspan(std::size_t(start_[std::size_t(body)]),
                                  std::size_t(start_[std::size_t(body) + 1] - start_[std::size_t(body)]));
    for (const int k : mine)
      for (const int l : mine) {
        const double value = scale_[k / 2] * product(k / 2, k % 2, l / 2, l % 2, n) * scale_[l / 2];
        if (sparse_)
          entries_.emplace_back(k / 2, l / 2, value);
        else
          S_(k / 2, l / 2) += value;
      }
  }
  if (!sparse_) {
    lu_.setThreshold(least_pivot);
    lu_.compute(S_);
    return;
  }
  sparse_S_.resize(rows_, rows_);
  sparse_S_.setFromTriplets(entries_.begin(), entries_.end());
  ldlt_.setShift(shift);
  ldlt_.compute(sparse_S_);
}

void JointSystem::solve(Eigen::Ref<Eigen::MatrixXd> x) {
  const Eigen::MatrixXd c = scale_.asDiagonal() * x;
  if (sparse_) {
    x = ldlt_.solve(c);
    for (int k = 0; k < refinements; ++k) x += ldlt_.solve(c - sparse_S_ * x);
  } else {
    x = lu_.solve(c);
  }
  x = scale_.asDiagonal() * x;
}

}  // namespace stickslip::internal
