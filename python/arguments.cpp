#include "python/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/text.hpp"
#include "python/arrays.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {

std::string shown(py::handle value) {
  constexpr std::size_t most = 60;
  std::string words;
  try {
    words = py::repr(value).cast<std::string>();
  } catch (const py::error_already_set&) {
    words = Py_TYPE(value.ptr())->tp_name;
  }
  for (char& c : words)
    if (c == '\n') c = ' ';
  if (words.size() <= most) return words;
  std::size_t end = most;  // not inside a character of several bytes
  while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xC0) == 0x80) --end;
  return words.substr(0, end) + "…";
}

namespace {

[[noreturn]] void refuse(const std::string& name, const char* rule, py::handle value) {
  PyErr_Clear();
  throw InputError(fmt::format("{} must be {}, got {}", name, rule, shown(value)));
}

}  // namespace

double number(const std::string& name, py::handle value) {
  const double x = PyFloat_AsDouble(value.ptr());
  if (x == -1.0 && PyErr_Occurred()) refuse(name, "a number", value);
  return x;
}

long whole(const std::string& name, py::handle value) {
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index) refuse(name, "a whole number", value);
  const long x = PyLong_AsLong(index.ptr());
  if (x == -1 && PyErr_Occurred()) refuse(name, "a whole number of 64 bits", value);
  return x;
}

bool flag(const std::string& name, py::handle value) {
  const int x = PyObject_IsTrue(value.ptr());
  if (x < 0) refuse(name, "True or False", value);
  return x != 0;
}

std::string text(const std::string& name, py::handle value) {
  if (!PyUnicode_Check(value.ptr())) refuse(name, "a str", value);
  Py_ssize_t size = 0;
  const char* words = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (!words) refuse(name, "a str that UTF-8 can hold", value);
  return {words, std::size_t(size)};
}

std::string path(const std::string& name, py::handle value) {
  PyObject* bytes = nullptr;
  if (!PyUnicode_FSConverter(value.ptr(), &bytes)) refuse(name, "a path", value);
  const auto owned = py::reinterpret_steal<py::bytes>(bytes);
  return std::string(owned);
}

std::optional<double> optional_number(const std::string& name, py::handle value) {
  if (value.is_none()) return std::nullopt;
  return number(name, value);
}

std::vector<double> numbers(const std::string& name, py::handle value, std::size_t count) {
  const Numbers all(name, value);
  if (all.size() != count)
    throw InputError(fmt::format("{} must be {} numbers, got {}", name, count, all.size()));
  return {all.begin(), all.end()};
}

std::array<double, 3> point(const std::string& name, py::handle value) {
  const auto x = numbers(name, value, 3);
  return {x[0], x[1], x[2]};
}

std::size_t choice(const std::string& name, py::handle value, const std::vector<std::string>& choices) {
  const std::string word = text(name, value);
  for (std::size_t k = 0; k < choices.size(); ++k)
    if (choices[k] == word) return k;
  const std::string near = internal::nearest(word, choices);
  throw InputError(fmt::format("{} '{}' is none of {}{}", name, word, fmt::join(choices, ", "),
                               near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

void refuse_option(const std::string& what, const std::string& given, const std::vector<std::string>& known) {
  const std::string near = internal::nearest(given, known);
  throw InputError(fmt::format("{} has no option '{}'{}", what, given,
                               near.empty() ? fmt::format(" ({})", fmt::join(known, ", "))
                                            : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace stickslip::python
