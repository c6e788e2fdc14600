// A curve known by its Taylor series, x(s) = Σ x_k s^k in very many components, x_0 = 1 in each, and the
// points on it beyond the radius of convergence: reduced rank extrapolation (Eddy 1979, Mešina 1977; Sidi,
// Vector Extrapolation Methods, 2017) of the partial sums S_j(s) = Σ_{k ≤ j} x_k s^k,
//
//   x(s) ≈ Σ γ_j S_j(s),  j = 1 … K−1,   Σγ_j = 1,   ‖Σ γ_j (S_{j+1} − S_j)‖ least.
//
// That is a rational function of s with one denominator for all components, so that linear relations between
// the x_k, k ≥ 2, hold for the point too.
#pragma once

#include <Eigen/Cholesky>
#include <cstddef>
#include <span>
#include <vector>

namespace stickslip::internal {

class PathSeries {
 public:
  enum class Sum { taylor, rational };

  PathSeries(std::size_t components, int order);

  /// x_0 … x_K of a component, next to each other; to be filled.
  std::span<double> terms(std::size_t component) {
    return {terms_.data() + component * std::size_t(order_ + 1), std::size_t(order_ + 1)};
  }
  int order() const { return order_; }
  /// To be called when the terms are there. Which of them can be used: those before the first that is too
  /// large.
  int prepare();
  /// The point at s by the terms up to `order` ≤ prepare(); false where a component is not positive or a sum
  /// has no finite weights.
  bool positive_point(double s, int order, Sum sum, std::span<double> x);

 private:
  /// Σ w_k x_k is the sum.
  bool find_weights(double s, int order, Sum sum);

  int order_;
  std::size_t components_, blocking_ = 0;
  std::vector<double> terms_, weights_;
  Eigen::MatrixXd products_;  // x_j·x_k, j, k ≥ 2
  Eigen::LLT<Eigen::MatrixXd> factors_;
  int factored_ = 0;
};

}  // namespace stickslip::internal
