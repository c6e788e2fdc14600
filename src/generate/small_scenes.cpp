// Small problems with closed forms.

#include <cmath>

#include "generate/families.hpp"

namespace stickslip::internal {

ProblemFile bad_boy(const GenerateRequest&) {
  // CAD has the tangent first: M = [[2, −3], [−3, 5]], f = (1, 0). Here the unknowns of the body stay, the
  // contact turns.
  const std::vector<Triplet> M = {{0, 0, 2}, {0, 1, -3}, {1, 0, -3}, {1, 1, 5}}, H = {{0, 1, 1}, {1, 0, 1}};
  return {GlobalProblem(2, {2, 2, M}, {2, 2, H}, {1, 0}, {0, 0}, {1}),
          StoredPoint{{3, 5}, {0, 0}, {5, 3}, {}},
          {},
          {"bad boy", "Cadoux 2009, section 5.4: one contact, a false local minimum at s = 0", ""}};
}

ProblemFile bead_in_a_corner(const GenerateRequest& request) {
  // Walls whose inward normals are (±cos α, sin α), tan α = 1/2; a unit mass is pulled along y so that
  // u_T = 1 when it leaves. Wedged needs μ > tan α: N = F/2 / (μ cos α − sin α), T = μ N, both walls alike.
  const double mu = request.mu.value_or(1), c = 2 / std::sqrt(5.0), s = 1 / std::sqrt(5.0), pull = 1 / c;
  // Columns of H: normal and tangent (pointing up along the wall) of each wall.
  const std::vector<Triplet> H = {{0, 0, c},  {1, 0, s}, {0, 1, -s}, {1, 1, c},
                                  {0, 2, -c}, {1, 2, s}, {0, 3, s},  {1, 3, c}};
  const std::vector<Triplet> M = {{0, 0, 1}, {1, 1, 1}};
  StoredPoint away{{s * pull, 1, s * pull, 1}, {0, 0, 0, 0}, {0, pull}, {}};
  ProblemFile file{
      GlobalProblem(2, {2, 2, M}, {2, 4, H}, {0, pull}, {0, 0, 0, 0}, {mu, mu}),
      away,
      {},
      {"bead in a corner", "Cadoux 2009, section 5.3: wedged and pulled away are both solutions", ""}};
  if (mu * c > s) {
    const double N = pull / 2 / (mu * c - s), T = -mu * N;
    file.guesses.push_back(away);
    file.solution = StoredPoint{{0, 0, 0, 0}, {N, T, N, T}, {0, 0}, {}};
  }
  return file;
}

ProblemFile brick_on_incline(const GenerateRequest& request) {
  // A brick 2a × 2b × 2c of mass 1 in axes along the slope (x), across it (y) and normal to it (z); one step
  // of h = 0.01 s from rest, f = h·weight. Contacts at the four lower corners, normal z, tangents x and y.
  const double angle = request.angle.value_or(20) * M_PI / 180, mu = request.mu.value_or(0.5), h = 0.01,
               g = 9.81;
  const double a = 0.5, b = 0.3, c = 0.2;
  const double inertia[6] = {1, 1, 1, (b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3};
  std::vector<Triplet> M, H;
  for (Index i = 0; i < 6; ++i) M.push_back({i, i, inertia[i]});
  Index contact = 0;
  for (const double x : {-a, a})
    for (const double y : {-b, b}) {
      // The velocity of the corner p is v + ω × p; the rows of H are the virtual work of e at p: (e, p × e).
      const double p[3] = {x, y, -c};
      const int axes[3] = {2, 0, 1};  // normal, then the tangents
      for (Index k = 0; k < 3; ++k) {
        double e[3] = {0, 0, 0};
        e[axes[k]] = 1;
        const double moment[3] = {p[1] * e[2] - p[2] * e[1], p[2] * e[0] - p[0] * e[2],
                                  p[0] * e[1] - p[1] * e[0]};
        H.push_back({axes[k], contact * 3 + k, 1});
        for (Index i = 0; i < 3; ++i) H.push_back({3 + i, contact * 3 + k, moment[i]});
      }
      ++contact;
    }
  const std::vector<double> f = {h * g * std::sin(angle), 0, -h * g * std::cos(angle), 0, 0, 0};
  return {GlobalProblem(3, {6, 6, M}, {6, 12, H}, f, std::vector<double>(12), std::vector<double>(4, mu)),
          {},
          {},
          {"brick on an incline", "one step from rest; slips for tan(angle) > mu", ""}};
}

}  // namespace stickslip::internal
