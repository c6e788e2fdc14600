#include "solvers/semismooth/active_set.hpp"

namespace stickslip::internal {

void ActiveSet::start(std::span<const std::uint8_t> closed, int patience) {
  closed_.assign(closed.begin(), closed.end());
  least_ = closed_.size() + 1;
  patience_ = chances_ = patience;
}

ActiveSet::Outcome ActiveSet::update(std::span<const double> r, std::span<const double> u, std::size_t stride,
                                     double impulse_slack, double velocity_slack) {
  std::size_t changes = 0;
  for (std::size_t i = 0; i < closed_.size(); ++i)
    if (closed_[i] ? r[i * stride] < -impulse_slack : u[i * stride] < -velocity_slack) {
      closed_[i] ^= 1;
      ++changes;
    }
  if (changes == 0) return Outcome::settled;
  if (changes < least_) {
    least_ = changes;
    chances_ = patience_;
  } else if (--chances_ == 0) {
    return Outcome::cycling;
  }
  return Outcome::changed;
}

}  // namespace stickslip::internal
