// stickslip.Scene: bodies, laws, joints and forces, by the words that scene files have (docs/scenes.md).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>

#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/shape_input.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {
namespace {

/// A value of a scene that can be read and set by its name: the keywords of Scene(), and its attributes.
struct SceneOption {
  const char* name;
  const char* meaning;
  std::function<py::object(const Scene&)> get;
  std::function<void(Scene&, py::handle)> set;
};

const std::vector<std::string> schemes = {"moreau", "linearly_implicit", "quasi_static"};
const std::vector<std::string> gyroscopics = {"momentum", "implicit"};
const std::vector<std::string> landings = {"auto", "split", "whole"};
const std::vector<std::string> failures = {"continue", "stop", "halve"};
const std::vector<std::string> point_rules = {"corners", "centroid", "gauss2", "all"};
const std::vector<std::string> kinds = {"fixed", "driven", "rigid", "pseudo_rigid", "elements"};
const std::vector<std::string> joint_kinds = {"ball", "hinge", "prismatic", "fixed", "distance"};

int count_of(const char* name, py::handle value, long low, long high) {
  const long x = whole(name, value);
  if (x < low || x > high)
    throw InputError(fmt::format("{} must lie in [{}, {}], got {}", name, low, high, x));
  return int(x);
}

std::vector<SceneOption> make_options() {
  const auto real = [](const char* name, double Scene::*field, const char* meaning) {
    return SceneOption{name, meaning, [=](const Scene& s) { return py::cast(s.*field); },
                       [=](Scene& s, py::handle v) { s.*field = number(name, v); }};
  };
  return {
      {"title", "One line.", [](const Scene& s) { return py::cast(s.title); },
       [](Scene& s, py::handle v) { s.title = text("title", v); }},
      {"gravity", "m/s², three numbers.",
       [](const Scene& s) -> py::object { return py::make_tuple(s.gravity[0], s.gravity[1], s.gravity[2]); },
       [](Scene& s, py::handle v) { s.gravity = point("gravity", v); }},
      real("theta", &Scene::theta, "Of Moreau and Jean, in [½, 1]."),
      real("step", &Scene::step, "s, of time."),
      real("duration", &Scene::duration, "s, of the whole run."),
      {"scheme", "moreau, linearly_implicit or quasi_static.",
       [](const Scene& s) { return py::cast(schemes[std::size_t(s.scheme)]); },
       [](Scene& s, py::handle v) { s.scheme = Scheme(choice("scheme", v, schemes)); }},
      {"gyroscopic", "momentum or implicit.",
       [](const Scene& s) { return py::cast(gyroscopics[std::size_t(s.gyroscopic)]); },
       [](Scene& s, py::handle v) { s.gyroscopic = Gyroscopic(choice("gyroscopic", v, gyroscopics)); }},
      {"landing", "auto, split or whole.",
       [](const Scene& s) { return py::cast(landings[std::size_t(s.landing)]); },
       [](Scene& s, py::handle v) { s.landing = Landing(choice("landing", v, landings)); }},
      {"friction", "μ of every pair without a law of its own.",
       [](const Scene& s) { return py::cast(s.contact.friction); },
       [](Scene& s, py::handle v) { s.contact.friction = number("friction", v); }},
      {"restitution", "Newton's, normal; in [0, 1].",
       [](const Scene& s) { return py::cast(s.contact.restitution); },
       [](Scene& s, py::handle v) { s.contact.restitution = number("restitution", v); }},
      {"points", "corners, centroid, gauss2 or all.",
       [](const Scene& s) { return py::cast(point_rules[std::size_t(s.contact.points)]); },
       [](Scene& s, py::handle v) { s.contact.points = PointRule(choice("points", v, point_rules)); }},
      {"rim_points", "On the rim of a cylinder that stands on its flat end.",
       [](const Scene& s) { return py::cast(s.contact.rim_points); },
       [](Scene& s, py::handle v) { s.contact.rim_points = count_of("rim_points", v, 3, 1024); }},
      {"solver", "Its name, with options if need be.", [](const Scene& s) { return py::cast(s.solver.name); },
       [](Scene& s, py::handle v) { s.solver.name = text("solver", v); }},
      {"tolerance", "Of each step's problem.", [](const Scene& s) { return py::cast(s.solver.tolerance); },
       [](Scene& s, py::handle v) { s.solver.tolerance = number("tolerance", v); }},
      {"time_limit", "s a step.", [](const Scene& s) { return py::cast(s.solver.time_limit); },
       [](Scene& s, py::handle v) { s.solver.time_limit = number("time_limit", v); }},
      {"on_failure", "continue, stop or halve.",
       [](const Scene& s) { return py::cast(failures[std::size_t(s.solver.on_failure)]); },
       [](Scene& s, py::handle v) { s.solver.on_failure = OnFailure(choice("on_failure", v, failures)); }},
      real("penetration", &Scene::penetration,
           "Largest share of a body's size by which it may sink in before positions are corrected."),
      {"inertia_scaling", "SSN 6; with quasi_static.",
       [](const Scene& s) { return py::cast(s.inertia_scaling); },
       [](Scene& s, py::handle v) { s.inertia_scaling = flag("inertia_scaling", v); }},
      {"allow_overlap", "At the start.", [](const Scene& s) { return py::cast(s.allow_overlap); },
       [](Scene& s, py::handle v) { s.allow_overlap = flag("allow_overlap", v); }},
      {"every", "Steps between two records.", [](const Scene& s) { return py::cast(s.every); },
       [](Scene& s, py::handle v) { s.every = whole("every", v); }},
      {"threads", "Changes no bit of a result.", [](const Scene& s) { return py::cast(s.threads); },
       [](Scene& s, py::handle v) { s.threads = count_of("threads", v, 1, 1024); }},
  };
}

const std::vector<SceneOption>& scene_options() {
  static const std::vector<SceneOption> all = make_options();
  return all;
}

Scene make_scene(const py::kwargs& given) {
  Scene scene;
  for (const auto& [key, value] : given) {
    const std::string name = key.cast<std::string>();
    const auto& all = scene_options();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const SceneOption& o) { return o.name == name; });
    if (found == all.end()) {
      std::vector<std::string> known;
      for (const SceneOption& o : all) known.emplace_back(o.name);
      refuse_option("Scene", name, known);
    }
    found->set(scene, value);
  }
  return scene;
}

