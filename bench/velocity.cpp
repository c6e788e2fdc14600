// bench_velocity [FILE...]: Gauss–Seidel sweeps on W beside sweeps on velocities, on global problem files and
// on lattices.
//
// Like for like: single thread, from zero, the same contacts in the same order, exact local solver; building
// W and the records is left out on both sides. The two take turns, and the minimum of each counts.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "bodies/velocity_sweep.hpp"
#include "data_files.hpp"
#include "lattice.hpp"
#include "solvers/parts/contact_sweep.hpp"
#include "stickslip/stickslip.hpp"

namespace {

using namespace stickslip;
using namespace stickslip::internal;

struct Comparison {
  double W = INFINITY, velocity = INFINITY;  // seconds a sweep
  double difference = 0;                     // ‖r − r'‖/‖r‖ of the two
};

/// Of this thread: what others take from it does not count.
double processor_time() {
  std::timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

template <class Sweep>
void keep_minimum(double& best, long sweeps, Sweep&& sweep) {
  const double start = processor_time();
  for (long k = 0; k < sweeps; ++k) sweep();
  best = std::min(best, (processor_time() - start) / double(sweeps));
}

Comparison compare(const ReducedProblem& reduced, VelocitySweep& velocity, long sweeps) {
  Comparison result;
  const auto matrix = ContactSweep::make(reduced.dimension(), {});
  std::vector<double> r(reduced.q().size()), s(r.size());
  // Short rounds, so that some of them fall into quiet moments of a shared machine; about a second in all.
  const double visits = double(sweeps) * double(std::max<Index>(reduced.contacts(), 1));
  const int rounds = int(std::clamp(5e6 / visits, 5.0, 200.0));
  for (int round = 0; round < rounds; ++round) {
    std::fill(r.begin(), r.end(), 0.0);
    std::fill(s.begin(), s.end(), 0.0);
    matrix->prepare(reduced);
    velocity.start(s);
    matrix->sweep({}, 1, r.data());  // brings the data where they belong
    keep_minimum(result.W, sweeps, [&] { matrix->sweep({}, 1, r.data()); });
    velocity.sweep({}, 1, s.data());
    keep_minimum(result.velocity, sweeps, [&] { velocity.sweep({}, 1, s.data()); });
  }
  double size = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    size += r[i] * r[i];
    result.difference += (r[i] - s[i]) * (r[i] - s[i]);
  }
  result.difference = size > 0 ? std::sqrt(result.difference / size) : 0;
  return result;
}

void line(const std::string& name, const GlobalProblem& problem) {
  const BodyGraph graph(problem);
  if (!graph.applies())
    return fmt::print("{:<40} {:>8}  not applicable: {}\n", name, problem.contacts(), graph.reason());
  const ReducedProblem reduced = Reduction(problem).reduced();
  const auto velocity = VelocitySweep::make(graph, {});
  const long sweeps = std::clamp(40000L / std::max<long>(problem.contacts(), 1), 4L, 200L);
  const Comparison c = compare(reduced, *velocity, sweeps);
  const double n = problem.contacts(), blocks = double(graph.off_diagonal_blocks());
  fmt::print("{:<40} {:>8} {:>7.1f} {:>8.2f} {:>8.2f} {:>8.1f} {:>8.1f} {:>6.2f} {:>6} {:>9.1e}\n", name,
             problem.contacts(), blocks / n + 1,
             blocks * (8.0 * problem.dimension() * problem.dimension() + 4) * 1e-6,
             double(velocity->bytes()) * 1e-6, c.W / n * 1e9, c.velocity / n * 1e9, c.W / c.velocity,
             velocity_form_pays(graph) ? "yes" : "no", c.difference);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files(argv + 1, argv + argc);
  const bool all = files.empty();
  if (all) files = bench::data_files();
  fmt::print("{:<40} {:>8} {:>7} {:>8} {:>8} {:>8} {:>8} {:>6} {:>6} {:>9}\n", "", "contacts", "blk/row",
             "W, MB", "v, MB", "W, ns", "v, ns", "ratio", "pays", "|r - r'|");
  for (const auto& path : files) {
    try {
      const ProblemFile file = read_problem(path);
      if (file.is_global()) line(path.stem().string().substr(0, 40), std::get<GlobalProblem>(file.problem));
    } catch (const Error& error) {
      fmt::print("skipped: {}\n", error.what());
    }
  }
  if (!all) return 0;
  for (const int a_face : {1, 2, 4})
    for (const Index side : {2, 3, 5, 8, 12, 16, 24, 42}) {
      if (a_face == 4 && side == 42) continue;  // W of 1.4 GB tells nothing more
      line(fmt::format("lattice {}³, {} a face", side, a_face), bench::lattice(side, a_face, 6));
      if (side <= 24)
        line(fmt::format("lattice {}³, {} a face, pseudo-rigid", side, a_face),
             bench::lattice(side, a_face, 12));
    }
}
