// stickslip.Simulation, its contacts, and export.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>
#include <cstddef>
#include <limits>

#include "python/arguments.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/problem.hpp"
#include "python/signal_errors.hpp"
#include "python/simulation.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {
namespace {

/// The contacts of one step, taken out of the simulation at once, so that they outlive the next step. Arrays are views of them.
struct Contacts {
  std::vector<TouchingPoint> points;
};

template <class T>
py::array column(const py::object& self, std::size_t offset, const std::vector<py::ssize_t>& inner) {
  const auto& points = self.cast<Contacts&>().points;
  std::vector<py::ssize_t> shape = {py::ssize_t(points.size())},
                           strides = {py::ssize_t(sizeof(TouchingPoint))};
  for (const py::ssize_t n : inner) {
    shape.push_back(n);
    strides.push_back(py::ssize_t(sizeof(T)));
  }
  const char* data = reinterpret_cast<const char*>(points.data());
  return view(py::dtype::of<T>(), points.empty() ? nullptr : data + offset, std::move(shape),
              std::move(strides), self, Access::read);
}

BodyIndex body_of(const PythonSimulation& s, const py::object& value) {
  if (PyUnicode_Check(value.ptr())) return s.state().scene().find(text("body", value));
  const long index = whole("body", value);
  const long count = long(s.state().scene().bodies.size());
  if (index < 0 || index >= count)
    throw InputError(fmt::format("there is no body {}; the scene has {}", index, count));
  return BodyIndex(index);
}

/// A read-only view of numbers of one body, which follows the simulation.
template <std::size_t N>
py::array of_body(const py::object& self, const py::object& body,
                  const std::array<double, N>& (Simulation::*get)(BodyIndex) const,
                  std::vector<py::ssize_t> shape) {
  const auto& s = self.cast<PythonSimulation&>();
  return view((s.state().*get)(body_of(s, body)).data(), std::move(shape), self, Access::read);
}

/// The same of all bodies, row by row.
template <std::size_t N>
py::array of_bodies(const py::object& self,
                    const std::array<double, N>& (Simulation::*get)(BodyIndex) const) {
  const Simulation& s = self.cast<PythonSimulation&>().state();
  const auto count = py::ssize_t(s.scene().bodies.size());
  if (count == 0) return py::array(py::dtype::of<double>(), {py::ssize_t(0), py::ssize_t(N)});
  return view((s.*get)(0).data(), {count, py::ssize_t(N)}, self, Access::read);
}

long steps_for(const py::object& self, const py::object& duration) {
  const Scene& scene = self.cast<PythonSimulation&>().state().scene();
  const double seconds = duration.is_none() ? scene.duration : number("duration", duration);
  if (!(seconds >= 0) || !std::isfinite(seconds))
    throw InputError(fmt::format("duration is {}; it must be a finite number ≥ 0", seconds));
  // A duration that is a whole number of steps up to rounding takes that many.
  const double count = std::ceil(seconds / scene.step * (1 - 1e-12));
  if (count > 1e15) throw InputError(fmt::format("duration {} s are {:g} steps", seconds, count));
  return long(count);
}

bool run(const py::object& self, const py::object& duration, const py::object& callback,
         const py::object& callback_every) {
  auto& s = self.cast<PythonSimulation&>();
  Watcher watcher(callback, callback_every);
  const bool going = s.advance(steps_for(self, duration), self, watcher);
  s.finish_record();
  return going;
}

py::dict report_of(const StepReport& r) {
  py::dict out;
  out["contacts"] = r.contacts;
  out["iterations"] = r.iterations;
  out["error"] = r.error;
  out["converged"] = r.converged;
  out["kinetic"] = r.kinetic;
  out["potential"] = r.potential;
  out["elastic"] = r.elastic;
  out["contact_work"] = r.contact_work;
  out["penetration"] = r.penetration;
  return out;
}

py::dict counters_of(const Counters& c) {
  py::dict out;
  out["steps"] = c.steps;
  out["unconverged"] = c.unconverged;
  out["halved"] = c.halved;
  out["corrections"] = c.corrections;
  out["correction_energy"] = c.correction_energy;
  out["contacts_max"] = c.contacts_max;
  out["contacts_sum"] = c.contacts_sum;
  out["iterations_sum"] = c.iterations_sum;
  out["error_max"] = c.error_max;
  out["dissipated"] = c.dissipated;
  out["penetration_max"] = c.penetration_max;
  out["detection_seconds"] = c.detection_seconds;
  out["solve_seconds"] = c.solve_seconds;
  out["seconds"] = c.seconds;
  return out;
}

std::unique_ptr<PythonSimulation> make(const py::object& scene, const py::kwargs& parameters) {
  if (py::isinstance<Scene>(scene)) {
    if (!parameters.empty()) throw InputError("parameters go with a scene file or a built-in scene");
    auto made = std::make_unique<PythonSimulation>(scene.cast<const Scene&>());
    rethrow_from_signals();
    return made;
  }
  std::vector<Parameter> all;
  for (const auto& [key, value] : parameters)
    all.push_back({key.cast<std::string>(), number(key.cast<std::string>(), value)});
  return std::make_unique<PythonSimulation>(path("scene", scene), all);
}

void bind_contacts(py::module_& module) {
  py::class_<Contacts> type(module, "Contacts",
                            "The contacts of one step, in world axes; arrays with a row each, read-only.");
  const auto add = [&]<class T>(const char* name, std::size_t offset, std::vector<py::ssize_t> inner,
                                const char* meaning) {
    type.def_property_readonly(
        name, [offset, inner](const py::object& self) { return column<T>(self, offset, inner); }, meaning);
  };
  using P = TouchingPoint;
  static_assert(sizeof(BodyIndex) == 4 && sizeof(ContactStatus) == 1);
  add.operator()<std::int32_t>("body", offsetof(P, body), {2}, "The two bodies.");
  add.operator()<std::uint64_t>("key", offsetof(P, key), {},
                                "The same touching features have the same key at every step.");
  add.operator()<double>("point", offsetof(P, point), {3}, "Where, m.");
  add.operator()<double>("normal", offsetof(P, normal), {3}, "Unit, from the first body to the second.");
  add.operator()<double>("gap", offsetof(P, gap), {}, "m, negative: penetration.");
  add.operator()<double>("area", offsetof(P, area), {}, "m², share of touching faces.");
  add.operator()<double>("impulse", offsetof(P, impulse), {3},
                         "On the second body, N·s; divided by the step: force.");
  add.operator()<double>("velocity", offsetof(P, velocity), {3},
                         "Of the second body relative to the first, after the step.");
  add.operator()<std::uint8_t>("status", offsetof(P, status), {}, "OPEN, STICK or SLIP.");
  add.operator()<double>("work", offsetof(P, work), {}, "Of the contact impulse in the step, J.");
  add.operator()<double>("friction", offsetof(P, friction), {}, "μ between the two surfaces.");
  type.def("__len__", [](const Contacts& c) { return c.points.size(); });
  type.def("__repr__", [](const Contacts& c) { return fmt::format("Contacts: {}", c.points.size()); });
}

}  // namespace

