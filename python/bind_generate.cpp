// families() and generate(): the built-in problems. The keywords are the fields of GenerateRequest, by the names that the command line has.

#include <pybind11/stl.h>

#include <algorithm>
#include <limits>

#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/problem.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::python {
namespace {

void store(const std::string& name, py::handle value, std::uint64_t& field) {
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  const unsigned long long x = index ? PyLong_AsUnsignedLongLong(index.ptr()) : 0;
  if (PyErr_Occurred()) {
    PyErr_Clear();
    throw InputError(name + " must be a whole number from 0 to 2⁶⁴ − 1, got " + shown(value));
  }
  field = x;
}

template <class T>
void store(const std::string& name, py::handle value, std::optional<T>& field) {
  if (value.is_none()) return;
  if constexpr (std::is_floating_point_v<T>) {
    field = number(name, value);
  } else {
    const long x = whole(name, value);
    if (x < std::numeric_limits<T>::min() || x > std::numeric_limits<T>::max())
      throw InputError(name + " is out of range: " + std::to_string(x));
    field = T(x);
  }
}

GenerateRequest read(const py::kwargs& options) {
  GenerateRequest request;
  std::vector<std::string> known;
  request.visit([&](const char* name, auto& field, double, double, const char*) {
    known.emplace_back(name);
    if (options.contains(name)) store(name, options[name], field);
  });
  for (const auto& [key, value] : options)
    if (const std::string name = key.cast<std::string>();
        std::find(known.begin(), known.end(), name) == known.end())
      refuse_option("generate", name, known);
  return request;
}

py::list families() {
  py::list all;
  for (const ProblemFamily& family : problem_families()) {
    py::dict row, options;
    GenerateRequest request;
    request.visit([&](const char* name, auto&, double, double, const char* meaning) {
      const bool used = std::find(family.options.begin(), family.options.end(), name) != family.options.end();
      if (used || std::string_view(name) == "seed") options[name] = meaning;
    });
    row["name"] = family.name;
    row["summary"] = family.summary;
    row["reference"] = family.reference;
    row["options"] = options;
    row["has_picture"] = family.has_picture;
    all.append(row);
  }
  return all;
}

}  // namespace

void bind_generate(py::module_& module) {
  using namespace py::literals;
  module.def("families", &families, "Rows for stickslip.families.");
  module.def(
      "generate",
      [](const py::object& family, const py::kwargs& options) {
        const std::string name = text("family", family);
        const GenerateRequest request = read(options);
        ProblemFile file = [&] {
          const py::gil_scoped_release released;
          return generate(name, request);
        }();
        return Problem(std::move(file));
      },
      "family"_a,
      R"(A problem of a built-in family; families() has their names and options. The same seed gives the same problem everywhere.

>>> import stickslip as ss
>>> ss.generate("wall", size=100, seed=3)
problem 'wall': 80 contacts in 3 dimensions, global form (M, H, f, w, mu), 60 degrees of freedom
)");
  module.def(
      "picture",
      [](const py::object& family, const py::kwargs& options) {
        return picture(text("family", family), read(options));
      },
      "family"_a, "The bodies and contacts of the same problem as an SVG drawing, a str.");
}

}  // namespace stickslip::python
