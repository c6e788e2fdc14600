// Long work that is no solve: it runs without the interpreter's lock and ends at Ctrl-C.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "base/interrupted.hpp"
#include "python/interrupt.hpp"
#include "stickslip/errors.hpp"
#include "verify/verify.hpp"

namespace stickslip::python {

/// The result of work(stop). At Ctrl-C stop() says true, and what Python's handler raises is thrown; Error where the user's own handler
/// raises nothing and the work has left without a result.
template <class Work>
auto interruptible(Work&& work) {
  const InterruptWatch interrupt;
  const internal::Stop stop = [flag = interrupt.flag()] { return flag && flag->load(); };
  std::optional<decltype(work(stop))> result;
  {
    const pybind11::gil_scoped_release released;
    try {
      result = work(stop);
    } catch (const internal::Interrupted&) {
    } catch (const stickslip_verify::Stopped&) {
    }
  }
  InterruptWatch::raise_pending();
  if (!result) throw Error("stopped by a signal");
  return std::move(*result);
}

}  // namespace stickslip::python
