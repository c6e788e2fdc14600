#include "dynamics/surfaces/overlap.hpp"

#include <cmath>

#include "dynamics/elements/interpolation.hpp"

namespace stickslip::internal {

void cut_polygon(std::vector<Flat>& polygon, std::span<const Flat> by, std::vector<Flat>& room) {
  for (std::size_t k = 0; k < by.size() && !polygon.empty(); ++k) {
    const Flat &from = by[k], along = by[k + 1 < by.size() ? k + 1 : 0] - from;
    const auto inside = [&](const Flat& p) {
      return along[0] * (p[1] - from[1]) - along[1] * (p[0] - from[0]);
    };
    room.clear();
    double here = inside(polygon[0]);
    const double first = here;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const bool last = i + 1 == polygon.size();
      const Flat &p = polygon[i], &q = polygon[last ? 0 : i + 1];
      const double there = last ? first : inside(q);
      if (here >= 0) room.push_back(p);
      if ((here >= 0) != (there >= 0)) room.push_back(p + here / (here - there) * (q - p));
      here = there;
    }
    polygon.swap(room);
  }
}

bool invert_face(std::span<const Flat> nodes, const Flat& p, double& s, double& t) {
  constexpr int most_steps = 20;
  const int n = int(nodes.size());
  double N[6], by_s[6], by_t[6];
  s = t = n == 4 ? 0.0 : 1.0 / 3;
  for (int step = 0; step < most_steps; ++step) {
    face_interpolation(n, s, t, N, by_s, by_t);
    Flat rest = -p, along_s = Flat::Zero(), along_t = Flat::Zero();
    for (int a = 0; a < n; ++a) {
      rest += N[a] * nodes[std::size_t(a)];
      along_s += by_s[a] * nodes[std::size_t(a)];
      along_t += by_t[a] * nodes[std::size_t(a)];
    }
    const double det = along_s[0] * along_t[1] - along_s[1] * along_t[0];
    if (!(std::abs(det) > 0)) return false;
    const double ds = (along_t[1] * rest[0] - along_t[0] * rest[1]) / det,
                 dt = (along_s[0] * rest[1] - along_s[1] * rest[0]) / det;
    s -= ds;
    t -= dt;
    if (std::abs(ds) + std::abs(dt) < 1e-14) return true;
    if (!(std::abs(s) + std::abs(t) < 10)) return false;
  }
  return true;
}

}  // namespace stickslip::internal
