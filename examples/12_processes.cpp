// 12: several processes. A packing of spheres is solved by all of them, then a scene moves; both have the bits of one process.
//
//   mpirun -n 2 build/release/examples/12_processes
//
// Every process makes the same calls. Process 0 has the problem and the result.
#include <cmath>
#include <cstdio>
#include <stickslip/generate.hpp>
#include <stickslip/mpi.hpp>
#include <stickslip/stickslip.hpp>
#include <variant>

namespace {

int run() {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  // 1. Process 0 makes or reads the problem, in global form.
  std::unique_ptr<stickslip::GlobalProblem> problem;
  if (rank == 0)
    problem = std::make_unique<stickslip::GlobalProblem>(
        std::get<stickslip::GlobalProblem>(stickslip::generate("spheres", {.size = 12000}).problem));

  // 2. All solve it. From 10,000 contacts on there is something to share.
  const std::string name = "gs(form=velocity)";
  stickslip::mpi::Solver solver(name, MPI_COMM_WORLD);
  const stickslip::SolveRequest request{.tolerance = 1e-9, .max_iterations = 20};
  const stickslip::SolveResult result = solver.solve(problem.get(), request);

  // 3. One process alone gets the same bits.
  bool good = result.iterations == 20;
  if (problem) {
    const stickslip::SolveResult alone = stickslip::Solver(name).solve(*problem, request);
    good = good && alone.r == result.r && alone.error() == result.error();
    std::printf("%d processes, %d contacts: error %.3e after %ld sweeps, %s\n", size,
                int(problem->contacts()), result.error(), result.iterations,
                good ? "the bits of one" : "other bits than one");
  }

  // 4. A scene whose large steps they share; a brick that slides to rest: v²/(2 μ g).
  constexpr double g = 9.81, mu = 0.3, v = 1;
  stickslip::Scene scene{.gravity = {0, 0, -g}, .step = 4e-3};
  scene.contact.friction = mu;
  scene.add_fixed(stickslip::Plane{});
  const auto brick = scene.add_rigid(stickslip::Box{0.2, 0.1, 0.05},
                                     {.density = 2000, .position = {0, 0, 0.025}, .velocity = {v, 0, 0}});
  stickslip::mpi::Simulation simulation(scene, MPI_COMM_WORLD);
  good = simulation.run(1) && good;
  if (const stickslip::Simulation* whole = simulation.whole()) {
    const double way = whole->position(brick)[0], expected = v * v / (2 * mu * g);
    std::printf("the brick slid %.4f m, closed form %.4f m\n", way, expected);
    good = good && std::abs(way - expected) < 2 * v * scene.step;  // the first and the last step
  }
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = run();
  MPI_Finalize();
  return status;
}
