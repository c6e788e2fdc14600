// stickslip.Result and stickslip.Progress.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstddef>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/result.hpp"

namespace stickslip::python {
namespace {

/// d numbers a contact, shape (n, d).
py::array by_contact(const py::object& self, std::vector<double> SolveResult::*field) {
  auto& result = self.cast<Result&>();
  std::vector<double>& x = result.value.*field;
  return view(x.data(), {py::ssize_t(x.size()) / result.dimension, result.dimension}, self, Access::write);
}

py::array flat(const py::object& self, std::vector<double> SolveResult::*field) {
  std::vector<double>& x = self.cast<Result&>().value.*field;
  return view(x.data(), {py::ssize_t(x.size())}, self, Access::write);
}

py::array statuses(const py::object& self) {
  auto& contacts = self.cast<Result&>().value.contacts;
  static_assert(sizeof(ContactStatus) == 1);
  return view(py::dtype::of<std::uint8_t>(), contacts.data(), {py::ssize_t(contacts.size())}, {1}, self,
              Access::write);
}

py::dtype progress_type() {
  py::list names, formats, offsets;
  const auto field = [&](const char* name, const char* format, std::size_t offset) {
    names.append(name);
    formats.append(format);
    offsets.append(offset);
  };
  static_assert(sizeof(long) == 8);
  field("iteration", "i8", offsetof(Progress, iteration));
  field("seconds", "f8", offsetof(Progress, seconds));
  field("error", "f8", offsetof(Progress, error));
  return py::dtype(std::move(names), std::move(formats), std::move(offsets), sizeof(Progress));
}

py::array history(const py::object& self) {
  auto& points = self.cast<Result&>().value.history;
  return view(progress_type(), points.data(), {py::ssize_t(points.size())}, {py::ssize_t(sizeof(Progress))},
              self, Access::write);
}

std::string report(const Result& result) {
  std::string words = result.value.report();
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return words;
}

/// The fields of `stickslip solve --json` by the same names.
py::dict as_dict(const Result& result) {
  const SolveResult& r = result.value;
  py::dict out;
  out["contacts"] = r.contacts.size();
  out["solver"] = r.solver;
  out["solver_used"] = r.solver_used;
  if (!r.stage.empty()) out["stage"] = r.stage;
  out["status"] = std::string(name(r.status));
  out["tolerance"] = r.tolerance;
  out["error"] = r.error();
  out["energy_error"] = r.measures.energy;
  out["iterations"] = r.iterations;
  out["seconds"] = r.timing.total;
  out["setup_seconds"] = r.timing.setup;
  out["factorisation_seconds"] = r.timing.factorisation;
  out["iterations_seconds"] = r.timing.iterations;
  out["measuring_seconds"] = r.timing.measuring;
  out["open"] = r.count(ContactStatus::open);
  out["stick"] = r.count(ContactStatus::stick);
  out["slip"] = r.count(ContactStatus::slip);
  out["impulse_violation"] = r.measures.impulse_violation;
  out["velocity_violation"] = r.measures.velocity_violation;
  out["complementarity"] = r.measures.complementarity;
  out["rounding"] = r.measures.rounding;
  out["message"] = r.message;
  out["worst_contacts"] = r.worst_contacts;
  out["diagnosis"] = r.diagnosis;
  out["explanation"] = r.explanation;
  return out;
}

}  // namespace

void bind_result(py::module_& module) {
  py::class_<Progress>(module, "Progress", "How far a solve has come; what a callback is given.")
      .def_readonly("iteration", &Progress::iteration, "Of the outermost loop.")
      .def_readonly("seconds", &Progress::seconds, "Since the solve began.")
      .def_readonly("error", &Progress::error, "The true error at this iteration.")
      .def("__repr__", [](const Progress& p) {
        return fmt::format("Progress(iteration={}, seconds={:.3g}, error={:.3e})", p.iteration, p.seconds,
                           p.error);
      });

  py::class_<Result> type(module, "Result", R"(What a solve gives back: the best iterate, and how good it is.

Arrays are views of the result's own memory. print(result) shows what the command line prints.

>>> import stickslip as ss
>>> result = ss.solve([[1, 0], [0, 1]], [-1, 0.8], [0.5])
>>> result.converged, result.status
(True, 'converged')
>>> result.r.round(12)
array([[ 1. , -0.5]])
>>> result.contact_status == ss.SLIP
array([ True])
)");
  type.def_property_readonly(
      "r", [](const py::object& self) { return by_contact(self, &SolveResult::r); },
      "Impulses, shape (contacts, d), the normal first.");
  type.def_property_readonly(
      "u", [](const py::object& self) { return by_contact(self, &SolveResult::u); },
      "Velocities of the contacts, u = W r + q, shape (contacts, d).");
  type.def_property_readonly(
      "v", [](const py::object& self) { return flat(self, &SolveResult::v); },
      "Global form: velocities of the bodies, one number a degree of freedom; otherwise empty.");
  type.def_property_readonly(
      "multipliers", [](const py::object& self) { return flat(self, &SolveResult::lambda); },
      "Global form: λ of the bilateral constraints; otherwise empty.");
  type.def_property_readonly("contact_status", &statuses, "OPEN, STICK or SLIP of each contact.");
  type.def_property_readonly("history", &history,
                             "With history=True: structured array with iteration, seconds, error.");
  type.def_property_readonly(
      "certificate", [](const py::object& self) { return by_contact(self, &SolveResult::certificate); },
      "With status 'infeasible': d with d_N ≥ 0, d_T = 0, Wᵀd = 0 and q·d < 0; otherwise empty.");
  type.def_property_readonly(
      "status", [](const Result& r) { return std::string(name(r.value.status)); },
      "'converged', 'converged_reduced', 'stalled', 'iteration_limit', 'time_limit', 'infeasible', "
      "'not_applicable', 'numerical_failure' or 'cancelled'.");
  type.def_property_readonly(
      "converged", [](const Result& r) { return r.value.converged(); },
      "Whether the error is at or below the tolerance.");
  const auto add = [&](const char* name, auto get, const char* meaning) {
    type.def_property_readonly(
        name, [get](const Result& r) { return get(r.value); }, meaning);
  };
  add(
      "error", [](const SolveResult& r) { return r.error(); },
      "‖r − P_K(r − û)‖/‖q‖ of the problem as it was given.");
  add(
      "iterations", [](const SolveResult& r) { return r.iterations; }, "Of the outermost loop.");
  add(
      "seconds", [](const SolveResult& r) { return r.timing.total; }, "Wall-clock time of the solve.");
  add(
      "message", [](const SolveResult& r) { return r.message; }, "Empty, or one line: the reason.");
  add(
      "solver", [](const SolveResult& r) { return r.solver; }, "As it was asked for.");
  add(
      "solver_used", [](const SolveResult& r) { return r.solver_used; }, "The composition that ran.");
  add(
      "stage", [](const SolveResult& r) { return r.stage; }, "Of auto: the stage that ended it.");
  add(
      "tolerance", [](const SolveResult& r) { return r.tolerance; }, "As it was asked for.");
  add(
      "energy_error", [](const SolveResult& r) { return r.measures.energy; }, "Spurious energy, PQN (40).");
  add(
      "impulse_violation", [](const SolveResult& r) { return r.measures.impulse_violation; },
      "Largest distance of an impulse from its cone.");
  add(
      "velocity_violation", [](const SolveResult& r) { return r.measures.velocity_violation; },
      "Largest penetration velocity.");
  add(
      "complementarity", [](const SolveResult& r) { return r.measures.complementarity; },
      "Largest |r·û| of a contact.");
  add(
      "rounding", [](const SolveResult& r) { return r.measures.rounding; },
      "What the computed error cannot resolve.");
  add(
      "explanation", [](const SolveResult& r) { return r.explanation; },
      "With explain=True: what was tried, a line each.");
  add(
      "diagnosis", [](const SolveResult& r) { return r.diagnosis; },
      "With status 'stalled': what makes the problem hard.");
  add(
      "worst_contacts", [](const SolveResult& r) { return r.worst_contacts; },
      "Unless converged: where the error sits.");
  add(
      "open", [](const SolveResult& r) { return r.count(ContactStatus::open); },
      "How many contacts are open.");
  add(
      "stick", [](const SolveResult& r) { return r.count(ContactStatus::stick); }, "How many stick.");
  add(
      "slip", [](const SolveResult& r) { return r.count(ContactStatus::slip); }, "How many slip.");
  type.def_property_readonly(
      "timing",
      [](const Result& r) {
        const Timing& t = r.value.timing;
        py::dict out;
        out["total"] = t.total;
        out["setup"] = t.setup;
        out["factorisation"] = t.factorisation;
        out["iterations"] = t.iterations;
        out["measuring"] = t.measuring;
        return out;
      },
      "Where the time went, in seconds.");
  type.def("as_dict", &as_dict, "The figures by the names of `stickslip solve --json`, without the arrays.");
  type.def("__repr__", &report);
  type.def(
      "__bool__", [](const Result& r) { return r.value.converged(); }, "Whether it converged.");
}

}  // namespace stickslip::python
