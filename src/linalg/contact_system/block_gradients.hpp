// Conjugate gradients for a symmetric positive definite K in N×N blocks, preconditioned by its diagonal blocks (Hestenes and
// Stiefel 1952; block Jacobi). For systems that need a few digits only and whose factors would be large.
//
// The preconditioner is built into K: with the factors K_aa = L_a L_aᵀ the blocks L_a⁻¹ K_ab L_b⁻ᵀ have the identity on the diagonal, so that an
// iteration reads nothing but the blocks beside it, each once, and vectors. Those blocks may be kept in single precision, `Stored`: that is
// another K by 6e-8 of its blocks; vectors and sums are double.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>

#include "base/dot.hpp"
#include "base/raw_numbers.hpp"
#include "linalg/contact_system/block_pairs.hpp"
#include "linalg/small_cholesky.hpp"

namespace stickslip::internal {

template <int N, class Stored = double>
class BlockGradients {
 public:
  /// K_ab of the pairs and K_aa, N×N column-major, both overwritten: by L_a⁻¹ K_ab L_b⁻ᵀ and by L_a. Keeps references to all. `team`
  /// shares the work; it may be nullptr, and changes no bit. False: a diagonal block is not positive definite.
  bool prepare(const BlockPairs& pairs, std::span<Stored> blocks, std::span<double> diagonal,
               ThreadTeam* team = nullptr) {
    pairs_ = &pairs;
    blocks_ = blocks.data();
    factors_ = diagonal.data();
    team_ = team;
    solved_ = false;
    nodes_ = diagonal.size() / area;
    for (auto* vector : {&x_, &p_, &Kp_}) vector->resize(nodes_ * N);
    std::atomic<bool> definite = true;
    in_pieces(team_, nodes_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t a = begin; a < end; ++a)
        if (!cholesky<N>(factors_ + a * area)) definite = false;
    });
    in_pieces(team_, pairs.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        Block block = block_at(k);
        for (int c = 0; c < N; ++c) solve_lower<N>(factor_of(std::size_t(pairs.a[k])), &block(0, c));
        block.transposeInPlace();
        for (int c = 0; c < N; ++c) solve_lower<N>(factor_of(std::size_t(pairs.b[k])), &block(0, c));
        block.transposeInPlace();
        Eigen::Map<Kept>(blocks_ + k * area) = block.template cast<Stored>();
      }
    });
    return definite;
  }

  /// Where a solve ends: the residual measured by the inverse diagonal blocks has fallen to `part`, or, looked at now and then, Σ e²/m ≤
  /// `size`² with the numbers m > 0 of `masses`, one a row; or eᵀK e of the error e was about `energy` four iterations ago, which is
  /// what they took off it (Hestenes and Stiefel's (6:2)).
  struct End {
    double part, size = 0;
    const double* masses = nullptr;
    double energy = 0;
  };
  enum class Begin { at_zero, at_the_last_solution };

  /// b ← K⁻¹ b, in at most so many iterations. Iterations taken; −1: K is not positive definite, b is undefined.
  long solve(std::span<double> b, const End& end, long iterations, Begin begin = Begin::at_zero) {
    const bool goes_on = begin == Begin::at_the_last_solution && solved_;
    if (!goes_on)
      in_pieces(team_, b.size(),
                [&](std::size_t from, std::size_t to) { std::fill(x_.data() + from, x_.data() + to, 0.0); });
    solved_ = true;
    in_pieces(team_, nodes_, [&](std::size_t from, std::size_t to) {
      for (std::size_t a = from; a < to; ++a) solve_lower<N>(factor_of(a), &b[a * N]);
    });
    double rho = step_along(0, b);
    const double goal = end.part * end.part * rho;
    if (goes_on) rho = leave_over(b);
    turn(b, 0);
    double fallen[delay] = {};
    long k = 0;
    for (; k < iterations && rho > goal; ++k) {
      if (k % between_looks == 0 && end.size > 0 && end.masses &&
          weighted(b, end.masses) <= end.size * end.size)
        break;
      const double curvature = multiply();
      if (!(curvature > 0)) return -1;
      const double next = step_along(rho / curvature, b);
      fallen[k % delay] = rho * rho / curvature;
      turn(b, next / rho);
      rho = next;
      if (k + 1 >= delay && std::accumulate(fallen, fallen + delay, 0.0) <= end.energy)
        return finish(b), k + 1;
    }
    finish(b);
    return k;
  }

 private:
  using Block = Eigen::Matrix<double, N, N>;
  using Kept = Eigen::Matrix<Stored, N, N>;
  using Column = Eigen::Matrix<double, N, 1>;
  static constexpr std::size_t area = std::size_t(N) * N;
  static constexpr long between_looks = 8, delay = 4;

  /// Blocks come as a stream, nodes from anywhere: theirs are fetched this many pairs before their turn.
  static constexpr std::size_t pairs_ahead = 16;

  Block block_at(std::size_t pair) const {
    return Eigen::Map<const Kept>(blocks_ + pair * area).template cast<double>();
  }
  const double* factor_of(std::size_t node) const { return factors_ + node * area; }

  /// b ← the solution.
  void finish(std::span<double> b) const {
    in_pieces(team_, nodes_, [&](std::size_t from, std::size_t to) {
      for (std::size_t a = from; a < to; ++a) {
        std::copy_n(&x_[a * N], N, &b[a * N]);
        solve_lower_transposed<N>(factor_of(a), &b[a * N]);
      }
    });
  }

  /// A step along p, unless it is 0; r·r.
  double step_along(double step, std::span<double> r) {
    return sum_in_pieces(team_, r.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; step != 0 && i < end; ++i) {
        x_[i] += step * p_[i];
        r[i] -= step * Kp_[i];
      }
      return dot(&r[begin], &r[begin], end - begin);
    });
  }

  /// b ← b − K x of the x that is there; its square.
  double leave_over(std::span<double> b) {
    turn(x_, 0);
    multiply();
    return sum_in_pieces(team_, b.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) b[i] -= Kp_[i];
      return dot(&b[begin], &b[begin], end - begin);
    });
  }

  /// Σ e²/m of the residual e = L r.
  double weighted(std::span<const double> r, const double* masses) const {
    return sum_in_pieces(team_, nodes_, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t a = begin; a < end; ++a) {
        const Column e = Eigen::Map<const Block>(factor_of(a)) * Eigen::Map<const Column>(&r[a * N]);
        for (int i = 0; i < N; ++i) sum += e[i] * e[i] / masses[a * N + std::size_t(i)];
      }
      return sum;
    });
  }

  void fetch(std::size_t at) const {
    for (const std::size_t end : {at, at + N - 1}) {
      __builtin_prefetch(&p_[end]);
      __builtin_prefetch(&Kp_[end], 1);
    }
  }

  /// p ← r + share·p; Kp has the same for its diagonal.
  void turn(std::span<const double> r, double share) {
    in_pieces(team_, r.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) Kp_[i] = p_[i] = share == 0 ? r[i] : r[i] + share * p_[i];
    });
  }

  /// Kp ← K p, begun by `turn`; p·Kp.
  double multiply() {
    pairs_->each(team_, [&](std::size_t k) {
      if (const std::size_t next = k + pairs_ahead; next < pairs_->size())
        for (const Index node : {pairs_->a[next], pairs_->b[next]}) fetch(std::size_t(node) * N);
      const auto a = std::size_t(pairs_->a[k]), b = std::size_t(pairs_->b[k]);
      const Block block = block_at(k);
      Eigen::Map<Column>(&Kp_[a * N]).noalias() += block * Eigen::Map<const Column>(&p_[b * N]);
      Eigen::Map<Column>(&Kp_[b * N]).noalias() += block.transpose() * Eigen::Map<const Column>(&p_[a * N]);
    });
    return sum_in_pieces(team_, nodes_ * N, [&](std::size_t begin, std::size_t end) {
      return dot(&p_[begin], &Kp_[begin], end - begin);
    });
  }

  const BlockPairs* pairs_ = nullptr;
  Stored* blocks_ = nullptr;
  double* factors_ = nullptr;
  ThreadTeam* team_ = nullptr;
  std::size_t nodes_ = 0;
  bool solved_ = false;  // x_ is a solution of this K
  RawNumbers x_, p_, Kp_;
};

}  // namespace stickslip::internal
