// A brick that rests on the floor, recorded beside the path that is given.
#include <cmath>
#include <cstdio>
#include <stickslip/stickslip.hpp>
#include <string>

int main(int argc, char** argv) try {
  stickslip::Scene scene{.gravity = {0, 0, -9.81}, .step = 1e-3};
  scene.add_fixed(stickslip::Plane{});
  const auto brick =
      scene.add_rigid(stickslip::Box{0.2, 0.1, 0.05}, {.density = 2000, .position = {0, 0, 0.025}});
  stickslip::Simulation simulation(scene);
  stickslip::Recorder recorder(std::string(argc > 1 ? argv[1] : "moving") + ".h5", simulation);
  for (int k = 0; k < 10; ++k) simulation.step();
  recorder.finish(simulation);
  std::printf("%zu contacts at t = %g s\n", simulation.contacts().size(), simulation.time());
  return std::abs(simulation.position(brick)[2] - 0.025) < 1e-12 && simulation.contacts().size() == 4 ? 0 : 1;
} catch (const stickslip::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
