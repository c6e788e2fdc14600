// Numbers to bytes and back by one description of what is stored, with every length checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "stickslip/errors.hpp"

namespace stickslip::internal {

/// Writes what it is shown.
class ByteWriter {
 public:
  std::vector<std::byte> bytes;

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(const T& value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(&bytes[at], &value, sizeof value);
  }
  template <class T>
  void numbers(const T* values, int count) {
    for (int k = 0; k < count; ++k) (*this)(values[k]);
  }
  /// The number of entries, then each by `visit`.
  template <class T, class Visit>
  void list(const std::vector<T>& values, const Visit& visit) {
    (*this)(std::uint64_t(values.size()));
    for (const T& value : values) visit(*this, const_cast<T&>(value));
  }
};

/// Fills what it is shown. Throws InputError where the bytes end too early.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(T& value) {
    if (rest_.size() < sizeof value) throw InputError("saved state: it ends too early");
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
  }
  template <class T>
  void numbers(T* values, int count) {
    for (int k = 0; k < count; ++k) (*this)(values[k]);
  }
  template <class T, class Visit>
  void list(std::vector<T>& values, const Visit& visit) {
    std::uint64_t count = 0;
    (*this)(count);
    if (count > rest_.size()) throw InputError("saved state: it ends too early");
    values.resize(count);
    for (T& value : values) visit(*this, value);
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace stickslip::internal
