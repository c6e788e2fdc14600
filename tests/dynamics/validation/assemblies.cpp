// Group E: assemblies at rest and at the limit.

#include <algorithm>
#include <cstdio>

#include "tests/dynamics/validation/arch_limit.hpp"
#include "tests/dynamics/validation/finding.hpp"

namespace stickslip::validation {
namespace {

constexpr double g = 9.81;

double largest_move(const Simulation& s, const std::vector<Point>& start) {
  double most = 0;
  for (std::size_t b = 0; b < start.size(); ++b)
    if (s.mass(BodyIndex(b)) > 0) most = std::max(most, norm(difference(s.position(BodyIndex(b)), start[b])));
  return most;
}

std::vector<Point> positions(const Simulation& s) {
  std::vector<Point> all;
  for (std::size_t b = 0; b < s.scene().bodies.size(); ++b) all.push_back(s.position(BodyIndex(b)));
  return all;
}

/// How far the bodies of a scene get in some steps.
double moves(const Scene& scene, long steps) {
  Simulation s(scene);
  const std::vector<Point> start = positions(s);
  for (long k = 0; k < steps; ++k) s.step();
  return largest_move(s, start);
}

/// E1: three cylinders, and four spheres, piled up.
Scene cylinders(double between, double floor) {
  const double R = 0.1;
  Scene scene{.step = 1e-3};
  scene.pairs = {{.between = {"log", "log"}, .friction = between},
                 {.between = {"log", "floor"}, .friction = floor}};
  scene.add_fixed(Plane{}, {.material = "floor"});
  for (const Point& p : {Point{-R, 0, R}, Point{R, 0, R}, Point{0, 0, R * (1 + std::sqrt(3.0))}})
    scene.add_rigid(
        Cylinder{R, 0.4},
        {.material = "log", .density = 1000, .position = p, .rotation = rotation_about({1, 0, 0}, 90)});
  return scene;
}

Scene spheres(double between, double floor) {
  const double R = 0.1;
  Scene scene{.step = 1e-3};
  scene.pairs = {{.between = {"ball", "ball"}, .friction = between},
                 {.between = {"ball", "floor"}, .friction = floor}};
  scene.add_fixed(Plane{}, {.material = "floor"});
  const double d = 2 * R / std::sqrt(3.0);
  for (int k = 0; k < 3; ++k)
    scene.add_rigid(Sphere{R},
                    {.material = "ball",
                     .density = 1000,
                     .position = {d * std::cos(2 * M_PI * k / 3), d * std::sin(2 * M_PI * k / 3), R}});
  scene.add_rigid(Sphere{R},
                  {.material = "ball", .density = 1000, .position = {0, 0, R + 2 * R * std::sqrt(2.0 / 3)}});
  return scene;
}

std::vector<Finding> pyramids(Length length) {
  const long steps = length == Length::full ? 10000 : 1000;
  std::vector<Finding> all;
  const auto both = [&](const char* name, Scene (*make)(double, double), double between, double floor) {
    const double d = 1e-5;
    all.push_back({"E1", std::string(name) + " above both limits: way, m", 0,
                   moves(make(between + d, floor + d), steps), 1e-9});
    all.push_back({"E1", std::string(name) + " fall with less between them (1: yes)", 1,
                   moves(make(between - d, floor + 0.5), steps) > 1e-8 ? 1.0 : 0.0, 0});
    all.push_back({"E1", std::string(name) + " fall with less on the floor (1: yes)", 1,
                   moves(make(between + 0.5, floor - d), steps) > 1e-8 ? 1.0 : 0.0, 0});
  };
  both("cylinders", cylinders, std::tan(15 * degree), (2 - std::sqrt(3.0)) / 3);
  both("spheres", spheres, std::sqrt(3.0) - std::sqrt(2.0), (std::sqrt(3.0) - std::sqrt(2.0)) / 4);
  return all;
}

/// E2: fifty boxes, and a light one under a heavy one.
std::vector<Finding> stacks(Length length) {
  const long steps = length == Length::full ? 10000 : 500;
  std::vector<Finding> all;
  for (bool heavy : {false, true}) {
    Scene scene{.step = 1e-3};
    scene.add_fixed(Plane{});
    const int N = heavy ? 2 : 50;
    for (int k = 0; k < N; ++k)
      scene.add_rigid(Box{0.2, 0.2, 0.1},
                      {.mass = heavy && k == 1 ? 1e6 : 1.0, .position = {0, 0, 0.05 + 0.1 * k}});
    Simulation s(scene);
    const std::vector<Point> start = positions(s);
    for (long k = 0; k < steps; ++k) s.step();
    double worst = 0;
    for (int k = 0; k < N; ++k) {
      double above = 0, carried = 0;
      for (int j = k; j < N; ++j) above += s.mass(j + 1) * g * scene.step;
      for (const TouchingPoint& c : s.contacts())
        if (c.body[0] == k) carried += c.impulse[2];
      worst = std::max(worst, std::abs(carried / above - 1));
    }
    const std::string which = heavy ? "1 kg under 1e6 kg" : "50 boxes";
    all.push_back({"E2", which + ": impulse of a level, relative error", 0, worst, 1e-8});
    all.push_back({"E2", which + ": way, m", 0, largest_move(s, start), 1e-9});
    all.push_back({"E2", which + ": kinetic energy, J", 0, s.kinetic(), heavy ? 1e-14 : 1e-18});
  }
  return all;
}

/// E3: two blocks, the lower one pulled.
std::vector<Finding> two_blocks(Length) {
  const double m1 = 2, m2 = 1, mu1 = 0.2, mu2 = 0.3, limit = (mu1 + mu2) * (m1 + m2) * g;
  const auto run = [&](double F, double& slip) {
    Scene scene{.step = 1e-3};
    scene.pairs = {{.between = {"lower", "floor"}, .friction = mu1},
                   {.between = {"lower", "upper"}, .friction = mu2}};
    scene.add_fixed(Plane{}, {.material = "floor"});
    const auto lower =
        scene.add_rigid(Box{0.4, 0.4, 0.1}, {.material = "lower", .mass = m1, .position = {0, 0, 0.05}});
    const auto upper =
        scene.add_rigid(Box{0.2, 0.2, 0.1}, {.material = "upper", .mass = m2, .position = {0, 0, 0.15}});
    scene.add_force({.body = lower, .force = {F, 0, 0}, .point = {0, 0, 0.0}});
    Simulation s(scene);
    s.run(0.2);
    slip = s.position(lower)[0] - s.position(upper)[0];
    return s.velocity(upper)[0] / 0.2;
  };
  double together = 0, apart = 0, far = 0;
  run(limit * (1 - 1e-6), together);
  run(limit * (1 + 1e-6), apart);
  const double a = run(1.2 * limit, far);
  // Velocities to 1e-8 of ‖q‖, 1e-2 m/s, for 0.2 s: 2e-11 m at most.
  return {{"E3", "slip just below the limit, m", 0, together, 2e-11},
          {"E3", "slip just above (1: yes)", 1, apart > 1e-9 ? 1.0 : 0.0, 0},
          {"E3", "upper block beyond the limit, m/s²", mu2 * g, a, 1e-6}};
}

/// E4: a semicircular arch of straight voussoirs with radial joints.
Scene arch(int N, double thickness, double friction, double step) {
  Scene scene{.step = step, .contact = {.friction = friction}};
  scene.add_fixed(Box{4, 2, 1}, {.position = {0, 0, -0.5}});
  const double inner = 1 - thickness / 2, outer = 1 + thickness / 2;
  for (int k = 0; k < N; ++k) {
    Convex stone;
    for (int side : {k, k + 1}) {
      const double a = M_PI * side / N,
                   c = side == 0   ? 1
                       : side == N ? -1
                                   : std::cos(a),
                   s = side == 0 || side == N ? 0 : std::sin(a);
      for (double r : {inner, outer})
        for (double y : {-0.1, 0.1}) stone.points.push_back({r * c, y, r * s});
    }
    scene.add_rigid(stone, {.density = 2000});
  }
  return scene;
}

std::vector<Finding> arches(Length length) {
  std::vector<Finding> all;
  const std::vector<int> sizes =
      length == Length::full ? std::vector<int>{7, 15, 27} : std::vector<int>{7, 15};
  for (int N : sizes) {
    const double limit = arch_limit(N, 10);
    const auto energy = [&](double share) {
      Simulation s(arch(N, limit * share, 10, 1e-3));
      s.run(0.75);
      return s.kinetic();
    };
    all.push_back({"E4", std::to_string(N) + " voussoirs at 1.001 of the limit: kinetic energy, J", 0,
                   energy(1.001), 1e-6});
    all.push_back({"E4", std::to_string(N) + " voussoirs at 0.999: it falls (1: yes)", 1,
                   energy(0.999) > 1e-6 ? 1.0 : 0.0, 0});
  }
  all.push_back({"E4", "limit of 27 voussoirs by the linear program", 0.106721, arch_limit(27, 10), 1e-6});
  all.push_back({"E4", "limit of 27 voussoirs, μ = 0.36", 0.140891, arch_limit(27, 0.36), 1e-6});
  return all;
}

/// E7: blocks that hang over.
std::vector<Finding> overhang(Length) {
  std::vector<Finding> all;
  const double L = 1, t = 0.1;
  for (int n : {1, 2, 4, 9}) {
    const auto falls = [&](double share) {
      Scene scene{.step = 1e-3};
      scene.add_fixed(Box{4, 1, 1}, {.position = {-2, 0, -0.5}});
      // The top block hangs over the one below by L/2, the next by L/4, …, the lowest over the table's edge by L/(2n).
      double x = 0;
      std::vector<double> centres;
      for (int k = n; k >= 1; --k) {
        x += share * L / (2 * k);
        centres.push_back(x - L / 2);
      }
      for (int k = 0; k < n; ++k)
        scene.add_rigid(Box{L, 0.3, t},
                        {.density = 500, .position = {centres[std::size_t(k)], 0, t / 2 + t * k}});
      return moves(scene, 500) > 1e-7 ? 1.0 : 0.0;
    };
    all.push_back({"E7", std::to_string(n) + " blocks at 0.999 fall (1: yes)", 0, falls(0.999), 0});
    all.push_back({"E7", std::to_string(n) + " blocks at 1.001 fall (1: yes)", 1, falls(1.001), 0});
  }
  return all;
}

/// E9: two cards of thickness t that lean against each other with their edges; the apex is smooth. Foot and apex are on one side of the
/// card, its weight in the middle: μ ≥ ½ tan φ − t/(2l). Edges balanced on edges without friction sway like pendulums upside down: 250 steps.
std::vector<Finding> cards(Length) {
  const double l = 0.2;
  std::vector<Finding> all;
  for (const auto& [phi, t] : {std::pair{20.0, 1e-3}, std::pair{20.0, 1e-4}, std::pair{20.0, 1e-5},
                               std::pair{10.0, 1e-4}, std::pair{30.0, 1e-4}, std::pair{35.0, 1e-4}}) {
    const double s = std::sin(phi * degree), c = std::cos(phi * degree);
    const double limit = std::tan(phi * degree) / 2 - t / (2 * l);
    const auto falls = [&](double mu) {
      Scene scene{.step = 1e-3};
      scene.pairs = {{.between = {"card", "floor"}, .friction = mu},
                     {.between = {"card", "card"}, .friction = 0}};
      scene.add_fixed(Plane{}, {.material = "floor"});
      for (double side : {-1.0, 1.0})
        scene.add_rigid(Box{t, 0.1, l},
                        {.material = "card",
                         .density = 1000,
                         .position = {side * (l / 2 * s + t / 2 * c), 0, l / 2 * c + t / 2 * s},
                         .rotation = rotation_about({0, 1, 0}, -side * phi)});
      return moves(scene, 250) > 1e-8 ? 1.0 : 0.0;
    };
    char which[48];
    std::snprintf(which, sizeof which, "φ = %g°, t = %g m: ", phi, t);
    all.push_back(
        {"E9", which + std::string("fall 1e-5 above the limit (1: yes)"), 0, falls(limit + 1e-5), 0});
    all.push_back({"E9", which + std::string("fall 1e-5 below (1: yes)"), 1, falls(limit - 1e-5), 0});
  }
  return all;
}

/// E6: a rope of n nodes over half a turn of a smooth drum; each node pressed against the drum by its two neighbours. The nodes are small
/// balls that do not turn, on flats of the drum, joined by distances; the tension of the slack end is a force, the taut end is pulled a little more or less.
std::vector<Finding> capstan(Length length) {
  std::vector<Finding> all;
  const double mu = 0.3;
  const std::vector<int> sizes = length == Length::full ? std::vector<int>{9, 18, 36} : std::vector<int>{9};
  for (int n : sizes) {
    const double delta = M_PI / n, t = std::tan(delta / 2), ratio = std::pow((1 + mu * t) / (1 - mu * t), n);
    const auto slips = [&](double share) {
      Scene scene{.gravity = {0, 0, 0}, .step = 1e-3, .contact = {.friction = mu}};
      // Node k touches a plane of its own, tangent to the unit circle at its angle: the rope cannot leave its place by more than it slips.
      const double r = 1e-3;
      std::vector<Point> node;
      for (int k = 0; k < n; ++k) {
        const double a = delta * (k + 0.5);
        node.push_back({std::cos(a), 0, std::sin(a)});
      }
      for (int k = 0; k < n; ++k)
        scene.add_fixed(Box{0.02, 0.1, 0.04},
                        {.position = {(1 - r - 0.01) * node[std::size_t(k)][0], 0,
                                      (1 - r - 0.01) * node[std::size_t(k)][2]},
                         .rotation = rotation_about({0, 1, 0}, -delta * (k + 0.5) / degree)});
      for (int k = 0; k < n; ++k)
        scene.add_rigid(Sphere{r}, {.mass = 1e-3,
                                    .inertia = Point{1, 1, 1},
                                    .position = node[std::size_t(k)]});  // it slides, not rolls
      for (int k = 0; k + 1 < n; ++k)
        scene.add_joint({.kind = JointKind::distance, .first = n + k, .second = n + k + 1});
      const double T1 = 1, T2 = ratio * share;
      // The ends pull along the tangents half a node further: at angles 0 and π.
      const auto pull = [&](int k, double T, double sign) {
        const double a = delta * (k + 0.5) + sign * delta / 2;
        scene.add_force({.body = n + k, .force = {sign * -T * std::sin(a), 0, sign * T * std::cos(a)}});
      };
      pull(0, T1, -1);
      pull(n - 1, T2, 1);
      Simulation s(scene);
      s.run(0.02);
      return norm(difference(s.position(n), node[0])) > 1e-6 ? 1.0 : 0.0;
    };
    all.push_back({"E6", std::to_string(n) + " nodes slip 0.1 % above (1: yes)", 1, slips(1.001), 0});
    all.push_back({"E6", std::to_string(n) + " nodes slip 0.1 % below (1: yes)", 0, slips(0.999), 0});
  }
  return all;
}

/// E10: the same scene turned and in other units: the same motion.
std::vector<Finding> frozen(Length) {
  const auto run = [&](double length_unit, double mass_unit, const Quaternion& q) {
    // Time scales with √length, so that gravity stays 9.81: steps too.
    const double L = length_unit, time = std::sqrt(L);
    const Point down = turned(q, {0, 0, -g});
    Scene scene{.gravity = down, .step = 1e-3 * time, .contact = {.friction = 0.4}};
    scene.add_fixed(Plane{.normal = turned(q, {0, 0, 1})});
    const auto place = [&](Point p) { return turned(q, {p[0] * L, p[1] * L, p[2] * L}); };
    const auto boxes = {Point{0, 0, 0.05}, Point{0.03, 0.01, 0.15}, Point{-0.02, 0.02, 0.25}};
    for (const Point& p : boxes)
      scene.add_rigid(Box{0.2 * L, 0.15 * L, 0.1 * L},
                      {.mass = mass_unit,
                       .position = place(p),
                       .rotation = q,
                       .velocity = turned(q, {time * 10 * p[2] * p[2], 0.3 * time * p[2], 0})});
    Simulation s(scene);
    for (int k = 0; k < 300; ++k) s.step();
    std::vector<double> result;
    const Quaternion back = {q[0], -q[1], -q[2], -q[3]};
    for (int b = 1; b <= 3; ++b)
      for (double x : turned(back, s.position(b))) result.push_back(x / L);
    return result;
  };
  const std::vector<double> reference = run(1, 1, {1, 0, 0, 0});
  std::vector<Finding> all;
  const auto compare = [&](const char* what, const std::vector<double>& other) {
    double worst = 0;
    for (std::size_t k = 0; k < other.size(); ++k) worst = std::max(worst, std::abs(other[k] - reference[k]));
    all.push_back({"E10", what, 0, worst, 1e-9});
  };
  const double c = 0.5477225575051661;  // √0.3
  compare("turned: largest difference, m", run(1, 1, {c, c, c, std::sqrt(0.1)}));
  compare("a thousand times larger", run(1e3, 1, {1, 0, 0, 0}));
  compare("a thousand times smaller", run(1e-3, 1, {1, 0, 0, 0}));
  compare("a thousand times heavier", run(1, 1e3, {1, 0, 0, 0}));
  compare("a thousand times lighter", run(1, 1e-3, {1, 0, 0, 0}));
  return all;
}

}  // namespace

std::vector<Problem> assemblies() {
  return {{"E1", "pyramids of cylinders and spheres", pyramids},
          {"E2", "stacks and mass ratios", stacks},
          {"E3", "two blocks pulled", two_blocks},
          {"E4", "semicircular arch", arches},
          {"E6", "rope on a capstan", capstan},
          {"E7", "overhang", overhang},
          {"E9", "house of cards", cards},
          {"E10", "turned, and in other units", frozen}};
}

}  // namespace stickslip::validation
