// When a solve must end, whatever it has reached: iterations, seconds, cancellation.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "stickslip/solver.hpp"

namespace stickslip::internal {

/// The limits of a request, and those of a phase inside them.
class Limits {
 public:
  void begin(const SolveRequest& request) {
    request_ = &request;
    widen();
  }
  /// Only so many iterations and seconds, counted from the start of the solve, until `widen`.
  void narrow(long last_iteration, double deadline) {
    phase_last_ = last_iteration;
    phase_deadline_ = deadline;
  }
  void widen() {
    phase_last_ = std::numeric_limits<long>::max();
    phase_deadline_ = std::numeric_limits<double>::infinity();
  }

  double deadline() const { return std::min(request_->time_limit, phase_deadline_); }
  long last_iteration() const { return std::min(request_->max_iterations, phase_last_); }
  bool has_deadline() const { return std::isfinite(deadline()); }
  bool cancelled() const { return request_->cancel && request_->cancel->load(std::memory_order_relaxed); }
  /// Which limit is reached, if one is. `seconds` is only asked where there is a deadline.
  template <class Seconds>
  std::optional<Status> over(long iteration, Seconds&& seconds) const {
    if (iteration >= last_iteration()) return Status::iteration_limit;
    return pressed(seconds);
  }
  /// The same without the iterations.
  template <class Seconds>
  std::optional<Status> pressed(Seconds&& seconds) const {
    if (cancelled()) return Status::cancelled;
    if (has_deadline() && seconds() >= deadline()) return Status::time_limit;
    return {};
  }
  /// Whether an end for this reason is that of the request, not only of a phase.
  bool final(Status status, long iteration, double seconds) const {
    if (status == Status::iteration_limit) return iteration >= request_->max_iterations;
    if (status == Status::time_limit) return seconds >= request_->time_limit;
    return status == Status::converged || status == Status::cancelled || status == Status::infeasible;
  }

 private:
  const SolveRequest* request_ = nullptr;
  long phase_last_ = std::numeric_limits<long>::max();
  double phase_deadline_ = std::numeric_limits<double>::infinity();
};

}  // namespace stickslip::internal
