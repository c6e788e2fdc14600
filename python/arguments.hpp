// Python values as numbers, words and points. Each function names the argument in its InputError.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace stickslip::python {

namespace py = pybind11;

/// A value as a message shows it: its repr, cut after sixty characters.
std::string shown(py::handle value);

double number(const std::string& name, py::handle value);
long whole(const std::string& name, py::handle value);
bool flag(const std::string& name, py::handle value);
std::string text(const std::string& name, py::handle value);
/// A str or an os.PathLike.
std::string path(const std::string& name, py::handle value);
/// None: nothing.
std::optional<double> optional_number(const std::string& name, py::handle value);
/// Exactly `count` numbers of a sequence or an array.
std::vector<double> numbers(const std::string& name, py::handle value, std::size_t count);
std::array<double, 3> point(const std::string& name, py::handle value);
/// The place of a word among the choices; the nearest one is named where it is none.
std::size_t choice(const std::string& name, py::handle value, const std::vector<std::string>& choices);
/// Throws InputError: `what` has no such option; names the nearest.
[[noreturn]] void refuse_option(const std::string& what, const std::string& given,
                                const std::vector<std::string>& known);

}  // namespace stickslip::python
