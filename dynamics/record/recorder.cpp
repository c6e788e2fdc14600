#include <fmt/format.h>

#include <algorithm>

#include "dynamics/record/growing_file.hpp"
#include "dynamics/record/record_reader.hpp"
#include "dynamics/record/recorded_bodies.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/record.hpp"
#include "stickslip/version.hpp"

namespace stickslip {

using namespace internal;

namespace {

bool moves(const SceneBody& body) { return body.kind != BodyKind::fixed && body.kind != BodyKind::driven; }

/// The radius of the ball of the same volume, by which ParaView draws a body; of elements: of the same bounds.
double radius_of(const SceneBody& body) {
  double volume = 1;
  if (body.kind == BodyKind::elements)
    for (std::size_t d = 0; d < 3; ++d) {
      const auto [low, high] =
          std::minmax_element(body.mesh->nodes.begin(), body.mesh->nodes.end(),
                              [&](const Point& p, const Point& q) { return p[d] < q[d]; });
      volume *= (*high)[d] - (*low)[d];
    }
  else
    volume = mass_properties(body.shape).volume;
  return std::cbrt(0.75 / M_PI * volume);
}

}  // namespace

struct Recorder::State {
  explicit State(GrowingFile given) : file(std::move(given)) {}

  GrowingFile file;
  std::vector<BodyIndex> bodies;    // that move
  std::vector<std::int32_t> place;  // of each body of the scene among them, −1: none
  std::vector<BodyIndex> elements;  // bodies of elements
  std::vector<BodyIndex> driven;
  bool deforms = false;
  long last = -1;  // the step that was recorded last

  // Datasets.
  int time = 0, position = 0, orientation = 0, velocity = 0, deformation = 0;
  int driven_position = 0, driven_orientation = 0, driven_velocity = 0;
  int start = 0, body = 0, key = 0, point = 0, normal = 0, gap = 0, impulse = 0, contact_velocity = 0,
      status = 0, work = 0, area = 0, friction = 0;
  int contacts = 0, iterations = 0, error = 0, step_status = 0, kinetic = 0, potential = 0, elastic = 0,
      contact_work = 0, penetration = 0;
  int number_of_points = 0, number_of_cells = 0, number_of_ids = 0, number_of_parts = 0;
  std::vector<int> zero_offsets, point_offsets;
  int saved = 0;
  int node_position = 0, node_velocity = 0, stress = 0, strain_energy = 0, pressure = 0;

  // Memory that is used again.
  std::vector<double> numbers;

  void lay_out(const Simulation& simulation);
  void lay_out_vtk(const Simulation& simulation);
  void lay_out_elements(const Scene& scene);
  void record_elements(const Simulation& simulation);
  void record(const Simulation& simulation);
  void add_step(const Simulation& simulation);
  void add_contacts(const Simulation& simulation);

  void append_motion(const Simulation& simulation, const std::vector<BodyIndex>& of, int positions,
                     int orientations, int velocities);
  template <class Fill>
  void append_bodies(int dataset, std::size_t width, const std::vector<BodyIndex>& of, const Fill& fill) {
    numbers.resize(of.size() * width);
    for (std::size_t b = 0; b < of.size(); ++b) fill(of[b], &numbers[b * width]);
    file.append(dataset, numbers.data(), 1);
  }
  void append_number(int dataset, double x) { file.append(dataset, &x, 1); }
  void append_count(int dataset, std::int64_t x) { file.append(dataset, &x, 1); }
};

void Recorder::State::lay_out(const Simulation& simulation) {
  const Scene& scene = simulation.scene();
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const SceneBody& described = scene.bodies[b];
    place.push_back(moves(described) ? std::int32_t(bodies.size()) : -1);
    if (described.kind == BodyKind::driven) driven.push_back(BodyIndex(b));
    if (!moves(described)) continue;
    bodies.push_back(BodyIndex(b));
    deforms = deforms || described.kind == BodyKind::pseudo_rigid || described.kind == BodyKind::elements;
    if (described.kind == BodyKind::elements) elements.push_back(BodyIndex(b));
  }
  const std::uint64_t B = bodies.size();
  const std::string root = "/stickslip";
  file.attribute(root, "version", std::string(version()));
  file.attribute(root, "title", scene.title);
  file.attribute(root, "scene", scene.source);
  file.attribute(root, "step", scene.step);
  file.attribute(root, "every", std::vector<std::int64_t>{scene.every});
  lay_out_bodies(file, simulation, bodies);

