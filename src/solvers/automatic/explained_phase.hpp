// One stage of a method that is made of others: where it began, and the line that `--explain` prints of it.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "solve/monitor/monitor.hpp"

namespace stickslip::internal {

class ExplainedPhase {
 public:
  /// Begins the phase. Keeps references.
  ExplainedPhase(std::string_view name, Monitor& monitor, const Phase& phase)
      : name_(name),
        monitor_(monitor),
        before_(monitor.iterations()),
        error_(monitor.best_error()),
        started_(monitor.seconds()) {
    monitor.start_phase(phase);
  }

  /// Ends it. True: the solve is over, and this stage did it.
  bool end() {
    const bool over = monitor_.end_phase();
    if (monitor_.explaining())
      monitor_.note(fmt::format("{}: {} iterations, {:.2g} s, error {:.1e} → {:.1e}{}", name_,
                                monitor_.iterations() - before_, monitor_.seconds() - started_, error_,
                                monitor_.best_error(), over ? "" : ", left"));
    if (over) monitor_.used(name_);
    return over;
  }
  /// Whether the error is half of what it was at the beginning, or less.
  bool halved() const { return monitor_.best_error() <= 0.5 * error_; }

 private:
  std::string_view name_;
  Monitor& monitor_;
  long before_;
  double error_, started_;
};

}  // namespace stickslip::internal
