// Problems without a solution: bodies in a row between two walls that close in, with further contacts that
// disturb nothing.
#pragma once

#include <array>
#include <cmath>

#include "base/random.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::tests {

using internal::Random;

/// `bodies` point masses along a random direction, `bodies` + 1 contacts between them and the walls, whose
/// velocities w add up to a closing one: Σ u_N = Σ w_N < 0 whatever the bodies do. As many contacts with
/// fixed planes besides.
inline GlobalProblem squeezed_row(std::uint64_t seed, Index bodies) {
  Random random(seed);
  std::vector<Triplet> M, H;
  std::vector<double> f, w, mu;
  for (Index i = 0; i < 3 * bodies; ++i) {
    M.push_back({i, i, random.uniform(0.5, 2)});
    f.push_back(random.uniform(-1, 1));
  }
  const auto attach = [&](Index body, Index contact, const std::array<std::array<double, 3>, 3>& frame,
                          double sign) {
    for (Index k = 0; k < 3; ++k)
      for (Index c = 0; c < 3; ++c)
        H.push_back({body * 3 + c, contact * 3 + k, sign * frame[std::size_t(k)][std::size_t(c)]});
  };
  const auto frame = [&](double angle, double height) -> std::array<std::array<double, 3>, 3> {
    const double c = std::cos(angle), s = std::sin(angle), p = std::sqrt(1 - height * height);
    return {{{p * c, p * s, height}, {-s, c, 0}, {-height * c, -height * s, p}}};
  };
  const auto row = frame(random.uniform(0, 6), random.uniform(-0.9, 0.9));
  double closing = 0;
  for (Index k = 0; k <= bodies; ++k) {
    if (k < bodies) attach(k, k, row, 1);
    if (k > 0) attach(k - 1, k, row, -1);
    w.insert(w.end(), {random.uniform(-0.5, 0.2), random.uniform(-1, 1), random.uniform(-1, 1)});
    mu.push_back(random.uniform(0.1, 1));
    closing += w[std::size_t(3 * k)];
  }
  if (closing > -0.5) w[0] -= closing + 0.5;
  for (Index k = 0; k < bodies; ++k) {
    attach(Index(random.below(std::uint64_t(bodies))), bodies + 1 + k, frame(random.uniform(0, 6), 0), 1);
    w.insert(w.end(), {0, 0, 0});
    mu.push_back(0.5);
  }
  const Index contacts = 2 * bodies + 1;
  return {3, {3 * bodies, 3 * bodies, M}, {3 * bodies, 3 * contacts, H}, f, w, mu};
}

}  // namespace stickslip::tests
