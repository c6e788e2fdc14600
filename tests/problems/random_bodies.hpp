// Random global problems with every kind of body.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::tests {

/// What the bodies of a random problem are like.
struct Bodies {
  std::string name;
  int dimension = 3, rows = 6;
  bool rigid = true;  // translations first, frames R and −R, M = diag(m I, J)
  bool symmetric = true, diagonal = false;
};

inline std::ostream& operator<<(std::ostream& out, const Bodies& kind) { return out << kind.name; }

inline const Bodies kinds_of_bodies[] = {
    {.name = "rigid"},
    {.name = "rigid_diagonal", .diagonal = true},
    {.name = "rigid_unsymmetric", .symmetric = false},
    {.name = "general", .rigid = false},
    {.name = "general_unsymmetric", .rigid = false, .symmetric = false},
    {.name = "pseudo_rigid", .rows = 12, .rigid = false},
    {.name = "five_rows", .rows = 5, .rigid = false},
    {.name = "plane", .dimension = 2, .rows = 3, .rigid = false},
    {.name = "plane_diagonal", .dimension = 2, .rows = 3, .rigid = false, .diagonal = true},
    {.name = "plane_unsymmetric", .dimension = 2, .rows = 3, .rigid = false, .symmetric = false}};

/// Contacts between random bodies, every fourth with one body only; loads that press, so that all statuses
/// occur.
inline GlobalProblem random_problem(const Bodies& kind, Index bodies, Index contacts, std::uint64_t seed) {
  internal::Random random(seed);
  const int d = kind.dimension, n = kind.rows;
  std::vector<Triplet> M, H;
  for (Index b = 0; b < bodies; ++b) {
    const int first = kind.rigid ? 3 : 0;
    const double mass = random.uniform(0.5, 2);
    for (int i = 0; i < first; ++i) M.push_back({b * n + i, b * n + i, mass});
    std::vector<double> A(static_cast<std::size_t>(n * n));
    for (double& x : A) x = random.uniform(-1, 1);
    for (int i = first; i < n; ++i)
      for (int j = first; j < n; ++j) {
        if (i != j && kind.diagonal) continue;
        double entry =
            i == j ? 2.0 : 0.0;  // 2 I + A Aᵀ/n, and a skew part: the symmetric part stays definite
        for (int k = 0; k < n && !kind.diagonal; ++k)
          entry += A[std::size_t(i * n + k)] * A[std::size_t(j * n + k)] / n;
        if (!kind.symmetric) entry += (i < j ? 0.3 : i > j ? -0.3 : 0.0);
        M.push_back({b * n + i, b * n + j, entry});
      }
  }
  std::vector<double> w, mu, f;
  for (Index c = 0; c < contacts; ++c) {
    const auto a = Index(random.below(std::uint64_t(bodies)));
    const auto b = Index((a + 1 + Index(random.below(std::uint64_t(bodies - 1)))) % bodies);
    for (int side = 0; side < (c % 4 == 0 ? 1 : 2); ++side)
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < d; ++k) {
          double value = random.uniform(-1, 1);
          if (kind.rigid && i < 3 && side == 1) value = -H[H.size() - std::size_t(n * d)].value;
          H.push_back({(side == 0 ? a : b) * n + i, c * d + k, value});
        }
    for (int k = 0; k < d; ++k) w.push_back(k == 0 ? random.uniform(-1, 0.2) : random.uniform(-0.5, 0.5));
    mu.push_back(c % 7 == 0 ? 0.0 : random.uniform(0.1, 1));
  }
  for (Index i = 0; i < bodies * n; ++i) f.push_back(random.uniform(-1, 1));
  return {d, {bodies * n, bodies * n, M}, {bodies * n, contacts * d, H}, f, w, mu};
}

}  // namespace stickslip::tests
