// A normal compliance that falls: the problem with u_N + e r_N in the place of u_N, e → 0.
//
// For e > 0 it always has a solution (each contact has a spring behind it: Slater's condition holds), and that is the solution of the
// problem with the room s_i = e r_N,i ≥ 0 added to u_N. Where the problem itself has a solution in reach, s → 0 with e; where it has
// none, s tends to the smallest opening speeds that are missing, and r grows like 1/e.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "solve/scaled_problem.hpp"

namespace stickslip::internal {

class Compliance {
 public:
  /// e starts at `first` times the mean of the normal entries of W.
  void start(const ScaledProblem& problem, double first) {
    const auto d = std::size_t(problem.dimension());
    std::vector<double> block(d * d);
    scaled_.resize(std::size_t(problem.contacts()));
    double sum = 0;
    for (Index i = 0; i < problem.contacts(); ++i) {
      problem.diagonal(i, block.data());
      sum += block[0] / problem.block_factor(i);
    }
    const double e = first * sum / double(scaled_.size());
    for (Index i = 0; i < problem.contacts(); ++i) scaled_[std::size_t(i)] = e * problem.block_factor(i);
    dimension_ = d;
  }
  /// e s_i², as the scaled problem has it.
  std::span<const double> scaled() const { return scaled_; }
  void fall(double factor) {
    for (double& number : scaled_) number /= factor;
  }
  /// ‖s‖ of scaled impulses, in scaled units.
  double room(std::span<const double> r) const {
    double sum = 0;
    for (std::size_t i = 0; i < scaled_.size(); ++i)
      sum += scaled_[i] * r[i * dimension_] * scaled_[i] * r[i * dimension_];
    return std::sqrt(sum);
  }

 private:
  std::size_t dimension_ = 3;
  std::vector<double> scaled_;
};

}  // namespace stickslip::internal
