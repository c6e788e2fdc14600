// Line searches on a merit q(t) along a direction, t = 1 first. They see numbers only: q(0), the slope q'(0)
// and a way to evaluate q. Each makes a bounded number of trials and then keeps its last t, as RR 5.5 does.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace stickslip::internal {

/// Finds t with q(t) between the lines of slope m₁ and m₂ through q(0) (RR Algorithm 5, corrected).
template <class Merit>
double goldstein_price(double merit, double slope, Merit&& at, int trials = 10) {
  constexpr double m1 = 0.1, m2 = 0.9;
  double low = 0, high = 0, t = 1;
  for (int trial = 0; trial < trials; ++trial) {
    const double value = at(t);
    if (!(value <= merit + m1 * t * slope))  // also where it is not a number
      high = t;
    else if (value < merit + m2 * t * slope)
      low = t;
    else
      return t;
    t = high > 0 ? (low + high) / 2 : 2 * t;
  }
  return t;
}

/// Halves t until q(t) ≤ reference + m₁ t q'(0) (RR Algorithm 6, corrected). With reference = q(0) the step
/// is monotone; with the largest of the last values it is that of Grippo, Lampariello and Lucidi 1986
/// (NonmonotoneReference).
template <class Merit>
double armijo(double reference, double slope, Merit&& at, int trials = 10) {
  constexpr double m1 = 1e-4;
  double t = 1;
  for (int trial = 1; trial < trials; ++trial, t /= 2)
    if (at(t) <= reference + m1 * t * slope) return t;
  return t;
}

/// The largest of the last `memory` merit values: what a nonmonotone search compares with. memory = 1 is
/// monotone.
class NonmonotoneReference {
 public:
  explicit NonmonotoneReference(std::size_t memory) : values_(std::max<std::size_t>(memory, 1)) { clear(); }

  void clear() {
    std::fill(values_.begin(), values_.end(), -std::numeric_limits<double>::infinity());
    next_ = 0;
  }
  /// The merit of the point at which the next search begins.
  void push(double merit) {
    values_[next_] = merit;
    next_ = (next_ + 1) % values_.size();
  }
  /// −∞ before the first push.
  double value() const { return *std::max_element(values_.begin(), values_.end()); }

 private:
  std::vector<double> values_;
  std::size_t next_ = 0;
};

}  // namespace stickslip::internal
