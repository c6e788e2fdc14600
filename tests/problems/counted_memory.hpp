// Counts allocations by replacing operator new: for programs of their own, which compile counted_memory.cpp in.
#pragma once

namespace stickslip::tests {

/// Allocations so far, of all threads.
long allocations();

/// How many allocations `call` makes.
template <class Call>
long count(Call&& call) {
  const long before = allocations();
  call();
  return allocations() - before;
}

}  // namespace stickslip::tests
