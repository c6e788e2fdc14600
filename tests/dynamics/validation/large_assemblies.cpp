// E5 and E8: a dome at its limit, a tower of planks.

#include <algorithm>

#include "tests/dynamics/validation/dome_limit.hpp"
#include "tests/dynamics/validation/finding.hpp"

namespace stickslip::validation {
namespace {

Scene dome(const DomeShape& shape, double friction) {
  Scene scene{.step = 2e-3, .solver = {.tolerance = 1e-6}, .contact = {.friction = friction}};
  scene.allow_overlap = true;  // corners on a common circle: neighbours in a ring touch along chords
  scene.add_fixed(Plane{});
  for (int ring = 0; ring < shape.rings; ++ring)
    for (int k = 0; k < (shape.is_cap(ring) ? 1 : shape.around); ++k)
      scene.add_rigid(shape.stone(ring, k), {.density = 2000});
  return scene;
}

/// E5: domes a little thicker and a little thinner than the linear program asks for. The program itself is held against the design's.
std::vector<Finding> domes(Length length) {
  const int around = 12;
  std::vector<Finding> all;
  const auto both_sides = [&](int rings, double friction, double margin) {
    const double limit = dome_limit(rings, around, friction);
    const auto energy = [&](double share) {
      Simulation s(dome({rings, around, limit * share}, friction));
      s.run(0.04);
      return s.kinetic();
    };
    // A dome that stands has the energy that the tolerance leaves, below 1e-10 J; one that falls with the acceleration
    // margin·g has more than 1e-5 J after 0.04 s.
    const std::string which = std::to_string(rings) + " rings, μ = " + (friction == 0.7 ? "0.7" : "0.22") +
                              ", at " + (margin == 0.02 ? "1.02" : "1.005") + " of the limit: ";
    const std::string below = std::to_string(rings) + " rings, μ = " + (friction == 0.7 ? "0.7" : "0.22") +
                              ", at " + (margin == 0.02 ? "0.98" : "0.995") + " of the limit: ";
    all.push_back({"E5", which + "stands (1: yes)", 1, energy(1 + margin) < 1e-8 ? 1.0 : 0.0, 0});
    all.push_back({"E5", below + "falls (1: yes)", 1, energy(1 - margin) > 1e-6 ? 1.0 : 0.0, 0});
  };
  // The design's program has rings without corners; stones of twelve in a ring and the cap move it by 0.1 %.
  all.push_back(
      {"E5", "limit of 10 rings by the linear program", 0.04184, dome_limit(10, around, 0.7), 8e-5});
  all.push_back(
      {"E5", "limit of 20 rings by the linear program", 0.04273, dome_limit(20, around, 0.7), 8e-5});
  both_sides(10, 0.7, 0.02);
  if (length == Length::quick) return all;
  all.push_back({"E5", "limit of 20 rings of 64 stones, μ = 0.22", 0.0663, dome_limit(20, 64, 0.22), 3e-4});
  both_sides(10, 0.7, 0.005);
  both_sides(10, 0.22, 0.02);
  both_sides(20, 0.7, 0.02);
  return all;
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
