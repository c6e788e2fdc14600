#include "base/timer.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace stickslip::internal {
namespace {

bool find_constant_counter() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));  // invariant TSC
#else
  return false;
#endif
}

/// Compares the counter with the steady clock over 2 ms, once, when the library is loaded: good to 1e-4.
double calibrate([[maybe_unused]] bool counter) {
  using Clock = std::chrono::steady_clock;
#if defined(__x86_64__)
  if (counter) {
    const auto clock = Clock::now();
    const auto ticks = __rdtsc();
    double elapsed = 0;
    while (elapsed < 2e-3) elapsed = std::chrono::duration<double>(Clock::now() - clock).count();
    return elapsed / static_cast<double>(__rdtsc() - ticks);
  }
#endif
  return static_cast<double>(Clock::period::num) / Clock::period::den;
}

}  // namespace

const bool Timer::counter_is_constant = find_constant_counter();
const double Timer::seconds_per_tick = calibrate(counter_is_constant);

}  // namespace stickslip::internal
