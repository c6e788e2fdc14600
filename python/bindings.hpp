// The parts of the extension module, one file each. Every function adds its names to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace stickslip::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_problem(py::module_& module);
void bind_result(py::module_& module);
void bind_solver(py::module_& module);
void bind_catalogue(py::module_& module);
void bind_generate(py::module_& module);
void bind_files(py::module_& module);
void bind_check(py::module_& module);
void bind_cone(py::module_& module);
void bind_campaign(py::module_& module);
void bind_shapes(py::module_& module);
void bind_elements(py::module_& module);
void bind_scene(py::module_& module);
void bind_simulation(py::module_& module);

}  // namespace stickslip::python
