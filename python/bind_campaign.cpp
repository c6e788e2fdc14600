// campaign(): the rows of a campaign, column by column.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <limits>

#include "campaign/flat_rows.hpp"
#include "campaign/store.hpp"
#include "python/arguments.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace stickslip::python {
namespace {

using campaign::Campaign;

/// One column while it grows: numbers, whole numbers, yes or no, or words.
struct Column {
  std::string name;
  char kind = 'f';  // or 'i', 'b', 'U'
  std::vector<double> real;
  std::vector<std::int64_t> whole;
  py::list words;

  void add(double x) { real.push_back(x); }
  void add(std::int64_t x) { whole.push_back(x); }
  void add(bool x) { whole.push_back(x); }
  void add(const std::string& x) {
    words.append(
        py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(x.data(), py::ssize_t(x.size()), "replace")));
  }
  /// What is not known is NaN; so whole numbers that may be unknown are real ones.
  template <class T>
  void add(const std::optional<T>& x) {
    real.push_back(x ? double(*x) : std::numeric_limits<double>::quiet_NaN());
  }
};

char kind_of(double) { return 'f'; }
char kind_of(std::int64_t) { return 'i'; }
char kind_of(bool) { return 'b'; }
char kind_of(const std::string&) { return 'U'; }
template <class T>
char kind_of(const std::optional<T>&) {
  return 'f';
}

py::object rows(const Campaign& campaign) {
  std::vector<Column> columns;
  campaign::flat_columns({}, {}, {}, {}, [&](const std::string& name, const auto& field) {
    Column& column = columns.emplace_back();
    column.name = name;
    column.kind = kind_of(field);
  });
  campaign::each_run(
      campaign, [&](const auto& problem, const auto& solver, const auto& run, const auto& machine) {
        std::size_t at = 0;
        campaign::flat_columns(problem, solver, run, machine,
                               [&](const std::string&, const auto& field) { columns[at++].add(field); });
      });
  const auto count = py::ssize_t(campaign.runs.size());
  const py::module_ numpy = py::module_::import("numpy");
  py::list names, arrays;
  for (Column& column : columns) {
    names.append(column.name);
    if (column.kind == 'f')
      arrays.append(take(std::move(column.real), {count}));
    else if (column.kind == 'U')
      arrays.append(numpy.attr("array")(column.words, py::arg("dtype") = "U"));
    else
      arrays.append(take(std::move(column.whole), {count}).attr("astype")(column.kind == 'b' ? "?" : "i8"));
  }
  py::list types;
  for (std::size_t k = 0; k < columns.size(); ++k)
    types.append(py::make_tuple(names[k], arrays[k].attr("dtype")));
  py::object table = numpy.attr("empty")(count, py::arg("dtype") = types);
  for (std::size_t k = 0; k < columns.size(); ++k) table[names[k]] = arrays[k];
  return table;
}

}  // namespace

void bind_campaign(py::module_& module) {
  using namespace py::literals;
  module.def(
      "read_campaign",
      [](const py::object& folder) {
        const std::string name = path("folder", folder);
        std::size_t pending = 0;
        const Campaign all = [&] {
          const py::gil_scoped_release released;
          const auto store = campaign::Store::open(name);
          pending = store.pending().size();
          return store.read();
        }();
        py::dict out;
        out["rows"] = rows(all);
        out["meta"] = all.meta;
        out["pending"] = pending;
        return out;
      },
      "folder"_a, "For stickslip.campaign.");
}

}  // namespace stickslip::python
