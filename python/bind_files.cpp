// read() and write(): FCLIB HDF5, Siconos text, Matrix Market folders.

#include <fmt/format.h>

#include <filesystem>

#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/problem.hpp"
#include "python/result.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"

namespace stickslip::python {
namespace {

/// r alone, or all that a result has.
StoredPoint stored_point(const py::object& solution, const Problem& problem) {
  if (py::isinstance<Result>(solution)) {
    const SolveResult& r = solution.cast<Result&>().value;
    return {r.u, r.r, r.v, r.lambda, r.certificate};
  }
  const auto read = [&](const char* name, const py::handle& numbers, std::size_t expected) {
    const Numbers x(name, numbers);
    if (x.size() != expected)
      throw InputError(fmt::format("{} has {} numbers, expected {}", name, x.size(), expected));
    return x.vector();
  };
  const std::size_t size = std::size_t(problem.contacts()) * std::size_t(problem.dimension());
  StoredPoint point;
  if (!py::isinstance<py::dict>(solution)) {
    point.r = read("solution", solution, size);
    return point;
  }
  for (const auto& [key, numbers] : solution.cast<py::dict>()) {
    const std::string name = text("a key of solution", key);
    if (name == "r")
      point.r = read("r", numbers, size);
    else if (name == "u")
      point.u = read("u", numbers, size);
    else if (name == "certificate")
      point.certificate = read("certificate", numbers, size);
    else if (name == "v")
      point.v = Numbers("v", numbers).vector();
    else if (name == "l")
      point.l = Numbers("l", numbers).vector();
    else
      refuse_option("solution", name, {"r", "u", "v", "l", "certificate"});
  }
  return point;
}

void write(const py::object& target, const py::object& given, const py::object& solution) {
  const std::filesystem::path name = path("path", target);
  const py::object made = make_problem(given, py::none(), py::none(), py::dict());
  auto& problem = made.cast<Problem&>();
  problem.synchronise();
  ProblemFile file = problem.file();
  if (!solution.is_none()) file.solution = stored_point(solution, problem);
  const std::string ending = name.extension().string();
  const py::gil_scoped_release released;
  if (ending == ".dat")
    write_siconos_text(name, file);
  else if (ending == ".hdf5" || ending == ".h5")
    write_fclib(name, file);
  else if (ending.empty())
    write_matrix_market(name, file);
  else
    throw InputError(
        fmt::format("{}: the ending chooses the format: .hdf5 or .h5 (FCLIB), .dat (Siconos), none (a Matrix "
                    "Market folder)",
                    name.string()));
}

}  // namespace

void bind_files(py::module_& module) {
  using namespace py::literals;
  module.def(
      "read",
      [](const py::object& source) {
        const std::string name = path("path", source);
        ProblemFile file = [&] {
          const py::gil_scoped_release released;
          return read_problem(name);
        }();
        return Problem(std::move(file));
      },
      "path"_a, R"(Reads FCLIB HDF5, a Siconos text problem or a Matrix Market folder, told apart by content.

>>> import os, stickslip as ss, tempfile
>>> name = os.path.join(tempfile.mkdtemp(), "stack.hdf5")
>>> ss.write(name, ss.generate("stack"))
>>> ss.read(name).title
'stack'
)");
  module.def(
      "write", &write, "path"_a, "problem"_a, "solution"_a = py::none(),
      R"(Writes a problem, with a solution where one is given: a Result, an array r, or a dict with r, u, v, l.

The ending chooses the format: .hdf5 or .h5 (FCLIB), .dat (Siconos text), none (a Matrix Market folder). A failure leaves
nothing behind and raises OutputError.

>>> import os, stickslip as ss, tempfile
>>> p = ss.generate("stack")
>>> name = os.path.join(tempfile.mkdtemp(), "solved.hdf5")
>>> ss.write(name, p, solution=ss.solve(p))
>>> ss.solve(name, guess="stored").iterations
0
)");
}

}  // namespace stickslip::python
