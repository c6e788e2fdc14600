// check() and existence(). check() is the code of verify, which shares nothing with the solvers.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "campaign/verification.hpp"
#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/interruptible.hpp"
#include "python/problem.hpp"
#include "python/result.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/existence.hpp"

namespace stickslip::python {
namespace {

struct Check {
  stickslip_verify::Report report;
  double tolerance;
  int dimension;
  bool good() const { return report.error <= tolerance && report.rounding <= tolerance; }
};

Numbers by_contact(const std::string& name, const py::handle& source, const Problem& problem) {
  Numbers x(name, source);
  const std::size_t expected = std::size_t(problem.contacts()) * std::size_t(problem.dimension());
  if (x.size() != expected)
    throw InputError(fmt::format("{} has {} numbers, expected {}", name, x.size(), expected));
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]))
      throw InputError(fmt::format("{}: entry {} is {}; it must be finite", name, i, x[i]));
  return x;
}

Check check(const py::object& given, const py::object& solution, const py::object& tolerance) {
  const py::object made = make_problem(given, py::none(), py::none(), py::dict());
  auto& problem = made.cast<Problem&>();
  const double limit = number("tolerance", tolerance);
  if (!(limit > 0)) throw InputError(fmt::format("tolerance must be > 0, got {}", limit));
  const Numbers r =
      by_contact("r", py::isinstance<Result>(solution) ? solution.attr("r") : solution, problem);
  const Problem::Use use(problem);
  auto report = interruptible(
      [&](const internal::Stop& stop) { return campaign::Verifier(problem.file())(r.span(), stop); });
  return {std::move(report), limit, problem.dimension()};
}

py::dict check_certificate(const py::object& given, const py::object& certificate) {
  const py::object made = make_problem(given, py::none(), py::none(), py::dict());
  auto& problem = made.cast<Problem&>();
  const Numbers d = by_contact(
      "certificate", py::isinstance<Result>(certificate) ? certificate.attr("certificate") : certificate,
      problem);
  const Problem::Use use(problem);
  const auto [report, words] = interruptible([&](const internal::Stop& stop) {
    const ReducedProblem p =
        problem.is_global() ? Reduction(problem.global("M"), stop).reduced(stop) : problem.reduced("W");
    const auto W = campaign::to_raw(p.W().to_sparse());
    return std::pair(stickslip_verify::check_certificate(p.dimension(), W, p.q(), p.mu(), d.span()),
                     stickslip_verify::verify_certificate(p.dimension(), W, p.q(), p.mu(), d.span()));
  });
  py::dict out;
  out["proves_infeasible"] = report.proves_infeasible();
  out["refutes_slater"] = report.refutes_slater();
  out["least_impulse"] = report.least_impulse;
  out["message"] = words;
  return out;
}

std::string describe(const Check& c) {
  return fmt::format(
      "{}  error {:.3e}  outside K {:.1e}  penetration {:.1e}  |r·û| {:.1e}  {} open, {} stick, {} slip{}",
      c.good() ? "good" : "wanting", c.report.error, c.report.impulse_violation, c.report.velocity_violation,
      c.report.complementarity, c.report.open, c.report.stick, c.report.slip,
      c.report.rounding > c.tolerance ? "  (impulses too large: rounding hides the error)" : "");
}

struct Answer {
  ExistenceResult value;
  int dimension;
};

Answer ask_existence(const py::object& given) {
  const py::object made = make_problem(given, py::none(), py::none(), py::dict());
  auto& problem = made.cast<Problem&>();
  const Problem::Use use(problem);
  auto answer = interruptible([&](const internal::Stop& stop) {
    return std::visit([&](const auto& p) { return existence(p, stop); }, problem.file().problem);
  });
  return {std::move(answer), problem.dimension()};
}

py::array shaped(const py::object& owner, const std::vector<double>& x, int dimension) {
  return view(x.data(), {py::ssize_t(x.size()) / dimension, dimension}, owner, Access::read);
}

}  // namespace

