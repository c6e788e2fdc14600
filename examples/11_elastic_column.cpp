// 11: bodies of finite elements. A soft block lands on the floor and comes to rest under its own weight.
//
//   build/release/examples/11_elastic_column
//
// Closed form (ν = 0): the stress at height z is −ρ g (L − z), the whole is shorter by ρ g L²/(2 E), and the floor carries m g.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stickslip/stickslip.hpp>

int main() {
  constexpr double g = 9.81, density = 1000, young = 1e5, L = 0.4, side = 0.1;
  constexpr int layers = 8;
  stickslip::Scene scene{.gravity = {0, 0, -g}, .step = 2e-3, .scheme = stickslip::Scheme::linearly_implicit};
  scene.contact.friction = 0.3;
  scene.add_fixed(stickslip::Plane{});
  // Bodies that share a mesh share its matrices and their factorisation.
  const auto mesh =
      std::make_shared<stickslip::ElementMesh>(stickslip::block_mesh({side, side, L}, {2, 2, layers}));
  const auto block = scene.add_elements(mesh, {.density = density,
                                               .young = young,
                                               .poisson = 0.0,
                                               .damping = 5e-3,
                                               .position = {0, 0, L / 2 + 0.01}});

  stickslip::Simulation simulation(scene);
  simulation.run(4);

  double carried = 0;
  for (const stickslip::TouchingPoint& contact : simulation.contacts())
    carried += contact.impulse[2] / scene.step;
  double top = 0;
  const auto x = simulation.node_positions(block);
  for (std::size_t k = 2; k < x.size(); k += 3) top = std::max(top, x[k]);
  // The lowest layer carries what lies above its middle.
  double lowest = 0;
  for (const auto& stress : simulation.stresses(block)) lowest = std::min(lowest, stress[2]);
  const double weight = density * side * side * L * g, shorter = density * g * L * L / (2 * young),
               expected = -density * g * L * (1 - 0.5 / layers);
  std::printf("the floor carries %.6f N, closed form %.6f N\n", carried, weight);
  std::printf("shorter by        %.6f m, closed form %.6f m\n", L - top, shorter);
  std::printf("lowest stress     %.2f Pa, closed form %.2f Pa\n", lowest, expected);
  // At rest to what is left of the vibrations after 4 s; linear elements have these values exactly.
  const bool good = std::abs(carried - weight) < 1e-5 * weight && std::abs(L - top - shorter) < 1e-4 * L &&
                    std::abs(lowest - expected) < 1e-3 * -expected && simulation.counters().unconverged == 0;
  std::puts(good ? "agrees with the closed form" : "does not agree with the closed form");
  return good ? 0 : 1;
}
