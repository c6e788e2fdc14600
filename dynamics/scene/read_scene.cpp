// A scene from its TOML text (docs/scenes.md).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.hpp"
#include "base/toml_text.hpp"
#include "dynamics/scene/expression.hpp"
#include "dynamics/scene/scene_table.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {

using namespace internal;

namespace {

/// So many copies a body may have.
constexpr double most_copies = 1e6;
/// So many steps a run: their number stays exact in a double.
constexpr double most_steps = 1e15;

toml::table parse(std::string_view text, const std::string& file) {
  if (const std::size_t line = line_beyond_ascii(text))
    throw InputError(fmt::format("{}:{}: {}", file, line, beyond_ascii));
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}: {}", file, error.source().begin.line, error.description()));
  }
}

/// Names and values of the file may hold anything; a message is one line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

/// Where a place of the text (line and column in characters, from 1) lies in its bytes.
std::size_t byte_of(std::string_view text, const toml::source_position& position) {
  std::size_t at = 0;
  for (toml::source_index line = 1; line < position.line && at < text.size(); ++at)
    if (text[at] == '\n') ++line;
  for (toml::source_index column = 1; column < position.column && at < text.size(); ++column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  }
  return at;
}

class SceneReader {
 public:
  SceneReader(std::string_view text, const std::vector<Parameter>& overrides, const std::string& file,
              const std::string& folder)
      : text_(text), overrides_(overrides), root_(parse(text, file)) {
    scope_.file = file;
    scope_.folder = folder;
  }

  SceneSummary summary() {
    const SceneTable top(root_, scope_, "");
    read_parameters(top);
    return {top.text("title").value_or(""), scene_.parameters};
  }

  Scene read() {
    const SceneTable top(root_, scope_, "");
    top.allow({"title",      "gravity",    "step",        "duration",        "steps",   "scheme",
               "theta",      "gyroscopic", "penetration", "inertia_scaling", "landing", "allow_overlap",
               "parameters", "solver",     "contact",     "material",        "pair",    "body",
               "generate",   "joint",      "force",       "output"});
    read_parameters(top);
    scene_.title = top.text("title").value_or("");
    scene_.gravity = top.point("gravity").value_or(scene_.gravity);
    scene_.step = top.number("step").value_or(scene_.step);
    if (!(scene_.step > 0))
      top.refuse("step", fmt::format("step is {}; it must be > 0", shortest(scene_.step)));
    if (top.has("steps") && top.has("duration")) top.refuse("steps", "give duration or steps, not both");
    scene_.duration = top.number("duration").value_or(scene_.duration);
    if (const auto steps = top.whole("steps")) scene_.duration = double(*steps) * scene_.step;
    const char* length = top.has("steps") ? "steps" : "duration";
    if (!(scene_.duration >= 0)) top.refuse(length, fmt::format("'{}' must be ≥ 0", length));
    if (!(scene_.duration / scene_.step <= most_steps))
      top.refuse(length, fmt::format("'{}' makes more than 1e15 steps", length));
    scene_.scheme = Scheme(top.choice("scheme", {"moreau", "linearly_implicit", "quasi_static"}).value_or(0));
    scene_.theta = top.number("theta").value_or(scene_.theta);
    if (!(scene_.theta >= 0.5 && scene_.theta <= 1))
      top.refuse("theta", fmt::format("theta is {}; it must lie in [0.5, 1]", shortest(scene_.theta)));
    scene_.gyroscopic = Gyroscopic(top.choice("gyroscopic", {"momentum", "implicit"}).value_or(0));
    scene_.landing = Landing(top.choice("landing", {"auto", "split", "whole"}).value_or(0));
    scene_.penetration = top.number("penetration").value_or(scene_.penetration);
    if (!(scene_.penetration > 0)) top.refuse("penetration", "'penetration' must be > 0");
    scene_.inertia_scaling = top.flag("inertia_scaling").value_or(false);
    scene_.allow_overlap = top.flag("allow_overlap").value_or(false);
    read_solver(top);
    read_contact(top);
    for (const toml::table* table : top.tables("material")) read_material(*table);
    for (const toml::table* table : top.tables("pair")) read_pair(*table);
    if (const toml::table* table = top.table("generate"))
      add_family(SceneTable(*table, scope_, "generate"), scene_);
    for (const toml::table* table : top.tables("body")) read_bodies(*table);
    for (const toml::table* table : top.tables("joint")) read_joints(*table);
    for (const toml::table* table : top.tables("force")) read_forces(*table);
    if (const toml::table* table = top.table("output")) {
      const SceneTable output(*table, scope_, "output");
      output.allow({"every"});
      scene_.every = output.whole("every").value_or(scene_.every);
      if (scene_.every < 1) output.refuse("every", "'every' must be ≥ 1");
    }
    scene_.source = filled_text();
    return std::move(scene_);
  }

