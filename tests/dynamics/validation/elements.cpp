// Group G: bodies of elements.

#include <numbers>

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

/// Divisions of [0, B]: `fine` equal ones up to b, then growing by a constant factor.
std::vector<double> graded(double b, int fine, double B, int growing) {
  std::vector<double> x;
  for (int k = 0; k <= fine; ++k) x.push_back(b * k / fine);
  const double first = b / fine;
  double low = 1, high = 3;  // the factor q with first (q + q² + …) = B − b
  for (int k = 0; k < 60; ++k) {
    const double q = 0.5 * (low + high);
    double sum = 0, power = 1;
    for (int g = 0; g < growing; ++g) sum += power *= q;
    (first * sum < B - b ? low : high) = q;
  }
  double step = first;
  for (int g = 0; g < growing; ++g) x.push_back(x.back() + (step *= low));
  x.back() = B;
  return x;
}

/// A block over given divisions.
std::shared_ptr<const ElementMesh> block_over(const std::vector<double>& x, const std::vector<double>& y,
                                              const std::vector<double>& z) {
  const std::array<int, 3> n = {int(x.size()) - 1, int(y.size()) - 1, int(z.size()) - 1};
  ElementMesh mesh = block_mesh({1, 1, 1}, n);
  for (Point& p : mesh.nodes)
    p = {x[std::size_t(std::lround((p[0] + 0.5) * n[0]))], y[std::size_t(std::lround((p[1] + 0.5) * n[1]))],
         z[std::size_t(std::lround((p[2] + 0.5) * n[2]))]};
  return std::make_shared<ElementMesh>(std::move(mesh));
}

/// A block pressed from below against a rigid ball of radius 1 by a² = 0.05², in a quarter or (for shear) a half of the plane.
struct Pressed {
  Scene scene;
  double a = 0.05, E = 1e6, nu = 0, B = 0.6;
};

constexpr double ball_radius = 1;

Pressed pressed_block(int cells, int growing, double nu, double friction, bool half, double shear) {
  Pressed p;
  p.nu = nu;
  std::vector<double> right = graded(1.5 * p.a, (3 * cells + 1) / 2, p.B, growing), across = right, down;
  for (auto at = right.rbegin(); at != right.rend(); ++at) down.push_back(-*at);
  if (half) {
    across = down;
    across.insert(across.end(), right.begin() + 1, right.end());
  }
  Scene& scene = p.scene;
  scene = Scene{.gravity = {0, 0, 0}, .step = 1, .scheme = Scheme::quasi_static};
  scene.contact.friction = friction;
  scene.penetration = 1;
  scene.solver.tolerance = 1e-9;
  scene.solver.time_limit = 60;
  scene.allow_overlap = true;
  scene.add_fixed(Sphere{ball_radius}, {.position = {0, 0, ball_radius}});
  // Inertia: the slowest vibration has ω h of about 100.
  const double rho = p.E / (p.B * p.B) * 1e-4 * 2.5, deep = p.a * p.a / ball_radius, far = 10;
  const auto during = [](double from, double to, double v) {
    return Signal([=](double t) { return t > from + 0.5 && t < to + 0.5 ? v : 0.0; });
  };
  ElementOptions options{.axes = ElementAxes::world, .modes = ElementModes::incompatible};
  // The bottom moves up in ten steps, and sideways in ten from the thirteenth on: small ones, so that nodes are found before they touch. Planes
  // of symmetry keep their normal component.
  options.hold.push_back({.box = {{{-far, -far, -p.B}, {far, far, -p.B}}},
                          .velocity = {during(12, 22, shear / 10), 0.0, during(0, 10, deep / 10)}});
  options.hold.push_back({.box = {{{-far, 0, -far}, {far, 0, far}}}, .axes = {false, true, false}});
  if (!half)
    options.hold.push_back({.box = {{{0, -far, -far}, {0, far, far}}}, .axes = {true, false, false}});
  scene.add_elements(block_over(across, right, down),
                     {.density = rho, .young = p.E, .poisson = nu, .options = options});
  return p;
}

/// p² = p₀² (1 − r²/a²) fitted to the pressures at nodes well inside; the force in all.
struct Hertz {
  double force = 0, radius = 0, peak = 0;
};

Hertz hertz_fit(const Simulation& s, double share) {
  Hertz found;
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, most = 0;
  for (const TouchingPoint& c : s.contacts())
    if (c.area > 0) most = std::max(most, std::abs(c.impulse[2]) / c.area);
  for (const TouchingPoint& c : s.contacts()) {
    const double impulse = std::abs(c.impulse[2]), r2 = c.point[0] * c.point[0] + c.point[1] * c.point[1];
    found.force += impulse / share;
    const double pressure = impulse / c.area;
    if (!(impulse > 0) || pressure < 0.5 * most) continue;
    n += 1;
    x += r2;
    y += pressure * pressure;
    xx += r2 * r2;
    xy += r2 * pressure * pressure;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x), at_zero = (y - slope * x) / n;
  found.peak = std::sqrt(at_zero);
  found.radius = std::sqrt(-at_zero / slope);
  return found;
}

