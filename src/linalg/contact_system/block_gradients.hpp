// Conjugate gradients for a symmetric positive definite K in N×N blocks, preconditioned by its diagonal blocks (Hestenes and
// Stiefel 1952; block Jacobi). For systems that need a few digits only and whose factors would be large.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <span>
#include <vector>

#include "linalg/contact_system/block_view.hpp"

namespace stickslip::internal {

template <int N>
class BlockGradients {
 public:
  /// Inverts the diagonal blocks. Keeps the view; of K only the blocks right of the diagonal are read. False: one of them is not
  /// positive definite.
  bool prepare(const BlockView& K) {
    K_ = K;
    const auto n = std::size_t(K.size());
    inverse_.resize(n);
    for (std::size_t a = 0; a < n; ++a) {
      const Eigen::LLT<Block> factor{Block(Eigen::Map<const Block>(K.diagonal(Index(a))))};
      if (factor.info() != Eigen::Success) return false;
      inverse_[a] = factor.solve(Block::Identity());
    }
    for (auto* vector : {&x_, &z_, &p_, &Kp_}) vector->resize(n * N);
    return true;
  }

  /// b ← K⁻¹ b, to a fall of the preconditioned residual by `enough`, in at most so many iterations. Iterations taken; −1: K is
  /// not positive definite, b is undefined.
  long solve(std::span<double> b, double enough, long iterations) {
    std::fill(x_.begin(), x_.end(), 0.0);
    double rho = precondition(b);
    const double goal = enough * enough * rho;
    p_ = z_;
    long k = 0;
    for (; k < iterations && rho > goal; ++k) {
      multiply();
      double curvature = 0;
      for (std::size_t i = 0; i < b.size(); ++i) curvature += p_[i] * Kp_[i];
      if (!(curvature > 0)) return -1;
      const double step = rho / curvature;
      for (std::size_t i = 0; i < b.size(); ++i) {
        x_[i] += step * p_[i];
        b[i] -= step * Kp_[i];
      }
      const double next = precondition(b), share = next / rho;
      for (std::size_t i = 0; i < b.size(); ++i) p_[i] = z_[i] + share * p_[i];
      rho = next;
    }
    std::copy(x_.begin(), x_.end(), b.begin());
    return k;
  }

 private:
  using Block = Eigen::Matrix<double, N, N>;
  using Column = Eigen::Matrix<double, N, 1>;

  /// z ← the diagonal blocks' inverse times r; r·z.
  double precondition(std::span<const double> r) {
    double sum = 0;
    for (std::size_t a = 0; a < inverse_.size(); ++a) {
      const Eigen::Map<const Column> own(&r[a * N]);
      Eigen::Map<Column> to(&z_[a * N]);
      to.noalias() = inverse_[a] * own;
      sum += own.dot(to);
    }
    return sum;
  }

  /// Kp ← K p.
  void multiply() {
    for (std::size_t a = 0; a < inverse_.size(); ++a)
      Eigen::Map<Column>(&Kp_[a * N]).noalias() =
          Eigen::Map<const Block>(K_.diagonal(Index(a))) * Eigen::Map<const Column>(&p_[a * N]);
    for (std::size_t a = 0; a < inverse_.size(); ++a) {
      const Column own = Eigen::Map<const Column>(&p_[a * N]);
      Column sum = Column::Zero();
      for (Index e = K_.row_start[a]; e < K_.row_start[a + 1]; ++e) {
        const auto b = std::size_t(K_.column[std::size_t(e)]);
        if (b <= a) continue;
        const Eigen::Map<const Block> block(K_.block(e));
        sum.noalias() += block * Eigen::Map<const Column>(&p_[b * N]);
        Eigen::Map<Column>(&Kp_[b * N]).noalias() += block.transpose() * own;
      }
      Eigen::Map<Column>(&Kp_[a * N]) += sum;
    }
  }

  BlockView K_;
  std::vector<Block> inverse_;
  std::vector<double> x_, z_, p_, Kp_;
};

}  // namespace stickslip::internal
