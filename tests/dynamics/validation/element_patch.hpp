// G5: a patch test across contact. Two blocks, one upon the other, keep the planes of their outer ends and of two sides; the upper end comes down, and
// both columns have the same constant stress.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "stickslip/simulation.hpp"

namespace stickslip::validation {

struct PatchSide {
  std::array<int, 3> divisions;
  ElementKind kind = ElementKind::h8;
};

/// Both relative to the stress of the column.
struct PatchResult {
  double stress = 0;  ///< the largest
  double spread = 0;  ///< between elements, and in components that should be zero
};

inline PatchResult contact_patch(const PatchSide& lower, const PatchSide& upper, PointRule points) {
  // A long step: inertia is 1e-9 of the stiffness, and gone after the second.
  Scene scene{.gravity = {0, 0, 0}, .step = 1, .scheme = Scheme::quasi_static};
  scene.contact.friction = 0;
  scene.contact.points = points;
  scene.solver.tolerance = 1e-13;
  scene.penetration = 1;
  const double young = 1e6, shift = 2e-2, far = 10;
  for (int k = 0; k < 2; ++k) {
    const PatchSide& side = k == 0 ? lower : upper;
    ElementOptions options{.axes = ElementAxes::world};
    const double end = 2.0 * k;
    options.hold.push_back(
        {.box = {{{-far, -far, end}, {far, far, end}}},
         .axes = {false, false, true},
         .velocity = {0.0, 0.0, Signal([=](double t) { return k == 1 && t < 1.5 ? -shift : 0.0; })}});
    options.hold.push_back({.box = {{{-0.5, -far, -far}, {-0.5, far, far}}}, .axes = {true, false, false}});
    options.hold.push_back({.box = {{{-far, -0.5, -far}, {far, -0.5, far}}}, .axes = {false, true, false}});
    scene.add_elements(
        std::make_shared<ElementMesh>(block_mesh({1, 1, 1}, side.divisions, side.kind)),
        {.density = 1e-3, .young = young, .poisson = 0.3, .options = options, .position = {0, 0, 0.5 + k}});
  }
  Simulation simulation(scene);
  for (int k = 0; k < 4; ++k)
    if (!simulation.step()) return {};
  const double sigma = young * shift / 2;
  double low = 0, high = -1e300, others = 0;
  for (int body : {0, 1})
    for (const auto& s : simulation.stresses(body)) {
      low = std::min(low, s[2]);
      high = std::max(high, s[2]);
      for (int d : {0, 1, 3, 4, 5}) others = std::max(others, std::abs(s[std::size_t(d)]));
    }
  return {-low / sigma, std::max(high - low, others) / sigma};
}

}  // namespace stickslip::validation