/// G3: a³ = 3 P R/(4 E*), p₀ = 3 P/(2 π a²).
std::vector<Finding> hertz(Length length) {
  std::vector<Finding> all;
  for (int cells : length == Length::quick ? std::vector{4} : std::vector{4, 8, 16}) {
    Pressed p = pressed_block(cells, 6, 0.3, 0, false, 0);
    Simulation s(p.scene);
    for (int k = 0; k < 13; ++k) s.step();
    const Hertz found = hertz_fit(s, 0.25);
    const double stiffness = p.E / (1 - p.nu * p.nu),
                 a = std::cbrt(0.75 * found.force * ball_radius / stiffness);
    const double peak = 1.5 * found.force / (std::numbers::pi * a * a);
    const std::string which = std::to_string(cells) + " cells a radius: ";
    // Nodes stand for the pressure of half a cell around them: errors fall with the cell.
    const double tolerance = 0.32 / cells;
    all.push_back({"G3", which + "contact radius, m", a, found.radius, tolerance * a});
    all.push_back({"G3", which + "peak pressure, Pa", peak, found.peak, tolerance * peak});
  }
  return all;
}

/// G4: the stick radius under a tangential force Q, c/a = (1 − Q/(μ P))^(1/3).
std::vector<Finding> cattaneo(Length length) {
  const int cells = length == Length::quick ? 5 : 8;
  const double mu = 0.4;
  // First without friction, so that pressing leaves no shear; then the same state with friction, sheared.
  Pressed smooth = pressed_block(cells, 5, 0.3, 0, true, 6e-4),
          rough = pressed_block(cells, 5, 0.3, mu, true, 6e-4);
  Simulation first(smooth.scene);
  for (int k = 0; k < 12; ++k) first.step();
  const Hertz pressed = hertz_fit(first, 0.5);
  Simulation s(rough.scene);
  s.restore(first.save());
  for (int k = 0; k < 10; ++k) s.step();
  double Q = 0, P = 0, stuck = 0, all = 0;
  for (const TouchingPoint& c : s.contacts()) {
    const double normal = std::abs(c.impulse[2]);
    if (!(normal > 0)) continue;
    P += normal;
    Q += std::abs(c.impulse[0]);
    all += c.area;
    if (c.status == ContactStatus::stick) stuck += c.area;
  }
  const double expected = std::cbrt(1 - Q / (mu * P)),
               found = std::sqrt(2 * stuck / std::numbers::pi) / pressed.radius;
  return {{"G4", "Q/(μ P) lies between 0.2 and 0.9 (1: yes)", 1,
           double(Q / (mu * P) > 0.2 && Q / (mu * P) < 0.9), 0},
          {"G4", "stick radius, share of the contact's", expected, found,
           0.05 * (length == Length::quick ? 2 : 1)}};
}

/// G5: two blocks under constant pressure; spread of the stress in both.
std::vector<Finding> patch(Length) {
  std::vector<Finding> all;
  const std::pair<std::array<int, 3>, const char*> uppers[] = {{{2, 2, 2}, "matching faces"},
                                                               {{3, 3, 2}, "faces that do not match"}};
  for (const auto& [divisions, which] : uppers) {
    Scene scene{.gravity = {0, 0, 0}, .step = 1, .scheme = Scheme::quasi_static};
    scene.contact.friction = 0;
    scene.contact.points = PointRule::gauss2;
    scene.solver.tolerance = 1e-13;
    scene.penetration = 1;
    const double far = 10;
    for (int k = 0; k < 2; ++k) {
      // Faces that keep their plane: the outer end, of which the upper one comes down in the first step, and two sides.
      ElementOptions options{.axes = ElementAxes::world};
      const double end = 2.0 * k;
      options.hold.push_back(
          {.box = {{{-far, -far, end}, {far, far, end}}},
           .axes = {false, false, true},
           .velocity = {0.0, 0.0, Signal([k](double t) { return k == 1 && t < 1.5 ? -2e-2 : 0.0; })}});
      options.hold.push_back({.box = {{{-0.5, -far, -far}, {-0.5, far, far}}}, .axes = {true, false, false}});
      options.hold.push_back({.box = {{{-far, -0.5, -far}, {far, -0.5, far}}}, .axes = {false, true, false}});
      scene.add_elements(
          std::make_shared<ElementMesh>(block_mesh({1, 1, 1}, k == 0 ? std::array{2, 2, 2} : divisions)),
          {.density = 1e-3, .young = 1e6, .poisson = 0.3, .options = options, .position = {0, 0, 0.5 + k}});
    }
    Simulation s(scene);
    for (int k = 0; k < 4; ++k) s.step();
    double low = 0, high = -1e300;
    for (int body : {0, 1})
      for (const auto& stress : s.stresses(body)) {
        low = std::min(low, stress[2]);
        high = std::max(high, stress[2]);
      }
    const bool matching = divisions[0] == 2;
    all.push_back({"G5", std::string(which) + ": stress, Pa", -1e4, low, 1e-5});
    all.push_back(
        {"G5", std::string(which) + ": spread, relative", 0, (high - low) / 1e4, matching ? 1e-12 : 1e-10});
  }
  return all;
}

}  // namespace

std::vector<Problem> elements() {
  return {{"G2", "elastic bar on a wall", bar_on_wall},
          {"G3", "Hertz: block and rigid ball", hertz},
          {"G4", "Cattaneo and Mindlin: the stick zone", cattaneo},
          {"G5", "patch test across contact", patch}};
}

}  // namespace stickslip::validation
