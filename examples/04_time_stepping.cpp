// 04: many steps with one W. A brick slides on level ground and friction brings it to rest.
//
//   build/release/examples/04_time_stepping
//
// Each step of length h solves one problem: v_free = v + h g, q = Hᵀ v_free, then v ← v_free + M⁻¹ H r. Only
// q changes, so the problem, the solver and the result are made once, and the last r is the guess of the next
// step. Closed form: the speed falls by μ g h a step and then stays zero; the way is the sum of h v.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stickslip/stickslip.hpp>

namespace {

constexpr double h = 0.005, g = 9.81, mu = 0.4, first_speed = 2, mass = 1;
constexpr double a = 0.5, b = 0.3, c = 0.1;  // half the edges of the brick, m

/// The corners' normal and tangents as columns of H: (e, p × e) for e = z, x, y at p = (±a, ±b, −c).
stickslip::SparseMatrix corners() {
  std::vector<stickslip::Triplet> H;
  int column = 0;
  for (const double x : {-a, a})
    for (const double y : {-b, b}) {
      H.insert(H.end(), {{2, column, 1}, {3, column, y}, {4, column, -x}});
      H.insert(H.end(), {{0, column + 1, 1}, {4, column + 1, -c}, {5, column + 1, -y}});
      H.insert(H.end(), {{1, column + 2, 1}, {3, column + 2, c}, {5, column + 2, x}});
      column += 3;
    }
  return {6, 12, H};
}

}  // namespace

int main() {
  const std::vector<double> inertia = {
      mass, mass, mass, mass * (b * b + c * c) / 3, mass * (a * a + c * c) / 3, mass * (a * a + b * b) / 3};
  std::vector<stickslip::Triplet> M;
  for (int i = 0; i < 6; ++i) M.push_back({i, i, inertia[std::size_t(i)]});
  const stickslip::SparseMatrix H = corners();

  // W once for all steps.
  const stickslip::GlobalProblem global(3, {6, 6, M}, H, std::vector<double>(6), std::vector<double>(12),
                                        std::vector<double>(4, mu));
  stickslip::ReducedProblem problem = stickslip::Reduction(global).reduced();
  stickslip::Solver solver("auto");
  stickslip::SolveResult result;

  std::vector<double> v = {first_speed, 0, 0, 0, 0, 0}, q(12), guess, impulse(6);
  double way = 0, expected_way = 0, expected = first_speed, worst = 0;
  long sweeps = 0;
  bool good = true;
  std::puts("time (s)   speed (m/s)   closed form   way (m)   contacts");
  for (int step = 1; step <= 120; ++step) {
    v[2] -= h * g;  // v is now v_free
    std::fill(q.begin(), q.end(), 0.0);
    H.transpose_multiply_add(1, v, q);
    problem.set_q(q);
    solver.solve(problem, {.tolerance = 1e-11, .guess = guess}, result);
    good = good && result.converged();
    guess = result.r;
    sweeps += result.iterations;

    std::fill(impulse.begin(), impulse.end(), 0.0);
    H.multiply_add(1, result.r, impulse);
    for (std::size_t i = 0; i < 6; ++i) v[i] += impulse[i] / inertia[i];

    expected = std::max(0.0, expected - mu * g * h);
    way += h * v[0];
    expected_way += h * expected;
    worst = std::max(worst, std::abs(v[0] - expected));
    for (std::size_t i = 1; i < 6; ++i) worst = std::max(worst, std::abs(v[i]));
    if (step % 12 == 0)
      std::printf("%8.3f   %11.6f   %11.6f   %7.4f   %zu stick, %zu slip\n", step * h, std::abs(v[0]),
                  expected, way, result.count(stickslip::ContactStatus::stick),
                  result.count(stickslip::ContactStatus::slip));
  }
  good = good && worst < 1e-9 && std::abs(way - expected_way) < 1e-9;
  std::printf("\n%ld sweeps in 120 steps; largest error of a velocity %.1e m/s\n", sweeps, worst);
  std::puts(good ? "agrees with the closed form" : "WRONG: not the closed form");
  return good ? 0 : 1;
}
