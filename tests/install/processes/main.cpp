// A brick that rests on the floor, by as many processes as there are: here one.
#include <cmath>
#include <cstdio>
#include <stickslip/mpi.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool good = false;
  {
    stickslip::Scene scene{.gravity = {0, 0, -9.81}, .step = 1e-3};
    scene.add_fixed(stickslip::Plane{});
    const auto brick =
        scene.add_rigid(stickslip::Box{0.2, 0.1, 0.05}, {.density = 2000, .position = {0, 0, 0.025}});
    stickslip::mpi::Simulation simulation(scene, MPI_COMM_WORLD);
    good = simulation.run(0.01);
    if (const auto* whole = simulation.whole()) {
      std::printf("%zu contacts at t = %g s\n", whole->contacts().size(), whole->time());
      good = good && std::abs(whole->position(brick)[2] - 0.025) < 1e-9 && whole->contacts().size() == 4;
    }
  }
  MPI_Finalize();
  return good ? 0 : 1;
}
