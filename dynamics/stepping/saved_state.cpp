#include "dynamics/stepping/saved_state.hpp"

#include "dynamics/stepping/state_bytes.hpp"

namespace stickslip::internal {
namespace {

constexpr std::uint64_t version = 0x7374617400000004;  // "stat", 4

/// What is saved, in one description for both directions. Seconds are left out: equal runs have equal bytes.
struct Saved {
  std::uint64_t version = 0, bodies = 0, corrected = 0;
  std::int64_t steps = 0;
  std::vector<BodyState> states;
  std::vector<double> joint_forces;
  std::vector<RememberedContact> memory;
  std::vector<TouchingPoint> contacts;
  std::vector<Load> extra;
  std::vector<char> warned_fast, warned_far;
  std::vector<std::uint64_t> detection;
  StepReport report;
  Counters counters;
  /// Of the bodies of elements in turn; not written where there are none.
  bool has_elements = false;
  std::vector<double> nodes = {};

  template <class Archive>
  void visit(Archive& archive) {
    const auto number = [](auto& to, auto& value) { to(value); };
    archive(version);
    archive(bodies);
    archive(steps);
    archive(corrected);
    archive.list(states, [](auto& to, BodyState& s) {
      to.numbers(s.x.data(), 3);
      to.numbers(s.Q.coeffs().data(), 4);
      for (Vector* v : {&s.v, &s.omega, &s.L}) to.numbers(v->data(), 3);
      to.numbers(s.F.data(), 9);
      to.numbers(s.rate.data(), 9);
    });
    archive.list(joint_forces, number);
    archive.list(memory, [](auto& to, RememberedContact& c) {
      to(c.a);
      to(c.b);
      to(c.key);
      to.numbers(c.point.data(), 3);
      to.numbers(c.force.data(), 3);
      to.numbers(c.velocity.data(), 3);
      for (double* x : {&c.gap, &c.approach, &c.loaded}) to(*x);
    });
    archive.list(contacts, [](auto& to, TouchingPoint& c) {
      to.numbers(c.body.data(), 2);
      to(c.key);
      for (Point* p : {&c.point, &c.normal, &c.impulse, &c.velocity}) to.numbers(p->data(), 3);
      for (double* x : {&c.gap, &c.area, &c.work, &c.friction}) to(*x);
      to(c.status);
    });
    archive.list(extra, [](auto& to, Load& load) {
      to.numbers(load.force.data(), 3);
      to.numbers(load.torque.data(), 3);
      to.numbers(load.couple.data(), 9);
      to(load.drag);
    });
    archive.list(warned_fast, number);
    archive.list(warned_far, number);
    archive.list(detection, number);
    archive(report.contacts);
    archive(report.iterations);
    archive(report.converged);
    for (double* x : {&report.error, &report.kinetic, &report.potential, &report.elastic,
                      &report.contact_work, &report.penetration})
      archive(*x);
    for (long* x : {&counters.steps, &counters.unconverged, &counters.halved, &counters.corrections,
                    &counters.contacts_max})
      archive(*x);
    for (double* x : {&counters.correction_energy, &counters.contacts_sum, &counters.iterations_sum,
                      &counters.error_max, &counters.dissipated, &counters.penetration_max})
      archive(*x);
    if (has_elements) archive.list(nodes, number);
  }
};

}  // namespace

std::vector<std::byte> save_state(const Stepper& stepper, long steps) {
  Saved saved{.version = version,
              .bodies = stepper.model.bodies.models.size(),
              .corrected = stepper.corrected,
              .steps = steps,
              .states = stepper.model.bodies.states,
              .joint_forces = stepper.joint_forces,
              .memory = stepper.memory.last,
              .contacts = stepper.contacts,
              .extra = stepper.extra,
              .warned_fast = stepper.warned_fast,
              .warned_far = stepper.warned_far,
              .detection = stepper.model.detector.memory(),
              .report = stepper.report,
              .counters = stepper.counters};
  saved.has_elements = !stepper.model.bodies.elements.empty();
  for (const ElementBody& body : stepper.model.bodies.elements)
    for (const Eigen::VectorXd* part : {&body.x, &body.v})
      saved.nodes.insert(saved.nodes.end(), part->data(), part->data() + part->size());
  ByteWriter writer;
  saved.visit(writer);
  return std::move(writer.bytes);
}

long restore_state(Stepper& stepper, std::span<const std::byte> bytes) {
  const std::size_t n = stepper.model.bodies.models.size();
  Saved saved;
  saved.has_elements = !stepper.model.bodies.elements.empty();
  ByteReader reader(bytes);
  saved.visit(reader);
  if (saved.version != version || !reader.at_end())
    throw InputError("saved state: it is not one, or of another version");
  if (saved.bodies != n || saved.states.size() != n || (!saved.extra.empty() && saved.extra.size() != n) ||
      saved.warned_fast.size() != n || saved.warned_far.size() != n ||
      saved.joint_forces.size() != stepper.joint_forces.size())
    throw InputError("saved state: it belongs to another scene");
  std::size_t numbers = 0;
  for (const ElementBody& body : stepper.model.bodies.elements) numbers += 2 * std::size_t(body.rows());
  if (saved.nodes.size() != numbers) throw InputError("saved state: it belongs to another scene");
  const double* from = saved.nodes.data();
  for (ElementBody& body : stepper.model.bodies.elements)
    for (Eigen::VectorXd* part : {&body.x, &body.v}) {
      std::copy_n(from, part->size(), part->data());
      from += part->size();
    }
  stepper.model.detector.restore(saved.detection);
  stepper.model.bodies.states = std::move(saved.states);
  stepper.joint_forces = std::move(saved.joint_forces);
  stepper.memory.last = std::move(saved.memory);
  stepper.contacts = std::move(saved.contacts);
  stepper.extra = std::move(saved.extra);
  stepper.warned_fast = std::move(saved.warned_fast);
  stepper.warned_far = std::move(saved.warned_far);
  stepper.report = saved.report;
  stepper.counters = saved.counters;
  stepper.corrected = saved.corrected != 0;
  return long(saved.steps);
}

}  // namespace stickslip::internal
