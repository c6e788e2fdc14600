// Time of detection for heaps of spheres, boxes and mixed shapes on a plane: nanoseconds a body in all, and what a
// pair costs alone. Usage: bench_detection [most bodies]. Processor time, of all threads together. Bodies lie on a slightly disturbed grid, so that each touches its neighbours.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "base/random.hpp"
#include "base/thread_team.hpp"
#include "dynamics/detection/broad_phase.hpp"
#include "dynamics/detection/detector.hpp"

namespace {

using namespace stickslip;
using namespace stickslip::internal;

/// Processor time of this process: others that use the machine do not count.
double seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

struct Heap {
  Detector detector;
  std::vector<Placement> placements;
  std::vector<double> reach;
};

/// n bodies of edge or diameter 1 at a distance of `pitch`, on a plane.
Heap heap(int n, const std::vector<Shape>& shapes, double pitch, double tilt, double noise_length = 1e-4) {
  Heap h;
  Random random(1);
  std::vector<std::shared_ptr<const PreparedShape>> prepared;
  for (const Shape& shape : shapes) prepared.push_back(prepare(shape));
  h.detector.add(prepare(Plane{{0, 0, 1}, -0.5}), Mobility::obstacle);
  h.placements.push_back({});
  h.reach.push_back(0);
  const int side = int(std::ceil(std::cbrt(double(n))));
  for (int k = 0; k < n; ++k) {
    h.detector.add(prepared[random.below(prepared.size())], Mobility::moving);
    const Vector noise(random.normal(), random.normal(), random.normal());
    const Matrix R = Eigen::AngleAxisd(tilt * random.normal(),
                                       Vector(random.normal(), random.normal(), random.normal()).normalized())
                         .toRotationMatrix();
    h.placements.push_back(
        {R, pitch * Vector(k % side, k / side % side, k / side / side) + noise_length * noise});
    h.reach.push_back(0.01);
  }
  return h;
}

void measure(const char* name, Heap h, int threads) {
  ThreadTeam team(threads);
  double best = 1e300;
  std::size_t contacts = 0;
  const int n = int(h.placements.size()) - 1;
  for (int k = 0; k < 5; ++k) {
    const double start = seconds();
    contacts = h.detector.detect(h.placements, h.reach, threads > 1 ? &team : nullptr).size();
    best = std::min(best, seconds() - start);
  }
  const DetectionCounts& counts = h.detector.counts();
  fmt::print(
      "{:10} {:7} bodies {:2} threads {:9.3f} ms {:7.1f} ns a body {:7.1f} ns a pair {:7.1f} ns a contact; "
      "{:.2f} candidates, {:.2f} contacts a body\n",
      name, n, threads, 1e3 * best, 1e9 * best / n, 1e9 * best / double(counts.candidates),
      1e9 * best / double(contacts), double(counts.candidates) / n, double(contacts) / n);
}

void measure_broad_phase(int n) {
  Random random(2);
  std::vector<FlatBounds> boxes;
  const int side = int(std::ceil(std::cbrt(double(n))));
  for (int k = 0; k < n; ++k) {
    FlatBounds b;
    const double at[3] = {double(k % side), double(k / side % side), double(k / side / side)};
    for (int axis = 0; axis < 3; ++axis) {
      const double x = at[axis] + 0.05 * random.normal();
      b.low[axis] = float(x - 0.51);
      b.high[axis] = float(x + 0.51);
    }
    b.owner = k;
    b.moving = 1;
    boxes.push_back(b);
  }
  BroadPhase broad_phase;
  double best = 1e300;
  for (int k = 0; k < 7; ++k) {
    const double start = seconds();
    broad_phase.find(boxes, {}, nullptr);
    best = std::min(best, seconds() - start);
  }
  fmt::print("{:10} {:7} boxes  {:9.3f} ms {:7.1f} ns a box; {:.2f} pairs a box\n", "broad", n, 1e3 * best,
             1e9 * best / n, double(broad_phase.partners().size()) / n);
}

}  // namespace

int main(int argc, char** argv) {
  const int most = argc > 1 ? std::atoi(argv[1]) : 100000;
  for (int n = 1000; n <= most; n *= 10) {
    measure_broad_phase(n);
    measure("spheres", heap(n, {Sphere{0.5}}, 1, 0), 1);

    measure("stacked", heap(n, {Box{1, 1, 1}}, 1, 1e-9, 1e-9), 1);
    measure("boxes", heap(n, {Box{1, 1, 1}}, 1.3, 1), 1);
    if (n > 10000) continue;
    measure("convex",
            heap(n,
                 {Convex{{{-0.5, -0.5, -0.5},
                          {0.5, -0.5, -0.5},
                          {-0.5, 0.5, -0.5},
                          {0.5, 0.5, -0.5},
                          {-0.5, -0.5, 0.5},
                          {0.5, -0.5, 0.5},
                          {-0.5, 0.5, 0.5},
                          {0.5, 0.5, 0.5}}}},
                 1, 1e-9, 1e-9),
            1);
    measure("ellipsoids", heap(n, {Ellipsoid{{0.5, 0.4, 0.6}}}, 1, 1), 1);
    measure("capsules", heap(n, {Capsule{0.3, 0.5}}, 1, 1), 1);
    measure("cylinders", heap(n, {Cylinder{0.5, 1}}, 1.1, 1), 1);
    measure("mixed",
            heap(n,
                 {Sphere{0.5}, Box{0.9, 0.9, 0.9}, Capsule{0.3, 0.5}, Cylinder{0.5, 0.8},
                  Ellipsoid{{0.5, 0.4, 0.6}}},
                 1.05, 1),
            1);
  }
}
