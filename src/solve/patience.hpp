// How long a figure that should fall may fail to.
#pragma once

#include <limits>

namespace stickslip::internal {

/// Waits for a fall to a part of the last value that counted; a value that counts begins the waiting anew.
class Patience {
 public:
  /// `part` in (0, 1); `most` values in a row may fail.
  Patience(double part, long most) : part_(part), most_(most) {}

  void restart(double value = std::numeric_limits<double>::infinity()) { last_ = value, waited_ = 0; }
  /// Takes the next value. True: it was one too many without a fall.
  bool lost_at(double value) {
    if (value < part_ * last_) {
      restart(value);
      return false;
    }
    return ++waited_ >= most_;
  }
  /// Whether the last value counted.
  bool fell() const { return waited_ == 0; }

 private:
  double part_;
  long most_, waited_ = 0;
  double last_ = std::numeric_limits<double>::infinity();
};

}  // namespace stickslip::internal