/// The keys of a body of this kind, as in scene files.
std::vector<std::string> keys_of(BodyKind kind) {
  std::vector<std::string> keys = {"name", "material", "position", "rotation", "allow_overlap"};
  const auto more = [&](std::initializer_list<const char*> own) {
    keys.insert(keys.end(), own.begin(), own.end());
  };
  if (kind != BodyKind::fixed) more({"velocity", "angular_velocity"});
  if (kind == BodyKind::driven) more({"centre"});
  if (kind >= BodyKind::rigid) more({"density", "mass"});
  if (kind == BodyKind::rigid) more({"inertia"});
  if (kind == BodyKind::pseudo_rigid) more({"young", "poisson", "damping", "undeformed"});
  if (kind == BodyKind::elements)
    more({"young", "poisson", "damping", "mass_damping", "strain", "axes", "modes", "mass_matrix", "hold",
          "reduced"});
  return keys;
}

/// The lowest and the highest corner of a box.
std::array<Point, 2> corners_of(const std::string& name, py::handle value) {
  if (!py::isinstance<py::sequence>(value) || py::len(value) != 2)
    throw InputError(name + ": box must be its lowest and highest corner");
  const auto corners = py::reinterpret_borrow<py::sequence>(value);
  return {point(name + " box", corners[0]), point(name + " box", corners[1])};
}

/// A reduced basis: dict(modes=20, interface=[(lowest, highest), ...]).
ReducedElements reduced_elements(py::handle value) {
  if (!py::isinstance<py::dict>(value))
    throw InputError("reduced must be a dict with modes and interface, got " + shown(value));
  ReducedElements reduced;
  for (const auto& [key, part] : py::reinterpret_borrow<py::dict>(value)) {
    const std::string word = text("reduced", key);
    if (word == "modes")
      reduced.modes = int(std::clamp(whole("reduced modes", part), -1L, 1000000L));
    else if (word == "interface") {
      if (!py::isinstance<py::sequence>(part))
        throw InputError("reduced: interface must be a list of boxes, got " + shown(part));
      for (const auto& box : py::reinterpret_borrow<py::sequence>(part))
        reduced.interface.push_back(corners_of("reduced interface", box));
    } else {
      refuse_option("reduced", word, {"modes", "interface"});
    }
  }
  return reduced;
}

