#include "solve/monitor/rate_watch.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip::internal {
namespace {

/// Progress is asked for at this iteration and at each doubling of it.
constexpr long first_checkpoint = 32768;
/// The rate of a phase is looked at after so many iterations, then at each growth by half.
constexpr long first_look = 8;

}  // namespace

void RateWatch::start(const Phase& phase, long k, double error) {
  start_ = watched_from_ = k;
  horizon_ = phase.horizon;
  patience_ = phase.patience;
  halved_at_ = k;
  halved_ = std::numeric_limits<double>::infinity();
  looks_ = phase.looks;
  strikes_ = 0;
  settled_ = k + phase.settle;
  watched_ = phase.settle > 0 ? settled_ : k + first_look;
  watched_error_ = error;
  checkpoint_ = k + first_checkpoint;
  checkpoint_error_ = std::numeric_limits<double>::infinity();
}

bool RateWatch::too_slow(long k, double error, double tolerance) {
  if (error < 0.5 * halved_) halved_ = error, halved_at_ = k;
  constexpr long none = std::numeric_limits<long>::max();
  const bool halves = patience_ < none && k - halved_at_ < patience_;
  if (horizon_ == none) return patience_ < none && !halves;
  if (k < watched_) return false;
  if (k > settled_) {
    const double fallen = std::log(watched_error_ / error) / double(k - watched_from_);
    const double left = std::log(error / tolerance);
    expected_ = fallen > 0 ? left / fallen : std::numeric_limits<double>::infinity();
    strikes_ = expected_ <= double(horizon_) ? 0 : strikes_ + 1;
    watched_ = k + std::max(first_look, (k - start_) / 2);
  } else {
    watched_ = start_ + first_look;
  }
  watched_from_ = k;
  watched_error_ = error;
  return strikes_ >= looks_ && !halves;
}

bool RateWatch::stands_still(long k, double best_error) {
  if (k < checkpoint_) return false;
  const bool still = best_error > 0.99 * checkpoint_error_;
  checkpoint_ *= 2;
  checkpoint_error_ = best_error;
  return still;
}

}  // namespace stickslip::internal