void bind_check(py::module_& module) {
  using namespace py::literals;
  py::class_<Check> type(module, "Check", "What the independent checker says of a vector r.");
  const auto add = [&](const char* name, auto field, const char* meaning) {
    type.def_property_readonly(
        name, [field](const Check& c) { return c.report.*field; }, meaning);
  };
  using Report = stickslip_verify::Report;
  add("error", &Report::error, "‖r − P_K(r − û)‖/‖q‖, in long double.");
  add("energy_error", &Report::energy, "Spurious energy, PQN (40).");
  add("impulse_violation", &Report::impulse_violation, "Largest distance of an impulse from its cone.");
  add("velocity_violation", &Report::velocity_violation, "Largest penetration velocity.");
  add("complementarity", &Report::complementarity, "Largest |r·û| of a contact.");
  add("rounding", &Report::rounding, "What the error cannot resolve.");
  add("open", &Report::open, "How many contacts are open.");
  add("stick", &Report::stick, "How many stick.");
  add("slip", &Report::slip, "How many slip.");
  type.def_property_readonly(
      "contact_status",
      [](const py::object& self) {
        const auto& all = self.cast<Check&>().report.status;
        return view(py::dtype::of<std::uint8_t>(), all.data(), {py::ssize_t(all.size())}, {1}, self,
                    Access::read);
      },
      "OPEN, STICK or SLIP of each contact.");
  type.def_property_readonly(
      "u",
      [](const py::object& self) {
        const auto& c = self.cast<Check&>();
        return shaped(self, c.report.u, c.dimension);
      },
      "W r + q, recomputed.");
  type.def_property_readonly("good", &Check::good,
                             "Whether error and rounding are at or below the tolerance.");
  type.def_property_readonly(
      "verdict", [](const Check& c) { return c.good() ? "good" : "wanting"; }, "'good' or 'wanting'.");
  type.def_readonly("tolerance", &Check::tolerance, "As it was asked for.");
  type.def("__bool__", &Check::good);
  type.def("__repr__", &describe);
  module.def("check", &check, "problem"_a, "r"_a, "tolerance"_a = 1e-8,
             R"(Verifies r, or a Result, by code that shares nothing with the solvers.

>>> import stickslip as ss
>>> p = ss.generate("arch", mu=0.6)
>>> verdict = ss.check(p, ss.solve(p))
>>> verdict.good, verdict.error < 1e-8
(True, True)
)");
  module.def("check_certificate", &check_certificate, "problem"_a, "certificate"_a,
             R"(Whether d proves that no solution exists, by the same independent code.

>>> import stickslip as ss
>>> p = ss.generate("infeasible")
>>> ss.check_certificate(p, ss.solve(p))["proves_infeasible"]
True
)");

  py::class_<Answer>(module, "Existence", "Whether a problem has a solution, with the proof.")
      .def_property_readonly(
          "answer", [](const Answer& a) { return std::string(name(a.value.answer)); },
          "'exists', 'none' or 'undecided'.")
      .def_property_readonly(
          "margin", [](const Answer& a) { return a.value.margin; },
          "With 'exists': u_N − μ‖u_T‖ ≥ margin at every contact for some r.")
      .def_property_readonly(
          "certificate",
          [](const py::object& self) {
            const auto& a = self.cast<Answer&>();
            return shaped(self, a.value.certificate, a.dimension);
          },
          "With 'none': d with d_N ≥ 0, d_T = 0, Wᵀd = 0 and q·d < 0; otherwise empty.")
      .def_property_readonly(
          "r",
          [](const py::object& self) {
            const auto& a = self.cast<Answer&>();
            return shaped(self, a.value.r, a.dimension);
          },
          "With 'exists': the impulses of the proof.")
      .def_property_readonly(
          "v",
          [](const py::object& self) {
            const auto& a = self.cast<Answer&>();
            return view(a.value.v.data(), {py::ssize_t(a.value.v.size())}, self, Access::read);
          },
          "With 'exists', global form: the velocities of the proof.")
      .def_property_readonly(
          "message", [](const Answer& a) { return a.value.message; }, "One line for people.")
      .def("__repr__",
           [](const Answer& a) { return fmt::format("{}: {}", name(a.value.answer), a.value.message); });
  module.def("existence", &ask_existence, "problem"_a,
             R"(Whether a solution exists: Slater's condition, or a certificate that none does.

>>> import stickslip as ss
>>> ss.existence(ss.generate("arch")).answer
'exists'
>>> ss.existence(ss.generate("infeasible")).answer
'none'
)");
}

}  // namespace stickslip::python
