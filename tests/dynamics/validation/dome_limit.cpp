// If forces carry the dome, so does their mean over all its rotations and reflections: one sector of the dome and the plane through its
// middle are enough. In that plane (x outwards, z up) a stone has three equations. Its bed joints press along their normal n with friction
// along t, at the inner and the outer corners. Its two neighbours in the ring press without friction, by symmetry; together they
// push the stone outwards, at each corner of the joint:
//
//   n = (−sin φ, cos φ cos β)/c,   t = (cos φ cos β, sin φ)/c,   2 p sin β e_x,    β = π/around, c² = sin²φ + cos²φ cos²β.
#include "tests/dynamics/validation/dome_limit.hpp"

#include <cmath>

#include "tests/dynamics/validation/simplex.hpp"

namespace stickslip::validation {
namespace {

bool stands(const DomeShape& dome, double mu) {
  const double beta = M_PI / dome.around, edge[2] = {1 - dome.thickness / 2, 1 + dome.thickness / 2};
  const auto height = [&](int ring) { return M_PI / 2 * ring / dome.rings; };
  const int stones = dome.rings - 1, equations = 3 * stones + 1, columns = 4 * dome.rings + 4 * stones;
  std::vector<std::vector<double>> A(std::size_t(equations), std::vector<double>(std::size_t(columns), 0.0));
  std::vector<double> b(std::size_t(equations), 0.0);
  // Weights in units of the mean stone, so that the simplex method sees numbers near one.
  const double unit = mass_properties(dome.stone(0, 0)).volume;
  // A force on a stone of the sector; of the cap only the vertical part counts, the rest is balanced by the other sectors.
  const auto add = [&](int ring, int column, double x, double z, double fx, double fz) {
    if (ring < 0) return;
    if (dome.is_cap(ring)) {
      A[std::size_t(3 * stones)][std::size_t(column)] += fz;
      return;
    }
    A[std::size_t(3 * ring)][std::size_t(column)] += fx;
    A[std::size_t(3 * ring + 1)][std::size_t(column)] += fz;
    A[std::size_t(3 * ring + 2)][std::size_t(column)] += x * fz - z * fx;
  };
  int column = 0;
  for (int ring = 0; ring < dome.rings; ++ring) {
    const double phi = height(ring), cx = std::cos(phi) * std::cos(beta), c = std::hypot(std::sin(phi), cx);
    const double n[2] = {-std::sin(phi) / c, cx / c}, t[2] = {cx / c, std::sin(phi) / c};
    for (double r : edge)
      for (double sign : {1.0, -1.0}) {
        const double f[2] = {n[0] + sign * mu * t[0], n[1] + sign * mu * t[1]}, x = r * cx,
                     z = r * std::sin(phi);
        add(ring, column, x, z, f[0], f[1]);
        add(ring - 1, column, x, z, -f[0], -f[1]);
        ++column;
      }
    const MassProperties mass = mass_properties(dome.stone(ring, 0));
    const double weight = mass.volume / unit;
    if (dome.is_cap(ring)) {
      b[std::size_t(3 * stones)] = weight / dome.around;
      continue;
    }
    for (double r : edge)
      for (int joint : {ring, ring + 1}) {
        const double z = r * std::sin(height(joint));
        add(ring, column++, 0, z, 2 * std::sin(beta), 0);
      }
    b[std::size_t(3 * ring + 1)] = weight;
    // Stone 0 lies between the azimuths 0 and 2β: its centre is at β.
    b[std::size_t(3 * ring + 2)] = weight * std::hypot(mass.centre[0], mass.centre[1]);
  }
  return feasible(std::move(A), std::move(b));
}

}  // namespace

Convex DomeShape::stone(int ring, int k) const {
  Convex stone;
  for (int side = 0; side < (is_cap(ring) ? around : 2); ++side) {
    const double azimuth = 2 * M_PI * (k + side) / around;
    for (int joint : {ring, ring + 1})
      for (double r : {1 - thickness / 2, 1 + thickness / 2}) {
        const double phi = M_PI / 2 * joint / rings;
        stone.points.push_back({r * std::cos(phi) * std::cos(azimuth), r * std::cos(phi) * std::sin(azimuth),
                                r * std::sin(phi)});
      }
  }
  return stone;
}

double dome_limit(int rings, int around, double friction) {
  double low = 0.01, high = 0.3;
  for (int i = 0; i < 24; ++i) {
    const double middle = (low + high) / 2;
    (stands({rings, around, middle}, friction) ? high : low) = middle;
  }
  return high;
}

}  // namespace stickslip::validation
