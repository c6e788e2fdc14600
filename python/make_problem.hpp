// What the user gave as a problem, as the library has it.
#pragma once

#include <pybind11/pybind11.h>

#include "stickslip/problem_file.hpp"

namespace stickslip::python {

namespace py = pybind11;

/// W, q, mu, or M, H, f, w, mu, G, b of `others`, or the path of a file. Throws InputError.
ProblemFile problem_file(py::handle W, py::handle q, py::handle mu, const py::dict& others);

}  // namespace stickslip::python
