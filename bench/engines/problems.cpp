// The validation problems B1, B2, C1, C7, D1, E2 in an engine: closed form and what it gives, as rows of a table.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "engine.hpp"

namespace engines {
namespace {

constexpr double g = 9.81;

double norm(const Vector& a) { return std::hypot(a[0], a[1], a[2]); }
Vector difference(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

void row(const Engine& engine, const char* problem, const char* figure, double expected, double found) {
  std::printf("| %s | %s | %.7g | %s | %.7g |\n", problem, figure, expected, engine.name().c_str(), found);
  std::fflush(stdout);
}

/// A box on a floor with gravity tilted by `angle`, which is an incline seen from it: way down after so many steps of 1 ms.
double way_down(Engine& engine, double angle, long steps) {
  engine.begin({.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)}});
  engine.add_floor();
  const int box = engine.add_box({0.2, 0.1, 0.05}, {.position = {0, 0, 0.025}});
  for (long k = 0; k < steps; ++k) engine.step();
  return engine.position(box)[0];
}

void incline(Engine& engine) {
  const double limit = std::atan(0.5), steep = 35 * M_PI / 180;
  row(engine, "B1", "way in 10 s at 0.99 of the limit, m", 0, way_down(engine, 0.99 * limit, 10000));
  row(engine, "B1", "way in 1 s at 35°, m", g * (std::sin(steep) - 0.5 * std::cos(steep)) / 2,
      way_down(engine, steep, 1000));
}

void headings(Engine& engine) {
  const double v = 2, mu = 0.4;
  double least = 1e300, most = 0, yaw = 0;
  for (int k = 0; k < 16; ++k) {
    const double angle = 2 * M_PI * k / 16 + 0.1;
    engine.begin({.floor_friction = mu, .body_friction = mu});
    engine.add_floor();
    const int box =
        engine.add_box({0.2, 0.2, 0.1},
                       {.position = {0, 0, 0.05}, .velocity = {v * std::cos(angle), v * std::sin(angle), 0}});
    for (int step = 0; step < 1000; ++step) engine.step();
    const Vector p = engine.position(box);
    const double way = std::hypot(p[0], p[1]);
    least = std::min(least, way);
    most = std::max(most, way);
    yaw = std::max(yaw, std::abs(std::remainder(std::atan2(p[1], p[0]) - angle, 2 * M_PI)));
  }
  row(engine, "B2", "longest stopping distance of 16 headings, m", v * v / (2 * mu * g), most);
  row(engine, "B2", "longest minus shortest, m", 0, most - least);
  row(engine, "B2", "largest turn of the path, rad", 0, yaw);
}

void billiard(Engine& engine) {
  const double R = 0.03, mu = 0.2, mass = 1700 * 4 / 3.0 * M_PI * R * R * R;
  engine.begin({.floor_friction = mu, .body_friction = mu});
  engine.add_floor();
  const int ball = engine.add_sphere(
      R, {.mass = mass, .position = {0, 0, R}, .velocity = {2, 0, 0}, .angular_velocity = {40, -30, 50}});
  for (int step = 0; step < 600; ++step) engine.step();
  const Vector u = {2 + 30 * R, 40 * R, 0};
  row(engine, "C1", "v_x at 0.6 s, m/s", 2 - 2 * u[0] / 7, engine.velocity(ball)[0]);
  row(engine, "C1", "v_y at 0.6 s, m/s", -2 * u[1] / 7, engine.velocity(ball)[1]);
  row(engine, "C1", "spin about the vertical, rad/s", 50, engine.angular_velocity(ball)[2]);
}

void balls_on_plate(Engine& engine) {
  const double M = 10, F = 150, mu = 0.4, a = (F - mu * (M + 25) * g) / (M + 25 * 2 / 7.0);
  for (const bool oblique : {false, true}) {
    const Vector e = oblique ? Vector{0.5, std::sqrt(0.75), 0} : Vector{0, 1, 0};
    engine.begin({.floor_friction = mu, .body_friction = 0.8});
    engine.add_floor();
    const int plate = engine.add_box({20, 20, 0.1}, {.mass = M, .position = {0, 0, 0.05}});
    int ball = -1;
    for (int i = 0; i < 25; ++i)
      ball = engine.add_sphere(0.5, {.position = {2.0 * (i % 5) - 4, 2.0 * (i / 5) - 4, 0.6}});
    engine.push(plate, {F * e[0], F * e[1], 0}, {0, 0, -0.05});
    for (int step = 0; step < 500; ++step) engine.step();
    const auto along = [&](const Vector& v) { return (v[0] * e[0] + v[1] * e[1]) / 0.5; };
    row(engine, "C7", oblique ? "plate obliquely, m/s²" : "plate along y, m/s²", a,
        along(engine.velocity(plate)));
    row(engine, "C7", oblique ? "ball obliquely, m/s²" : "ball along y, m/s²", a * 2 / 7,
        along(engine.velocity(ball)));
  }
}

void bouncing(Engine& engine) {
  if (!engine.bounces()) return;
  const double r = 0.05, e = 0.5;
  engine.begin({.restitution = e});
  engine.add_floor();
  const int ball = engine.add_sphere(r, {.position = {0, 0, 1 + r}});
  double rest = 0, peak = 0;
  bool flew = false;
  for (int step = 1; step <= 2500; ++step) {
    engine.step();
    const double v = engine.velocity(ball)[2];
    if (v > 1e-3) rest = step * 1e-3;
    flew = flew || v > 0;
    if (flew && step < 900) peak = std::max(peak, engine.position(ball)[2] - r);
  }
  row(engine, "D1", "first rebound of 1 m with e = ½, m", e * e, peak);
  row(engine, "D1", "at rest (below 1 mm/s upwards) from, s", std::sqrt(2 / g) * (1 + e) / (1 - e), rest);
}

void stacks(Engine& engine) {
  for (const bool heavy : {false, true}) {
    engine.begin({});
    engine.add_floor();
    std::vector<int> boxes;
    std::vector<Vector> start;
    const int n = heavy ? 2 : 50;
    for (int k = 0; k < n; ++k) {
      start.push_back({0, 0, 0.05 + 0.1 * k});
      boxes.push_back(
          engine.add_box({0.2, 0.2, 0.1}, {.mass = heavy && k == 1 ? 1e6 : 1.0, .position = start.back()}));
    }
    double most = 0;
    for (int step = 0; step < 2000; ++step) engine.step();
    for (int k = 0; k < n; ++k)
      most = std::max(most, norm(difference(engine.position(boxes[std::size_t(k)]), start[std::size_t(k)])));
    row(engine, "E2", heavy ? "1 kg under 1e6 kg: way in 2 s, m" : "50 boxes: largest way in 2 s, m", 0,
        most);
  }
}

}  // namespace

int compare(Engine& engine) {
  std::puts("| problem | figure | closed form | engine | found |\n| --- | --- | --- | --- | --- |");
  incline(engine);
  headings(engine);
  billiard(engine);
  balls_on_plate(engine);
  bouncing(engine);
  stacks(engine);
  return 0;
}

}  // namespace engines