  const Element f64{ElementType::f64}, i64{ElementType::i64}, i32{ElementType::i32}, u64{ElementType::u64},
      u8{ElementType::u8};
  time = file.growing(root + "/time", f64, {});
  position = file.growing(root + "/position", f64, {B, 3});
  orientation = file.growing(root + "/orientation", f64, {B, 4});
  velocity = file.growing(root + "/velocity", f64, {B, 6});
  if (deforms) deformation = file.growing(root + "/deformation", f64, {B, 9});
  if (const std::uint64_t D = driven.size(); D > 0) {
    driven_position = file.growing(root + "/driven/position", f64, {D, 3});
    driven_orientation = file.growing(root + "/driven/orientation", f64, {D, 4});
    driven_velocity = file.growing(root + "/driven/velocity", f64, {D, 6});
  }
  const std::string contact = root + "/contact/";
  start = file.growing(contact + "start", i64, {});
  body = file.growing(contact + "body", i32, {2});
  key = file.growing(contact + "key", u64, {});
  point = file.growing(contact + "point", f64, {3});
  normal = file.growing(contact + "normal", f64, {3});
  gap = file.growing(contact + "gap", f64, {});
  impulse = file.growing(contact + "impulse", f64, {3});
  contact_velocity = file.growing(contact + "velocity", f64, {3});
  status = file.growing(contact + "status", u8, {});
  work = file.growing(contact + "work", f64, {});
  area = file.growing(contact + "area", f64, {});
  friction = file.growing(contact + "friction", f64, {});
  const std::string step = root + "/step/";
  contacts = file.growing(step + "contacts", i64, {});
  iterations = file.growing(step + "iterations", i64, {});
  error = file.growing(step + "error", f64, {});
  step_status = file.growing(step + "status", u8, {});
  kinetic = file.growing(step + "kinetic", f64, {});
  potential = file.growing(step + "potential", f64, {});
  elastic = file.growing(step + "elastic", f64, {});
  contact_work = file.growing(step + "contact_work", f64, {});
  penetration = file.growing(step + "penetration", f64, {});
  if (!elements.empty()) lay_out_elements(scene);
  lay_out_vtk(simulation);
  saved = file.replaced(root + "/restart/state");
  file.keep_bookkeeping(root + "/restart/file");
}

/// Meshes of the bodies of elements one behind the other, and what their nodes and elements do.
void Recorder::State::lay_out_elements(const Scene& scene) {
  std::vector<std::int32_t> body_of, nodes;
  std::vector<std::int64_t> node_start = {0}, element_start = {0}, list_start = {0};
  std::vector<std::string> kinds;
  std::vector<double> rest;
  for (BodyIndex b : elements) {
    const ElementMesh& mesh = *scene.bodies[std::size_t(b)].mesh;
    body_of.push_back(place[std::size_t(b)]);
    kinds.emplace_back(name_of(mesh.kind));
    node_start.push_back(node_start.back() + std::int64_t(mesh.nodes.size()));
    element_start.push_back(element_start.back() + mesh.count());
    nodes.insert(nodes.end(), mesh.elements.begin(), mesh.elements.end());
    list_start.push_back(std::int64_t(nodes.size()));
    for (const Point& p : mesh.nodes) rest.insert(rest.end(), p.begin(), p.end());
  }
  const std::uint64_t E = elements.size(), N = std::uint64_t(node_start.back()),
                      C = std::uint64_t(element_start.back());
  const std::string root = "/stickslip/elements/";
  const Element f64{ElementType::f64}, i64{ElementType::i64}, i32{ElementType::i32};
  file.fixed(root + "body", i32, {E}, body_of.data());
  file.fixed(root + "kind", kinds);
  file.fixed(root + "node_start", i64, {E + 1}, node_start.data());
  file.fixed(root + "element_start", i64, {E + 1}, element_start.data());
  file.fixed(root + "list_start", i64, {E + 1}, list_start.data());
  file.fixed(root + "list", i32, {nodes.size()}, nodes.data());
  file.fixed(root + "rest", f64, {N, 3}, rest.data());
  node_position = file.growing(root + "position", f64, {N, 3});
  node_velocity = file.growing(root + "velocity", f64, {N, 3});
  stress = file.growing(root + "stress", f64, {C, 6});
  strain_energy = file.growing(root + "energy", f64, {E});
  pressure = file.growing("/stickslip/contact/pressure", f64, {});
}