/// Nodes that move as told: dict(box=(lowest, highest), axes="xyz", velocity=(0, 0, 0)).
HeldNodes held_nodes(py::handle value) {
  if (!py::isinstance<py::dict>(value))
    throw InputError("hold must be a list of dicts with box, axes and velocity, got " + shown(value));
  const auto given = py::reinterpret_borrow<py::dict>(value);
  HeldNodes held;
  bool has_box = false;
  for (const auto& [key, part] : given) {
    const std::string word = text("hold", key);
    if (word == "box") {
      held.box = corners_of("hold", part);
      has_box = true;
    } else if (word == "axes") {
      held.axes = {false, false, false};
      for (const char c : text("hold axes", part)) {
        if (c < 'x' || c > 'z') throw InputError("hold: axes are letters of xyz");
        held.axes[std::size_t(c - 'x')] = true;
      }
    } else if (word == "velocity") {
      held.velocity = signals_of("hold velocity", part);
    } else {
      refuse_option("hold", word, {"box", "axes", "velocity"});
    }
  }
  if (!has_box) throw InputError("hold needs box, its lowest and highest corner");
  return held;
}

void set_element_key(ElementOptions& options, const std::string& key, py::handle v) {
  if (key == "mass_damping")
    options.mass_damping = number(key, v);
  else if (key == "strain")
    options.strain = ElementStrain(choice(key, v, {"small", "green"}));
  else if (key == "axes")
    options.axes = ElementAxes(choice(key, v, {"body", "world"}));
  else if (key == "modes")
    options.modes = ElementModes(choice(key, v, {"none", "incompatible"}));
  else if (key == "mass_matrix")
    options.mass = ElementMass(choice(key, v, {"lumped", "consistent"}));
  else if (key == "reduced")
    options.reduced = reduced_elements(v);
  else if (key == "hold") {
    if (!py::isinstance<py::sequence>(v))
      throw InputError("hold must be a list of dicts with box, axes and velocity, got " + shown(v));
    for (const auto& one : py::reinterpret_borrow<py::sequence>(v)) options.hold.push_back(held_nodes(one));
    options.axes = ElementAxes::world;
  }
}

void set_key(SceneBody& body, const std::string& key, py::handle v) {
  const bool driven = body.kind == BodyKind::driven;
  if (v.is_none()) return;
  if (key == "name")
    body.name = text(key, v);
  else if (key == "material")
    body.material = text(key, v);
  else if (key == "position")
    body.position = point(key, v);
  else if (key == "rotation")
    body.rotation = rotation_of(key, v);
  else if (key == "allow_overlap")
    body.allow_overlap = flag(key, v);
  else if (key == "velocity" && driven)
    body.driven_velocity = signals_of(key, v);
  else if (key == "angular_velocity" && driven)
    body.driven_angular_velocity = signals_of(key, v);
  else if (key == "velocity")
    body.velocity = point(key, v);
  else if (key == "angular_velocity")
    body.angular_velocity = point(key, v);
  else if (key == "centre")
    body.centre = point(key, v);
  else if (key == "density")
    body.density = number(key, v);
  else if (key == "mass")
    body.mass = number(key, v);
  else if (key == "inertia")
    body.inertia = point(key, v);
  else if (key == "young")
    body.young = number(key, v);
  else if (key == "poisson")
    body.poisson = number(key, v);
  else if (key == "damping")
    body.damping = number(key, v);
  else if (key == "undeformed")
    body.undeformed = flag(key, v);
  else
    set_element_key(body.elements, key, v);
}

