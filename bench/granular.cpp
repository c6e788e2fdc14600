// bench_granular [packing | packing-rough | janssen | janssen-HEIGHT | beverloo | beverloo-RATIO]... [--scale S] [--tolerance T] [--time-limit T] [--wall T] [--solver NAME] [--threads N]:
// statistics of many balls beside the laws known for them (docs/validation.md, F1 to F3). S multiplies the number of balls; a step takes at most `--time-limit` seconds (1) and goes on with what it
// has then, counted; a run ends after `--wall` seconds with what it has. Rows on the way are printed as they come.
//
//   F1  packing: balls settle in a box without friction: Z = 6 loaded contacts a ball that carries, φ = 0.64; with much friction (1): Z from 4 to 4.6, φ from 0.55 to 0.60
//   F2  Janssen: floor force of a silo by its filling, σ(z) = ρgλ(1 − exp(−z/λ)), λ = D/(4μK)
//   F3  Beverloo: flow through a hole, W = C ρ √g (D₀ − k d)^(5/2), C = 0.58, k = 1.4
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "base/random.hpp"
#include "stickslip/simulation.hpp"

namespace {

using namespace stickslip;
using internal::Random;
constexpr double pi = std::numbers::pi, g = 9.81;

struct Choice {
  double scale = 1, tolerance = 1e-6, time_limit = 1, wall = 1e9;
  std::string solver = "auto";
  int threads = 1;

  void set(Scene& scene) const {
    scene.solver.name = solver;
    scene.solver.tolerance = tolerance;
    scene.solver.time_limit = time_limit;
    scene.threads = threads;
  }
};

/// Since when a run lasts, and how well its steps were solved.
class Watch {
 public:
  explicit Watch(const Choice& choice) : choice_(choice) {}

  /// Steps for `duration` s. False: it is time to end.
  bool run(Simulation& simulation, double duration) {
    const bool goes_on = simulation.run(duration, [&](const Simulation& s) {
      errors_ += s.report().error, steps_ += 1, iterations_ += double(s.report().iterations);
      return late();
    });
    return goes_on && !late();
  }
  bool late() const { return seconds() > choice_.wall; }

  /// The steps since the last call.
  void say(const Simulation& simulation) {
    std::printf(
        " | %ld steps, %.0f iterations and error %.1e on average, %ld above the tolerance so far, %.0f s\n",
        simulation.counters().steps, iterations_ / std::max(steps_, 1.0), errors_ / std::max(steps_, 1.0),
        simulation.counters().unconverged, seconds());
    std::fflush(stdout);
    errors_ = iterations_ = steps_ = 0;
  }

 private:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

