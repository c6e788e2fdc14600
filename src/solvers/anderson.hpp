// Safeguarded Anderson mixing for any fixed-point method x ← T(x) on the impulses.
//
//   f_k = T(x_k) − x_k,   γ = argmin ‖f_k − ΔF γ‖,   x_{k+1} = P_K( T(x_k) − ΔT γ )
//
// over the last m differences (Walker and Ni 2011, type II), in the norm that scales each contact by the
// trace of its block of W, so that it does not depend on units. A mixed point whose ‖f‖ turns out larger than
// that of the point it came from is taken back: the plain step follows instead, without mixing for a while,
// twice as long after each failure.
#pragma once

#include <span>
#include <vector>

#include "stickslip/problem.hpp"

namespace stickslip {

class Anderson {
 public:
  /// `window` differences at most; 0 leaves T alone.
  explicit Anderson(long window) : window_(std::size_t(window)) {}

  bool active() const { return window_ > 0; }
  /// Forgets everything. `scale` has one number for each contact: the weight √(tr W_ii/d).
  void start(int dimension, std::span<const double> mu, std::vector<double> scale);
  /// From x and its image T(x): x ← the next point to map.
  void next(std::span<double> x, std::span<const double> image);

 private:
  void add_difference(std::span<const double> image);
  bool solve(std::vector<double>& gamma);
  void forget();

  std::size_t window_;
  int dimension_ = 3;
  std::span<const double> mu_;
  std::vector<double> scale_;
  // Rings of the last differences: column j is used[j].
  std::vector<std::vector<double>> dF_, dT_;
  std::vector<double> gram_, rhs_;  // ΔFᵀΔF by ring places, ΔFᵀf
  std::vector<double> f_, last_f_, last_image_, gamma_;
  std::size_t stored_ = 0, newest_ = 0;
  bool have_last_ = false, mixed_ = false;
  double last_size_ = 0;
  long pause_ = 0, next_pause_ = 0;
};

/// √(tr W_ii/d) for each contact.
std::vector<double> contact_scale(const BlockMatrix& W);

}  // namespace stickslip