 private:
  void read_parameters(const SceneTable& top) {
    if (const toml::table* table = top.table("parameters")) {
      // In the order of the file: a parameter may use those before it.
      std::vector<std::pair<const toml::key*, const toml::node*>> entries;
      for (const auto& [key, node] : *table) entries.emplace_back(&key, &node);
      std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        const auto &p = a.first->source().begin, &q = b.first->source().begin;
        return p.line != q.line ? p.line < q.line : p.column < q.column;
      });
      const SceneTable parameters(*table, scope_, "parameters");
      for (const auto& [key, node] : entries) {
        const std::string name(key->str());
        if (is_reserved(name)) parameters.refuse(*node, fmt::format("the name '{}' is taken", name));
        if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ||
            !std::all_of(name.begin(), name.end(),
                         [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }))
          parameters.refuse(*node,
                            fmt::format("'{}' is no name: letters, digits and _, and no digit first", name));
        // The last one counts.
        const auto set = std::find_if(overrides_.rbegin(), overrides_.rend(),
                                      [&](const Parameter& p) { return p.name == name; });
        const double value = set != overrides_.rend() ? set->value : parameters.value(*node, name);
        scene_.parameters.push_back({name, value});
        scope_.names.push_back(name);
        scope_.values.push_back(value);
        if (set != overrides_.rend()) replaced_.emplace_back(node, value);
      }
    }
    for (const Parameter& override : overrides_) {
      if (std::find(scope_.names.begin(), scope_.names.end(), override.name) != scope_.names.end()) continue;
      const std::string near = nearest(override.name, scope_.names);
      throw InputError(fmt::format("{}: there is no parameter '{}'{}", scope_.file, override.name,
                                   near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
    }
  }

  void read_solver(const SceneTable& top) {
    const toml::table* table = top.table("solver");
    if (!table) return;
    const SceneTable solver(*table, scope_, "solver");
    solver.allow({"name", "tolerance", "time_limit", "finer", "on_failure"});
    SolverChoice& choice = scene_.solver;
    choice.name = solver.text("name").value_or(choice.name);
    choice.where = solver.where("name");
    choice.tolerance = solver.number("tolerance").value_or(choice.tolerance);
    if (!(choice.tolerance > 0)) solver.refuse("tolerance", "'tolerance' must be > 0");
    choice.time_limit = solver.number("time_limit").value_or(choice.time_limit);
    if (!(choice.time_limit > 0)) solver.refuse("time_limit", "'time_limit' must be > 0");
    choice.finer = solver.whole("finer").value_or(choice.finer);
    if (choice.finer < 0) solver.refuse("finer", "'finer' must be ≥ 0");
    choice.on_failure = OnFailure(solver.choice("on_failure", {"continue", "stop", "halve"}).value_or(0));
  }

  PointRule points_of(const SceneTable& table, PointRule otherwise) {
    const auto rule = table.choice("points", {"corners", "centroid", "gauss2", "all"});
    return rule ? PointRule(*rule) : otherwise;
  }

  void check_law(const SceneTable& table) {
    if (const auto mu = table.number("friction"); mu && !(*mu >= 0))
      table.refuse("friction", fmt::format("friction is {}; it must be ≥ 0", shortest(*mu)));
    if (const auto e = table.number("restitution"); e && !(*e >= 0 && *e <= 1))
      table.refuse("restitution", fmt::format("restitution is {}; it must lie in [0, 1]", shortest(*e)));
  }

  void read_contact(const SceneTable& top) {
    const toml::table* table = top.table("contact");
    if (!table) return;
    const SceneTable contact(*table, scope_, "contact");
    contact.allow({"friction", "restitution", "points", "rim_points"});
    check_law(contact);
    scene_.contact.rim_points = int(contact.whole("rim_points").value_or(scene_.contact.rim_points));
    if (scene_.contact.rim_points < 3 || scene_.contact.rim_points > 1024)
      contact.refuse("rim_points", "'rim_points' must lie in [3, 1024]");
    scene_.contact.friction = contact.number("friction").value_or(scene_.contact.friction);
    scene_.contact.restitution = contact.number("restitution").value_or(scene_.contact.restitution);
    scene_.contact.points = points_of(contact, scene_.contact.points);
  }

  void read_material(const toml::table& table) {
    const SceneTable unnamed(table, scope_, "material");
    const auto name = unnamed.text("name");
    if (!name) unnamed.refuse("name", "it needs a name");
    const SceneTable material(table, scope_, fmt::format("material '{}'", *name));
    material.allow({"name", "density", "young", "poisson"});
    for (const Material& other : scene_.materials)
      if (other.name == *name) material.refuse("name", "the name is taken by a material before it");
    Material read{.name = *name};
    if (const auto density = material.number("density")) {
      if (!(*density > 0))
        material.refuse("density", fmt::format("density is {}; it must be > 0", shortest(*density)));
      read.density = *density;
    }
    read.young = material.number("young");
    if (read.young && !(*read.young > 0))
      material.refuse("young", fmt::format("young is {}; it must be > 0", shortest(*read.young)));
    read.poisson = material.number("poisson");
    if (read.poisson && !(*read.poisson > -1 && *read.poisson < 0.5))
      material.refuse("poisson",
                      fmt::format("poisson is {}; it must lie in (-1, 0.5)", shortest(*read.poisson)));
    scene_.materials.push_back(read);
  }

  void read_pair(const toml::table& table) {
    const SceneTable pair(table, scope_, "pair");
    pair.allow({"between", "friction", "restitution", "points"});
    const auto between = pair.pair_of_texts("between");
    if (!between) pair.refuse("between", "it needs 'between', two materials");
    check_law(pair);
    PairLaw law{
        .between = *between, .friction = pair.number("friction"), .restitution = pair.number("restitution")};
    if (pair.has("points")) law.points = points_of(pair, PointRule::corners);
    law.where = pair.where();
    scene_.pairs.push_back(law);
  }

  /// The copies of a table with `count`: calls visit(scope with i, j, k; suffix of the name) for each.
  template <class Visit>
  void each_copy(const SceneTable& table, const Visit& visit) {
    std::array<long, 3> count = {1, 1, 1};
    if (table.has("count")) {
      const auto numbers = table.numbers("count", 3);
      for (std::size_t d = 0; d < 3; ++d) {
        const double n = (*numbers)[d];
        if (n != std::round(n) || n < 0) table.refuse("count", "'count' must be three whole numbers ≥ 0");
        count[d] = long(std::min(n, 1e9));
      }
      const double copies = double(count[0]) * double(count[1]) * double(count[2]);
      if (copies > most_copies)
        table.refuse("count", fmt::format("'count' makes more than {:g} copies", most_copies));
      if (copies == 0) return;
    }
    for (long i = 0; i < count[0]; ++i)
      for (long j = 0; j < count[1]; ++j)
        for (long k = 0; k < count[2]; ++k) {
          // The place of the copy, unless parameters have these names.
          Scope scope = scope_;
          for (const auto& [name, value] : {std::pair{"i", i}, std::pair{"j", j}, std::pair{"k", k}})
            if (std::find(scope_.names.begin(), scope_.names.end(), name) == scope_.names.end())
              scope = scope.with(name, double(value));
          if (table.has("if")) {
            const SceneTable one = table.in(scope);
            if (*one.number("if") == 0) continue;
          }
          visit(scope, table.has("count") ? fmt::format("[{},{},{}]", i, j, k) : std::string(), i, j, k);
        }
  }
  void read_bodies(const toml::table& table) {
    const SceneTable unnamed(table, scope_, fmt::format("body {}", scene_.bodies.size()));
    const auto name = unnamed.text("name");
    if (name && name->empty()) unnamed.refuse("name", "'name' must not be empty");
    const std::string what =
        name ? fmt::format("body '{}'", *name) : fmt::format("body 'body{}'", scene_.bodies.size());
    const SceneTable body(table, scope_, what);
    const auto kind = body.choice("kind", {"fixed", "driven", "rigid", "pseudo_rigid", "elements"});
    if (!kind) body.refuse("kind", "it needs a kind: fixed, driven, rigid, pseudo_rigid or elements");
    const bool elements = *kind == 4;
    std::vector<const char*> keys = {"name",     "kind",         "material", elements ? "mesh" : "shape",
                                     "position", "rotation",     "count",    "pitch",
                                     "if",       "allow_overlap"};
    const auto more = [&](std::initializer_list<const char*> own) {
      keys.insert(keys.end(), own.begin(), own.end());
    };
    if (*kind >= 1) more({"velocity", "angular_velocity"});
    if (*kind == 1) more({"centre"});
    if (*kind >= 2) more({"density", "mass"});
    if (*kind == 2) more({"inertia"});
    if (*kind == 3) more({"young", "poisson", "damping", "undeformed"});
    if (elements)
      more({"young", "poisson", "damping", "strain", "axes", "modes", "mass_matrix", "mass_damping", "hold",
            "reduced"});
    body.allow(keys);
    if (!elements && !body.has("shape")) body.refuse("shape", "it needs a shape");
    if (elements && !body.has("mesh")) body.refuse("mesh", "it needs a mesh");
    each_copy(body, [&](const Scope& scope, const std::string& suffix, long i, long j, long k) {
      const SceneTable copy(table, scope, name ? fmt::format("body '{}{}'", *name, suffix) : what);
      read_body(copy, BodyKind(*kind), name ? *name + suffix : std::string(),
                {double(i), double(j), double(k)});
    });
  }

  void read_body(const SceneTable& table, BodyKind kind, const std::string& name, const Point& copy) {
    SceneBody body;
    body.kind = kind;
    body.name = name;
    body.where = table.where();
    body.material = table.text("material").value_or("");
    body.allow_overlap = table.flag("allow_overlap").value_or(false);
    if (kind == BodyKind::elements) {
      body.mesh = read_element_table(SceneTable(*table.table("mesh"), table.scope(), table.what()), meshes_);
      body.elements = read_element_options(table);
    } else {
      body.shape = read_shape(SceneTable(*table.table("shape"), table.scope(), table.what()), {});
    }
    body.rotation = read_rotation(table, "rotation");
    body.position = table.point("position").value_or(in_place);
    const Point pitch = table.point("pitch").value_or(Point{0, 0, 0});
    if (table.has("pitch")) {
      const bool has_mass =
          !std::holds_alternative<Plane>(body.shape) && !std::holds_alternative<Mesh>(body.shape);
      if (kind == BodyKind::elements && std::isnan(body.position[0]))
        table.refuse("pitch", "copies of a body of elements need a 'position'");
      if (std::isnan(body.position[0]))
        body.position = has_mass ? mass_properties(body.shape).centre : Point{0, 0, 0};
      for (std::size_t d = 0; d < 3; ++d) body.position[d] += pitch[d] * copy[d];
    }
    if (kind == BodyKind::driven) {
      body.driven_velocity = table.signals("velocity").value_or(SignalVector{});
      body.driven_angular_velocity = table.signals("angular_velocity").value_or(SignalVector{});
      body.centre = table.point("centre").value_or(in_place);
    } else {
      body.velocity = table.point("velocity").value_or(body.velocity);
      body.angular_velocity = table.point("angular_velocity").value_or(body.angular_velocity);
    }
    const auto positive = [&](const char* key) {
      const auto x = table.number(key);
      if (x && !(*x > 0)) table.refuse(key, fmt::format("{} is {}; it must be > 0", key, shortest(*x)));
      return x;
    };
    body.density = positive("density").value_or(0);
    body.mass = positive("mass");
    body.inertia = table.point("inertia");
    body.young = positive("young");
    body.poisson = table.number("poisson");
    body.damping = table.number("damping").value_or(0);
    body.undeformed = table.flag("undeformed").value_or(false);
    scene_.bodies.push_back(std::move(body));
  }

  /// A name with {expressions} filled in.
  std::string filled(const SceneTable& table, const std::string& key, const std::string& text) {
    std::string name;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] != '{') {
        name += text[at++];
        continue;
      }
      const std::size_t end = text.find('}', at);
      if (end == std::string::npos) table.refuse(key, fmt::format("'{}': a {{ without }}", text));
      try {
        const double x =
            Expression(text.substr(at + 1, end - at - 1), table.scope().names).value(table.scope().values);
        name += fmt::format("{}", std::lround(x));
      } catch (const InputError& error) {
        table.refuse(key, error.what());
      }
      at = end + 1;
    }
    return name;
  }

  BodyIndex find_body(const SceneTable& table, const std::string& key, const std::string& text) {
    const std::string name = filled(table, key, text);
    if (name == "world" && key == "bodies") return world;
    try {
      return scene_.find(name);
    } catch (const InputError& error) {
      table.refuse(key, error.what());
    }
  }

  void read_joints(const toml::table& table) {
    const std::string what = fmt::format("joint {}", scene_.joints.size());
    const SceneTable joint(table, scope_, what);
    joint.allow({"kind", "bodies", "point", "axis", "other", "collide", "count", "if"});
    each_copy(joint, [&](const Scope& scope, const std::string&, long, long, long) {
      const SceneTable copy(table, scope, what);
      const auto kind = copy.choice("kind", {"ball", "hinge", "prismatic", "fixed", "distance"});
      if (!kind) copy.refuse("kind", "it needs a kind: ball, hinge, prismatic, fixed or distance");
      const auto names = copy.pair_of_texts("bodies");
      if (!names) copy.refuse("bodies", "it needs 'bodies', two names (one may be \"world\")");
      Joint read{.kind = JointKind(*kind)};
      read.first = find_body(copy, "bodies", (*names)[0]);
      read.second = find_body(copy, "bodies", (*names)[1]);
      read.point = copy.point("point").value_or(in_place);
      read.axis = copy.point("axis").value_or(read.axis);
      read.other = copy.point("other").value_or(in_place);
      if (copy.has("other") && read.kind != JointKind::distance)
        copy.refuse("other", "only a distance has another point");
      if (read.axis == Point{0, 0, 0}) copy.refuse("axis", "the axis must not be zero");
      read.collide = copy.flag("collide").value_or(false);
      read.where = copy.where();
      scene_.joints.push_back(read);
    });
  }

  void read_forces(const toml::table& table) {
    const std::string what = fmt::format("force {}", scene_.forces.size());
    const SceneTable force(table, scope_, what);
    force.allow({"body", "force", "torque", "point", "drag", "count", "if"});
    each_copy(force, [&](const Scope& scope, const std::string&, long, long, long) {
      const SceneTable copy(table, scope, what);
      const auto name = copy.text("body");
      if (!name) copy.refuse("body", "it needs a body");
      Force read{.body = find_body(copy, "body", *name)};
      read.force = copy.signals("force").value_or(SignalVector{});
      read.torque = copy.signals("torque").value_or(SignalVector{});
      read.point = copy.point("point").value_or(in_place);
      read.drag = copy.number("drag").value_or(0);
      if (!(read.drag >= 0)) copy.refuse("drag", "'drag' must be ≥ 0");
      read.where = copy.where();
      scene_.forces.push_back(read);
    });
  }

  /// The text with the values of parameters that were overridden.
  std::string filled_text() const {
    std::vector<std::tuple<std::size_t, std::size_t, std::string>> changes;
    for (const auto& [node, value] : replaced_)
      changes.emplace_back(byte_of(text_, node->source().begin), byte_of(text_, node->source().end),
                           shortest(value));
    std::sort(changes.begin(), changes.end());
    std::string filled;
    std::size_t at = 0;
    for (const auto& [begin, end, value] : changes) {
      filled += text_.substr(at, begin - at);
      filled += value;
      at = end;
    }
    filled += text_.substr(at);
    return filled;
  }

  std::string_view text_;
  std::vector<Parameter> overrides_;
  toml::table root_;
  Scope scope_;
  Scene scene_;
  KnownMeshes meshes_;
  std::vector<std::pair<const toml::node*, double>> replaced_;
};

}  // namespace

Scene parse_scene(std::string_view text, const std::vector<Parameter>& overrides, const std::string& name,
                  const std::string& folder) {
  try {
    return SceneReader(text, overrides, name, folder).read();
  } catch (const InputError& error) {
    throw InputError(one_line(error.what()));
  }
}

SceneSummary summarise_scene(std::string_view text, const std::string& name) {
  return SceneReader(text, {}, name, ".").summary();
}

Scene read_scene(const std::string& path, const std::vector<Parameter>& overrides) {
  std::ifstream in(path, std::ios::binary);
  if (!std::filesystem::is_regular_file(path) || !in)
    throw InputError(path + ": no such scene, or it cannot be read");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const std::string folder = std::filesystem::absolute(path).parent_path().string();
  return parse_scene(text, overrides, path, folder);
}

}  // namespace stickslip
