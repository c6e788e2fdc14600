// Group G: an elastic block pressed against a rigid ball, without friction (Hertz) and then sheared (Cattaneo 1938, Mindlin 1949).
//
//   a³ = 3 P R/(4 E*),   p = p₀ (1 − r²/a²)^½,   p₀ = 3 P/(2 π a²)                                  Johnson (1985) 3.39, 3.42
//   μ p − q = μ p₀ (c/a) (1 − r²/c²)^½ where it sticks, r ≤ c,   c/a = (1 − Q/(μ P))^⅓             Johnson (1985) 7.40–7.42
//
// Both distributions have the form of Hertz. Its second moment is ∫ r² p dA = ⅖ a² P, so that nodal forces f_a give the radius:
//
//   ⅖ a² Σ f_a = Σ f_a (r_a² − ⅓ s²)
//
// where s is the size of a cell: f_a = ∫ N_a p dA, and Σ N_a r_a² exceeds r² by ⅓ s² in the mean over a square.

#include <numbers>

#include "tests/dynamics/validation/finding.hpp"
#include "tests/dynamics/validation/graded_mesh.hpp"
#include "tests/dynamics/validation/hertz_fit.hpp"

namespace stickslip::validation {
namespace {

/// A block of half width and depth B, fine near the contact.
struct PressedBlock {
  double R = 4, a = 0.05, E = 1e6, nu = 0.3, B = 0.6;
  int cells = 4;      ///< of a radius
  bool half = false;  ///< half of the plane, y ≥ 0, for shear along x; otherwise a quarter
  double cell() const { return a / cells; }
};

constexpr int pressing = 10, resting = 3, shearing = 10;

/// The block under the ball: pressed up by a²/R in ten steps, later moved sideways by `shear` in ten. Small steps, so that nodes are found before
/// they touch.
Scene pressed(const PressedBlock& block, double friction, double shear) {
  const std::vector<double> right = graded(block.cell(), (3 * block.cells + 1) / 2, block.B),
                            down = mirrored(right);
  std::vector<double> across = right;
  if (block.half) {
    across = down;
    across.insert(across.end(), right.begin() + 1, right.end());
  }
  Scene scene{.gravity = {0, 0, 0}, .step = 1, .scheme = Scheme::quasi_static};
  scene.contact.friction = friction;
  scene.penetration = 1;
  scene.solver.tolerance = 1e-9;
  scene.solver.time_limit = 60;
  scene.allow_overlap = true;
  scene.add_fixed(Sphere{block.R}, {.position = {0, 0, block.R}});
  // Inertia: the slowest vibration has ω h of about 100.
  const double density = block.E / (block.B * block.B) * 1e-4 * 2.5, far = 10;
  const auto during = [](int from, int to, double v) {
    return Signal([=](double t) { return t > from + 0.5 && t < to + 0.5 ? v : 0.0; });
  };
  ElementOptions options{.axes = ElementAxes::world, .modes = ElementModes::incompatible};
  // The bottom moves as told. Planes of symmetry keep their normal component.
  const int start = pressing + resting;
  options.hold.push_back({.box = {{{-far, -far, -block.B}, {far, far, -block.B}}},
                          .velocity = {during(start, start + shearing, shear / shearing), 0.0,
                                       during(0, pressing, block.a * block.a / block.R / pressing)}});
  options.hold.push_back({.box = {{{-far, 0, -far}, {far, 0, far}}}, .axes = {false, true, false}});
  if (!block.half)
    options.hold.push_back({.box = {{{0, -far, -far}, {0, far, far}}}, .axes = {true, false, false}});
  scene.add_elements(bricks_over(across, right, down, [](const Point& p) { return p; }),
                     {.density = density, .young = block.E, .poisson = block.nu, .options = options});
  return scene;
}

/// Radius of a distribution of Hertz's form with the nodal forces that `of` picks; its force.
struct Distribution {
  double force = 0, radius = 0;
};

template <class Of>
Distribution distribution(const Simulation& s, const PressedBlock& block, const Of& of) {
  double force = 0, moment = 0;
  for (const TouchingPoint& c : s.contacts()) {
    const double f = of(c), r2 = c.point[0] * c.point[0] + c.point[1] * c.point[1];
    force += f;
    moment += f * (r2 - block.cell() * block.cell() / 3);
  }
  return {force / (block.half ? 0.5 : 0.25), std::sqrt(2.5 * moment / force)};
}

double normal_force(const TouchingPoint& c) { return std::abs(c.impulse[2]); }

/// G3.
std::vector<Finding> hertz(Length length) {
  std::vector<Finding> all;
  const std::vector<int> levels = length == Length::quick ? std::vector{4, 8} : std::vector{4, 8, 16};
  for (int cells : levels) {
    const PressedBlock block{.cells = cells};
    Simulation s(pressed(block, 0, 0));
    for (int k = 0; k < pressing + resting; ++k) s.step();
    const Distribution found = distribution(s, block, normal_force);
    const double stiffness = block.E / (1 - block.nu * block.nu),
                 a = std::cbrt(0.75 * found.force * block.R / stiffness),
                 p0 = 1.5 * found.force / (std::numbers::pi * a * a),
                 peak = peak_pressure(s, {1, 1}, found.radius);
    const std::string which = std::to_string(cells) + " cells a radius: ";
    // The smoothing of the nodal pressures, ⅙ (s/a)², and the edge of the contact, known to a part of a cell: 2 % from 8 cells on.
    const double tolerance = std::max(0.02, 0.16 / cells);
    all.push_back({"G3", which + "contact radius, m", a, found.radius, tolerance * a});
    all.push_back({"G3", which + "peak pressure, Pa", p0, peak, tolerance * p0});
  }
  return all;
}

/// G4: with ν = 0.45 normal and tangential displacements hardly feel each other (Dundurs' β = 0.09), as the theory assumes.
std::vector<Finding> cattaneo(Length length) {
  std::vector<Finding> all;
  const double mu = 0.4;
  for (int cells : length == Length::quick ? std::vector{5} : std::vector{5, 8, 12}) {
    const PressedBlock block{.nu = 0.45, .cells = cells, .half = true};
    // First without friction, so that pressing leaves no shear; then the same state with friction, sheared.
    const double shear = 1.5e-4;
    Simulation smooth(pressed(block, 0, shear)), s(pressed(block, mu, shear));
    for (int k = 0; k < pressing + resting; ++k) smooth.step();
    s.restore(smooth.save());
    for (int k = 0; k < shearing; ++k) s.step();
    const Distribution normal = distribution(s, block, normal_force),
                       lacking = distribution(s, block, [&](const TouchingPoint&c) {
                         return mu * normal_force(c) - std::hypot(c.impulse[0], c.impulse[1]);
                       });
    const double share = lacking.force / (mu * normal.force), expected = std::cbrt(share);
    const std::string which = std::to_string(cells) + " cells a radius: ";
    all.push_back({"G4", which + "Q/(μ P) lies between 0.2 and 0.9 (1: yes)", 1,
                   double(1 - share > 0.2 && 1 - share < 0.9), 0});
    all.push_back({"G4", which + "stick radius, share of the contact's", expected,
                   lacking.radius / normal.radius, 0.05 * expected});
  }
  return all;
}

}  // namespace

std::vector<Problem> pressed_ball() {
  return {{"G3", "Hertz: block and rigid ball", hertz},
          {"G4", "Cattaneo and Mindlin: the stick zone", cattaneo}};
}

}  // namespace stickslip::validation
