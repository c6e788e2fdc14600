// Numbers packed for the page: little endian, as every machine that this runs on has them.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>

namespace stickslip::viewer {

static_assert(std::endian::native == std::endian::little);

class Packed {
 public:
  std::string bytes;

  template <class T>
  void number(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  /// The numbers as values of type To.
  template <class To, class From>
  void all(const From& values) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(To) * values.size());
    char* to = bytes.data() + at;
    for (const auto& value : values) {
      const To converted = static_cast<To>(value);
      __builtin_memcpy(to, &converted, sizeof converted);
      to += sizeof converted;
    }
  }
};

}  // namespace stickslip::viewer
