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
  constexpr std::uintptr_t page = std::uintptr_t(2) << 20;
  numbers.reserve(size);
  const auto first = reinterpret_cast<std::uintptr_t>(numbers.data());
  const std::uintptr_t begin = (first + page - 1) / page * page;
  const std::uintptr_t end = (first + numbers.capacity() * sizeof(Number)) / page * page;
  if (end > begin + page) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace stickslip::internal
