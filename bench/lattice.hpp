// A made-up assembly of any size for benches of sweeps.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "stickslip/problem.hpp"

namespace bench {

using stickslip::GlobalProblem, stickslip::Index, stickslip::Triplet;

/// Bodies on a cubic lattice of side³ with `a_face` contacts between neighbours: 1 (spheres), 2 or 4
/// (polyhedra). Rigid bodies with 6 rows (v, ω) or pseudo-rigid ones with 12 (v, Ḟ).
inline GlobalProblem lattice(Index side, int a_face, Index rows) {
  const auto body = [&](Index x, Index y, Index z) { return ((z * side) + y) * side + x; };
  const Index bodies = side * side * side;
  std::vector<Triplet> M, H;
  std::vector<double> w;
  for (Index i = 0; i < rows * bodies; ++i) M.push_back({i, i, i % rows < 3 ? 1.0 : 0.1});
  Index contact = 0;
  // A contact at p from the centre of a body with frame (n, t1, t2): work of each axis e is (e, p × e) or (e,
  // e pᵀ).
  const auto attach = [&](Index which, double sign, const double p[3], int normal) {
    for (int k = 0; k < 3; ++k) {
      const int axis = (normal + k) % 3;
      double e[3] = {};
      e[axis] = sign;
      const double moment[3] = {p[1] * e[2] - p[2] * e[1], p[2] * e[0] - p[0] * e[2],
                                p[0] * e[1] - p[1] * e[0]};
      H.push_back({rows * which + axis, 3 * contact + k, sign});
      for (int c = 0; c < 3; ++c)
        if (rows == 12)
          H.push_back({rows * which + 3 + 3 * axis + c, 3 * contact + k, sign * p[c]});
        else if (moment[c] != 0)
          H.push_back({rows * which + 3 + c, 3 * contact + k, moment[c]});
    }
  };
  for (Index z = 0; z < side; ++z)
    for (Index y = 0; y < side; ++y)
      for (Index x = 0; x < side; ++x)
        for (int normal = 0; normal < 3; ++normal) {
          const Index next[3] = {x + (normal == 0), y + (normal == 1), z + (normal == 2)};
          if (std::max({next[0], next[1], next[2]}) >= side) continue;
          for (int corner = 0; corner < a_face; ++corner) {
            double p[3], opposite[3];
            p[normal] = 0.5;
            p[(normal + 1) % 3] = a_face == 1 ? 0 : corner % 2 ? 0.4 : -0.4;
            p[(normal + 2) % 3] = a_face == 1 ? 0 : a_face == 2 ? 0.1 : corner / 2 ? 0.4 : -0.4;
            for (int c = 0; c < 3; ++c) opposite[c] = c == normal ? -p[c] : p[c];
            attach(body(x, y, z), -1, p, normal);
            attach(body(next[0], next[1], next[2]), 1, opposite, normal);
            const double phase = double(contact);
            w.insert(w.end(),
                     {-1 + 0.3 * std::sin(phase), 0.5 * std::cos(3 * phase), 0.5 * std::sin(7 * phase)});
            ++contact;
          }
        }
  return {3,
          {rows * bodies, rows * bodies, M},
          {rows * bodies, 3 * contact, H},
          std::vector<double>(std::size_t(rows * bodies)),
          w,
          std::vector<double>(std::size_t(contact), 0.5)};
}

}  // namespace bench
