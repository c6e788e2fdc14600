// Group A: free motion and joints.

#include "tests/dynamics/validation/finding.hpp"

namespace stickslip::validation {
namespace {

Point angular_momentum(const Simulation& s, BodyIndex b) {
  const auto J = s.inertia(b);
  const Point& w = s.angular_velocity(b);
  return {J[0] * w[0] + J[1] * w[1] + J[2] * w[2], J[3] * w[0] + J[4] * w[1] + J[5] * w[2],
          J[6] * w[0] + J[7] * w[1] + J[8] * w[2]};
}

/// A1: f = −k m v. Where it comes down again: x of the landing, by interpolation in height.
std::vector<Finding> projectile(Length) {
  const double g = 9.81456, k = 1, vx = 2.54, vz = 12.7;
  // The root of z(t) = (vz + g/k)(1 − e^{−kt})/k − g t/k.
  const auto height = [&](double t) { return (vz + g / k) * -std::expm1(-k * t) / k - g * t / k; };
  double low = 1, high = 3;
  for (int i = 0; i < 200; ++i) (height((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  const double T = low, X = vx * -std::expm1(-k * T) / k;
  double t = 0, x = 0;
  const auto error = [&](double h) {
    Scene scene{.gravity = {0, 0, -g}, .step = h};
    const auto ball =
        scene.add_rigid(Sphere{0.05}, {.density = 1000, .position = {0, 0, 0}, .velocity = {vx, 0, vz}});
    scene.add_force({.body = ball, .drag = k});
    Simulation s(scene);
    Point last = s.position(ball);
    while (s.time() < 1.2 * T) {
      s.step();
      const Point& p = s.position(ball);
      if (last[2] > 0 && p[2] <= 0) {
        const double share = last[2] / (last[2] - p[2]);
        t = s.time() - h * (1 - share);
        x = last[0] + share * (p[0] - last[0]);
      }
      last = p;
    }
    return x - X;
  };
  const double found = event_order(error, T / 128);
  error(T / 1024);
  return {{"A1", "time of landing, s", T, t, 1e-3 * T},
          {"A1", "place of landing, m", X, x, 1e-3 * X},
          at_least_one("A1", "place of landing", found)};
}

/// A2: complete elliptic integral by the arithmetic-geometric mean.
double elliptic_K(double m) {
  double a = 1, b = std::sqrt(1 - m);
  for (int k = 0; k < 60; ++k) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return M_PI / (2 * a);
}

std::vector<Finding> dzhanibekov(Length) {
  const Point w = {0, 10, 0.01};
  const double I3 = (0.04 + 0.09) / 12, I2 = (0.01 + 0.09) / 12, I1 = (0.01 + 0.04) / 12;
  const double E2 = I2 * w[1] * w[1] + I1 * w[2] * w[2], L2 = std::pow(I2 * w[1], 2) + std::pow(I1 * w[2], 2);
  // L² < 2E I₂ here: the axis of the smallest moment is circled. Both branches of the formula.
  const bool high = L2 > E2 * I2;
  const double n2 =
      high ? (I3 - I2) * (L2 - E2 * I1) / (I1 * I2 * I3) : (I2 - I1) * (E2 * I3 - L2) / (I1 * I2 * I3);
  const double k2 = high ? (I2 - I1) * (E2 * I3 - L2) / ((I3 - I2) * (L2 - E2 * I1))
                         : (I3 - I2) * (L2 - E2 * I1) / ((I2 - I1) * (E2 * I3 - L2));
  const double half_period = 2 * elliptic_K(k2) / std::sqrt(n2);
  double errors[2], worst_L = 0, energy[2];
  int row = 0;
  for (double h : {1e-3, 5e-4}) {
    Scene scene{.gravity = {0, 0, 0}, .step = h};
    const auto b = scene.add_rigid(Box{0.1, 0.2, 0.3}, {.mass = 1.0, .angular_velocity = w});
    Simulation s(scene);
    const double L = norm(angular_momentum(s, b)), E = s.kinetic();
    Crossings flips;
    energy[row] = 0;
    while (flips.times.size() < 2) {
      s.step();
      flips.sample(s.time(), dot(s.angular_velocity(b), turned(s.orientation(b), {0, 1, 0})));
      worst_L = std::max(worst_L, std::abs(norm(angular_momentum(s, b)) / L - 1));
      energy[row] = std::max(energy[row], std::abs(s.kinetic() / E - 1));
    }
    errors[row++] = flips.times[1] - flips.times[0] - half_period;
  }
  return {{"A2", "time between flips, s", half_period, half_period + errors[0], 0.005 * half_period},
          {"A2", "order of that time", 2, order(errors[0], errors[1]), 0.3},
          {"A2", "|L|, relative error", 0, worst_L, 1e-12},
          {"A2", "energy, order", 2, order(energy[0], energy[1]), 0.3}};
}

/// A3: a top on a ball joint. θ runs between the roots of (H-equation) with the constants of motion.
std::vector<Finding> heavy_top(Length) {
  const double J1 = 5, J3 = 1, Mgl = 20, theta0 = 0.05, W3 = 50;
  // With l = 1 and m g = 20: the inertia about the centre is J1 − m l².
  const double g = 9.81, m = Mgl / g, l = 1;
  const double p_psi = J3 * W3, p_phi = p_psi * std::cos(theta0);
  // θ̇² J1 = 2 (E − Mgl cos θ − (p_φ − p_ψ cos θ)²/(2 J1 sin² θ)).
  const auto f = [&](double th) {
    const double a = (p_phi - p_psi * std::cos(th)) / std::sin(th);
    return 2 / J1 * (Mgl * (std::cos(theta0) - std::cos(th)) - a * a / (2 * J1));
  };
  double low = theta0 * 1.0001, high = 2 * theta0;
  while (f(high) > 0) high *= 1.5;
  for (int i = 0; i < 200; ++i) (f((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  const double theta1 = low;
  // Half a period and the precession in it: θ = mean + half cos φ takes the roots away.
  const int n = 20000;
  double half = 0, turn = 0;
  for (int i = 0; i < n; ++i) {
    const double a = M_PI * (i + 0.5) / n, th = (theta0 + theta1) / 2 - (theta1 - theta0) / 2 * std::cos(a);
    const double dt = (theta1 - theta0) / 2 * std::sin(a) / std::sqrt(f(th)) * M_PI / n;
    half += dt;
    turn += dt * (p_phi - p_psi * std::cos(th)) / (J1 * std::pow(std::sin(th), 2));
  }
  const double period = 2 * half, precession = 2 * turn;
  const auto make = [&](double h) {
    Scene scene{.gravity = {0, 0, -g}, .step = h};
    const Quaternion tilt = rotation_about({0, 1, 0}, theta0 / degree);
    const Point axis = turned(tilt, {0, 0, 1});
    scene.add_rigid(Sphere{0.1}, {.mass = m,
                                  .inertia = Point{J1 - m * l * l, J1 - m * l * l, J3},
                                  .position = axis,
                                  .rotation = tilt,
                                  .angular_velocity = {W3 * axis[0], W3 * axis[1], W3 * axis[2]}});
    scene.add_joint({.kind = JointKind::ball, .first = 0, .second = world, .point = {0, 0, 0}});
    return scene;
  };
  Simulation s(make(1e-3));
  Crossings extremes;  // of θ: where θ̇ changes its sign
  double largest = 0, azimuth = 0, last_azimuth = 0, last_theta = theta0;
  std::vector<double> azimuths;
  while (extremes.times.size() < 5) {
    s.step();
    const Point& p = s.position(0);
    const double theta = std::acos(p[2] / norm(p)), now = std::atan2(p[1], p[0]);
    double step = now - last_azimuth;
    if (step > M_PI) step -= 2 * M_PI;
    if (step < -M_PI) step += 2 * M_PI;
    azimuth += step;
    last_azimuth = now;
    largest = std::max(largest, theta);
    const std::size_t before = extremes.times.size();
    extremes.sample(s.time() - 0.5e-3, theta - last_theta);
    if (extremes.times.size() > before) azimuths.push_back(azimuth);
    last_theta = theta;
  }
  // Extremes 1, 3, 5 are the far ones.
  const double found_period = (extremes.times[4] - extremes.times[0]) / 2;
  const double found_turn = (azimuths[4] - azimuths[0]) / 2;
  Simulation coarse(make(9e-3));
  const double H = coarse.kinetic() + coarse.potential();
  double drift = 0;
  coarse.run(10, [&](const Simulation& c) {
    drift = std::max(drift, std::abs(c.kinetic() + c.potential() - H) / H);
    return false;
  });
  return {{"A3", "largest tilt, rad", theta1, largest, 0.005 * theta1},
          {"A3", "period of nutation, s", period, found_period, 0.005 * period},
          {"A3", "precession in it, rad", precession, found_turn, 0.005 * precession},
          {"A3", "energy at h = 9e-3, relative drift", 0, drift, 1e-3}};
}

/// A4: a mass on a rod, released at 90°.
std::vector<Finding> pendulum(Length length) {
  const double g = M_PI * M_PI, T = 4 * elliptic_K(0.5) / M_PI;
  const int periods = length == Length::full ? 10 : 3;
  double energy[2], found[2];
  int row = 0;
  for (double h : {1e-3, 5e-4}) {
    Scene scene{.gravity = {0, 0, -g}, .step = h};
    const auto b = scene.add_rigid(Sphere{0.01},
                                   {.mass = 1.0, .inertia = Point{1e-9, 1e-9, 1e-9}, .position = {1, 0, 0}});
    scene.add_joint({.kind = JointKind::ball, .first = b, .second = world, .point = {0, 0, 0}});
    Simulation s(scene);
    const double E = s.kinetic() + s.potential();
    Crossings passes;
    energy[row] = 0;
    while (int(passes.times.size()) < 2 * periods + 1) {
      s.step();
      passes.sample(s.time(), s.position(b)[0]);
      energy[row] = std::max(energy[row], std::abs(s.kinetic() + s.potential() - E));
    }
    found[row++] = (passes.times.back() - passes.times.front()) / periods;
  }
  return {{"A4", "period, s", T, found[0], 1e-3 * T},
          {"A4", "energy error, order", 2, order(energy[0], energy[1]), 0.3},
          {"A4", "energy error, share of π²", 0, energy[0] / g, 1e-4}};
}

/// A5: a bar pinned off its centre.
std::vector<Finding> pinned_bar(Length) {
  const double L = 1, a = 0.25, g = 9.8, start = 30;
  const double w = std::sqrt(6 * g * (L / 2 - a) * 2 * (1 - std::cos(start * degree)) /
                             (2 * (L * L - 3 * L * a + 3 * a * a)));
  Scene scene{.gravity = {0, 0, -g}, .step = 1e-3};
  const Quaternion tilt = rotation_about({0, 1, 0}, -start);
  const Point down = turned(tilt, {0, 0, -1});
  const double arm = L / 2 - a;
  const auto bar = scene.add_rigid(Box{1e-3, 1e-3, L}, {.mass = 1.0,
                                                        .inertia = Point{L * L / 12, L * L / 12, 1e-6},
                                                        .position = {arm * down[0], 0, arm * down[2]},
                                                        .rotation = tilt});
  scene.add_joint(
      {.kind = JointKind::hinge, .first = bar, .second = world, .point = {0, 0, 0}, .axis = {0, 1, 0}});
  Simulation s(scene);
  double last_x = s.position(bar)[0], last_w = 0, found = 0;
  while (found == 0 && s.time() < 5) {
    s.step();
    const double x = s.position(bar)[0], now = norm(s.angular_velocity(bar));
    if ((x < 0) != (last_x < 0)) found = last_w + (now - last_w) * last_x / (last_x - x);
    last_x = x;
    last_w = now;
  }
  return {{"A5", "angular velocity at the vertical, rad/s", w, found, 0.005 * w}};
}

/// A6: Potra's double pendulum that hits a wall, e = 0.1: total energy above that at 2.5 s, beside Solfec's figures at the same step
/// (parmes/solfec-1.0, tests/double-pendulum.py). Impacts come at times that differ by up to a step: 1e-3 of the first energy.
std::vector<Finding> double_pendulum(Length) {
  const double g = 9.81, a = M_PI / 3, b = M_PI / 5;
  Scene scene{.gravity = {0, 0, -g}, .step = 1e-3, .contact = {.friction = 0, .restitution = 0.1}};
  scene.add_fixed(Plane{.normal = {1, 0, 0}, .offset = -0.05});
  const auto upper = scene.add_rigid(Sphere{0.05}, {.mass = 1.0, .position = {std::sin(a), 0, -std::cos(a)}});
  const auto lower = scene.add_rigid(
      Sphere{0.05}, {.mass = 1.0, .position = {std::sin(a) + std::sin(b), 0, -std::cos(a) - std::cos(b)}});
  scene.add_joint({.kind = JointKind::distance, .first = upper, .second = world, .point = {0, 0, 0}});
  scene.add_joint({.kind = JointKind::distance, .first = upper, .second = lower});
  Simulation s(scene);
  std::vector<double> energy = {s.kinetic() + s.potential()};
  for (double t : {0.6, 1.0, 1.5, 2.5}) {
    s.run(t - s.time());
    energy.push_back(s.kinetic() + s.potential());
  }
  const double tolerance = 1e-3 * 11.67665;
  return {{"A6", "energy at 0 s, J", 11.67665, energy[0] - energy[4], tolerance},
          {"A6", "energy at 0.6 s, J", 9.02830, energy[1] - energy[4], tolerance},
          {"A6", "energy at 1.0 s, J", 0.89247, energy[2] - energy[4], tolerance},
          {"A6", "energy at 1.5 s, J", 0.64207, energy[3] - energy[4], tolerance}};
}

}  // namespace

std::vector<Problem> free_motion() {
  return {
      {"A1", "projectile with drag", projectile},      {"A2", "Dzhanibekov's box", dzhanibekov},
      {"A3", "heavy symmetric top", heavy_top},        {"A4", "pendulum from 90°", pendulum},
      {"A5", "bar pinned off its centre", pinned_bar}, {"A6", "double pendulum on a wall", double_pendulum}};
}

}  // namespace stickslip::validation
