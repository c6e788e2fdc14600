// The progress line of a simulation.
#pragma once

#include <chrono>

#include "stickslip/simulation.hpp"

namespace stickslip::app {

class SimulateProgress {
 public:
  explicit SimulateProgress(long steps) : steps_(steps) {}
  /// Draws at most ten times a second: time, contacts, iterations, error, energy, time left.
  void show(const Simulation& simulation);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  long steps_, first_ = -1;
  Clock::time_point start_ = Clock::now(), drawn_ = start_;
  bool visible_ = false;
};

}  // namespace stickslip::app
