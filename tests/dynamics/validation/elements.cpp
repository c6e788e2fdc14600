// Group G: bodies of elements.

#include "tests/dynamics/validation/element_patch.hpp"
#include "tests/dynamics/validation/finding.hpp"

namespace stickslip::validation {
namespace {

/// G2: an elastic bar hits a rigid wall (Doyen, Ern, Piperno 2011): contact lasts 2 L/c with the pressure ρ c v.
struct BarImpact {
  double duration, pressure, rebound, growth;
};

BarImpact bar_impact(int elements) {
  const double L = 1, E = 1e7, rho = 1000, c = std::sqrt(E / rho), speed = 1, side = L / elements,
               h = 0.2 * side / c;
  Scene scene{.gravity = {0, 0, 0}, .step = h, .scheme = Scheme::linearly_implicit};
  scene.contact.friction = 0;
  scene.add_fixed(Plane{.normal = {1, 0, 0}});
  const auto bar =
      scene.add_elements(std::make_shared<ElementMesh>(block_mesh({L, side, side}, {elements, 1, 1})),
                         {.density = rho,
                          .young = E,
                          .options = {.axes = ElementAxes::world},
                          .position = {L / 2 + 1e-3, 0, 0},
                          .velocity = {-speed, 0, 0}});
  Simulation s(scene);
  const double start = s.kinetic();
  double first = -1, last = 0, impulse = 0, growth = 0, half = 0;
  while (s.time() < 4 * L / c) {
    s.step();
    double now = 0;
    for (const TouchingPoint& contact : s.contacts()) now += contact.impulse[0];
    if (now > 0) {
      if (first < 0) first = s.time() - h;
      last = s.time();
      impulse += now;
      if (s.time() - first < L / c) half += now;
    }
    growth = std::max(growth, (s.kinetic() + s.elastic()) / start - 1);
  }
  return {last - first, half / (L / c) / (side * side), s.velocity(bar)[0], growth};
}

std::vector<Finding> bar_on_wall(Length) {
  const double L = 1, c = 100, rho = 1000;
  const BarImpact fine = bar_impact(50), coarse = bar_impact(25);
  return {
      {"G2", "50 elements: contact lasts, s", 2 * L / c, fine.duration, 0.02 * 2 * L / c},
      {"G2", "mean pressure of the first half, Pa", rho * c, fine.pressure, 0.02 * rho * c},
      {"G2", "velocity after it, m/s", 1, fine.rebound, 0.05},
      {"G2", "largest growth of energy", 0, fine.growth, 1e-9},
      {"G2", "25 elements lose more speed than 50 (1: yes)", 1, double(coarse.rebound < fine.rebound), 0}};
}

/// G5: two blocks under constant pressure; spread of the stress in both.
std::vector<Finding> patch(Length) {
  std::vector<Finding> all;
  const auto add = [&](const std::string& which, const PatchSide& upper, PointRule points, double tolerance) {
    const PatchResult found = contact_patch({{2, 2, 2}}, upper, points);
    all.push_back({"G5", which + ": stress, relative", 1, found.stress, 1e-9});
    all.push_back({"G5", which + ": spread, relative", 0, found.spread, tolerance});
  };
  add("matching faces, four points", {{2, 2, 2}}, PointRule::gauss2, 1e-12);
  add("matching faces, means", {{2, 2, 2}}, PointRule::centroid, 1e-12);
  add("faces that do not match, four points", {{3, 3, 2}}, PointRule::gauss2, 1e-10);
  add("faces that do not match, means", {{3, 3, 2}}, PointRule::centroid, 1e-10);
  return all;
}

}  // namespace

std::vector<Problem> elements() {
  return {{"G2", "elastic bar on a wall", bar_on_wall}, {"G5", "patch test across contact", patch}};
}

}  // namespace stickslip::validation
