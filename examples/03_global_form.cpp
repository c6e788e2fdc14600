// 03: the global form. A brick at rest on an incline, one step of h = 0.01 s; M, H, f are built by hand.
//
//   build/release/examples/03_global_form
//
// The unknowns are v = (velocity of the centre, angular velocity) in axes along the slope (x), across it (y)
// and normal to it (z). Closed form: the brick rests while tan(angle) ≤ μ; beyond, v_x = h g (sin − μ cos).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stickslip/stickslip.hpp>

namespace {

using Vector = std::array<double, 3>;

constexpr double mass = 3, h = 0.01, g = 9.81, mu = 0.6;
constexpr Vector half = {0.5, 0.3, 0.2};  // half the edges of the brick, m

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

stickslip::GlobalProblem brick(double angle) {
  std::vector<stickslip::Triplet> M, H;
  for (int i = 0; i < 3; ++i) {
    const double a = half[std::size_t(i + 1) % 3], b = half[std::size_t(i + 2) % 3];
    M.push_back({i, i, mass});
    M.push_back({3 + i, 3 + i, mass * (a * a + b * b) / 3});
  }
  // Contacts at the four lower corners p. Column k of H holds the generalised force of a unit impulse along e
  // at p, (e, p × e), so that u = Hᵀ v is the velocity of the corner. The normal e = z comes first, then x
  // and y.
  int column = 0;
  for (const double x : {-half[0], half[0]})
    for (const double y : {-half[1], half[1]})
      for (const Vector& e : {Vector{0, 0, 1}, Vector{1, 0, 0}, Vector{0, 1, 0}}) {
        const Vector moment = cross({x, y, -half[2]}, e);
        for (int i = 0; i < 3; ++i) {
          H.push_back({i, column, e[std::size_t(i)]});
          H.push_back({3 + i, column, moment[std::size_t(i)]});
        }
        ++column;
      }
  const std::vector<double> f = {h * mass * g * std::sin(angle), 0, -h * mass * g * std::cos(angle), 0, 0, 0};
  return {3, {6, 6, M}, {6, 12, H}, f, std::vector<double>(12), std::vector<double>(4, mu)};
}

}  // namespace

int main() {
  std::printf("μ = %.1f: the brick must slip beyond %.2f°\n\n", mu, std::atan(mu) * 180 / M_PI);
  std::puts("angle    open stick slip   v_x (m/s)    closed form");
  bool good = true;
  for (const double degrees : {0.0, 15.0, 30.0, 30.9, 31.1, 45.0, 60.0}) {
    const double angle = degrees * M_PI / 180;
    const stickslip::SolveResult result = stickslip::solve(brick(angle), {.tolerance = 1e-12});
    const double expected = std::max(0.0, h * g * (std::sin(angle) - mu * std::cos(angle)));
    std::printf("%5.1f°   %4zu %5zu %4zu   %.3e    %.3e\n", degrees,
                result.count(stickslip::ContactStatus::open), result.count(stickslip::ContactStatus::stick),
                result.count(stickslip::ContactStatus::slip), std::abs(result.v[0]), expected);
    // All velocities but v_x vanish; impulses are not unique (twelve unknowns, six equations), velocities
    // are.
    good = good && result.converged() && std::abs(result.v[0] - expected) < 1e-10;
    for (std::size_t i = 1; i < 6; ++i) good = good && std::abs(result.v[i]) < 1e-10;
  }
  std::puts(good ? "\nall agree with the closed form" : "\nWRONG: not the closed form");
  return good ? 0 : 1;
}
