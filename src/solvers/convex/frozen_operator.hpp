// The operator of a problem with a part of Coulomb's law frozen: the same W, another load b.
#pragma once

#include <vector>

#include "problem/contact_operator.hpp"

namespace stickslip::internal {

/// u = W r + b with a b that may change between solves. With `tangents` the normal rows of u are zero, so
/// that a projection method leaves r_N alone: the tangential problem RR (128).
class FrozenOperator final : public ContactOperator {
 public:
  enum class Rows { all, tangents };

  /// Binds to a problem, whose q becomes b. W may be another matrix than the problem's (its symmetric part).
  /// Keeps references.
  void bind(const ReducedProblem& problem, const BlockMatrix& W, Rows rows) {
    problem_ = &problem;
    W_ = &W;
    rows_ = rows;
    load(problem.q());
  }
  /// Another b.
  void load(std::span<const double> b) {
    b_.assign(b.begin(), b.end());
    keep_rows(b_);
  }

  int dimension() const override { return problem_->dimension(); }
  std::span<const double> q() const override { return b_; }
  std::span<const double> mu() const override { return problem_->mu(); }
  /// Of the problem that is solved in the end.
  double q_norm() const override { return problem_->q_norm(); }
  double q_energy() const override { return problem_->q_energy(); }
  const double* diagonal(Index i) const override { return W_->diagonal(i); }
  void velocity(std::span<const double> r, std::span<double> u) const override {
    W_->multiply(r, b_, u);
    keep_rows(u);
  }
  void magnitude(std::span<const double> r, std::span<double> s) const override {
    MatrixOperator(*problem_).magnitude(r, s);
  }

 private:
  void keep_rows(std::span<double> u) const {
    if (rows_ == Rows::all) return;
    for (std::size_t k = 0; k < u.size(); k += std::size_t(dimension())) u[k] = 0;
  }

  const ReducedProblem* problem_ = nullptr;
  const BlockMatrix* W_ = nullptr;
  Rows rows_ = Rows::all;
  std::vector<double> b_;
};

}  // namespace stickslip::internal
