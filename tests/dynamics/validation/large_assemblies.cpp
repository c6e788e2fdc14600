// E5 and E8: a dome at its limit, a tower of planks.

#include <algorithm>

#include "tests/dynamics/validation/finding.hpp"

namespace stickslip::validation {
namespace {

/// A hemisphere of mean radius 1: rings of equal angle, blocks in a running bond between meridians, and a cap. Springings rest on the floor.
Scene dome(int rings, int around, double t, double friction) {
  Scene scene{.step = 2e-3, .solver = {.tolerance = 1e-6}, .contact = {.friction = friction}};
  scene.allow_overlap = true;  // corners on a common circle: neighbours in the bond touch along chords
  scene.add_fixed(Plane{});
  const double inner = 1 - t / 2, outer = 1 + t / 2;
  for (int ring = 0; ring < rings; ++ring) {
    const double low = M_PI / 2 * ring / rings, high = M_PI / 2 * (ring + 1) / rings;
    const bool cap = ring + 1 == rings;
    for (int k = 0; k < (cap ? 1 : around); ++k) {
      Convex block;
      for (int side = 0; side < (cap ? around : 2); ++side) {
        const double a = 2 * M_PI * (k + side) / around;
        for (double elevation : {low, high})
          for (double r : {inner, outer})
            block.points.push_back({r * std::cos(elevation) * std::cos(a),
                                    r * std::cos(elevation) * std::sin(a), r * std::sin(elevation)});
      }
      scene.add_rigid(block, {.density = 2000});
    }
  }
  return scene;
}

std::vector<Finding> domes(Length length) {
  // Radial joints of ten rings without hoop tension: 0.04184 (linear program); flat blocks in the ring move that by a few per cent.
  constexpr double limit = 0.04184;
  const int around = 12;
  const double time = length == Length::full ? 0.1 : 0.04;
  const auto energy = [&](double share) {
    Simulation s(dome(10, around, limit * share, 0.7));
    s.run(time);
    return s.kinetic();
  };
  return {{"E5", "10 rings at 1.1 of the limit stand (1: yes)", 1, energy(1.1) < 1e-6 ? 1.0 : 0.0, 0},
          {"E5", "10 rings at 0.9 of the limit fall (1: yes)", 1, energy(0.9) > 1e-6 ? 1.0 : 0.0, 0}};
}

/// Planks crosswise, no sleeping: how far the highest ones get, by the height of the tower.
std::vector<Finding> tower(Length length) {
  const int levels = length == Length::full ? 20 : 8;
  const long steps = length == Length::full ? 10000 : 200;
  Simulation s("kapla", {{"levels", double(levels)}});
  std::vector<Point> start;
  for (std::size_t b = 0; b < s.scene().bodies.size(); ++b) start.push_back(s.position(BodyIndex(b)));
  for (long k = 0; k < steps; ++k) s.step();
  double drift = 0;
  for (std::size_t b = 0; b < start.size(); ++b)
    drift = std::max(drift, norm(difference(s.position(BodyIndex(b)), start[b])));
  return {{"E8", "drift by the height of the tower", 0, drift / (0.0078 * levels), 1e-5},
          {"E8", "steps that did not converge", 0, double(s.counters().unconverged), 0}};
}

}  // namespace

std::vector<Problem> large_assemblies() {
  return {{"E5", "hemispherical dome", domes}, {"E8", "Kapla tower", tower}};
}

}  // namespace stickslip::validation
