// bench_granular [packing | packing-rough | janssen | beverloo | beverloo-RATIO]... [--scale S] [--tolerance T] [--time-limit T]: statistics of many balls beside the laws known for them
// (docs/validation.md, F1 to F3). S multiplies the number of balls; a step takes at most T seconds (1) and goes on with what it has then, counted.
//
//   F1  packing: balls settle in a box without friction: Z = 6 loaded contacts a ball that carries, φ = 0.64; with friction → ∞: Z from 4 to 4.6, φ from 0.55 to 0.60
//   F2  Janssen: floor force of a silo by its filling, σ(z) = ρgλ(1 − exp(−z/λ)), λ = D/(4μK)
//   F3  Beverloo: flow through a hole, W = C ρ √g (D₀ − k d)^(5/2), C = 0.58, k = 1.4
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>
#include <string>

#include "base/random.hpp"
#include "stickslip/simulation.hpp"

namespace {

using namespace stickslip;
using internal::Random;
constexpr double pi = std::numbers::pi, g = 9.81;

struct Choice {
  double scale = 1, tolerance = 1e-6, time_limit = 1;
};

struct Balls {
  std::vector<BodyIndex> index;
  std::vector<double> radius;
};

/// About n balls, layer by layer on a square grid above z0, those whose place `inside` accepts.
template <class Inside>
Balls add_balls(Scene& scene, long n, double mean, double spread, double half, double z0, Inside inside) {
  Random random(1);
  Balls balls;
  const double pitch = 2.05 * mean * (1 + spread);
  const int side = int(2 * half / pitch);
  for (int k = 0; long(balls.index.size()) < n; ++k)
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side && long(balls.index.size()) < n; ++j) {
        const double noise = 0.02 * mean;
        const Point at = {pitch * (i - 0.5 * (side - 1)) + random.uniform(-noise, noise),
                          pitch * (j - 0.5 * (side - 1)) + random.uniform(-noise, noise),
                          z0 + pitch * (k + 0.5)};
        const double radius = mean * random.uniform(1 - spread, 1 + spread);
        if (!inside(at, pitch / 2)) continue;
        balls.index.push_back(scene.add_rigid(Sphere{radius}, {.density = 2500, .position = at}));
        balls.radius.push_back(radius);
      }
  return balls;
}

void say_cost(const Simulation& simulation, std::clock_t began) {
  const Counters& c = simulation.counters();
  std::printf(
      "  %ld steps, %.0f contacts at the end, %ld not converged, deepest penetration %.1e m, %.0f s of the "
      "processor\n",
      c.steps, double(simulation.contacts().size()), c.unconverged, c.penetration_max,
      double(std::clock() - began) / CLOCKS_PER_SEC);
  std::fflush(stdout);
}

void packing(const Choice& choice, double friction) {
  const std::clock_t began = std::clock();
  const double r = 0.05, half = 5 * 2 * r;  // ten balls wide
  Scene scene{.step = 2e-3};
  scene.contact.friction = friction;
  scene.solver.tolerance = choice.tolerance;
  scene.solver.time_limit = choice.time_limit;
  scene.penetration = 1e-5;
  scene.add_fixed(Plane{});
  for (const Point& n : {Point{1, 0, 0}, Point{-1, 0, 0}, Point{0, 1, 0}, Point{0, -1, 0}})
    scene.add_fixed(Plane{n, -half});
  const Balls balls = add_balls(scene, std::lround(1600 * choice.scale), r, 0.1, half, 0,
                                [](const Point&, double) { return true; });
  Simulation simulation(scene);
  simulation.run(3.0);
  // Balls that carry: those with loaded contacts enough, the others left out one after the other.
  const std::size_t n = balls.index.size();
  const int first = balls.index.front();
  const double weight = simulation.mass(first) * g * scene.step;
  std::vector<std::array<int, 2>> loaded;
  for (const TouchingPoint& c : simulation.contacts()) {
    const double size = std::hypot(c.impulse[0], c.impulse[1], c.impulse[2]);
    if (size > 1e-3 * weight) loaded.push_back({c.body[0] - first, c.body[1] - first});
  }
  std::vector<char> carries(n, 1);
  std::vector<int> count;
  const int least = friction == 0 ? 4 : 2;
  for (bool again = true; again;) {
    count.assign(n, 0);
    for (const auto& [a, b] : loaded)
      for (const auto& [own, other] : {std::pair{a, b}, std::pair{b, a}})
        if (own >= 0 && (other < 0 || carries[std::size_t(other)])) ++count[std::size_t(own)];
    again = false;
    for (std::size_t k = 0; k < n; ++k)
      if (carries[k] && count[k] < least) carries[k] = 0, again = true;
  }
  // The inner part: three balls away from walls and floor, and below the surface.
  double top = 0;
  std::vector<double> heights;
  for (const BodyIndex b : balls.index) heights.push_back(simulation.position(b)[2]);
  std::nth_element(heights.begin(), heights.begin() + std::ptrdiff_t(0.95 * double(n)), heights.end());
  top = heights[std::size_t(0.95 * double(n))];
  const double inner = half - 5 * r, low = 6 * r, high = top - 6 * r;
  double sum = 0, inside = 0, without = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Point& p = simulation.position(balls.index[k]);
    if (std::abs(p[0]) > inner || std::abs(p[1]) > inner || p[2] < low || p[2] > high) continue;
    if (!carries[k]) {
      ++without;
      continue;
    }
    sum += count[k], inside += 1;
  }
  // φ by points.
  Random random(3);
  long hits = 0;
  constexpr long points = 400000;
  for (long s = 0; s < points; ++s) {
    const Point p = {random.uniform(-inner, inner), random.uniform(-inner, inner), random.uniform(low, high)};
    for (std::size_t k = 0; k < n; ++k) {
      const Point& c = simulation.position(balls.index[k]);
      const double x = p[0] - c[0], y = p[1] - c[1], z = p[2] - c[2];
      if (x * x + y * y + z * z < balls.radius[k] * balls.radius[k]) {
        ++hits;
        break;
      }
    }
  }
  std::printf(
      "F1 packing, friction %g: %zu balls, Z = %.3f over %.0f inner balls that carry (%.0f do not), φ = "
      "%.4f, kinetic energy %.1e J\n",
      friction, n, sum / inside, inside, without, double(hits) / double(points), simulation.kinetic());
  say_cost(simulation, began);
}

