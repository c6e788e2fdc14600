// Group G: bodies that deform.

#include "tests/dynamics/validation/finding.hpp"

namespace stickslip::validation {
namespace {

/// G1: small axial vibration of a pseudo-rigid cube, ν = 0.
std::vector<Finding> vibrating_cube(Length) {
  const double E = 1e6, rho = 100, a = 0.1, omega = std::sqrt(12 * E / rho) / a;
  std::vector<Finding> all;
  for (const auto scheme : {Scheme::moreau, Scheme::linearly_implicit}) {
    // Frequencies of the schemes are off by (ω h)²/24: a small step.
    Scene scene{.gravity = {0, 0, 0}, .step = 2e-6, .scheme = scheme};
    const auto cube = scene.add_pseudo_rigid(Box{a, a, a}, {.density = rho, .young = E, .poisson = 0.0});
    Simulation s(scene);
    // A stretching rate along x gives an amplitude of 1e-4.
    s.set_deformation_rate(cube, {1e-4 * omega, 0, 0, 0, 0, 0, 0, 0, 0});
    Crossings passes;
    const double energy = s.kinetic();
    double drift = 0;
    while (passes.times.size() < 9) {
      s.step();
      passes.sample(s.time(), s.deformation(cube)[0] - 1);
      drift = std::max(drift, std::abs(s.kinetic() + s.elastic() - energy) / energy);
    }
    const double found = 2 * M_PI * 4 / (passes.times[8] - passes.times[0]);
    const std::string which = scheme == Scheme::moreau ? "explicit" : "linearly implicit";
    all.push_back({"G1", which + ": ω, rad/s", omega, found, 1e-4 * omega});
    all.push_back({"G1", which + ": energy, relative drift", 0, drift, 1e-4});
  }
  return all;
}

}  // namespace

std::vector<Problem> deformable() { return {{"G1", "vibrating pseudo-rigid cube", vibrating_cube}}; }

}  // namespace stickslip::validation
