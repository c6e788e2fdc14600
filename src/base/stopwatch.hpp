// Where the time of a solve goes.
#pragma once

#include <array>

#include "base/timer.hpp"

namespace stickslip::internal {

enum class Activity { setup, factorisation, iterations, measuring };

/// A clock that runs for one activity at a time, so that the activities never add up to more than the whole. Switched off, it
/// tells the whole only: on small problems a look at the clock costs as much as the work.
class Stopwatch {
 public:
  /// Begins at zero, with the set-up.
  void start(bool on) {
    on_ = on;
    timer_ = Timer{};
    spent_ = {};
    since_ = 0;
    activity_ = Activity::setup;
  }
  bool on() const { return on_; }
  /// Since the start.
  double seconds() const { return timer_.seconds(); }

  /// From now on time counts for another activity; the one before.
  Activity enter(Activity next) {
    const Activity before = activity_;
    if (on_ && next != before) {
      const double now = timer_.seconds();
      spent_[std::size_t(before)] += now - since_;
      since_ = now;
    }
    activity_ = next;
    return before;
  }
  /// What an activity took so far; nothing where the clock is off.
  double spent(Activity activity) const { return spent_[std::size_t(activity)]; }

 private:
  Timer timer_;
  std::array<double, 4> spent_{};
  double since_ = 0;
  Activity activity_ = Activity::setup;
  bool on_ = true;
};

/// Time counts for an activity as long as this lives.
class Turn {
 public:
  Turn(Stopwatch* watch, Activity activity) : watch_(watch) {
    if (watch_) before_ = watch_->enter(activity);
  }
  ~Turn() {
    if (watch_) watch_->enter(before_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Stopwatch* watch_;
  Activity before_ = Activity::iterations;
};

}  // namespace stickslip::internal
