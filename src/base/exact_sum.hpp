// Σ x_i of doubles without rounding: the same bits in any order, on any number of threads and processes.
//
// A double is ± m·2^(p − 1074) with a mantissa m of 53 bits and 0 ≤ p ≤ 2045. The sum is a fixed-point number with a digit of 32
// bits in each limb, its lowest bit 2^−1074: whole numbers, whose addition knows no order. U. Kulisch, Computer Arithmetic and
// Validity (2013), chapter 8, calls it a long accumulator.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace stickslip::internal {

class ExactSum {
 public:
  /// An addend that is not finite makes the sum NaN.
  void add(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto exponent = unsigned(bits >> 52) & 0x7ff;
    std::uint64_t mantissa = bits & ((std::uint64_t(1) << 52) - 1);
    if (exponent == 0x7ff) {
      ++limb_[not_finite];
      return;
    }
    if (exponent != 0) mantissa |= std::uint64_t(1) << 52;
    const unsigned place = exponent != 0 ? exponent - 1 : 0, first = place / 32, shift = place % 32;
    const std::uint64_t low = mantissa << shift, high = (mantissa >> 1) >> (63 - shift);
    const std::int64_t sign = -std::int64_t(bits >> 63);  // 0 or −1: (y ^ sign) − sign is ± y
    limb_[first] += (std::int64_t(low & 0xffffffff) ^ sign) - sign;
    limb_[first + 1] += (std::int64_t(low >> 32) ^ sign) - sign;
    limb_[first + 2] += (std::int64_t(high) ^ sign) - sign;
    if (++added_ == most) carry();
  }
  void operator+=(const ExactSum& other);

  /// The double nearest to the sum, the even one of two; infinite beyond the largest double.
  double value() const;

  /// The sum as whole numbers, carried first, so that those of up to 2³⁰ processes can be added number by number and put back.
  std::span<std::int64_t> limbs() {
    carry();
    return limb_;
  }

  static constexpr std::size_t size = 68;

 private:
  static constexpr std::size_t top = size - 2, not_finite = size - 1;
  static constexpr std::int64_t most = std::int64_t(1) << 30;  // addends until limbs are carried

  void carry();

  std::array<std::int64_t, size> limb_ = {};  // the uppermost digit has the sign
  std::int64_t added_ = 0;                    // since limbs were carried
};

}  // namespace stickslip::internal