void Recorder::State::record_elements(const Simulation& simulation) {
  const auto append = [&](int dataset, const auto& part) {
    numbers.clear();
    for (BodyIndex b : elements) part(b);
    file.append(dataset, numbers.data(), 1);
  };
  const auto add_all = [&](std::span<const double> x) { numbers.insert(numbers.end(), x.begin(), x.end()); };
  append(node_position, [&](BodyIndex b) { add_all(simulation.node_positions(b)); });
  append(node_velocity, [&](BodyIndex b) { add_all(simulation.node_velocities(b)); });
  append(stress, [&](BodyIndex b) {
    for (const auto& s : simulation.stresses(b)) add_all(s);
  });
  append(strain_energy, [&](BodyIndex b) { numbers.push_back(simulation.strain_energy(b)); });
  numbers.clear();
  for (const TouchingPoint& c : simulation.contacts()) {
    const double pushed =
        c.impulse[0] * c.normal[0] + c.impulse[1] * c.normal[1] + c.impulse[2] * c.normal[2];
    numbers.push_back(c.area > 0 ? pushed / (c.area * simulation.scene().step) : 0);
  }
  file.append(pressure, numbers.data(), numbers.size());
}

/// The bodies as points in time, as ParaView reads them. Points and velocities are those of the record, under other names; cells, radii
/// and numbers are the same at every time.
void Recorder::State::lay_out_vtk(const Simulation& simulation) {
  const std::uint64_t B = bodies.size();
  const std::string vtk = "/VTKHDF";
  file.attribute(vtk, "Version", std::vector<std::int64_t>{2, 0});
  file.short_attribute(vtk, "Type", "UnstructuredGrid");
  const Element f64{ElementType::f64}, i64{ElementType::i64}, u8{ElementType::u8};
  std::vector<std::int64_t> ids(B), offsets(B + 1);
  std::vector<std::uint8_t> types(B, 1);  // vertices
  std::vector<double> radii;
  for (std::size_t b = 0; b < B; ++b) {
    ids[b] = std::int64_t(b);
    offsets[b + 1] = std::int64_t(b) + 1;
    radii.push_back(radius_of(simulation.scene().bodies[std::size_t(bodies[b])]));
  }
  file.alias(vtk + "/Points", position, B, {3});
  file.fixed(vtk + "/Connectivity", i64, {B}, ids.data());
  file.fixed(vtk + "/Offsets", i64, {B + 1}, offsets.data());
  file.fixed(vtk + "/Types", u8, {B}, types.data());
  number_of_points = file.growing(vtk + "/NumberOfPoints", i64, {});
  number_of_cells = file.growing(vtk + "/NumberOfCells", i64, {});
  number_of_ids = file.growing(vtk + "/NumberOfConnectivityIds", i64, {});
  file.fixed(vtk + "/PointData/radius", f64, {B}, radii.data());
  file.fixed(vtk + "/PointData/body", i64, {B}, ids.data());
  file.alias(vtk + "/PointData/quaternion", orientation, B, {4});
  file.alias(vtk + "/PointData/velocity", velocity, B, {6});
  const std::string steps = vtk + "/Steps";
  file.attribute(steps, "NSteps", std::vector<std::int64_t>{0});
  file.alias(steps + "/Values", time, 1, {});
  number_of_parts = file.growing(steps + "/NumberOfParts", i64, {});
  // Parts are counted from 0 at every time; points move on by B, everything that stays has the offset 0.
  point_offsets.push_back(file.growing(steps + "/PointOffsets", i64, {}));
  zero_offsets.push_back(file.growing(steps + "/PartOffsets", i64, {}));
  zero_offsets.push_back(file.growing(steps + "/CellOffsets", i64, {1}));
  zero_offsets.push_back(file.growing(steps + "/ConnectivityIdOffsets", i64, {1}));
  for (const char* name : {"quaternion", "velocity"})
    point_offsets.push_back(file.growing(steps + "/PointDataOffsets/" + name, i64, {}));
  for (const char* name : {"radius", "body"})
    zero_offsets.push_back(file.growing(steps + "/PointDataOffsets/" + name, i64, {}));
}

