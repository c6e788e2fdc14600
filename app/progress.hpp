// One line on standard error that tells how far a solve has come.
#pragma once

#include "stickslip/solver.hpp"

namespace stickslip::app {

class ProgressLine {
 public:
  explicit ProgressLine(double tolerance) : tolerance_(tolerance) {}
  /// Redraws at most ten times a second.
  void operator()(const Progress& progress);
  void clear();

 private:
  double tolerance_;
  double first_error_ = 0, last_drawn_ = -1;
  bool drawn_ = false;
};

}  // namespace stickslip::app
