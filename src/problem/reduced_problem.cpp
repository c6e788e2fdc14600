#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.hpp"
#include "linalg/small_energy.hpp"
#include "problem/validate.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/problem.hpp"

namespace stickslip {

using namespace internal;

namespace {

/// Smallest eigenvalue of the symmetric part of a d×d block, d = 2 or 3 (closed form; Smith, 1961, for
/// d = 3).
double smallest_eigenvalue(const double* A, int d) {
  if (d == 2) {
    const double mean = (A[0] + A[3]) / 2, half = (A[0] - A[3]) / 2, off = (A[1] + A[2]) / 2;
    return mean - std::sqrt(half * half + off * off);
  }
  const double a01 = (A[1] + A[3]) / 2, a02 = (A[2] + A[6]) / 2, a12 = (A[5] + A[7]) / 2;
  const double mean = (A[0] + A[4] + A[8]) / 3;
  const double b0 = A[0] - mean, b1 = A[4] - mean, b2 = A[8] - mean;
  const double p = std::sqrt((b0 * b0 + b1 * b1 + b2 * b2 + 2 * (a01 * a01 + a02 * a02 + a12 * a12)) / 6);
  if (p == 0) return mean;
  const double det =
      (b0 * (b1 * b2 - a12 * a12) - a01 * (a01 * b2 - a12 * a02) + a02 * (a01 * a12 - b1 * a02)) /
      (p * p * p);
  return mean + 2 * p * std::cos(std::acos(std::clamp(det / 2, -1.0, 1.0)) / 3 + 2.0943951023931953);
}

/// The block of each contact must push back along its normal and must not be clearly indefinite. Blocks of W
/// that are singular up to rounding are legal.
void require_positive_diagonal(const BlockMatrix& W) {
  const int d = W.dimension();
  for (Index i = 0; i < W.size(); ++i) {
    const double* A = W.diagonal(i);
    const auto contact = [&] { return "W: diagonal block of contact " + std::to_string(i); };
    if (!(A[0] > 0)) throw InputError(contact() + " has W_NN = " + shortest(A[0]) + "; it must be > 0");
    double trace = 0;
    for (int c = 0; c < d; ++c) trace += std::abs(A[c * (d + 1)]);
    if (const double low = smallest_eigenvalue(A, d); low < -1e-8 * trace)
      throw InputError(contact() + " is not positive semi-definite (eigenvalue " + shortest(low) +
                       " of its symmetric part)");
  }
}

}  // namespace

ReducedProblem::ReducedProblem(BlockMatrix W, std::vector<double> q, std::vector<double> mu)
    : W_(std::move(W)), q_(std::move(q)), mu_(std::move(mu)) {
  const auto d = std::size_t(dimension()), n = std::size_t(contacts());
  require_mu(mu_);
  require_finite("W, off-diagonal blocks", {W_.block(0), std::size_t(W_.off_diagonal_blocks()) * d * d});
  require_finite("W, diagonal blocks", {W_.diagonal(0), n * d * d});
  require_positive_diagonal(W_);
  require_load(q_);
  weigh_load();
}

void ReducedProblem::set_q(std::span<const double> q) {
  require_load(q);
  std::copy(q.begin(), q.end(), q_.begin());
  weigh_load();
}

void ReducedProblem::set_mu(std::span<const double> mu) {
  require_mu(mu);
  std::copy(mu.begin(), mu.end(), mu_.begin());
}

void ReducedProblem::require_mu(std::span<const double> mu) const {
  require_size("mu", mu.size(), std::size_t(contacts()), "one for each contact of W");
  require_friction(mu);
}

void ReducedProblem::require_load(std::span<const double> q) const {
  require_size("q", q.size(), std::size_t(contacts()) * std::size_t(dimension()), "as many as W has rows");
  require_finite("q", q);
}

void ReducedProblem::weigh_load() {
  // Scaled by the largest entry, so that neither tiny nor huge units overflow.
  double largest = 0, sum = 0;
  for (double x : q_) largest = std::max(largest, std::abs(x));
  if (largest > 0)
    for (double x : q_) sum += (x / largest) * (x / largest);
  q_norm_ = largest * std::sqrt(sum);
  q_energy_ = 0;
  for (Index i = 0; i < contacts(); ++i)
    q_energy_ += inverse_energy(W_.diagonal(i), dimension(), &q_[std::size_t(i) * std::size_t(dimension())]);
}

}  // namespace stickslip