void bind_simulation(py::module_& module) {
  using namespace py::literals;
  using Object = const py::object&;
  bind_contacts(module);
  py::class_<PythonSimulation> type(module, "Simulation", R"(A scene in motion.

Simulation(scene), or Simulation("scene.toml", angle=27): a file, or the name of a built-in scene, with its parameters.
What it shows of its state are read-only views that follow it; contacts are those of the step in which they were asked for.

>>> import stickslip as ss
>>> sim = ss.Simulation("incline", angle=20)
>>> sim.run(0.1)
True
>>> sim.steps, round(sim.time, 6)
(100, 0.1)
>>> len(sim.contacts), sim.contacts.impulse.shape
(4, (4, 3))
)");
  type.def(py::init(&make), "scene"_a);
  type.def(
      "step",
      [](Object self) {
        Watcher nobody{py::none(), py::none()};
        return self.cast<PythonSimulation&>().advance(1, self, nobody);
      },
      "One step. False: the run has ended, the state is the last good one, and messages says why.");
  type.def(
      "run", &run, "duration"_a = py::none(), py::kw_only(), "callback"_a = py::none(),
      "callback_every"_a = py::none(),
      R"(Steps until `duration` s more have passed (the scene's where it is not given). callback(simulation) is called at most every
50 ms, or after every k-th step with callback_every=k; True stops. Returns whether the run may go on.)");
  type.def(
      "record",
      [](PythonSimulation& s, Object file, Object resume) {
        s.record(path("path", file), flag("resume", resume));
      },
      "path"_a, "resume"_a = false,
      "Records from here on: one HDF5 file that grows (docs/scenes.md). With resume=True it goes on from the "
      "last record.");
  type.def_property_readonly(
      "scene", [](const PythonSimulation& s) { return Scene(s.state().scene()); }, "A copy of its scene.");
  type.def_property_readonly(
      "time", [](const PythonSimulation& s) { return s.state().time(); }, "s.");
  type.def_property_readonly(
      "steps", [](const PythonSimulation& s) { return s.state().steps(); }, "Steps done.");
  type.def_property_readonly(
      "bodies", [](Object self) -> py::object { return self.attr("scene").attr("bodies"); }, "Their names.");
  type.def(
      "position", [](Object self, Object body) { return of_body(self, body, &Simulation::position, {3}); },
      "body"_a, "Of the centre of mass, m.");
  type.def(
      "orientation",
      [](Object self, Object body) { return of_body(self, body, &Simulation::orientation, {4}); }, "body"_a,
      "Unit quaternion w, x, y, z, body → world.");
  type.def(
      "velocity", [](Object self, Object body) { return of_body(self, body, &Simulation::velocity, {3}); },
      "body"_a, "Of the centre of mass, m/s.");
  type.def(
      "angular_velocity",
      [](Object self, Object body) { return of_body(self, body, &Simulation::angular_velocity, {3}); },
      "body"_a, "rad/s, world axes.");
  type.def(
      "deformation",
      [](Object self, Object body) {
        return of_body(self, body, &Simulation::deformation, {3, 3});
      },
      "body"_a, "F; the rotation of a body that does not deform.");
  const auto add_nodes = [&](const char* name, std::span<const double> (Simulation::*get)(BodyIndex) const,
                             const char* meaning) {
    type.def(
        name,
        [get](Object self, Object body) {
          auto& s = self.cast<PythonSimulation&>();
          const std::span<const double> all = (s.idle().*get)(body_of(s, body));
          return copy(all, {py::ssize_t(all.size() / 3), 3});
        },
        "body"_a, meaning);
  };
  add_nodes("node_positions", &Simulation::node_positions,
            "Of a body of elements, shape (nodes, 3), m; a copy. Empty for other bodies.");
  add_nodes("node_velocities", &Simulation::node_velocities,
            "Of a body of elements, shape (nodes, 3), m/s; a copy. Empty for other bodies.");
  type.def(
      "stresses",
      [](PythonSimulation& s, Object body) {
        const auto all = s.idle().stresses(body_of(s, body));
        return copy({all.empty() ? nullptr : all[0].data(), 6 * all.size()}, {py::ssize_t(all.size()), 6});
      },
      "body"_a,
      "Of a body of elements: Cauchy's stress at the centre of each, world axes: xx, yy, zz, xy, yz, zx, "
      "Pa.");
  type.def(
      "strain_energy",
      [](PythonSimulation& s, Object body) { return s.idle().strain_energy(body_of(s, body)); }, "body"_a,
      "Of a body of elements, J.");
  type.def_property_readonly(
      "positions", [](Object self) { return of_bodies(self, &Simulation::position); },
      "Of all bodies, shape (bodies, 3).");
  type.def_property_readonly(
      "orientations", [](Object self) { return of_bodies(self, &Simulation::orientation); },
      "Of all bodies, shape (bodies, 4).");
  type.def_property_readonly(
      "velocities", [](Object self) { return of_bodies(self, &Simulation::velocity); },
      "Of all bodies, shape (bodies, 3).");
  type.def_property_readonly(
      "angular_velocities", [](Object self) { return of_bodies(self, &Simulation::angular_velocity); },
      "Of all bodies, shape (bodies, 3).");
  type.def(
      "mass", [](const PythonSimulation& s, Object body) { return s.state().mass(body_of(s, body)); },
      "body"_a, "kg; 0 for fixed and driven bodies.");
  type.def(
      "inertia",
      [](const PythonSimulation& s, Object body) {
        return copy(s.state().inertia(body_of(s, body)), {3, 3});
      },
      "body"_a, "About the centre of mass, world axes.");
  type.def_property_readonly(
      "contacts",
      [](PythonSimulation& s) {
        const auto now = s.idle().contacts();
        return Contacts{{now.begin(), now.end()}};
      },
      "Of the last step.");
  type.def(
      "joint_impulses",
      [](PythonSimulation& s, Object joint) {
        const long index = whole("joint", joint);
        if (std::abs(index) > std::numeric_limits<int>::max()) throw InputError("there is no such joint");
        const auto now = s.idle().joint_impulses(int(index));
        return copy(now, {py::ssize_t(now.size())});
      },
      "joint"_a, "Bilateral impulses of the last step, N·s and N·m·s.");
  type.def_property_readonly(
      "report", [](const PythonSimulation& s) { return report_of(s.state().report()); },
      "What the last step was like; a dict.");
  type.def_property_readonly(
      "counters", [](const PythonSimulation& s) { return counters_of(s.state().counters()); },
      "Sums over all steps; a dict.");
  type.def_property_readonly(
      "messages", [](PythonSimulation& s) { return s.idle().messages(); },
      "Warnings and the reason of an end, oldest first.");
  type.def_property_readonly(
      "kinetic", [](const PythonSimulation& s) { return s.state().kinetic(); }, "J.");
  type.def_property_readonly(
      "potential", [](const PythonSimulation& s) { return s.state().potential(); }, "J.");
  type.def_property_readonly(
      "elastic", [](const PythonSimulation& s) { return s.state().elastic(); }, "J.");
  type.def(
      "apply_force",
      [](PythonSimulation& s, Object body, Object force, Object torque, Object at) {
        const BodyIndex b = body_of(s, body);
        if (at.is_none()) {
          s.idle().apply_force(b, point("force", force), point("torque", torque));
        } else {
          s.idle().apply_force_at(b, point("force", force), point("point", at));
          s.idle().apply_force(b, {0, 0, 0}, point("torque", torque));
        }
      },
      "body"_a, "force"_a = py::make_tuple(0.0, 0.0, 0.0), "torque"_a = py::make_tuple(0.0, 0.0, 0.0),
      "point"_a = py::none(), "Acts during the next step only; at the centre of mass, or at a point.");
  type.def(
      "set_velocity",
      [](PythonSimulation& s, Object body, Object velocity, Object angular) {
        s.idle().set_velocity(body_of(s, body), point("velocity", velocity),
                              point("angular_velocity", angular));
      },
      "body"_a, "velocity"_a, "angular_velocity"_a = py::make_tuple(0.0, 0.0, 0.0),
      "Of a moving body, between steps.");
  type.def(
      "save",
      [](PythonSimulation& s) {
        const auto bytes = s.idle().save();
        return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      },
      "The whole state as bytes.");
  type.def(
      "restore",
      [](PythonSimulation& s, const py::bytes& saved) {
        const std::string_view bytes = saved;
        s.idle().restore(std::as_bytes(std::span(bytes.data(), bytes.size())));
      },
      "state"_a, "Takes over a saved state of the same scene, and goes on with the same bits.");
  type.def_property_readonly(
      "problem",
      [](PythonSimulation& s) -> py::object {
        auto problem = s.idle().problem();
        if (!problem) return py::none();
        ProblemFile file{std::move(*problem)};
        file.guesses.push_back({.u = {}, .r = s.idle().guess(), .v = {}, .l = {}});
        file.info.title = s.state().scene().title;
        return py::cast(Problem(std::move(file)));
      },
      "The contact problem of the last step, with the guess that the solver had; None without contacts. "
      "Impulses are in "
      "problem_unit N·s.");
  type.def_property_readonly(
      "problem_unit", [](PythonSimulation& s) { return s.idle().problem_unit(); },
      "N·s that are 1 in `problem`: 1, or a power of two where contacts are a million times stiffer or "
      "softer than that.");
  type.def("__repr__", [](const PythonSimulation& s) {
    const std::string& title = s.state().scene().title;
    return fmt::format("Simulation{}: {} bodies, t = {:.6g} s after {} steps",
                       title.empty() ? "" : " '" + title + "'", s.state().scene().bodies.size(),
                       s.state().time(), s.state().steps());
  });
  module.def(
      "export",
      [](Object record, Object target) {
        const std::string from = path("record", record), to = path("target", target);
        const py::gil_scoped_release released;
        export_record(from, to);
      },
      "record"_a, "target"_a,
      "Writes a record in another format, by the ending: .csv, .xdmf, .pvd, .vtkhdf, .usda, .svg.");
}

}  // namespace stickslip::python
