// A Python callback that looks on while the library computes: it gets the lock at most every 50 ms, or every k-th time.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <functional>

namespace stickslip::python {

namespace py = pybind11;

class Watcher {
 public:
  /// `callback` may be None; `every` is None for 50 ms, or k ≥ 1. Throws InputError.
  Watcher(const py::object& callback, const py::object& every);

  bool watches() const { return !callback_.is_none(); }
  /// To be called without the lock. `argument` makes what the callback is given. True: stop, because the callback said so or raised.
  bool operator()(const std::function<py::object()>& argument);
  /// With the lock: throws what the callback raised.
  void rethrow();

 private:
  py::object callback_;
  long every_ = 0;  ///< 0: by the clock
  long seen_ = 0;
  std::chrono::steady_clock::time_point last_ = {};
  std::exception_ptr raised_;
};

}  // namespace stickslip::python
