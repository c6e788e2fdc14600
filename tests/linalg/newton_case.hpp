// A matrix of Newton's method at random, for the linear solvers that take it apart.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "problems/dense.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip::tests {

using internal::Random;

/// W with a symmetric pattern and a condition below 1e3, and blocks L_i, R_i: open contacts have L = 0 and
/// R = I and are not active, the others rows of W.
struct NewtonCase {
  BlockMatrix W;
  Numbers left, right, x;
  std::vector<std::uint8_t> active;
};

/// `density` of the blocks beside the diagonal are there.
inline NewtonCase newton_case(Index n, int d, double density, Random& random) {
  std::vector<Triplet> entries;
  const auto block = [&](Index i, Index j) {
    for (Index a = 0; a < d; ++a)
      for (Index b = 0; b < d; ++b)
        entries.push_back({i * d + a, j * d + b, random.uniform(-1, 1) + (i == j && a == b ? 12.0 : 0)});
  };
  for (Index i = 0; i < n; ++i) {
    block(i, i);
    for (Index j = 0; j < i; ++j)
      if (random.uniform(0, 1) < density) block(i, j), block(j, i);
  }
  NewtonCase c{{SparseMatrix(n * d, n * d, entries), d}, {}, {}, {}, {}};
  for (Index i = 0; i < n; ++i) {
    const bool open = random.uniform(0, 1) < 0.3;
    c.active.push_back(!open);
    for (int b = 0; b < d; ++b)
      for (int a = 0; a < d; ++a) {
        c.left.push_back(open ? 0 : (a == b) + 0.2 * random.uniform(-1, 1));
        c.right.push_back(open ? a == b : 0.3 * random.uniform(-1, 1));
      }
    for (int a = 0; a < d; ++a) c.x.push_back(random.uniform(-1, 1));
  }
  return c;
}

}  // namespace stickslip::tests
