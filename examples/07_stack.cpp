// 07: a scene in code. Ten boxes stand on each other, and the force between two of them carries what lies above.
//
//   build/release/examples/07_stack
//
// Closed form: the normal force under box k of N is (N − k) m g, and nothing moves.
#include <cmath>
#include <cstdio>
#include <stickslip/stickslip.hpp>

int main() {
  constexpr int boxes = 10;
  constexpr double mass = 2, g = 9.81;
  stickslip::Scene scene{.gravity = {0, 0, -g}, .step = 1e-3};
  scene.add_fixed(stickslip::Plane{});
  for (int k = 0; k < boxes; ++k)
    scene.add_rigid(stickslip::Box{0.2, 0.2, 0.1}, {.mass = mass, .position = {0, 0, 0.05 + 0.1 * k}});

  stickslip::Simulation simulation(scene);
  for (int k = 0; k < 1000; ++k) simulation.step();

  // Contacts are sorted by bodies; each joint between two boxes has four.
  double under[boxes] = {};
  for (const stickslip::TouchingPoint& contact : simulation.contacts())
    under[contact.body[1] - 1] += contact.impulse[2] / scene.step;
  std::printf("box   force under it (N)   closed form   height (m)\n");
  double worst = 0;
  for (int k = 0; k < boxes; ++k) {
    const double expected = (boxes - k) * mass * g;
    std::printf("%3d   %18.9f   %11.4f   %10.7f\n", k, under[k], expected, simulation.position(k + 1)[2]);
    worst = std::max(worst, std::abs(under[k] - expected) / expected);
    worst = std::max(worst, std::abs(simulation.position(k + 1)[2] - 0.05 - 0.1 * k));
  }
  std::printf("\n%.1f iterations a step; largest error %.1e\n",
              simulation.counters().iterations_sum / double(simulation.steps()), worst);
  const bool good = worst < 1e-8 && simulation.counters().unconverged == 0;
  std::puts(good ? "agrees with the closed form" : "does not agree with the closed form");
  return good ? 0 : 1;
}
