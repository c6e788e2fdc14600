// The stack with an equilibrium in closed form.
//
// Each interface carries the weight above it, at the place (x, y) of the centre of mass above. Spread over
// the corners of the common rectangle by bilinear shares this gives normal impulses that balance forces and
// moments of every box: a solution with v = 0 (the impulses are not unique). With a horizontal load it is the
// previous step's solution, stored as a guess.

#include <algorithm>

#include "generate/scenes.hpp"

namespace stickslip::internal {
namespace {

/// The corners of a clipped face repeat up to rounding.
bool same(double a, double b) { return std::abs(a - b) < 1e-9; }

StoredPoint equilibrium(const Scene& scene) {
  const std::size_t d = std::size_t(scene.dimension), bodies = scene.bodies.size();
  // Mass and first moments of what stands on each interface, from the top down; body b > 0 stands on b − 1.
  std::vector<double> mass(bodies + 1, 0), x(bodies + 1, 0), y(bodies + 1, 0);
  for (std::size_t b = bodies - 1; b > 0; --b) {
    const Body& body = scene.bodies[b];
    mass[b] = mass[b + 1] + body.mass;
    x[b] = x[b + 1] + body.mass * body.centre.x;
    y[b] = y[b + 1] + body.mass * body.centre.y;
  }
  StoredPoint point;
  point.r.assign(d * scene.contacts.size(), 0.0);
  point.u.assign(point.r.size(), 0.0);
  point.v.assign((bodies - 1) * (d == 3 ? 6 : 3), 0.0);
  for (std::size_t begin = 0; begin < scene.contacts.size();) {
    std::size_t end = begin;
    const auto b = std::size_t(scene.contacts[begin].second);
    Vector3 low = scene.contacts[begin].point, high = low;
    for (; end < scene.contacts.size() && std::size_t(scene.contacts[end].second) == b; ++end) {
      const Vector3 p = scene.contacts[end].point;
      low = {std::min(low.x, p.x), std::min(low.y, p.y), p.z};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), p.z};
    }
    const double share_x = (x[b] / mass[b] - low.x) / (high.x - low.x);
    const double share_y = d == 3 ? (y[b] / mass[b] - low.y) / (high.y - low.y) : 1;
    for (std::size_t i = begin; i < end; ++i) {
      const Vector3 p = scene.contacts[i].point;
      const double along_x = same(p.x, high.x) ? share_x : same(p.x, low.x) ? 1 - share_x : 0;
      const double along_y = d == 2 || same(p.y, high.y) ? share_y : same(p.y, low.y) ? 1 - share_y : 0;
      point.r[d * i] = scene.step * -scene.acceleration.z * mass[b] * along_x * along_y;
    }
    begin = end;
  }
  return point;
}

}  // namespace

ProblemFile stack_file(const GenerateRequest& request) {
  const Scene scene = stack(request);
  ProblemFile file = problem_file(scene);
  if (request.load.value_or(0) == 0)
    file.solution = equilibrium(scene);
  else
    file.guesses.push_back(equilibrium(scene));
  return file;
}

}  // namespace stickslip::internal
