// 10: contact forces. A ladder leans at a smooth wall; the forces of its feet are those of statics. The run is recorded and exported.
//
//   build/release/examples/10_contact_forces
//
// Closed form: floor N = m g; wall and friction of the floor m g L cos θ/(2 (L sin θ + r)), by the moments about the foot.
#include <cmath>
#include <cstdio>
#include <stickslip/stickslip.hpp>

int main() {
  using namespace stickslip;
  constexpr double length = 2, radius = 0.02, mass = 8, g = 9.81, degrees = 60;
  const double angle = degrees * M_PI / 180;
  Scene scene{.gravity = {0, 0, -g}, .step = 1e-3};
  scene.pairs = {{.between = {"wood", "floor"}, .friction = 0.6},
                 {.between = {"wood", "wall"}, .friction = 0.0}};
  const auto floor = scene.add_fixed(Plane{}, {.material = "floor"});
  const auto wall = scene.add_fixed(Plane{.normal = {-1, 0, 0}}, {.material = "wall"});  // free where x < 0
  // A capsule along z, turned into the leaning direction; both ends touch.
  scene.add_rigid(Capsule{radius, length}, {.material = "wood",
                                            .mass = mass,
                                            .position = {-radius - 0.5 * length * std::cos(angle), 0,
                                                         radius + 0.5 * length * std::sin(angle)},
                                            .rotation = rotation_about({0, 1, 0}, 90 - degrees)});

  Simulation simulation(scene);
  Recorder recorder("10_contact_forces.h5", simulation);
  for (int k = 0; k < 200; ++k) {
    if (!simulation.step()) return 1;
    recorder.after_step(simulation);
  }
  recorder.finish(simulation);
  export_record("10_contact_forces.h5", "10_contact_forces.csv");

  // An impulse acts on the second body of its contact and is in world axes; divided by the step it is a force.
  double weight = 0, friction = 0, push = 0;
  for (const TouchingPoint& contact : simulation.contacts()) {
    const double sign = contact.body[1] == floor || contact.body[1] == wall ? -1 : 1;
    const bool at_floor = contact.body[0] == floor || contact.body[1] == floor;
    (at_floor ? weight : push) += sign * contact.impulse[at_floor ? 2 : 0] / scene.step;
    if (at_floor) friction += sign * contact.impulse[0] / scene.step;
  }
  // The foot touches at the height 0, the head at L sin θ + r.
  const double expected = mass * g * length * std::cos(angle) / (2 * (length * std::sin(angle) + radius));
  std::printf("floor, normal   %10.6f N   closed form %10.6f N\n", weight, mass * g);
  std::printf("floor, friction %10.6f N   closed form %10.6f N\n", friction, expected);
  std::printf("wall            %10.6f N   closed form %10.6f N\n", -push, expected);
  const double error =
      std::max({std::abs(weight - mass * g), std::abs(friction - expected), std::abs(-push - expected)});
  const bool good = error < 1e-6 * mass * g;
  std::puts(good ? "agrees with the closed form" : "does not agree with the closed form");
  return good ? 0 : 1;
}
