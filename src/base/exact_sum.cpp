#include "base/exact_sum.hpp"

#include <cmath>
#include <limits>

namespace stickslip::internal {

void ExactSum::carry() {
  for (std::size_t k = 0; k < top; ++k) {
    limb_[k + 1] += limb_[k] >> 32;
    limb_[k] &= 0xffffffff;
  }
  added_ = 1;  // digits of 32 bits, as one addend has
}

void ExactSum::operator+=(const ExactSum& other) {
  for (std::size_t k = 0; k < size; ++k) limb_[k] += other.limb_[k];
  added_ += other.added_;  // each at most 2³⁰: no limb reaches 2⁶³
  if (added_ >= most) carry();
}

double ExactSum::value() const {
  if (limb_[not_finite] != 0) return std::numeric_limits<double>::quiet_NaN();
  ExactSum digits = *this;
  digits.carry();
  const bool negative = digits.limb_[top] < 0;
  if (negative) {
    for (std::size_t k = 0; k <= top; ++k) digits.limb_[k] = -digits.limb_[k];
    digits.carry();
  }
  std::size_t k = top;
  while (k > 0 && digits.limb_[k] == 0) --k;
  if (digits.limb_[k] == 0) return 0;
  // The 64 bits from the highest one on; the last is set where anything follows, so that the one rounding, that of the
  // conversion, is that of the whole sum.
  const auto digit = [&](std::size_t below) {
    return k >= below ? std::uint64_t(digits.limb_[k - below]) : std::uint64_t(0);
  };
  const int zeros = std::countl_zero(std::uint32_t(digit(0)));
  std::uint64_t head = (digit(0) << 32 | digit(1)) << zeros | digit(2) >> (32 - zeros);
  std::uint64_t rest = digit(2) << (32 + zeros);
  for (std::size_t below = 3; below <= k; ++below) rest |= digit(below);
  if (rest != 0) head |= 1;
  const double size_of = std::ldexp(double(head), 32 * (int(k) - 1) - zeros - 1074);
  return negative ? -size_of : size_of;
}

}  // namespace stickslip::internal
