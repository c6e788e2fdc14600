// Numbers out of bytes of either order, without running over their end.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "stickslip/errors.hpp"

namespace stickslip::internal {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes, std::endian order = std::endian::little)
      : bytes_(bytes), order_(order) {}

  std::size_t left() const { return bytes_.size() - at_; }

  template <class Number>
  Number next() {
    if (left() < sizeof(Number))
      throw InputError("byte " + std::to_string(at_) + ": the file ends where a number of " +
                       std::to_string(sizeof(Number)) + " bytes is wanted");
    unsigned char raw[sizeof(Number)];
    std::memcpy(raw, bytes_.data() + at_, sizeof(Number));
    if (order_ != std::endian::native)
      for (std::size_t k = 0; k < sizeof(Number) / 2; ++k) std::swap(raw[k], raw[sizeof(Number) - 1 - k]);
    Number value;
    std::memcpy(&value, raw, sizeof(Number));
    at_ += sizeof(Number);
    return value;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::endian order_;
};

}  // namespace stickslip::internal
