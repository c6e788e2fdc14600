// solvers() and describe(): what `stickslip list` and `stickslip describe` show.

#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/request.hpp"
#include "stickslip/catalog.hpp"

namespace stickslip::python {
namespace {

py::list solvers() {
  py::list all;
  for (const CatalogEntry& e : catalogue()) {
    py::dict row;
    row["label"] = e.label;
    row["family"] = e.family;
    row["composition"] = composition(e.label);
    row["summary"] = e.summary;
    row["reference"] = e.reference;
    row["needs"] = e.needs;
    all.append(row);
  }
  return all;
}

py::dict describe_solver(const py::object& name, const py::kwargs& given) {
  const std::string solver = solver_name(name, given);
  py::dict out;
  out["solver"] = solver;
  out["composition"] = composition(solver);
  out["summary"] = "";
  out["reference"] = "";
  for (const CatalogEntry& e : catalogue())
    if (e.label == solver) {
      out["summary"] = e.summary;
      out["reference"] = e.reference;
    }
  py::list options, stages;
  for (const OptionDescription& o : describe(solver)) {
    py::dict row;
    row["name"] = o.name;
    row["value"] = o.value;
    row["range"] = o.range;
    row["meaning"] = o.meaning;
    options.append(row);
  }
  for (const StageDescription& s : describe_stages(solver)) {
    py::dict row;
    row["name"] = s.name;
    row["round"] = s.round;
    row["start"] = s.start;
    row["when"] = s.when;
    row["until"] = s.until;
    stages.append(row);
  }
  out["options"] = options;
  out["stages"] = stages;
  return out;
}

}  // namespace

void bind_catalogue(py::module_& module) {
  using namespace py::literals;
  module.def("solvers", &solvers, "Rows for stickslip.solvers.");
  module.def("describe", &describe_solver, "name"_a = "auto", "A dict for stickslip.describe.");
}

}  // namespace stickslip::python