  const Choice& choice_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  double errors_ = 0, iterations_ = 0, steps_ = 0;
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

/// Coordination and density of the inner part: three balls away from walls and floor, and below the surface.
void say_packing(const Simulation& simulation, const Balls& balls, double r, double half, double friction) {
  const std::size_t n = balls.index.size();
  const int first = balls.index.front();
  const double weight = simulation.mass(first) * g * simulation.scene().step;
  std::vector<std::array<int, 2>> loaded;
  for (const TouchingPoint& c : simulation.contacts()) {
    const double size = std::hypot(c.impulse[0], c.impulse[1], c.impulse[2]);
    if (size > 1e-3 * weight) loaded.push_back({c.body[0] - first, c.body[1] - first});
  }
  // Balls that carry: those with loaded contacts enough, the others left out one after the other.
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
  std::vector<double> heights;
  for (const BodyIndex b : balls.index) heights.push_back(simulation.position(b)[2]);
  const auto near_top = heights.begin() + std::ptrdiff_t(0.95 * double(n));
  std::nth_element(heights.begin(), near_top, heights.end());
  const double inner = half - 5 * r, low = 6 * r, high = *near_top - 6 * r;
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
  constexpr long points = 100000;
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
  const double unit = double(n) * simulation.mass(first) * g * 2 * r;
  std::printf("  %5.2f  %.3f  %.0f (%.0f)  %.4f  %.1e  %.1e", simulation.time(), sum / inside, inside,
              without, double(hits) / double(points), simulation.kinetic() / unit,
              simulation.counters().correction_energy / unit);
}

/// Drag brings the pile to rest sooner; what is counted is the pile at rest.
void packing(const Choice& choice, double friction) {
  const double r = 0.05, half = 5 * 2 * r;  // ten balls wide
  Scene scene{.step = 2e-3};
  scene.contact.friction = friction;
  choice.set(scene);
  scene.add_fixed(Plane{});
  for (const Point& n : {Point{1, 0, 0}, Point{-1, 0, 0}, Point{0, 1, 0}, Point{0, -1, 0}})
    scene.add_fixed(Plane{n, -half});
  const Balls balls = add_balls(scene, std::lround(1600 * choice.scale), r, 0.1, half, 0,
                                [](const Point&, double) { return true; });
  for (const BodyIndex b : balls.index) scene.forces.push_back({.body = b, .drag = 2});
  std::printf(
      "F1 packing, friction %g: %zu balls\n  t, s   Z   inner balls that carry (do not)  φ  kinetic energy "
      "and that of "
      "corrections, a ball by m g d\n",
      friction, balls.index.size());
  Watch watch(choice);
  Simulation simulation(scene);
  for (bool goes_on = watch.run(simulation, 0.8); simulation.time() < 10;
       goes_on = watch.run(simulation, 0.2)) {
    say_packing(simulation, balls, r, half, friction);
    watch.say(simulation);
    if (!goes_on) break;
  }
}

void janssen(const Choice& choice, const std::vector<double>& parts) {
  const double d = 0.01, D = 8 * d, mu = 0.5;
  std::printf(
      "F2 Janssen: d = %g m, D = 8 d, friction %g at balls and walls\n  t, s  height/D  mass kg  floor kg\n",
      d, mu);
  std::vector<std::array<double, 3>> rows;  // height, mass, carried by the floor
  for (const double part : parts) {
    Watch watch(choice);
    const auto n = std::lround(choice.scale * part * 8 * 64 * 1.5 * 0.6);
    Scene scene{.step = 1e-3};
    scene.contact.friction = mu;
    choice.set(scene);
    // Balls lie on a grid that is twice as high as the heap: the highest fall for that long.
    const double drop = 0.25 + 0.1 * std::sqrt(part), length = 20 * D;
    scene.add_fixed(Pipe{D / 2, D / 2 + 2 * d, length, 32}, {.position = {0, 0, length / 2 - D}});
    const BodyIndex floor = scene.add_driven(
        Cylinder{D / 2 + d, d},
        {.position = {0, 0, -d / 2}, .velocity = {0, 0, [=](double t) { return t < drop ? 0.0 : -0.02; }}});
    const Balls balls = add_balls(scene, n, d / 2, 0.1, D / 2, 0, [&](const Point& p, double half) {
      return std::hypot(std::abs(p[0]) + half, std::abs(p[1]) + half) < 0.995 * D / 2 * std::cos(pi / 32);
    });
    scene.allow_overlap = true;  // the floor in the pipe
    Simulation simulation(scene);
    bool goes_on = watch.run(simulation, drop);
    double mass = 0;
    for (const BodyIndex b : balls.index) mass += simulation.mass(b);
    // The floor sinks: friction of the wall points upwards. The force over the last three intervals is the one that counts.
    std::vector<double> carried;
    double top = 0;
    for (int interval = 0; interval < 5; ++interval) {
      double force = 0, steps = 0;
      for (int k = 0; k < 25 && goes_on; ++k) {
        goes_on = watch.run(simulation, 0.5 * scene.step);
        steps += 1;
        for (const TouchingPoint& c : simulation.contacts()) {
          if (c.body[0] == floor) force -= c.impulse[2];
          if (c.body[1] == floor) force += c.impulse[2];
        }
      }
      if (steps == 0) break;
      carried.push_back(std::abs(force) / (steps * scene.step) / g);
      top = 0;
      for (const BodyIndex b : balls.index) top = std::max(top, simulation.position(b)[2]);
      std::printf("  %5.3f  %7.2f  %7.4f  %7.4f", simulation.time(), top / D, mass, carried.back());
      watch.say(simulation);
    }
    double mean = 0, used = 0;
    for (std::size_t k = carried.size() > 3 ? carried.size() - 3 : 0; k < carried.size(); ++k)
      mean += carried[k], ++used;
    rows.push_back({top, mass, mean / std::max(used, 1.0)});
    std::printf("  filled %.2f D: the floor carries %.4f kg of %.4f kg\n", top / D, rows.back()[2], mass);
    std::fflush(stdout);
  }
  if (rows.size() < 3) return;
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
  std::printf("  λ = %.2f D, K = D/(4μλ) = %.2f, largest deviation from the law %.0f %%\n", lambda / D, K,
              100 * worst);
}

void beverloo(const Choice& choice, const std::vector<double>& ratios) {
  const double d = 0.004, D = 15 * d, fill = 0.25;
  std::printf(
      "F3 Beverloo: d = %g m, silo 15 d wide, friction 0.5\n  D0/d  t, s  flow kg/s  density kg/m3  C (k = "
      "1.4)\n",
      d);
  for (const double ratio : ratios) {
    Watch watch(choice);
    const double D0 = ratio * d;
    Scene scene{.step = 1e-3};
    scene.contact.friction = 0.5;
    choice.set(scene);
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
    bool goes_on = watch.run(simulation, fill);
    // Bulk density of the middle half of the filling.
    double top = 0, middle = 0, mass = 0;
    for (const BodyIndex b : balls.index)
      top = std::max(top, simulation.position(b)[2]), mass += simulation.mass(b);
    for (const BodyIndex b : balls.index)
      if (const double z = simulation.position(b)[2]; z > 0.25 * top && z < 0.75 * top)
        middle += simulation.mass(b);
    const double density = middle / (0.5 * top * pi / 4 * D * D),
                 law = density * std::sqrt(g) * std::pow(D0 - 1.4 * d, 2.5);
    std::printf("  %zu balls, filled %.1f d high, %.4f kg", balls.index.size(), top / d, mass);
    watch.say(simulation);
    const auto out = [&] {
      double sum = 0;
      for (const BodyIndex b : balls.index)
        if (simulation.position(b)[2] < -d) sum += simulation.mass(b);
      return sum;
    };
    goes_on = goes_on && watch.run(simulation, 0.1);  // the flow begins
    // Six intervals in which a thirtieth of the filling flows out, by the law.
    const double interval = mass / 30 / (0.58 * law), begin = simulation.time(), before = out();
    double last = before, since = begin;
    for (int k = 0; k < 6 && goes_on; ++k) {
      goes_on = watch.run(simulation, interval);
      const double m = out(), flow = (m - last) / (simulation.time() - since);
      std::printf("  %4.1f  %.3f  %.4f  %.0f  %.3f", ratio, simulation.time(), flow, density, flow / law);
      watch.say(simulation);
      last = m, since = simulation.time();
    }
    const double flow = (last - before) / std::max(simulation.time() - begin, scene.step);
    std::printf("  D0/d = %.1f: %.4f kg/s on average, C = %.3f\n", ratio, flow, flow / law);
    std::fflush(stdout);
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
    else if (word == "--wall" && k + 1 < argc)
      choice.wall = std::stod(argv[++k]);
    else if (word == "--solver" && k + 1 < argc)
      choice.solver = argv[++k];
    else if (word == "--threads" && k + 1 < argc)
      choice.threads = std::stoi(argv[++k]);
    else
      names.push_back(word);
  }
  if (names.empty()) names = {"packing", "packing-rough", "janssen", "beverloo"};
  for (const std::string& name : names) {
    if (name == "packing") packing(choice, 0);
    if (name == "packing-rough") packing(choice, 1);
    if (name == "janssen") janssen(choice, {0.5, 1, 2, 3, 4, 5});
    if (name.rfind("janssen-", 0) == 0) janssen(choice, {std::stod(name.substr(8))});
    if (name == "beverloo") beverloo(choice, {5, 6, 7});
    if (name.rfind("beverloo-", 0) == 0) beverloo(choice, {std::stod(name.substr(9))});
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_granular: %s\n", error.what());
  return 2;
}