int add_body(Scene& scene, const py::object& shape, const py::object& kind, const py::kwargs& given) {
  SceneBody body;
  body.kind = BodyKind(choice("kind", kind, kinds));
  const bool is_mesh = py::isinstance<ElementMesh>(shape);
  if (is_mesh != (body.kind == BodyKind::elements))
    throw InputError(is_mesh ? "an ElementMesh needs kind='elements'"
                             : "a body of kind 'elements' needs an ElementMesh, got " + shown(shape));
  if (is_mesh)
    body.mesh = shape.cast<std::shared_ptr<ElementMesh>>();
  else
    body.shape = shape_of(shape);
  const auto keys = keys_of(body.kind);
  for (const auto& [key, value] : given) {
    const std::string name = key.cast<std::string>();
    if (std::find(keys.begin(), keys.end(), name) == keys.end())
      refuse_option(fmt::format("a {} body", kinds[std::size_t(body.kind)]), name, keys);
    set_key(body, name, value);
  }
  scene.bodies.push_back(std::move(body));
  return int(scene.bodies.size()) - 1;
}

/// A number, a name, or "world".
BodyIndex body_of(const Scene& scene, const std::string& argument, const py::object& value) {
  if (PyUnicode_Check(value.ptr())) {
    const std::string name = text(argument, value);
    return name == "world" ? world : scene.find(name);
  }
  const long index = whole(argument, value);
  if (index < world || index >= long(scene.bodies.size()))
    throw InputError(
        fmt::format("{}: there is no body {}; the scene has {}", argument, index, scene.bodies.size()));
  return BodyIndex(index);
}

Point point_or(const std::string& name, const py::object& value, const Point& otherwise) {
  return value.is_none() ? otherwise : point(name, value);
}

std::vector<Parameter> parameters_of(const py::kwargs& given) {
  std::vector<Parameter> all;
  for (const auto& [key, value] : given)
    all.push_back({key.cast<std::string>(), number(key.cast<std::string>(), value)});
  return all;
}

}  // namespace