void janssen(const Choice& choice) {
  const double d = 0.01, D = 8 * d, mu = 0.5;
  std::printf(
      "F2 Janssen: d = %g m, D = 8 d, friction %g at balls and walls\n  height/D  mass kg  floor kg\n", d,
      mu);
  std::vector<std::array<double, 3>> rows;  // height, mass, carried by the floor
  const std::clock_t began = std::clock();
  for (const double part : {0.5, 1.0, 2.0, 3.0, 4.0}) {
    const auto n = std::lround(choice.scale * part * 8 * 64 * 1.5 * 0.6);
    Scene scene{.step = 1e-3};
    scene.contact.friction = mu;
    scene.solver.tolerance = choice.tolerance;
    scene.solver.time_limit = choice.time_limit;
    const double drop = 0.45, length = 20 * D;
    scene.add_fixed(Pipe{D / 2, D / 2 + 2 * d, length, 32}, {.position = {0, 0, length / 2 - D}});
    const BodyIndex floor = scene.add_driven(
        Cylinder{D / 2 + d, d},
        {.position = {0, 0, -d / 2}, .velocity = {0, 0, [=](double t) { return t < drop ? 0.0 : -0.02; }}});
    const Balls balls = add_balls(scene, n, d / 2, 0.1, D / 2, 0, [&](const Point& p, double half) {
      return std::hypot(std::abs(p[0]) + half, std::abs(p[1]) + half) < 0.995 * D / 2 * std::cos(pi / 32);
    });
    scene.allow_overlap = true;  // the floor in the pipe
    Simulation simulation(scene);
    simulation.run(drop + 0.05);
    double force = 0, mass = 0, top = 0;
    for (const BodyIndex b : balls.index)
      mass += simulation.mass(b), top = std::max(top, simulation.position(b)[2]);
    constexpr int samples = 100;
    for (int k = 0; k < samples && simulation.step(); ++k)
      for (const TouchingPoint& c : simulation.contacts()) {
        if (c.body[0] == floor) force -= c.impulse[2];
        if (c.body[1] == floor) force += c.impulse[2];
      }
    const double carried = std::abs(force) / (samples * scene.step) / g;
    rows.push_back({top, mass, carried});
    std::printf("  %7.2f  %7.4f  %7.4f\n", top / D, mass, carried);
    std::fflush(stdout);
  }
  // λ by least squares of carried = m_λ (1 − exp(−m/m_λ)), where m_λ is the mass of a height λ.
  const auto misfit = [&](double scale) {
    double sum = 0;
    for (const auto& row : rows) sum += std::pow(row[2] - scale * (1 - std::exp(-row[1] / scale)), 2);
    return sum;
  };
  double best = rows.back()[1];
  for (double scale = 0.02 * rows.back()[1]; scale < 3 * rows.back()[1]; scale *= 1.005)
    if (misfit(scale) < misfit(best)) best = scale;
  const double lambda = best * rows.back()[0] / rows.back()[1], K = D / (4 * mu * lambda);
  double worst = 0;
  for (const auto& row : rows)
    worst = std::max(worst, std::abs(row[2] / (best * (1 - std::exp(-row[1] / best))) - 1));
  std::printf(
      "  λ = %.2f D, K = D/(4μλ) = %.2f, largest deviation from the law %.0f %%; floor at %.1f D by that at "
      "%.1f D: %.2f; %.0f s of the processor\n",
      lambda / D, K, 100 * worst, rows.back()[0] / D, rows[3][0] / D, rows.back()[2] / rows[3][2],
      double(std::clock() - began) / CLOCKS_PER_SEC);
}

