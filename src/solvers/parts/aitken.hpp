// Aitken's extrapolation of a fixed-point iteration that converges along one direction.
//
//   Δ_k = r_k − r_{k−1},  ρ_k = ‖Δ_k‖/‖Δ_{k−1}‖;   where ρ stays:  r ← P_K( r_k + ρ/(1 − ρ) Δ_k )
//
// Unlike mixing (anderson) it costs nothing until then: the lengths of the changes are known. A jump
// after which the change is no smaller than before is taken back, and the next one waits, longer each time.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "cone/project.hpp"

namespace stickslip::internal {

class Aitken {
 public:
  void start() { seen_ = 0, wait_ = 0, pause_ = first_pause, jumped_ = false; }

  /// After an iteration from `before` to r whose Σ‖Δ_i‖² was `step`: may move r. Whether it did.
  template <int D>
  bool look(std::span<const double> before, std::span<double> r, std::span<const double> mu, double step) {
    if (jumped_ && step >= last_) {  // it led astray
      std::copy(kept_.begin(), kept_.end(), r.begin());
      jumped_ = false;
      seen_ = 0;
      wait_ = pause_;
      pause_ *= 2;
      return true;
    }
    jumped_ = false;
    const double ratio = seen_ > 0 ? std::sqrt(step / last_) : 1;
    const bool steady = seen_ > 1 && ratio < 1 && std::abs(ratio - ratio_) < steadiness * (1 - ratio);
    last_ = step;
    ratio_ = ratio;
    ++seen_;
    if (wait_ > 0) {
      --wait_;
      return false;
    }
    if (!steady) return false;
    kept_.assign(r.begin(), r.end());
    const double factor = ratio / (1 - ratio);
    for (std::size_t i = 0; i < mu.size(); ++i) {
      Vec<D> x;
      for (std::size_t c = 0; c < D; ++c) {
        const double now = r[i * D + c];
        x[c] = now + factor * (now - before[i * D + c]);
      }
      x = project_on_cone<D>(x, mu[i]);
      for (std::size_t c = 0; c < D; ++c) r[i * D + c] = x[c];
    }
    jumped_ = true;
    seen_ = 0;
    return true;
  }

 private:
  /// A jump is made where ρ changed by less than this part of 1 − ρ: it takes as much of the error away.
  static constexpr double steadiness = 0.1;
  static constexpr long first_pause = 8;

  long seen_ = 0;  // changes since the last jump
  long wait_ = 0, pause_ = first_pause;
  bool jumped_ = false;
  double last_ = 0, ratio_ = 0;
  std::vector<double> kept_;
};

}  // namespace stickslip::internal
