// Shapes, rotations and signals as Python gives them.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "stickslip/scene.hpp"
#include "stickslip/shapes.hpp"

namespace stickslip::python {

namespace py = pybind11;

/// An instance of Sphere, Box, …; throws InputError otherwise.
Shape shape_of(py::handle value);
/// A quaternion w, x, y, z, or dict(axis=, angle=) with degrees.
Quaternion rotation_of(const std::string& name, py::handle value);
/// A number, an expression of t, or a function of t, which is called with the interpreter's lock.
Signal signal_of(const std::string& name, py::handle value);
/// Three of them.
SignalVector signals_of(const std::string& name, py::handle value);

}  // namespace stickslip::python