void beverloo(const Choice& choice, std::vector<double> ratios) {
  const double d = 0.004, D = 15 * d, fill = 0.25;
  std::printf(
      "F3 Beverloo: d = %g m, silo 15 d wide, friction 0.5\n  D0/d  flow kg/s  density kg/m3  C (k = 1.4)  "
      "flow of the halves\n",
      d);
  for (const double ratio : ratios) {
    const std::clock_t began = std::clock();
    const double D0 = ratio * d;
    Scene scene{.step = 1e-3};
    scene.contact.friction = 0.5;
    scene.solver.tolerance = std::max(choice.tolerance, 1e-4);
    scene.solver.time_limit = choice.time_limit;
    scene.allow_overlap = true;  // plate and wall
    scene.add_fixed(Pipe{D / 2, D / 2 + 2 * d, 60 * d, 32}, {.position = {0, 0, 28 * d}});
    scene.add_fixed(Pipe{D0 / 2, D / 2 + d, d / 2, 32}, {.position = {0, 0, -d / 4}});
    scene.add_driven(
        Cylinder{D0 / 2, d / 2},
        {.position = {0, 0, -d / 4}, .velocity = {0, 0, [=](double t) { return t < fill ? 0.0 : -4.0; }}});
    const Balls balls = add_balls(
        scene, std::lround(3600 * choice.scale), d / 2, 0.1, D / 2, 0, [&](const Point& p, double half) {
          return std::hypot(std::abs(p[0]) + half, std::abs(p[1]) + half) < 0.995 * D / 2 * std::cos(pi / 32);
        });
    Simulation simulation(scene);
    simulation.run(fill);
    // Bulk density of the middle half of the filling.
    double top = 0, middle = 0, mass = 0;
    for (const BodyIndex b : balls.index)
      top = std::max(top, simulation.position(b)[2]), mass += simulation.mass(b);
    for (const BodyIndex b : balls.index)
      if (const double z = simulation.position(b)[2]; z > 0.25 * top && z < 0.75 * top)
        middle += simulation.mass(b);
    const double density = middle / (0.5 * top * pi / 4 * D * D);
    const auto out = [&] {
      double sum = 0;
      for (const BodyIndex b : balls.index)
        if (simulation.position(b)[2] < -d) sum += simulation.mass(b);
      return sum;
    };
    simulation.run(0.1);  // the flow begins
    const double expected = 0.58 * density * std::sqrt(g) * std::pow(D0 - 1.4 * d, 2.5),
                 half = 0.1 * mass / expected;
    const double m0 = out();
    simulation.run(half);
    const double m1 = out();
    simulation.run(half);
    const double m2 = out(), flow = (m2 - m0) / (2 * half);
    std::printf("  %4.1f  %.4f  %.0f  %.3f  %.4f %.4f\n", ratio, flow, density,
                flow / (density * std::sqrt(g) * std::pow(D0 - 1.4 * d, 2.5)), (m1 - m0) / half,
                (m2 - m1) / half);
    say_cost(simulation, began);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> names;
  Choice choice;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--scale" && k + 1 < argc)
      choice.scale = std::stod(argv[++k]);
    else if (word == "--tolerance" && k + 1 < argc)
      choice.tolerance = std::stod(argv[++k]);
    else if (word == "--time-limit" && k + 1 < argc)
      choice.time_limit = std::stod(argv[++k]);
    else
      names.push_back(word);
  }
  if (names.empty()) names = {"packing", "packing-rough", "janssen", "beverloo"};
  for (const std::string& name : names) {
    if (name == "packing") packing(choice, 0);
    if (name == "packing-rough") packing(choice, 10);
    if (name == "janssen") janssen(choice);
    if (name == "beverloo") beverloo(choice, {5, 6, 7});
    if (name.rfind("beverloo-", 0) == 0) beverloo(choice, {std::stod(name.substr(9))});
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_granular: %s\n", error.what());
  return 2;
}
