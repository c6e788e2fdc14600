// The keywords of solve: the options of `stickslip solve` by the same names.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "python/arrays.hpp"
#include "python/watcher.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::python {

class Problem;

/// As they come from Python.
struct Keywords {
  py::object tolerance, time_limit, memory_limit, max_iterations, guess, threads, history, explain, callback,
      callback_every;
};

/// A request with what its spans and its observer refer to. Stays where it is made.
class Request {
 public:
  Request(const Keywords& given, const Problem& problem);
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  SolveRequest value;
  Watcher watcher;

 private:
  Numbers guess_, guess_velocity_;
  void read_guess(const py::object& guess, const Problem& problem);
};

/// A solver's name with options on top: ("gs", {relaxation: 0.9}) → "gs(relaxation=0.9)".
std::string solver_name(const py::object& name, const py::dict& options);

}  // namespace stickslip::python
