// bench_equal_bodies [N...]: elastic bodies that are equal, on a floor: time of a step and memory against their number.
//
// Cubes of 6 × 6 × 6 hexahedra (343 nodes) that lie apart from each other, whole, then with a reduced basis. Times are those of the processor; memory is what the
// process has in use. One body pays for the matrices, all others for their own state.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <vector>

#include "stickslip/simulation.hpp"

namespace {

using namespace stickslip;

double processor_time() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// MiB in use.
double memory() {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;)
    if (word == "VmRSS:") {
      double kilobytes = 0;
      file >> kilobytes;
      return kilobytes / 1024;
    }
  return 0;
}

Scene bodies(int count, bool reduced) {
  Scene scene{.step = 5e-4, .scheme = Scheme::linearly_implicit};
  scene.contact.points = PointRule::centroid;
  scene.add_fixed(Plane{});
  ElementOptions options;
  if (reduced)
    options.reduced = ReducedElements{.modes = 20, .interface = {{{{-1, -1, -0.051}, {1, 1, -0.049}}}}};
  const auto mesh = std::make_shared<ElementMesh>(block_mesh({0.1, 0.1, 0.1}, {6, 6, 6}));
  const int side = int(std::ceil(std::sqrt(double(count))));
  for (int k = 0; k < count; ++k)
    scene.add_elements(mesh, {.density = 1000,
                              .young = 1e9,
                              .poisson = 0.25,
                              .damping = 5e-4,
                              .options = options,
                              .position = {0.2 * (k % side), 0.2 * (k / side), 0.05}});
  return scene;
}

void measure(int count, bool reduced) {
  const double before = memory(), start = processor_time();
  Simulation simulation(bodies(count, reduced));
  simulation.step();
  const double ready = processor_time() - start;
  const int steps = count >= 1000 ? 10 : 50;
  for (int k = 0; k < steps; ++k) simulation.step();
  const double step = (processor_time() - start - ready) / steps;
  fmt::print("| {} | {} | {} | {:.3f} | {:.1f} | {:.3f} | {:.4f} | {} |\n", count,
             reduced ? "reduced" : "whole", simulation.contacts().size(), ready, memory() - before,
             1e3 * step, 1e3 * step / count, simulation.counters().unconverged);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> counts;
  for (int k = 1; k < argc; ++k) counts.push_back(std::atoi(argv[k]));
  if (counts.empty()) counts = {1, 10, 100, 1000};
  fmt::print(
      "| bodies | basis | contacts | set-up, s | memory, MiB | a step, ms | a body and step, ms | unsolved "
      "|\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  std::fflush(stdout);
  for (const bool reduced : {false, true})
    for (int count : counts) {
      // A process each, so that the memory is its own.
      const pid_t child = fork();
      if (child == 0) {
        measure(count, reduced);
        std::_Exit(0);
      }
      waitpid(child, nullptr, 0);
    }
}
