#include "python/shape_input.hpp"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "python/arguments.hpp"
#include "python/signal_errors.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {
namespace {

template <class... Kinds>
Shape cast_shape(py::handle value, const std::variant<Kinds...>*) {
  std::optional<Shape> shape;
  ((py::isinstance<Kinds>(value) ? void(shape = value.cast<const Kinds&>()) : void()), ...);
  if (!shape)
    throw InputError(
        "a shape must be Sphere, Ellipsoid, Capsule, Cylinder, Box, Plane, Convex, Mesh, Pipe or Compound, "
        "got " +
        shown(value));
  return *shape;
}

// The library asks signals from the thread that steps, and knows nothing of Python.
thread_local std::exception_ptr raised;

/// A Python function that the simulation may copy and drop without the lock of the interpreter.
struct Function {
  struct Shared {
    py::object call;
    double last = 0;
  };
  std::shared_ptr<Shared> shared;

  explicit Function(py::handle value)
      : shared(new Shared{py::reinterpret_borrow<py::object>(value)}, [](Shared* object) {
          const py::gil_scoped_acquire acquired;
          delete object;
        }) {}
  double operator()(double t) const {
    if (raised) return shared->last;
    const py::gil_scoped_acquire acquired;
    try {
      const py::object value = shared->call(t);
      const double x = PyFloat_AsDouble(value.ptr());
      if (PyErr_Occurred()) throw py::error_already_set();
      shared->last = x;
    } catch (...) {
      raised = std::current_exception();
    }
    return shared->last;
  }
};

}  // namespace

bool signal_raised() { return bool(raised); }

void rethrow_from_signals() {
  if (raised) std::rethrow_exception(std::exchange(raised, nullptr));
}

Shape shape_of(py::handle value) { return cast_shape(value, static_cast<const Shape*>(nullptr)); }

Quaternion rotation_of(const std::string& name, py::handle value) {
  if (py::isinstance<py::dict>(value)) {
    const auto parts = py::reinterpret_borrow<py::dict>(value);
    for (const auto& [key, unused] : parts)
      if (const std::string word = text(name, key); word != "axis" && word != "angle")
        refuse_option(name, word, {"axis", "angle"});
    if (!parts.contains("axis") || !parts.contains("angle"))
      throw InputError(name + " needs axis and angle (degrees), or a quaternion w, x, y, z");
    return rotation_about(point(name + " axis", parts["axis"]), number(name + " angle", parts["angle"]));
  }
  const auto q = numbers(name, value, 4);
  return {q[0], q[1], q[2], q[3]};
}

Signal signal_of(const std::string& name, py::handle value) {
  if (PyUnicode_Check(value.ptr())) return Signal(std::string_view(text(name, value)));
  if (PyCallable_Check(value.ptr())) return Signal(Function(value));
  return Signal(number(name, value));
}

SignalVector signals_of(const std::string& name, py::handle value) {
  if (!PySequence_Check(value.ptr()) || PyUnicode_Check(value.ptr()) || PySequence_Size(value.ptr()) != 3) {
    PyErr_Clear();
    throw InputError(fmt::format("{} must be three numbers, expressions of t or functions of t, got {}", name,
                                 shown(value)));
  }
  const auto sequence = py::reinterpret_borrow<py::sequence>(value);
  return {signal_of(name, sequence[0]), signal_of(name, sequence[1]), signal_of(name, sequence[2])};
}

}  // namespace stickslip::python
