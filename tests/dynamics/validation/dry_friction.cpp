// Group B: one body, dry friction.

#include <algorithm>

#include "tests/dynamics/validation/finding.hpp"

namespace stickslip::validation {
namespace {

constexpr double g = 9.81;

/// How far the body of an incline gets down the slope in so many steps.
double way_down(const Incline& incline, long steps) {
  Simulation s(incline.scene());
  const Point start = s.position(on_incline);
  for (long k = 0; k < steps; ++k) s.step();
  return dot(difference(s.position(on_incline), start), incline.along());
}

/// B1: a box on an incline.
std::vector<Finding> incline(Length length) {
  const double mu = 0.5, limit = std::atan(mu) / degree;
  const long many = length == Length::full ? 100000 : 10000;
  // Just above the limit: a = g (sin α − μ cos α), and the way after n steps of the scheme is a (n h)²/2.
  Incline above{.angle = limit + 1e-6, .friction = mu}, below{.angle = limit - 1e-6, .friction = mu};
  const double a = g * (std::sin(above.angle * degree) - mu * std::cos(above.angle * degree));
  Incline steep{.angle = 35, .friction = mu};
  const double b = g * (std::sin(steep.angle * degree) - mu * std::cos(steep.angle * degree));
  Incline near{.angle = 0.99 * limit, .friction = mu};
  return {{"B1", "slides 1e-6° above the limit: way in 1 s, m", a / 2, way_down(above, 1000), 0.01 * a},
          {"B1", "rests 1e-6° below: way in 1 s, m", 0, way_down(below, 1000), 1e-10},
          {"B1", "slides at 35°: way in 1 s, m", b / 2, way_down(steep, 1000), 1e-8 * b},
          {"B1", "creep at 0.99 of the limit, m", 0, way_down(near, many), 1e-9}};
}

/// B2: how far a sliding box gets, in 16 directions.
std::vector<Finding> headings(Length) {
  const double v0 = 2, mu = 0.4, d = v0 * v0 / (2 * mu * g), h = 1e-3;
  double least = 1e300, most = 0, yaw = 0;
  const auto slide = [&](double angle, double step) {
    Scene scene{.step = step, .contact = {.friction = mu}};
    scene.add_fixed(Plane{});
    const auto box =
        scene.add_rigid(Box{0.2, 0.2, 0.1}, {.mass = 1.0,
                                             .position = {0, 0, 0.05},
                                             .rotation = rotation_about({0, 0, 1}, angle / degree),
                                             .velocity = {v0 * std::cos(angle), v0 * std::sin(angle), 0}});
    Simulation s(scene);
    s.run(0.6);
    const Point axis = turned(s.orientation(box), {1, 0, 0});
    yaw = std::max(yaw, std::abs(axis[1] * std::cos(angle) - axis[0] * std::sin(angle)));
    return norm(difference(s.position(box), {0, 0, 0.05}));
  };
  for (int k = 0; k < 16; ++k) {
    const double way = slide(2 * M_PI * k / 16 + 0.1, h);
    least = std::min(least, way);
    most = std::max(most, way);
  }
  return {{"B2", "stopping distance, m", d, most, mu * g * h * h},
          {"B2", "differences between headings, m", 0, most - least, 1e-9},
          {"B2", "yaw at the end, rad", 0, yaw, 1e-10},
          at_least_one("B2", "stopping distance",
                       event_order([&](double step) { return slide(0.1, step) - d; }, 8e-3))};
}

/// B3: a block under 8 cos t; the closed form of each phase of sliding.
std::vector<Finding> pushed_block(Length) {
  const double F = 8, m = 1, mu = 0.8, friction = mu * m * g, h = 1e-3;
  const BodyIndex block = 1;
  const auto pushed = [&](double step) {
    Scene scene{.step = step, .contact = {.friction = mu}};
    scene.add_fixed(Plane{});
    scene.add_rigid(Box{0.2, 0.2, 0.1}, {.mass = m, .position = {0, 0, 0.05}});
    // Pushed at the height of the floor, so that it does not tip.
    scene.add_force(
        {.body = block, .force = {[=](double t) { return F * std::cos(t); }, 0, 0}, .point = {0, 0, 0}});
    return scene;
  };
  Simulation s(pushed(h));
  // From t₀ on, with direction ±: v = F (sin t − sin t₀) ∓ friction (t − t₀).
  const auto slide = [&](double t0, double sign, double& end) {
    const auto v = [&](double t) { return F * (std::sin(t) - std::sin(t0)) - sign * friction * (t - t0); };
    double low = t0 + 0.1, high = t0 + 1;
    for (int i = 0; i < 200; ++i) (sign * v((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    end = low;
    return F * (std::cos(t0) - std::cos(end) - (end - t0) * std::sin(t0)) -
           sign * friction * std::pow(end - t0, 2) / 2;
  };
  double end1 = 0, end2 = 0, end3 = 0;
  const double begin = std::acos(friction / F);
  const double x1 = slide(0, 1, end1), x2 = x1 + slide(M_PI - begin, -1, end2),
               x3 = x2 + slide(2 * M_PI - begin, 1, end3);
  double peak = 0;
  std::vector<double> found;
  for (double t : {1.0, 4.0, 7.0}) {
    s.run(t - s.time(), [&](const Simulation& now) {
      if (now.time() < 4) peak = std::min(peak, now.velocity(block)[0]);
      return false;
    });
    found.push_back(s.position(block)[0]);
  }
  const double top = M_PI + begin,
               v_peak = F * (std::sin(top) - std::sin(M_PI - begin)) + friction * (2 * begin);
  return {{"B3", "first rest, m", x1, found[0], 5e-6},
          {"B3", "second rest, m", x2, found[1], 5e-6},
          {"B3", "third rest, m", x3, found[2], 5e-6},
          {"B3", "peak speed, m/s", v_peak, peak, 1e-5},
          at_least_one("B3", "second rest",
                       event_order(
                           [&](double step) {
                             Simulation run(pushed(step));
                             run.run(4);
                             return run.position(block)[0] - x2;
                           },
                           2e-2))};
}

/// B4: Newmark's block on a table that is pushed once.
std::vector<Finding> shaking_table(Length) {
  const double a = 0.5 * g, t0 = 0.2, mu = 0.2, h = 1e-3;
  const double D = std::pow(a * t0, 2) / (2 * mu * g) * (1 - mu * g / a);
  const auto slip = [&](double push, double step) {
    Scene scene{.step = step, .contact = {.friction = mu}};
    const auto table =
        scene.add_driven(Plane{}, {.velocity = {[=](double t) { return push * std::min(t, t0); }, 0, 0}});
    const auto block = scene.add_rigid(Box{0.2, 0.2, 0.1}, {.mass = 1.0, .position = {0, 0, 0.05}});
    Simulation s(scene);
    s.run(0.6);
    return s.position(table)[0] - s.position(block)[0];
  };
  const double coarse = slip(a, h);
  return {{"B4", "slip, m", D, coarse, a * t0 * h},
          {"B4", "no slip below μ g, m", 0, slip(0.999 * mu * g, h), 1e-11},
          at_least_one("B4", "slip", event_order([&](double step) { return slip(a, step) - D; }, 8e-3))};
}

/// B5: forces at the corners of a braking box.
std::vector<Finding> braking_box(Length) {
  const double a = 0.5, c = 0.1, mu = 0.4, m = 1;
  Scene scene{.step = 1e-3, .contact = {.friction = mu}};
  scene.add_fixed(Plane{});
  scene.add_rigid(Box{2 * a, 0.6, 2 * c}, {.mass = m, .position = {0, 0, c}, .velocity = {2, 0, 0}});
  Simulation s(scene);
  s.run(0.05);
  double front = 0, rear = 0;
  for (const TouchingPoint& contact : s.contacts())
    (contact.point[0] > s.position(1)[0] ? front : rear) += contact.impulse[2] / scene.step;
  return {{"B5", "front corners, N", m * g / 2 * (1 + mu * c / a), front, 1e-8 * m * g},
          {"B5", "rear corners, N", m * g / 2 * (1 - mu * c / a), rear, 1e-8 * m * g}};
}

/// B6: a tall box tips before it slides, or slides before it tips.
std::vector<Finding> slide_or_tip(Length) {
  const auto found = [&](double mu, double angle, double& turn) {
    Incline tall{.angle = angle, .friction = mu, .size = {0.2, 0.2, 0.6}};
    Simulation s(tall.scene());
    const Point start = s.position(on_incline);
    // Just beyond the limit everything starts slowly: grows as e^{t √(3g/4l)}.
    s.run(3);
    turn = std::acos(std::min(1.0, dot(turned(s.orientation(on_incline), {0, 0, 1}), tall.normal())));
    return dot(difference(s.position(on_incline), start), tall.along());
  };
  const double tips = std::atan(1.0 / 3) / degree, slides = std::atan(0.3) / degree;
  double turn_below = 0, turn_above = 0, turn = 0;
  found(0.6, tips - 1e-6, turn_below);
  found(0.6, tips + 1e-6, turn_above);
  const double way_below = found(0.3, slides - 1e-6, turn), way_above = found(0.3, slides + 1e-6, turn);
  // Beyond the limit by δ the box turns with δ g cos α/(…) at first; asked for is that it moves at all.
  return {{"B6", "rests 1e-6° below tipping: angle, rad", 0, turn_below, 1e-9},
          {"B6", "tips 1e-6° above (1: yes)", 1, turn_above > 1e-8 ? 1.0 : 0.0, 0},
          {"B6", "rests 1e-6° below sliding: way, m", 0, way_below, 1e-11},
          {"B6", "slides 1e-6° above (1: yes)", 1, way_above > 1e-8 ? 1.0 : 0.0, 0}};
}

/// B7: a ladder, as thin box whose edges touch floor and wall.
std::vector<Finding> ladder(Length) {
  const double floor = 0.4, wall = 0.3, l = 2;
  const auto slips = [&](double wall_friction, double theta) {
    // A capsule without thickness is a point at each end: ends as small spheres joined by their inertia.
    Scene scene{.step = 1e-3};
    scene.pairs = {{.between = {"ladder", "floor"}, .friction = floor},
                   {.between = {"ladder", "wall"}, .friction = wall_friction}};
    scene.add_fixed(Plane{}, {.material = "floor"});
    scene.add_fixed(Plane{.normal = {-1, 0, 0}}, {.material = "wall"});
    const double r = 1e-8, c = std::cos(theta * degree), s = std::sin(theta * degree);
    Compound ends;
    for (double side : {-1.0, 1.0})
      for (double y : {-0.2, 0.2})
        ends.parts.push_back({.shape = Sphere{r}, .position = {side * l / 2, y, 0}});
    scene.add_rigid(ends, {.material = "ladder",
                           .mass = 1.0,
                           .inertia = Point{0.01, l * l / 12, l * l / 12 + 0.01},
                           .position = {-l / 2 * c - r, 0, l / 2 * s + r},
                           .rotation = rotation_about({0, 1, 0}, -theta)});
    Simulation sim(scene);
    const double z = sim.position(2)[2];
    sim.run(2);
    return z - sim.position(2)[2] > 1e-7 ? 1.0 : 0.0;
  };
  const auto limit = [&](double wall_friction) {
    return std::atan((1 - floor * wall_friction) / (2 * floor)) / degree;
  };
  std::vector<Finding> all;
  for (double friction : {wall, 0.0}) {
    const std::string which = friction > 0 ? "rough wall" : "smooth wall";
    all.push_back(
        {"B7", which + ": falls 1e-5° below (1: yes)", 1, slips(friction, limit(friction) - 1e-5), 0});
    all.push_back(
        {"B7", which + ": falls 1e-5° above (1: yes)", 0, slips(friction, limit(friction) + 1e-5), 0});
  }
  return all;
}

/// B8: Painlevé's rod. The step has a solution: impact without collision.
std::vector<Finding> painleve(Length) {
  const double l = 0.5, m = 2, v = 3;
  const auto run = [&](double mu, double h) {
    const double theta = std::atan(2.0);
    Scene scene{.gravity = {0, 0, 0}, .step = h, .contact = {.friction = mu}};
    scene.add_fixed(Plane{});
    // The rod's tip ahead of the centre on the floor: a small ball at the end of the rod.
    const double r = 1e-6;
    Compound tip;
    tip.parts.push_back({.shape = Sphere{r}, .position = {0, 0, 0}});
    const double c = std::cos(theta), s = std::sin(theta);
    // Two balls: the lower end touches, the upper one makes the centre of mass the middle.
    tip.parts[0].position = {l * c, 0, -l * s};
    tip.parts.push_back({.shape = Sphere{r}, .position = {-l * c, 0, l * s}});
    const double I = m * l * l / 3;
    scene.add_rigid(
        tip,
        {.mass = m, .inertia = Point{I, I, I}, .position = {0, 0, l * s + r}, .velocity = {v, 0, -1e-9}});
    Simulation sim(scene);
    sim.step();
    const auto contacts = sim.contacts();
    Point impulse = {0, 0, 0};
    for (const TouchingPoint& contact : contacts) impulse = contact.impulse;
    return impulse;
  };
  const Point stuck = run(1.4, 1e-6), sliding = run(1.2, 1e-6);
  return {{"B8", "μ = 1.4: normal impulse / (m v)", 0.3, stuck[2] / (m * v), 1e-5},
          {"B8", "μ = 1.4: friction impulse / (m v)", 0.4, -stuck[0] / (m * v), 1e-5},
          {"B8", "μ = 1.2: normal impulse / (m v)", 0, sliding[2] / (m * v), 1e-5}};
}

}  // namespace

std::vector<Problem> dry_friction() {
  return {{"B1", "box on an incline", incline},
          {"B2", "stopping distance in 16 headings", headings},
          {"B3", "block under 8 cos t", pushed_block},
          {"B4", "table pushed once", shaking_table},
          {"B5", "corner forces of a braking box", braking_box},
          {"B6", "slide or tip", slide_or_tip},
          {"B7", "ladder", ladder},
          {"B8", "Painlevé's rod", painleve}};
}

}  // namespace stickslip::validation