void Recorder::State::add_contacts(const Simulation& simulation) {
  const auto all = simulation.contacts();
  const auto column = [&](int dataset, auto&& value) {
    using T = std::decay_t<decltype(value(all[0]))>;
    std::vector<T> values;
    values.reserve(all.size());
    for (const TouchingPoint& c : all) values.push_back(value(c));
    file.append(dataset, values.data(), values.size());
  };
  column(body, [&](const TouchingPoint& c) {
    return std::array<std::int32_t, 2>{place[std::size_t(c.body[0])], place[std::size_t(c.body[1])]};
  });
  column(key, [](const TouchingPoint& c) { return c.key; });
  column(point, [](const TouchingPoint& c) { return c.point; });
  column(normal, [](const TouchingPoint& c) { return c.normal; });
  column(gap, [](const TouchingPoint& c) { return c.gap; });
  column(impulse, [](const TouchingPoint& c) { return c.impulse; });
  column(contact_velocity, [](const TouchingPoint& c) { return c.velocity; });
  column(status, [](const TouchingPoint& c) { return std::uint8_t(c.status); });
  column(work, [](const TouchingPoint& c) { return c.work; });
  column(area, [](const TouchingPoint& c) { return c.area; });
  column(friction, [](const TouchingPoint& c) { return c.friction; });
}

void Recorder::State::append_motion(const Simulation& simulation, const std::vector<BodyIndex>& of,
                                    int positions, int orientations, int velocities) {
  append_bodies(positions, 3, of,
                [&](BodyIndex b, double* to) { std::copy_n(simulation.position(b).data(), 3, to); });
  append_bodies(orientations, 4, of,
                [&](BodyIndex b, double* to) { std::copy_n(simulation.orientation(b).data(), 4, to); });
  append_bodies(velocities, 6, of, [&](BodyIndex b, double* to) {
    std::copy_n(simulation.velocity(b).data(), 3, to);
    std::copy_n(simulation.angular_velocity(b).data(), 3, to + 3);
  });
}

void Recorder::State::record(const Simulation& simulation) {
  append_number(time, simulation.time());
  append_motion(simulation, bodies, position, orientation, velocity);
  if (!driven.empty())
    append_motion(simulation, driven, driven_position, driven_orientation, driven_velocity);
  if (deforms)
    append_bodies(deformation, 9, bodies,
                  [&](BodyIndex b, double* to) { std::copy_n(simulation.deformation(b).data(), 9, to); });
  if (!elements.empty()) record_elements(simulation);
  if (file.rows(start) == 0) append_count(start, 0);
  add_contacts(simulation);
  append_count(start, std::int64_t(file.rows(key)));

  const auto B = std::int64_t(bodies.size()), T = std::int64_t(file.rows(time));
  for (int dataset : {number_of_points, number_of_cells, number_of_ids}) append_count(dataset, B);
  append_count(number_of_parts, 1);
  for (int dataset : zero_offsets) append_count(dataset, 0);
  for (int dataset : point_offsets) append_count(dataset, (T - 1) * B);
  file.set("/VTKHDF/Steps", "NSteps", T);

  file.replace(saved, simulation.save());
  file.commit();
  last = simulation.steps();
}

void Recorder::State::add_step(const Simulation& simulation) {
  const StepReport& report = simulation.report();
  append_count(contacts, report.contacts);
  append_count(iterations, report.iterations);
  append_number(error, report.error);
  const std::uint8_t state = report.converged ? 0 : 1;
  file.append(step_status, &state, 1);
  append_number(kinetic, report.kinetic);
  append_number(potential, report.potential);
  append_number(elastic, report.elastic);
  append_number(contact_work, report.contact_work);
  append_number(penetration, report.penetration);
}

Recorder::Recorder(const std::filesystem::path& path, const Simulation& simulation)
    : state_(std::make_unique<State>(GrowingFile(path))) {
  state_->lay_out(simulation);
  state_->record(simulation);
}

Recorder::Recorder(std::unique_ptr<State> state) : state_(std::move(state)) {}

Recorder Recorder::resume(const std::filesystem::path& path, Simulation& simulation) {
  const RecordReader reader(path);
  if (reader.text("scene") != simulation.scene().source || reader.number("step") != simulation.scene().step)
    throw InputError(
        fmt::format("{}: it is the record of another scene; without --resume it is replaced", path.string()));
  simulation.restore(reader.bytes("/stickslip/restart/state"));
  auto state = std::make_unique<State>(GrowingFile(path, reader.bytes("/stickslip/restart/file")));
  state->lay_out(simulation);
  state->file.set("/VTKHDF/Steps", "NSteps", std::int64_t(state->file.rows(state->time)));
  state->last = simulation.steps();
  return Recorder(std::move(state));
}

Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;

void Recorder::after_step(const Simulation& simulation) {
  state_->add_step(simulation);
  if (simulation.steps() % simulation.scene().every == 0) state_->record(simulation);
}

void Recorder::finish(const Simulation& simulation) {
  if (!recorded(simulation)) state_->record(simulation);
}

bool Recorder::recorded(const Simulation& simulation) const { return state_->last == simulation.steps(); }

}  // namespace stickslip
