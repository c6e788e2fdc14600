#include "base/timer.hpp"

#include <cstdint>

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

using Clock = std::chrono::steady_clock;

#if defined(__x86_64__)
/// Clock and counter at one moment. Between reading the one and the other the process may have to wait: of several readings the one
/// with the shortest time between counts.
struct Moment {
  Clock::time_point clock;
  std::uint64_t ticks = 0;
};

Moment read_both() {
  Moment best;
  std::uint64_t shortest = ~std::uint64_t{0};
  for (int k = 0; k < 8; ++k) {
    const std::uint64_t before = __rdtsc();
    const auto clock = Clock::now();
    const std::uint64_t between = __rdtsc() - before;
    if (between >= shortest) continue;
    shortest = between;
    best = {clock, before + between / 2};
  }
  return best;
}
#endif

/// Compares the counter with the steady clock over 2 ms, once, when the library is loaded: good to 1e-4.
double calibrate([[maybe_unused]] bool counter) {
#if defined(__x86_64__)
  if (counter) {
    const Moment begin = read_both();
    while (std::chrono::duration<double>(Clock::now() - begin.clock).count() < 2e-3) {
    }
    const Moment end = read_both();
    return std::chrono::duration<double>(end.clock - begin.clock).count() /
           static_cast<double>(end.ticks - begin.ticks);
  }
#endif
  return static_cast<double>(Clock::period::num) / Clock::period::den;
}

}  // namespace

const bool Timer::counter_is_constant = find_constant_counter();
const double Timer::seconds_per_tick = calibrate(counter_is_constant);

}  // namespace stickslip::internal
