#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace stickslip::app {

void ProgressLine::operator()(const Progress& progress) {
  first_error_ = std::max(first_error_, progress.error);
  if (progress.seconds - last_drawn_ < 0.1 || progress.seconds < 0.3) return;
  last_drawn_ = progress.seconds;
  drawn_ = true;
  // How much of the way, in decades of the error.
  const double decades = std::log10(first_error_ / tolerance_),
               left = std::log10(progress.error / tolerance_);
  const double part = decades > 0 ? std::clamp(1 - left / decades, 0.0, 1.0) : 0;
  std::string bar;
  for (int k = 0; k < 24; ++k) bar += k < int(24 * part) ? "█" : "░";
  fmt::print(stderr, "\r{} error {:.1e}  iteration {}  {:.1f} s ", bar, progress.error, progress.iteration,
             progress.seconds);
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

}  // namespace stickslip::app
