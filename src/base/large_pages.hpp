// Large arrays on large pages: memory that is written once and streamed through costs a fault for every page of 4 KiB otherwise.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stickslip::internal {

/// Makes room for `size` numbers and asks for pages of 2 MiB under them, where that is worth a system call. A hint: what the
/// system makes of it changes no result.
template <class Number>
void reserve_large(std::vector<Number>& numbers, std::size_t size) {
  constexpr std::size_t page = std::size_t(2) << 20;
  numbers.reserve(size);
  auto* first = reinterpret_cast<char*>(numbers.data());
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(first) % page) % page,
                    bytes = numbers.capacity() * sizeof(Number);
  const std::size_t whole = bytes > before ? (bytes - before) / page * page : 0;
  if (whole > page) madvise(first + before, whole, MADV_HUGEPAGE);
}

}  // namespace stickslip::internal
