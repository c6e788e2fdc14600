#include "python/watcher.hpp"

#include <fmt/format.h>

#include "python/arguments.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {

Watcher::Watcher(const py::object& callback, const py::object& every) : callback_(callback) {
  if (!callback.is_none() && !PyCallable_Check(callback.ptr()))
    throw InputError("callback must be a function, got " + shown(callback));
  if (every.is_none()) return;
  every_ = whole("callback_every", every);
  if (every_ < 1) throw InputError(fmt::format("callback_every must be ≥ 1, got {}", every_));
}

bool Watcher::operator()(const std::function<py::object()>& argument) {
  using namespace std::chrono;
  if (raised_) return true;
  if (every_ > 0) {
    if (seen_++ % every_ != 0) return false;
  } else {
    const auto now = steady_clock::now();
    if (seen_ > 0 && now - last_ < milliseconds(50)) return false;
    seen_ = 1;
    last_ = now;
  }
  const py::gil_scoped_acquire acquired;
  try {
    return py::bool_(callback_(argument()));
  } catch (...) {
    raised_ = std::current_exception();
    return true;
  }
}

void Watcher::rethrow() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
}

}  // namespace stickslip::python
