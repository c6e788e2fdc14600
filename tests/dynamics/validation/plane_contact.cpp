// Group G: plane strain and shear. NAFEMS' cylinder roller (A. Konter, Advanced finite element contact benchmarks, 2006, benchmark 1; Solfec's BM15),
// and a block that is pressed and sheared until it slides.
//
//   half width a = (4 P R/(π E*))^½,   p₀ = (P E*/(π R))^½,   1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂,   P the force a length       Johnson (1985) 4.42–4.45
//   p = p₀ (1 − x²/a²)^½ has the second moment ¼ a² P

#include <numbers>

#include "tests/dynamics/validation/finding.hpp"
#include "tests/dynamics/validation/graded_mesh.hpp"
#include "tests/dynamics/validation/hertz_fit.hpp"

namespace stickslip::validation {
namespace {

constexpr double far = 1e3;

Signal during(int from, int to, double v) {
  return Signal([=](double t) { return t > from + 0.5 && t < to + 0.5 ? v : 0.0; });
}

HeldNodes plane_kept(int axis, double at, const SignalVector& velocity = {}) {
  HeldNodes held;
  held.box = {{{-far, -far, -far}, {far, far, far}}};
  held.box[0][std::size_t(axis)] = held.box[1][std::size_t(axis)] = at;
  held.axes = {axis == 0, axis == 1, axis == 2};
  held.velocity = velocity;
  return held;
}

Scene quasi_static(double friction) {
  Scene scene{.gravity = {0, 0, 0}, .step = 1, .scheme = Scheme::quasi_static};
  scene.contact.friction = friction;
  scene.contact.points = PointRule::centroid;
  scene.penetration = 1;
  scene.solver.tolerance = 1e-9;
  scene.solver.time_limit = 60;
  scene.allow_overlap = true;
  return scene;
}

/// G6: half of a steel cylinder, R = 50 mm, E = 210 GPa, on half of an aluminium block of 200 × 200 mm, 70 GPa, ν = 0.3; mm, N, MPa.
std::vector<Finding> roller(Length length) {
  const double R = 50, nu = 0.3, E[2] = {70e3, 210e3}, wanted = 6.21;
  const int cells = length == Length::quick ? 6 : 16;
  const double cell = wanted / cells;
  const int fine = (3 * cells + 1) / 2;
  Scene scene = quasi_static(0);
  const std::vector<double> thin = {-0.5 * cell, 0.5 * cell};
  const auto along = graded(cell, fine, 100), deep = mirrored(graded(cell, fine, 200));
  const auto arc = graded(cell, fine, 0.5 * std::numbers::pi * R), into = graded(cell, fine, 0.9 * R);
  const auto options = [&] {
    ElementOptions o{.axes = ElementAxes::world, .modes = ElementModes::incompatible};
    o.hold.push_back(plane_kept(0, 0));
    for (double y : thin) o.hold.push_back(plane_kept(1, y));
    return o;
  };
  ElementOptions below = options(), above = options();
  below.hold.push_back(plane_kept(2, -200));
  // The cut through the axis comes down.
  constexpr int pressing = 10, resting = 3;
  above.hold.push_back(plane_kept(2, R, {0.0, 0.0, during(0, pressing, -1.3 / pressing)}));
  const auto as_it_is = [](const Point& p) { return p; };
  const auto bent = [&](const Point& p) {
    const double phi = p[0] / R, r = R - p[2];
    return Point{r * std::sin(phi), p[1], p[0] == arc.back() ? R : R - r * std::cos(phi)};
  };
  const auto add = [&](auto mesh, double young, const ElementOptions& o) {
    // Inertia far below the stiffness.
    scene.add_elements(mesh, {.density = young * 1e-8, .young = young, .poisson = nu, .options = o});
  };
  add(bricks_over(along, thin, deep, as_it_is), E[0], below);
  add(bricks_over(arc, thin, into, bent), E[1], above);
  Simulation s(scene);
  for (int k = 0; k < pressing + resting; ++k) s.step();
  double P = 0, moment = 0;
  for (const TouchingPoint& c : s.contacts()) {
    const double f = std::abs(c.impulse[2]), x2 = c.point[0] * c.point[0];
    P += 2 * f / cell;
    moment += 2 * f / cell * (x2 + cell * cell / 12);
  }
  const double width = 2 * std::sqrt(moment / P);
  const double peak = peak_pressure(s, {1, 0}, width);
  const double stiffness = 1 / ((1 - nu * nu) * (1 / E[0] + 1 / E[1])),
               a = std::sqrt(4 * P * R / (std::numbers::pi * stiffness)),
               p0 = std::sqrt(P * stiffness / (std::numbers::pi * R));
  // The width is known to a part of a cell, and strains are 4 %: 5 % on 6 cells, 3 % on 16.
  const double tolerance = length == Length::quick ? 0.05 : 0.03;
  return {{"G6", "force within a third of NAFEMS' 35 kN/mm (1: yes)", 1,
           double(std::abs(P / 35e3 - 1) < 0.34), 0},
          {"G6", "half width, mm (6.21 at 35 kN/mm)", a, width, tolerance * a},
          {"G6", "peak pressure, MPa (3585 at 35 kN/mm)", p0, peak, tolerance * p0}};
}

/// G7: an elastic block on a rigid floor, its top pressed down and then moved sideways.
std::vector<Finding> sheared_block(Length) {
  const double mu = 0.3;
  Scene scene = quasi_static(mu);
  scene.add_fixed(Plane{});
  constexpr int pressing = 5, shearing = 40;
  ElementOptions options{.axes = ElementAxes::world, .modes = ElementModes::incompatible};
  HeldNodes top =
      plane_kept(2, 0.5, {during(pressing, pressing + shearing, 1e-4), 0.0, during(0, pressing, -2e-4)});
  top.axes = {true, true, true};
  options.hold.push_back(top);
  scene.add_elements(
      std::make_shared<ElementMesh>(block_mesh({1, 1, 0.5}, {8, 4, 4})),
      {.density = 1e-3, .young = 1e6, .poisson = 0.3, .options = options, .position = {0, 0, 0.25}});
  Simulation s(scene);
  int partly = 0, unsolved = 0;
  double Q = 0, P = 0, above = 0;
  for (int k = 0; k < pressing + shearing; ++k) {
    s.step();
    unsolved += s.report().converged ? 0 : 1;
    int stick = 0, slip = 0;
    Q = P = 0;
    for (const TouchingPoint& c : s.contacts()) {
      P += c.impulse[2];
      Q -= c.impulse[0];
      stick += c.status == ContactStatus::stick ? 1 : 0;
      slip += c.status == ContactStatus::slip ? 1 : 0;
    }
    if (k > pressing) partly += stick > 0 && slip > 0 ? 1 : 0;
    if (P > 0) above = std::max(above, Q / (mu * P) - 1);
  }
  return {{"G7", "steps that are not solved", 0, double(unsolved), 0},
          {"G7", "it first slips at an edge while the rest sticks (1: yes)", 1, double(partly > 0), 0},
          {"G7", "Q/(μ P) when all of it slides", 1, Q / (mu * P), 1e-6},
          {"G7", "Q/(μ P) above 1 at any time", 0, above, 1e-6}};
}

}  // namespace

std::vector<Problem> plane_contact() {
  return {{"G6", "NAFEMS: cylinder roller", roller}, {"G7", "sheared block", sheared_block}};
}

}  // namespace stickslip::validation
