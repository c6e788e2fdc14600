// Whether a method is on its way: the rate at which the error falls, and whether it falls at all.
#pragma once

#include <algorithm>
#include <limits>

namespace stickslip::internal {

/// How long a method may go on inside a solve of several methods (Monitor::start_phase).
struct Phase {
  long iterations = std::numeric_limits<long>::max();        ///< from the start of the phase
  double seconds = std::numeric_limits<double>::infinity();  ///< likewise
  /// Ends the phase when the rate seen so far would take more iterations than this to the tolerance.
  long horizon = std::numeric_limits<long>::max();
  /// Ends the phase when the least error that it has seen itself has not halved during so many iterations. With a horizon:
  /// when both are over.
  long patience = std::numeric_limits<long>::max();
  int looks = 1;    ///< so many times in succession, since mixing does not fall evenly
  long settle = 0;  ///< iterations before the rate is looked at: the first ones fall faster
};

class RateWatch {
 public:
  /// A phase begins at iteration k with this error.
  void start(const Phase& phase, long k, double error);
  /// The phase is over: no rate is asked for.
  void rest() { horizon_ = patience_ = std::numeric_limits<long>::max(); }
  bool active() const { return std::min(horizon_, patience_) < std::numeric_limits<long>::max(); }
  /// Looks at the rate where it is time to: the factor by which the error fell since the last look, carried on to the
  /// tolerance. True: the phase will not arrive in time.
  bool too_slow(long k, double error, double tolerance);
  /// The iteration of the next look.
  long next_look() const { return horizon_ < std::numeric_limits<long>::max() ? watched_ : horizon_; }
  /// Iterations to the tolerance at the rate that was seen last.
  double expected() const { return expected_; }

  /// Progress is asked for at a few iterations only, each twice as far as the last. True: the best error did not fall by a
  /// hundredth since then.
  bool stands_still(long k, double best_error);

 private:
  long start_ = 0, horizon_ = std::numeric_limits<long>::max(), settled_ = 0, watched_ = 0, watched_from_ = 0;
  int looks_ = 1, strikes_ = 0;
  double watched_error_ = 0, expected_ = 0;
  long patience_ = std::numeric_limits<long>::max(), halved_at_ = 0;
  double halved_ = 0;    // the least error when it had last halved
  long checkpoint_ = 0;  // where progress is asked for next, and the best error at the last such place
  double checkpoint_error_ = 0;
};

}  // namespace stickslip::internal
