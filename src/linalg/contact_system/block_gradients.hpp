// Conjugate gradients for a symmetric positive definite K in N×N blocks, preconditioned by its diagonal blocks (Hestenes and
// Stiefel 1952; block Jacobi). For systems that need a few digits only and whose factors would be large.
//
// A product reads every block once and is as fast as memory: blocks beside the diagonal and the preconditioner may be kept in single
// precision, `Stored`. That is another K by 6e-8 of its blocks; vectors and sums are double.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <atomic>
#include <span>

#include "base/raw_numbers.hpp"
#include "linalg/contact_system/block_pairs.hpp"

namespace stickslip::internal {

template <int N, class Stored = double>
class BlockGradients {
 public:
  /// Inverts the diagonal blocks. K_ab of the pairs and K_aa are N×N column-major; keeps references to all. `team` shares the work; it may
  /// be nullptr, and changes no bit. False: a diagonal block is not positive definite.
  bool prepare(const BlockPairs& pairs, const Stored* blocks, std::span<const double> diagonal,
               ThreadTeam* team = nullptr) {
    pairs_ = &pairs;
    blocks_ = blocks;
    diagonal_ = diagonal.data();
    team_ = team;
    nodes_ = diagonal.size() / area;
    inverse_.resize(diagonal.size());
    for (auto* vector : {&x_, &z_, &p_, &Kp_}) vector->resize(nodes_ * N);
    std::atomic<bool> definite = true;
    in_pieces(team_, nodes_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t a = begin; a < end; ++a) {
        const Eigen::LLT<Block> factor{Block(Eigen::Map<const Block>(diagonal_ + a * area))};
        if (factor.info() != Eigen::Success) definite = false;
        const Block inverted = factor.solve(Block::Identity());
        Eigen::Map<Kept>(inverse_.data() + a * area) = inverted.template cast<Stored>();
      }
    });
    return definite;
  }

  /// Where a solve ends: the residual measured by the inverse diagonal blocks has fallen to `part`, or, looked at now and then, Σ e²/m ≤
  /// `size`² with the numbers m > 0 of `masses`, one a row.
  struct End {
    double part, size = 0;
    const double* masses = nullptr;
  };

  /// b ← K⁻¹ b, in at most so many iterations. Iterations taken; −1: K is not positive definite, b is undefined.
  long solve(std::span<double> b, const End& end, long iterations) {
    in_pieces(team_, b.size(),
              [&](std::size_t from, std::size_t to) { std::fill(x_.data() + from, x_.data() + to, 0.0); });
    double rho = precondition(0, b);
    const double goal = end.part * end.part * rho;
    copy_in_pieces(team_, z_, p_);
    long k = 0;
    for (; k < iterations && rho > goal; ++k) {
      if (k % between_looks == 0 && end.size > 0 && weighted(b, end.masses) <= end.size * end.size) break;
      const double curvature = multiply();
      if (!(curvature > 0)) return -1;
      const double next = precondition(rho / curvature, b), share = next / rho;
      in_pieces(team_, b.size(), [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) p_[i] = z_[i] + share * p_[i];
      });
      rho = next;
    }
    std::copy(x_.begin(), x_.end(), b.begin());
    return k;
  }

 private:
  using Block = Eigen::Matrix<double, N, N>;
  using Kept = Eigen::Matrix<Stored, N, N>;
  using Column = Eigen::Matrix<double, N, 1>;
  static constexpr std::size_t area = std::size_t(N) * N;
  static constexpr long between_looks = 8;

  static Block block_at(const Stored* from) { return Eigen::Map<const Kept>(from).template cast<double>(); }

  /// A step along p, unless it is 0; then z ← the diagonal blocks' inverse times r; r·z.
  double precondition(double step, std::span<double> r) {
    return sum_in_pieces(team_, nodes_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin * N; step != 0 && i < end * N; ++i) {
        x_[i] += step * p_[i];
        r[i] -= step * Kp_[i];
      }
      double sum = 0;
      for (std::size_t a = begin; a < end; ++a) {
        const Eigen::Map<const Column> own(&r[a * N]);
        Eigen::Map<Column> to(&z_[a * N]);
        to.noalias() = block_at(&inverse_[a * area]) * own;
        sum += own.dot(to);
      }
      return sum;
    });
  }

  /// Σ r²/m.
  double weighted(std::span<const double> r, const double* masses) const {
    return sum_in_pieces(team_, r.size(), [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += r[i] * r[i] / masses[i];
      return sum;
    });
  }

  /// Kp ← K p; p·Kp.
  double multiply() {
    in_pieces(team_, nodes_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t a = begin; a < end; ++a)
        Eigen::Map<Column>(&Kp_[a * N]).noalias() =
            Eigen::Map<const Block>(diagonal_ + a * area) * Eigen::Map<const Column>(&p_[a * N]);
    });
    pairs_->each(team_, [&](std::size_t k) {
      const auto a = std::size_t(pairs_->a[k]), b = std::size_t(pairs_->b[k]);
      const Block block = block_at(blocks_ + k * area);
      Eigen::Map<Column>(&Kp_[a * N]).noalias() += block * Eigen::Map<const Column>(&p_[b * N]);
      Eigen::Map<Column>(&Kp_[b * N]).noalias() += block.transpose() * Eigen::Map<const Column>(&p_[a * N]);
    });
    return sum_in_pieces(team_, nodes_ * N, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += p_[i] * Kp_[i];
      return sum;
    });
  }

  const BlockPairs* pairs_ = nullptr;
  const Stored* blocks_ = nullptr;
  const double* diagonal_ = nullptr;
  ThreadTeam* team_ = nullptr;
  std::size_t nodes_ = 0;
  RawVector<Stored> inverse_;
  RawNumbers x_, z_, p_, Kp_;
};

}  // namespace stickslip::internal
