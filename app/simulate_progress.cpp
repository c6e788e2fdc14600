#include "simulate_progress.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace stickslip::app {

void SimulateProgress::show(const Simulation& simulation) {
  if (first_ < 0) first_ = simulation.steps() - 1;
  const auto now = Clock::now();
  if (now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  visible_ = true;
  const double spent = std::chrono::duration<double>(now - start_).count();
  const double left = spent * double(steps_ - simulation.steps()) / double(simulation.steps() - first_);
  const StepReport& report = simulation.report();
  fmt::print(stderr,
             "\r\033[Kt = {:.4g} s  {:.0f} %  {} contacts  {} iterations  error {:.0e}  energy {:.5g} J  "
             "{:.0f} s left",
             simulation.time(), 100.0 * double(simulation.steps()) / double(steps_), report.contacts,
             report.iterations, report.error, report.kinetic + report.potential + report.elastic, left);
  std::fflush(stderr);
}

void SimulateProgress::clear() {
  if (visible_) fmt::print(stderr, "\r\033[K");
  visible_ = false;
}

}  // namespace stickslip::app