void bind_scene(py::module_& module) {
  using namespace py::literals;
  using Object = const py::object&;
  py::class_<Scene> type(module, "Scene",
                         R"(Bodies, laws, joints and forces: what a Simulation is made of. Units: m, kg, s.

Scene(step=1e-3, gravity=(0, 0, -9.81), friction=0.5, restitution=0, solver="auto", …); every keyword is an attribute, too.

>>> import stickslip as ss
>>> scene = ss.Scene(step=1e-3, friction=0.4)
>>> floor = scene.add(ss.Plane(), kind="fixed")
>>> brick = scene.add(ss.Box(0.2, 0.1, 0.05), density=2000, position=(0, 0, 0.025), velocity=(1, 0, 0))
>>> scene
Scene: 2 bodies, 0 joints, step 0.001 s
)");
  type.def(py::init(&make_scene));
  for (const SceneOption& option : scene_options())
    type.def_property(
        option.name, [get = option.get](const Scene& s) { return get(s); },
        [set = option.set](Scene& s, Object value) { set(s, value); }, option.meaning);
  type.def(
      "add", &add_body, "shape"_a, "kind"_a = "rigid",
      R"(Adds a body and returns its number. kind: fixed, driven, rigid, pseudo_rigid, or elements with an ElementMesh.

Keywords: name, material, position (of the centre of mass), rotation (quaternion or dict(axis=, angle=)), allow_overlap;
rigid, pseudo_rigid and elements: density or mass, velocity, angular_velocity; rigid: inertia; pseudo_rigid: young, poisson, damping, undeformed;
elements: young, poisson, damping, mass_damping, strain (small, green), axes (body, world), modes (none, incompatible), mass_matrix (lumped,
consistent), hold (a list of dict(box=, axes="xyz", velocity=): nodes that move as told), reduced (dict(modes=, interface=[(lowest,
highest), ...]): a basis of its first modes, exact under loads on nodes in those boxes, in the axes of the mesh);
driven: velocity and angular_velocity of three numbers, expressions of t or functions of t each, and centre.)");
  type.def(
      "add_material",
      [](Scene& s, Object name, Object density, Object young, Object poisson) {
        s.materials.push_back({text("name", name), number("density", density),
                               optional_number("young", young), optional_number("poisson", poisson)});
      },
      "name"_a, "density"_a = 0.0, "young"_a = py::none(), "poisson"_a = py::none(),
      "What bodies of this material are made of.");
  type.def(
      "add_pair",
      [](Scene& s, Object first, Object second, Object friction, Object restitution, Object points) {
        PairLaw law{.between = {text("first", first), text("second", second)},
                    .friction = optional_number("friction", friction),
                    .restitution = optional_number("restitution", restitution)};
        if (!points.is_none()) law.points = PointRule(choice("points", points, point_rules));
        s.pairs.push_back(std::move(law));
      },
      "first"_a, "second"_a, "friction"_a = py::none(), "restitution"_a = py::none(), "points"_a = py::none(),
      "The law between two materials, in either order.");
  type.def(
      "add_joint",
      [](Scene& s, Object kind, Object first, Object second, Object at, Object axis, Object other,
         Object collide) {
        return s.add_joint({.kind = JointKind(choice("kind", kind, joint_kinds)),
                            .first = body_of(s, "first", first),
                            .second = body_of(s, "second", second),
                            .point = point_or("point", at, in_place),
                            .axis = point("axis", axis),
                            .other = point_or("other", other, in_place),
                            .collide = flag("collide", collide)});
      },
      "kind"_a, "first"_a, "second"_a, "point"_a = py::none(), "axis"_a = py::make_tuple(0.0, 0.0, 1.0),
      "other"_a = py::none(), "collide"_a = false,
      "ball, hinge, prismatic, fixed or distance between two bodies, by number or name, or 'world'. Returns "
      "its number.");
  type.def(
      "add_force",
      [](Scene& s, Object body, Object force, Object torque, Object at, Object drag) {
        return s.add_force({.body = body_of(s, "body", body),
                            .force = force.is_none() ? SignalVector{} : signals_of("force", force),
                            .torque = torque.is_none() ? SignalVector{} : signals_of("torque", torque),
                            .point = point_or("point", at, in_place),
                            .drag = number("drag", drag)});
      },
      "body"_a, "force"_a = py::none(), "torque"_a = py::none(), "point"_a = py::none(), "drag"_a = 0.0,
      "What acts on a body beside gravity: numbers, expressions of t or functions of t. Returns its number.");
  type.def(
      "find", [](const Scene& s, Object name) { return s.find(text("name", name)); }, "name"_a,
      "The number of a body.");
  type.def_property_readonly(
      "bodies",
      [](const Scene& s) {
        py::list names;
        for (std::size_t b = 0; b < s.bodies.size(); ++b)
          names.append(s.bodies[b].name.empty() ? fmt::format("body{}", b) : s.bodies[b].name);
        return names;
      },
      "Their names.");
  type.def_property_readonly(
      "source", [](const Scene& s) { return s.source; },
      "The text it was read from, with parameters filled in.");
  type.def_static(
      "read",
      [](Object source, const py::kwargs& parameters) {
        return read_scene(path("path", source), parameters_of(parameters));
      },
      "path"_a,
      "Scene.read(path, **parameters): a scene file; parameters replace those of its [parameters].");
  type.def_static(
      "parse",
      [](Object words, const py::kwargs& parameters) {
        return parse_scene(text("text", words), parameters_of(parameters));
      },
      "text"_a, "Scene.parse(text, **parameters): the same from text.");
  type.def_static(
      "built_in",
      [](Object name, const py::kwargs& parameters) {
        const BuiltInScene& scene = built_in_scene(text("name", name));
        return parse_scene(scene.text, parameters_of(parameters), scene.name);
      },
      "name"_a,
      "Scene.built_in(name, **parameters): one that the library brings along; stickslip.scenes() lists "
      "them.");
  type.def("__copy__", [](const Scene& s) { return Scene(s); });
  type.def("__deepcopy__", [](const Scene& s, const py::object&) { return Scene(s); });
  type.def("__repr__", [](const Scene& s) {
    return fmt::format("Scene{}: {} bodies, {} joints, step {} s",
                       s.title.empty() ? "" : " '" + s.title + "'", s.bodies.size(), s.joints.size(), s.step);
  });
  module.def(
      "scenes",
      [] {
        py::list all;
        for (const BuiltInScene& scene : built_in_scenes()) {
          py::dict row, parameters;
          for (const Parameter& p : scene.parameters) parameters[p.name.c_str()] = p.value;
          row["name"] = scene.name;
          row["title"] = scene.title;
          row["parameters"] = parameters;
          all.append(row);
        }
        return all;
      },
      "Rows for stickslip.scenes.");
}

}  // namespace stickslip::python
