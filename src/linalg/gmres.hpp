// GMRES with restarts and a right preconditioner (Saad and Schultz 1986): A x = b by products with A only.
//
//   K_m = span{ b, B b, …, B^{m−1} b },  B = A P,   x = P y with y ∈ K_m minimising ‖b − B y‖
//
// Arnoldi's basis by modified Gram–Schmidt, the least squares problem by Givens rotations, so that the norm
// of the residual is known at each step without forming x. A right preconditioner leaves that norm as it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace stickslip::internal {

/// How a run of GMRES ended.
struct GmresRun {
  long products = 0;    ///< with A
  double residual = 0;  ///< ‖b − A x‖ as the recurrence knows it
};

/// Holds the basis: repeated solves of one size allocate nothing.
class Gmres {
 public:
  /// Directions kept before a restart; ≥ 1.
  explicit Gmres(long restart) : restart_(restart) {}

  /// x ← A⁻¹ b, from x = 0, until the residual is at or below `accuracy` or `products` products with A were
  /// made. apply(x, y): y ← A x. precondition(x, y): y ← P x. They may not alias. dot(x, y): x·y, where vectors are
  /// parts of those of several ranks over all of them. A singular A ends at a breakdown with the least residual of the space reached. x
  /// stays finite as long as the products are.
  template <class Apply, class Precondition, class Dot>
  GmresRun solve(Apply&& apply, Precondition&& precondition, Dot&& dot, std::span<const double> b,
                 double accuracy, long products, std::span<double> x) {
    resize(b.size());
    std::fill(x.begin(), x.end(), 0.0);
    std::copy(b.begin(), b.end(), residual_.begin());
    GmresRun run;
    run.residual = std::sqrt(dot(residual_, residual_));
    while (run.residual > accuracy && run.products < products) {
      const double before = run.residual;
      const long steps = cycle(apply, precondition, dot, accuracy, products, run);
      correct(precondition, steps, x);
      if (run.products >= products || run.residual <= accuracy) break;
      if (!(run.residual < (1 - 1e-6) * before)) break;  // no progress: a singular system
      apply(x, residual_);
      for (std::size_t i = 0; i < b.size(); ++i) residual_[i] = b[i] - residual_[i];
      ++run.products;
      run.residual = std::sqrt(dot(residual_, residual_));
    }
    return run;
  }

  /// All numbers are here.
  template <class Apply, class Precondition>
  GmresRun solve(Apply&& apply, Precondition&& precondition, std::span<const double> b, double accuracy,
                 long products, std::span<double> x) {
    const auto dot = [](const Vector& y, const Vector& z) {
      double sum = 0;
      for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * z[i];
      return sum;
    };
    return solve(apply, precondition, dot, b, accuracy, products, x);
  }

 private:
  using Vector = std::vector<double>;

  /// Arnoldi steps from the residual up to the restart; gives their number.
  template <class Apply, class Precondition, class Dot>
  long cycle(Apply&& apply, Precondition&& precondition, Dot&& dot, double accuracy, long products,
             GmresRun& run) {
    const double beta = run.residual;
    for (std::size_t i = 0; i < residual_.size(); ++i) basis_[0][i] = residual_[i] / beta;
    std::fill(right_.begin(), right_.end(), 0.0);
    right_[0] = beta;
    long k = 0;
    while (k < restart_ && run.products < products) {
      Vector& next = basis_[std::size_t(k) + 1];
      precondition(basis_[std::size_t(k)], scratch_);
      apply(scratch_, next);
      ++run.products;
      const double size = std::sqrt(dot(next, next));
      double* h = &hessenberg_[std::size_t(k) * std::size_t(restart_ + 1)];
      for (long j = 0; j <= k; ++j) {
        const Vector& v = basis_[std::size_t(j)];
        const double product = dot(v, next);
        for (std::size_t i = 0; i < v.size(); ++i) next[i] -= product * v[i];
        h[j] = product;
      }
      const double rest = std::sqrt(dot(next, next));
      for (long j = 0; j < k; ++j) rotate(cosine_[std::size_t(j)], sine_[std::size_t(j)], h[j], h[j + 1]);
      const double length = std::hypot(h[k], rest);
      if (!(length > 1e-14 * size) || !std::isfinite(length)) break;  // B v lies in what is known: singular
      cosine_[std::size_t(k)] = h[k] / length;
      sine_[std::size_t(k)] = rest / length;
      h[k] = length;
      rotate(cosine_[std::size_t(k)], sine_[std::size_t(k)], right_[std::size_t(k)],
             right_[std::size_t(k) + 1]);
      ++k;
      run.residual = std::abs(right_[std::size_t(k)]);
      if (run.residual <= accuracy || rest <= 1e-14 * size) break;
      for (double& value : next) value /= rest;
    }
    return k;
  }

  /// x ← x + P V y with the y of the last cycle.
  template <class Precondition>
  void correct(Precondition&& precondition, long steps, std::span<double> x) {
    if (steps == 0) return;
    for (long k = steps - 1; k >= 0; --k) {
      double& y = right_[std::size_t(k)];
      for (long j = k + 1; j < steps; ++j)
        y -=
            hessenberg_[std::size_t(j) * std::size_t(restart_ + 1) + std::size_t(k)] * right_[std::size_t(j)];
      y /= hessenberg_[std::size_t(k) * std::size_t(restart_ + 1) + std::size_t(k)];
    }
    std::fill(scratch_.begin(), scratch_.end(), 0.0);
    for (long k = 0; k < steps; ++k)
      for (std::size_t i = 0; i < scratch_.size(); ++i)
        scratch_[i] += right_[std::size_t(k)] * basis_[std::size_t(k)][i];
    precondition(scratch_, residual_);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += residual_[i];
  }

  void resize(std::size_t n) {
    const auto m = std::size_t(restart_);
    basis_.resize(m + 1);
    for (Vector& v : basis_) v.resize(n);
    residual_.resize(n);
    scratch_.resize(n);
    hessenberg_.resize(m * (m + 1));
    right_.resize(m + 1);
    cosine_.resize(m);
    sine_.resize(m);
  }

  static void rotate(double c, double s, double& a, double& b) {
    const double t = c * a + s * b;
    b = c * b - s * a;
    a = t;
  }

  long restart_;
  std::vector<Vector> basis_;
  Vector residual_, scratch_, hessenberg_, right_, cosine_, sine_;  // hessenberg_ by columns
};

}  // namespace stickslip::internal
