// 09: a control loop. A block is held at a place on a floor by a controller that sees its position and applies a force step by step.
//
//   build/release/examples/09_control_loop
//
// The force is F = −k (x − x₀) − c v. Friction stops the block where |k (x − x₀)| ≤ μ m g: within μ m g/k of its goal, and not at it.
#include <cmath>
#include <cstdio>
#include <stickslip/stickslip.hpp>

int main() {
  constexpr double mass = 1, mu = 0.1, g = 9.81, goal = 0.5, k = 40, c = 8;
  stickslip::Scene scene{.gravity = {0, 0, -g}, .step = 1e-3, .contact = {.friction = mu}};
  scene.add_fixed(stickslip::Plane{});
  const auto block = scene.add_rigid(stickslip::Box{0.2, 0.2, 0.1}, {.mass = mass, .position = {0, 0, 0.05}});

  stickslip::Simulation simulation(scene);
  std::printf("time (s)   place (m)   force (N)   contacts\n");
  for (int step = 0; step < 2000; ++step) {
    const double force = -k * (simulation.position(block)[0] - goal) - c * simulation.velocity(block)[0];
    simulation.apply_force(block, {force, 0, 0});  // for the next step only
    if (!simulation.step()) return 1;
    if (step % 250 != 249) continue;
    int slipping = 0;
    for (const stickslip::TouchingPoint& contact : simulation.contacts())
      slipping += contact.status == stickslip::ContactStatus::slip;
    std::printf("%8.3f   %9.6f   %9.4f   %d slip\n", simulation.time(), simulation.position(block)[0], force,
                slipping);
  }
  const double away = std::abs(simulation.position(block)[0] - goal), dead_zone = mu * mass * g / k;
  const double speed = std::abs(simulation.velocity(block)[0]);
  std::printf("\n%.6f m from its goal; friction allows %.6f m; speed %.1e m/s\n", away, dead_zone, speed);
  const bool good = away <= dead_zone * (1 + 1e-9) && speed < 1e-9;
  std::puts(good ? "rests where friction holds it" : "does not rest");
  return good ? 0 : 1;
}
