#include "dynamics/stepping/joint_system.hpp"

#include <algorithm>

namespace stickslip::internal {

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
  if (!sparse_) S_.setZero(rows_, rows_);
  entries_.clear();
  for (int r = 0; r < rows_; ++r)
    for (int s = 0; s < rows_; ++s)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          const int body = joints.bodies_of(r)[std::size_t(i)];
          if (body < 0 || body != joints.bodies_of(s)[std::size_t(j)]) continue;
          const double value = product(r, i, s, j, bodies.models[std::size_t(body)].rows());
          if (sparse_)
            entries_.emplace_back(r, s, value);
          else
            S_(r, s) += value;
        }
  if (!sparse_) {
    lu_.setThreshold(1e-11);
    lu_.compute(S_);
    return;
  }
  sparse_S_.resize(rows_, rows_);
  sparse_S_.setFromTriplets(entries_.begin(), entries_.end());
  const double shift = 1e-9 * sparse_S_.diagonal().maxCoeff();
  ldlt_.setShift(shift);
  ldlt_.compute(sparse_S_);
}

void JointSystem::solve(Eigen::Ref<Eigen::MatrixXd> x) {
  if (!sparse_) {
    x = lu_.solve(x.eval());
    return;
  }
  const Eigen::MatrixXd c = x;
  x = ldlt_.solve(c);
  for (int k = 0; k < 4; ++k) x += ldlt_.solve(c - sparse_S_ * x);
}

}  // namespace stickslip::internal
