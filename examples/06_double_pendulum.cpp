// 06: the double pendulum that brushes the ground, CAD 5.1, with a picture of its trajectory.
//
//   build/release/examples/06_double_pendulum [picture.svg]
//
// Two point masses on massless rods, q = (θ₁, θ₂) from the vertical; M₂ touches the ground at height −h. Each
// step of length dt solves one global problem by CADOUX, warm-started with the last impulse:
//
//   M(q) v⁺ = M(q) v + dt (F − N(q, v)) + Hᵀ r,   u = H v⁺ in (normal, tangent),   K* ∋ û ⊥ r ∈ K
//
// There is no closed form. What must hold: the ground is never penetrated by more than the scheme allows, the
// energy never grows by more than its error, and every step is solved.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stickslip/stickslip.hpp>

namespace {

constexpr double m1 = 1, m2 = 1, l1 = 1, l2 = 2, ground = 2.6, mu = 0.01, g = 9.81;
constexpr double dt = 1e-3, end = 2.4, frame = 0.2;

struct State {
  double q1, q2, v1 = 0, v2 = 0;

  double x1() const { return l1 * std::sin(q1); }
  double y1() const { return -l1 * std::cos(q1); }
  double x2() const { return x1() + l2 * std::sin(q2); }
  double y2() const { return y1() - l2 * std::cos(q2); }
  double energy() const {
    return 0.5 * (m1 + m2) * l1 * l1 * v1 * v1 +
           0.5 * m2 * (2 * l1 * l2 * std::cos(q1 - q2) * v1 * v2 + l2 * l2 * v2 * v2) + m1 * g * y1() +
           m2 * g * y2();
  }
};

/// One step. False when the contact problem was not solved.
bool step(State& s, std::vector<double>& r, stickslip::Solver& solver, long& iterations) {
  const double c = std::cos(s.q1 - s.q2), n = m2 * l1 * l2 * std::sin(s.q1 - s.q2);
  const double M11 = (m1 + m2) * l1 * l1, M12 = m2 * l1 * l2 * c, M22 = m2 * l2 * l2;
  const double f1 = M11 * s.v1 + M12 * s.v2 + dt * (-l1 * (m1 + m2) * g * std::sin(s.q1) - n * s.v2 * s.v2);
  const double f2 = M12 * s.v1 + M22 * s.v2 + dt * (-l2 * m2 * g * std::sin(s.q2) + n * s.v1 * s.v1);
  const double det = M11 * M22 - M12 * M12;
  s.v1 = (M22 * f1 - M12 * f2) / det, s.v2 = (M11 * f2 - M12 * f1) / det;
  if (s.y2() <= -ground) {
    // Normal: the height of M₂; tangent: its horizontal way.
    const stickslip::SparseMatrix M(
        2, 2, std::vector<stickslip::Triplet>{{0, 0, M11}, {0, 1, M12}, {1, 0, M12}, {1, 1, M22}});
    const stickslip::SparseMatrix H(2, 2,
                                    std::vector<stickslip::Triplet>{{0, 0, l1 * std::sin(s.q1)},
                                                                    {1, 0, l2 * std::sin(s.q2)},
                                                                    {0, 1, l1 * std::cos(s.q1)},
                                                                    {1, 1, l2 * std::cos(s.q2)}});
    const stickslip::GlobalProblem problem(2, M, H, {f1, f2}, {0, 0}, {mu});
    const auto result = solver.solve(problem, {.tolerance = 1e-10, .guess = r});
    iterations += result.iterations;
    if (!result.converged()) return false;
    r = result.r;
    s.v1 = result.v[0], s.v2 = result.v[1];
  } else {
    r.assign(2, 0.0);
  }
  s.q1 += dt * s.v1, s.q2 += dt * s.v2;
  return true;
}

void draw(std::ofstream& svg, const State& s, double shade) {
  const auto x = [](double v) { return 260 + 80 * v; };
  const auto y = [](double v) { return 20 - 80 * v; };
  char line[400];
  std::snprintf(line, sizeof line,
                "<polyline points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" stroke=\"hsl(%.0f,70%%,40%%)\"/>\n"
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
                x(0), y(0), x(s.x1()), y(s.y1()), x(s.x2()), y(s.y2()), 220 * shade, x(s.x1()), y(s.y1()),
                x(s.x2()), y(s.y2()));
  svg << line;
}

}  // namespace

int main(int argc, char** argv) {
  std::ofstream svg;
  if (argc > 1) {
    svg.open(argv[1]);
    svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 520 250\" fill=\"none\" "
           "stroke-width=\"1.5\">\n"
           "<title>Double pendulum on the ground, every 0.2 s, from right (red) to left (blue)</title>\n"
           "<path d=\"M0 228H520\" stroke=\"#444\"/>\n<g fill=\"#333\" stroke-width=\"1.2\">\n";
  }
  stickslip::Solver solver("CADOUX");
  State s{1.2, 1.2};
  std::vector<double> r(2, 0.0);
  const double first = s.energy();
  double deepest = 0, highest = first;
  long touching = 0, iterations = 0;
  std::printf("time (s)    M2 at x        y     energy (J)   normal impulse\n");
  for (long k = 0; k * dt <= end; ++k) {
    if (k % long(frame / dt + 0.5) == 0) {
      std::printf("%8.1f   %8.4f %8.4f   %10.4f   %.5f\n", double(k) * dt, s.x2(), s.y2(), s.energy(), r[0]);
      if (svg) draw(svg, s, double(k) * dt / end);
    }
    if (!step(s, r, solver, iterations)) {
      std::printf("step %ld was not solved\n", k);
      return 1;
    }
    touching += r[0] > 0;
    deepest = std::max(deepest, -ground - s.y2());
    highest = std::max(highest, s.energy());
  }
  if (svg.is_open()) svg << "</g>\n</svg>\n";
  std::printf("\n%ld steps with contact, %ld iterations; deepest point %.2g m below the ground\n", touching,
              iterations, deepest);
  // The ground is felt one step late, and the velocity is tangent to the height, not the path: O(dt v + dt²
  // v²/l).
  const bool good = touching > 100 && deepest < 0.02 && highest < first + 0.05 * std::abs(first);
  std::printf(good ? "every step solved, no energy gained\n" : "not as it should be\n");
  return good ? 0 : 1;
}
