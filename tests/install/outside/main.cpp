// Uses something of every public header, so that a header or a library that was not installed is noticed.
#include <cmath>
#include <cstdio>
#include <stickslip/stickslip.hpp>

int main(int argc, char** argv) try {
  const stickslip::ProblemFile file = stickslip::generate("random", {.size = 20});
  const stickslip::SolveResult result = stickslip::solve(file, {.tolerance = 1e-8}, "NSGS-AC");
  const stickslip::ReducedProblem reduced =
      stickslip::Reduction(std::get<stickslip::GlobalProblem>(file.problem)).reduced();
  const char* path = argc > 1 ? argv[1] : "outside.hdf5";
  stickslip::write_fclib(path, file);
  const bool global = stickslip::read_problem(path).is_global();
  std::printf("stickslip %s: %s, %d contacts, error %.1e\n", stickslip::version(),
              stickslip::name(result.status).data(),
              static_cast<int>(stickslip::statistics(reduced).contacts), result.error());
#ifdef WITH_DYNAMICS
  // A brick that rests on the floor.
  stickslip::Scene scene{.gravity = {0, 0, -9.81}, .step = 1e-3};
  scene.add_fixed(stickslip::Plane{});
  const auto brick =
      scene.add_rigid(stickslip::Box{0.2, 0.1, 0.05}, {.density = 2000, .position = {0, 0, 0.025}});
  stickslip::Simulation simulation(scene);
  stickslip::Recorder recorder("outside.h5", simulation);
  for (int k = 0; k < 10; ++k) simulation.step();
  recorder.finish(simulation);
  if (std::abs(simulation.position(brick)[2] - 0.025) > 1e-12 || simulation.contacts().size() != 4) return 1;
#endif
  return result.converged() && global ? 0 : 1;
} catch (const stickslip::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
