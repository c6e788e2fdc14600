// Long work that can be stopped asks now and then whether it should.
#pragma once

#include <functional>

namespace stickslip::internal {

/// True: give up. Empty: never.
using Stop = std::function<bool()>;

/// Thrown by work that was told to stop; it never leaves the library.
struct Interrupted {};

inline void ask(const Stop& stop) {
  if (stop && stop()) throw Interrupted{};
}

}  // namespace stickslip::internal
