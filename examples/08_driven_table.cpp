// 08: a driven body. A table is pushed with half of g for 0.2 s and goes on at that speed; a block on it slips and catches up.
//
//   build/release/examples/08_driven_table
//
// Closed form (Newmark 1965): the block slides back by (a t₀)²/(2 μ g) · (1 − μ g/a), and slips until t = a t₀/(μ g).
#include <cmath>
#include <cstdio>
#include <stickslip/stickslip.hpp>

int main() {
  constexpr double g = 9.81, mu = 0.2, a = 0.5 * g, pushed = 0.2;
  stickslip::Scene scene{.gravity = {0, 0, -g}, .step = 1e-4, .contact = {.friction = mu}};
  // Its speed is an expression of t; a function of t would do as well.
  const auto table = scene.add_driven(
      stickslip::Box{4, 1, 0.1}, {.position = {0, 0, -0.05}, .velocity = {"0.5*9.81*min(t, 0.2)", 0, 0}});
  const auto block = scene.add_rigid(stickslip::Box{0.2, 0.2, 0.1}, {.mass = 1.0, .position = {0, 0, 0.05}});

  stickslip::Simulation simulation(scene);
  double slipped_until = 0;
  simulation.run(0.8, [&](const stickslip::Simulation& now) {
    for (const stickslip::TouchingPoint& contact : now.contacts())
      if (contact.status == stickslip::ContactStatus::slip) slipped_until = now.time();
    return false;  // go on
  });
  const double slid = simulation.position(table)[0] - simulation.position(block)[0];
  const double expected = std::pow(a * pushed, 2) / (2 * mu * g) * (1 - mu * g / a),
               end = a * pushed / (mu * g);
  std::printf("slides back by %.6f m, closed form %.6f m\n", slid, expected);
  std::printf("slips until    %.4f s, closed form %.4f s\n", slipped_until, end);
  // Times of events are found to a few steps of 1e-4 s, at a relative speed of at most 1 m/s.
  const bool good = std::abs(slid - expected) < 2e-4 && std::abs(slipped_until - end) < 1e-3;
  std::puts(good ? "agrees with the closed form" : "does not agree with the closed form");
  return good ? 0 : 1;
}
