// Large arrays on large pages: memory that is written once and streamed through costs a fault for every page of 4 KiB otherwise, and
// from some megabytes on a search for the page at every visit. A hint: what the system makes of it changes no result.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace stickslip::internal {

inline constexpr std::size_t large_page = std::size_t(2) << 20;

/// Asks for pages of 2 MiB where they fit between `first` and `bytes` behind it, if that is worth a system call.
inline void ask_for_large_pages(void* first, std::size_t bytes) {
  const std::size_t before = (large_page - reinterpret_cast<std::uintptr_t>(first) % large_page) % large_page;
  const std::size_t whole = bytes > before ? (bytes - before) / large_page * large_page : 0;
  if (whole > large_page) madvise(static_cast<char*>(first) + before, whole, MADV_HUGEPAGE);
}

/// Makes room for `size` numbers, on large pages.
template <class Number>
void reserve_large(std::vector<Number>& numbers, std::size_t size) {
  numbers.reserve(size);
  ask_for_large_pages(numbers.data(), numbers.capacity() * sizeof(Number));
}

/// Moves an array that keeps its size to large pages, where it is large.
template <class Item>
void move_to_large_pages(std::vector<Item>& items) {
  if (items.size() * sizeof(Item) <= 2 * large_page) return;
  std::vector<Item> moved;
  reserve_large(moved, items.size());
  moved.assign(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  items.swap(moved);
}

}  // namespace stickslip::internal
