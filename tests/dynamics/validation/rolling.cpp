// Group C: rolling.

#include <algorithm>

#include "tests/dynamics/validation/finding.hpp"

namespace stickslip::validation {
namespace {

constexpr double g = 9.81;

/// C1: a billiard ball with spin. The direction of sliding is constant, then it rolls.
std::vector<Finding> billiard(Length) {
  const double R = 0.03, mu = 0.2;
  const Point v0 = {2, 0, 0}, w0 = {40, -30, 50};
  const Point u0 = {v0[0] - R * w0[1], v0[1] + R * w0[0], 0};
  const double rolls = 2 * norm(u0) / (7 * mu * g);
  const Point v = {v0[0] - 2.0 / 7 * u0[0], v0[1] - 2.0 / 7 * u0[1], 0};
  const Point x = {v0[0] * rolls - mu * g * u0[0] / norm(u0) * rolls * rolls / 2,
                   v0[1] * rolls - mu * g * u0[1] / norm(u0) * rolls * rolls / 2, 0};
  double away = 0, found_v[2] = {}, spin = 0, found_time = 0;
  const auto late = [&](double h) {
    Scene scene{.step = h, .contact = {.friction = mu}};
    scene.add_fixed(Plane{});
    const auto ball = scene.add_rigid(
        Sphere{R}, {.density = 1700, .position = {0, 0, R}, .velocity = v0, .angular_velocity = w0});
    Simulation s(scene);
    double stop = 0;
    while (s.time() < 0.6) {
      s.step();
      if (stop == 0 && !s.contacts().empty() && s.contacts()[0].status == ContactStatus::stick)
        stop = s.time();
    }
    const double t = s.time() - rolls;
    const Point p = s.position(ball);
    away = norm(difference({p[0], p[1], 0}, {x[0] + v[0] * t, x[1] + v[1] * t, 0}));
    found_v[0] = s.velocity(ball)[0];
    found_v[1] = s.velocity(ball)[1];
    spin = s.angular_velocity(ball)[2];
    found_time = stop;
    return stop - rolls;
  };
  const double found_order = event_order(late, 8e-3);
  late(1e-3);
  return {{"C1", "begins to roll, s", rolls, found_time, 2e-3},
          {"C1", "rolls with v_x, m/s", v[0], found_v[0], 1e-7},
          {"C1", "rolls with v_y, m/s", v[1], found_v[1], 1e-7},
          {"C1", "spin about the vertical, rad/s", w0[2], spin, 1e-7},
          {"C1", "place at 0.6 s, error, m", 0, away, 1e-6},
          at_least_one("C1", "begins to roll", found_order)};
}

/// C2: down an incline with just enough friction, or a little less.
std::vector<Finding> down_the_slope(Length) {
  const double alpha = 30 * degree, R = 0.1;
  std::vector<Finding> all;
  const auto one = [&](const char* name, const Shape& shape, double k, std::optional<Point> inertia,
                       double mass) {
    const auto run = [&](double mu, double& slip) {
      Scene scene{.step = 1e-3, .contact = {.friction = mu}};
      const Point n = {std::sin(alpha), 0, std::cos(alpha)};
      scene.add_fixed(Plane{.normal = n});
      // Cylinders lie along y.
      scene.add_rigid(shape, {.mass = mass,
                              .inertia = inertia,
                              .position = {R * n[0], 0, R * n[2]},
                              .rotation = rotation_about({1, 0, 0}, 90)});
      Simulation s(scene);
      s.run(0.5);
      slip = 0;
      for (const TouchingPoint& c : s.contacts()) slip = std::max(slip, norm(c.velocity));
      return dot(s.velocity(1), {std::cos(alpha), 0, -std::sin(alpha)}) / 0.5;
    };
    const double limit = std::tan(alpha) * k / (1 + k), a = g * std::sin(alpha) / (1 + k);
    double slip_above = 0, slip_below = 0;
    const double found = run(limit * (1 + 1e-6), slip_above);
    run(limit * (1 - 1e-6), slip_below);
    all.push_back({"C2", std::string(name) + ": acceleration, m/s²", a, found, 1e-6 * a});
    all.push_back({"C2", std::string(name) + ": slip just above the limit, m/s", 0, slip_above, 1e-10});
    all.push_back(
        {"C2", std::string(name) + ": slips just below (1: yes)", 1, slip_below > 1e-8 ? 1.0 : 0.0, 0});
  };
  one("sphere", Sphere{R}, 0.4, {}, 1);
  one("cylinder", Cylinder{R, 0.2}, 0.5, {}, 1);
  one("hoop", Cylinder{R, 0.2}, 1, Point{0.01, 0.01, R * R}, 1);
  return all;
}

/// C3: a ball on a turntable moves on a circle, 2/7 as fast as the table.
std::vector<Finding> turntable(Length) {
  const double W = 2, R = 0.05, T = 2 * M_PI / (2 * W / 7);
  double radius_drift[2], period[2];
  int row = 0;
  for (double h : {1e-3, 5e-4}) {
    Scene scene{.step = h, .contact = {.friction = 0.8}};
    scene.add_driven(Plane{}, {.angular_velocity = {0, 0, W}, .centre = {0, 0, 0}});
    // Rolling without slip: v − R ω × n … = Ω × x. At x = (1, 0): table speed W; ball at rest relative to the room spins.
    const Point x0 = {1, 0, R};
    // v = 0.3 along y at the start; ω such that the contact point moves with the table: v + ω × (−R n) = Ω × x.
    const double vy = 0.3;
    const auto ball = scene.add_rigid(Sphere{R}, {.density = 1000,
                                                  .position = x0,
                                                  .velocity = {0, vy, 0},
                                                  .angular_velocity = {(W * x0[0] - vy) / R, 0, 0}});
    Simulation s(scene);
    // Centre of the circle: c = x + (k × v)/(2W/7) turned the right way; radius v/(2W/7).
    const double w = 2 * W / 7;
    const Point centre = {x0[0] - vy / w, 0, R};
    const double radius = vy / w;
    Crossings passes;
    while (passes.times.size() < 2) {
      s.step();
      passes.sample(s.time(), s.position(ball)[1] - centre[1]);
    }
    period[row] = passes.times[1];
    radius_drift[row] = norm(difference(s.position(ball), centre)) / radius - 1;
    ++row;
  }
  return {{"C3", "period, s", T, period[0], 0.002 * T},
          {"C3", "drift of the radius in one turn", 0, radius_drift[0], 0.005},
          {"C3", "order of that drift", 1, order(radius_drift[0], radius_drift[1]), 0.2}};
}

/// A trough of flat pieces would have corners; a ball inside a large sphere's surface is not a shape of ours. The trough is a pipe of many
/// pieces, its polygon so fine that the ball rests on one face at a time.
Scene trough(double R, double friction, double h, int pieces) {
  Scene scene{.step = h, .contact = {.friction = friction}};
  scene.add_fixed(Pipe{.inner = R, .outer = 1.2 * R, .length = 1, .pieces = pieces},
                  {.rotation = rotation_about({1, 0, 0}, 90)});
  return scene;
}

/// C4: a ball in a trough is a pendulum of length R − r, slower by √(7/5) when it rolls. It swings by 30°, many pieces of the trough, and
/// the period is that of the finite swing, by the arithmetic-geometric mean.
std::vector<Finding> ball_in_trough(Length) {
  const double R = 0.5, r = 0.05, h = 1e-3, angle = 30 * degree;
  const int pieces = 600;
  std::vector<Finding> all;
  for (double mu : {1.0, 0.0}) {
    Scene scene = trough(R, mu, h, pieces);
    const double a = R * std::cos(M_PI / pieces) - r;
    const auto ball = scene.add_rigid(
        Sphere{r}, {.density = 1000, .position = {a * std::sin(angle), 0, -a * std::cos(angle)}});
    Simulation s(scene);
    Crossings passes;
    while (passes.times.size() < 2 && s.time() < 10) {
      s.step();
      passes.sample(s.time(), s.position(ball)[0]);
    }
    double x = 1, y = std::cos(angle / 2);
    for (int k = 0; k < 20; ++k) {
      const double mean = (x + y) / 2;
      y = std::sqrt(x * y);
      x = mean;
    }
    const double T = 2 * M_PI / std::sqrt((mu > 0 ? 5.0 / 7 : 1.0) * g / a) / x;
    const double found = passes.times.size() < 2 ? 0 : 2 * (passes.times[1] - passes.times[0]);
    all.push_back({"C4", mu > 0 ? "period rolling, s" : "period sliding, s", T, found, 0.002 * T});
  }
  return all;
}

/// C7: 25 balls on a plate that is pushed (SimBenchmark's "rolling").
std::vector<Finding> balls_on_plate(Length) {
  const double M = 10, m = 1, F = 150, mu = 0.4;
  std::vector<Finding> all;
  for (const Point direction : {Point{0, 1, 0}, Point{0.5, std::sqrt(0.75), 0}}) {
    Scene scene{.step = 1e-3};
    scene.pairs = {{.between = {"plate", "ground"}, .friction = mu},
                   {.between = {"plate", "ball"}, .friction = 0.8}};
    scene.add_fixed(Plane{}, {.material = "ground"});
    const auto plate =
        scene.add_rigid(Box{20, 20, 0.1}, {.material = "plate", .mass = M, .position = {0, 0, 0.05}});
    for (int i = 0; i < 25; ++i)
      scene.add_rigid(
          Sphere{0.5},
          {.material = "ball", .mass = m, .position = {2.0 * (i % 5) - 4, 2.0 * (i / 5) - 4, 0.6}});
    scene.add_force({.body = plate, .force = {F * direction[0], F * direction[1], 0}, .point = {0, 0, 0.0}});
    Simulation s(scene);
    s.run(0.5);
    const double a = (F - mu * (M + 25 * m) * g) / (M + 25 * m * 2 / 7);
    const std::string which = direction[0] == 0 ? " along y" : " obliquely";
    all.push_back(
        {"C7", "plate's acceleration" + which + ", m/s²", a, dot(s.velocity(plate), direction) / 0.5, 1e-6});
    all.push_back({"C7", "ball's acceleration" + which + ", m/s²", a * 2 / 7,
                   dot(s.velocity(plate + 1), direction) / 0.5, 1e-6});
  }
  return all;
}

/// A tube along z as a mesh, seen from inside. Its hollow sides never catch, so that fine facets are as good as round.
Mesh tube(double radius, double half_length, int facets) {
  Mesh mesh;
  for (int k = 0; k < facets; ++k)
    for (double z : {-half_length, half_length})
      mesh.vertices.push_back(
          {radius * std::cos(2 * M_PI * k / facets), radius * std::sin(2 * M_PI * k / facets), z});
  for (int k = 0; k < facets; ++k) {
    const int next = (k + 1) % facets;
    mesh.triangles.push_back({2 * k, 2 * next + 1, 2 * next});
    mesh.triangles.push_back({2 * k, 2 * k + 1, 2 * next + 1});
  }
  return mesh;
}

/// C5: a ball that rolls round inside a vertical tube goes down and up √(2/7) as often as it goes round. Half a period, and the mean
/// rotation in it. On N facets the ball loses speed as on any polygon, a share of 4π²/N of its energy a turn: with 4000 facets the ratio is
/// off by 0.1 %.
std::vector<Finding> golfer(Length length) {
  const int facets = 4000;
  const double R = 0.5, r = 0.05, a = R * std::cos(M_PI / facets) - r, W = 8,
               h = length == Length::full ? 2e-4 : 5e-4;
  Scene scene{.step = h, .contact = {.friction = 3}};
  scene.add_fixed(tube(R, 2, facets));
  // Rolling: the contact point at the wall is at rest, v + ω × (r e) = 0 with v along y at (a, 0).
  const double v = W * a;
  const auto ball = scene.add_rigid(
      Sphere{r},
      {.density = 1000, .position = {a, 0, 0}, .velocity = {0, v, 0}, .angular_velocity = {0, 0, -v / r}});
  Simulation s(scene);
  Crossings turns;
  double angle = 0, last = 0;
  s.step();
  while (turns.times.empty() && s.time() < 3) {
    s.step();
    turns.sample(s.time(), s.velocity(ball)[2]);
    const Point& p = s.position(ball);
    double step = std::atan2(p[1], p[0]) - last;
    last += step;
    if (step < -M_PI) step += 2 * M_PI;
    angle += step;
  }
  const double found = turns.times.empty() ? 0 : M_PI / turns.times[0], mean = angle / s.time();
  return {{"C5", "oscillation / rotation", std::sqrt(2.0 / 7), found / mean, 0.01 * std::sqrt(2.0 / 7)},
          {"C5", "lowest place / (5 g/Ω²)", -1, s.position(ball)[2] * W * W / (5 * g), 0.02}};
}

/// C6: Euler's disc, its centre at rest.
std::vector<Finding> euler_disc(Length) {
  const double R = 0.0375, t = 1e-4, alpha = 10 * degree, h = 1e-4;
  const double W = std::sqrt(4 * g / (R * std::sin(alpha)));
  Scene scene{.step = h, .contact = {.friction = 1}};
  scene.add_fixed(Plane{});
  // The disc is tilted about x; it rolls on its rim with the rate W about the vertical, ω along the diameter through the contact:
  // ω = W sin α e, e pointing up the disc's own plane.
  const Point up = {0, std::cos(alpha), std::sin(alpha)};
  const double w = W * std::sin(alpha);
  const auto disc =
      scene.add_rigid(Cylinder{R, t}, {.mass = 0.4,
                                       .position = {0, 0, R * std::sin(alpha) + t / 2 * std::cos(alpha)},
                                       .rotation = rotation_about({1, 0, 0}, alpha / degree),
                                       .angular_velocity = {w * up[0], w * up[1], w * up[2]}});
  Simulation s(scene);
  const double turn = 2 * M_PI / W;
  double azimuth = 0, last = std::atan2(turned(s.orientation(disc), {0, 0, 1})[1],
                                        turned(s.orientation(disc), {0, 0, 1})[0]);
  s.run(turn, [&](const Simulation& now) {
    const Point n = turned(now.orientation(disc), {0, 0, 1});
    double step = std::atan2(n[1], n[0]) - last;
    last += step;
    if (step > M_PI) step -= 2 * M_PI;
    if (step < -M_PI) step += 2 * M_PI;
    azimuth += step;
    return false;
  });
  const Point n = turned(s.orientation(disc), {0, 0, 1});
  return {{"C6", "rate of precession, rad/s", W, azimuth / s.time(), 0.01 * W},
          {"C6", "tilt after one turn, degrees", 10, std::acos(n[2]) / degree, 0.1}};
}

}  // namespace

std::vector<Problem> rolling() {
  return {{"C1", "billiard ball with spin", billiard},
          {"C2", "down an incline", down_the_slope},
          {"C3", "ball on a turntable", turntable},
          {"C4", "ball in a trough", ball_in_trough},
          {"C5", "ball in a vertical tube", golfer},
          {"C6", "Euler's disc", euler_disc},
          {"C7", "25 balls on a pushed plate", balls_on_plate}};
}

}  // namespace stickslip::validation
