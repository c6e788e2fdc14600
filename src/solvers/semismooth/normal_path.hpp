// The central path of contact without friction,
//
//   y = W_NN r_N + q_N,   r_N y = m at each contact,   m → 0.
//
// It is entered by sweeps: r_i ← the root of W_ii r² + (u_i − W_ii r_i) r = m, m falling while they keep up.
// Each step then factorises W_NN + diag(y/r) once and expands the curve
//
//   r(s) y(s) = (1 − s) r y + s σm,     W_NN r(s) + q_N − y(s) = (1 − s)(W_NN r + q_N − y)
//
// around s = 0 to a high order, a solve a term: (W_NN + diag(y/r)) r_k = c_k/r, y_k = (c_k − y r_k)/r,
// c_k = −Σ_{0<j<k} r_j y_{k−j}. It goes to the point of the extrapolated series (path_series) nearest to
// s = 1 where r and y are positive. Mehrotra's corrector (1992) is the order two without extrapolation. A
// rank-deficient W does no harm, and which of r_N and y is larger tells the closed contacts from the open
// ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/contact_system/front_lu.hpp"
#include "solvers/convex/convex_program.hpp"
#include "solvers/semismooth/path_series.hpp"

namespace stickslip::internal {

class NormalPath {
 public:
  /// Keeps references. The problem in scaled units, W_ii and q of order one.
  NormalPath(const NormalMatrix& W, std::span<const double> q);

  /// Sweeps from r_N = 1. What is left of r_N y = m: the mean of (y − m/r_N)² over m, before the last sweep.
  double sweep(int sweeps);
  /// One factorisation, one step. How far it went, in [0, 1]; 0 where it found nowhere to go.
  double step();

  /// m, the mean of r_N y.
  double gap() const;
  std::span<const double> impulses() const { return r_; }
  /// 1 where r_N > y.
  void closed(std::span<std::uint8_t> set) const;

 private:
  struct Found {
    double merit, reach;
    std::vector<double> x;
  };

  void factorise();
  /// Fills the series for the given σ; the number of terms that can be used.
  int expand(double sigma);
  /// Tries the series for σ: the s that it reaches; `best_` is replaced where it is better.
  double follow(double sigma);
  /// Whether the trial point, at s, is near enough to the path; the best one so far is kept.
  bool consider(double s);

  const NormalMatrix& W_;
  std::span<const double> q_;
  std::vector<double> r_, y_, residual_, trial_, solved_, slope_;
  double gap_ = 1, infeasibility_ = 0;
  std::vector<std::uint8_t> all_;
  FrontLu factors_;
  PathSeries series_;
  Found best_;
};

}  // namespace stickslip::internal
