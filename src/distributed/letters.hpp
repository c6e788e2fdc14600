// One message from one rank to another; both sides call it and know its size.
#pragma once

#include <span>

#include "base/ranks.hpp"

namespace stickslip::internal {

template <class T>
void send(Ranks& ranks, int to, std::span<const T> numbers) {
  const Ranks::Outgoing out{to, std::as_bytes(numbers)};
  ranks.exchange({&out, 1}, {});
}

template <class T>
void receive(Ranks& ranks, int from, std::span<T> numbers) {
  const Ranks::Incoming in{from, std::as_writable_bytes(numbers)};
  ranks.exchange({}, {&in, 1});
}

}  // namespace stickslip::internal
