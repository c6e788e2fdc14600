// Numbers that begin unwritten: long arrays are first touched by the threads that fill them, and not twice.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace stickslip::internal {

/// Aligned to cache lines, so that kernels take the same path wherever the numbers lie. A vector's resize leaves new elements as they are.
template <class T>
struct RawAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  RawAllocator() = default;
  template <class Other>
  RawAllocator(const RawAllocator<Other>&) {}  // NOLINT: all are the same

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), alignment)); }
  void deallocate(T* at, std::size_t) { ::operator delete(at, alignment); }
  template <class U>
  void construct(U*) {}
  template <class U, class First, class... Rest>
  void construct(U* at, First&& first, Rest&&... rest) {
    ::new (static_cast<void*>(at)) U(static_cast<First&&>(first), static_cast<Rest&&>(rest)...);
  }
  friend bool operator==(const RawAllocator&, const RawAllocator&) { return true; }
};

template <class T>
using RawVector = std::vector<T, RawAllocator<T>>;
using RawNumbers = RawVector<double>;

}  // namespace stickslip::internal
