// (L W + B)⁻¹ through the bodies, against W itself.
#include "linalg/body_factorisation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/block_factorisation.hpp"
#include "linalg/factorisation.hpp"
#include "problems/dense.hpp"

namespace stickslip::internal {
namespace {

using tests::Numbers;

/// A row of bodies of six rows (in the plane three), each of `joints` contacts between one and the next, and
/// one body that does not fill its block of the factorisation.
struct Scene {
  Scene(Random& random, int d, Index bodies, Index joints) : dimension(d), contacts((bodies - 1) * joints) {
    const Index size = d == 3 ? 6 : 3, rows = bodies * size + 1;
    std::vector<Triplet> mass, arms;
    for (Index k = 0; k < rows; ++k) mass.push_back({k, k, random.uniform(1, 2)});
    for (Index b = 0; b < bodies; ++b) {
      const double skew = random.uniform(-0.3, 0.3);
      mass.push_back({b * size, b * size + 2, 0.2 + skew});
      mass.push_back({b * size + 2, b * size, 0.2 - skew});
    }
    for (Index c = 0; c < contacts * d; ++c) {
      const Index body = c / d / joints;
      for (Index k = 0; k < 2 * size; ++k) arms.push_back({body * size + k, c, random.normal()});
    }
    arms.push_back({rows - 1, 0, 1.0});
    M = SparseMatrix(rows, rows, mass);
    H = SparseMatrix(rows, contacts * d, arms);
    const Factorisation inverse(M, Definiteness::positive, "M");
    std::vector<Triplet> entries;
    for (Index c = 0; c < H.columns(); ++c) {
      Numbers unit(std::size_t(H.columns()), 0.0), v(std::size_t(rows), 0.0), u(unit);
      unit[std::size_t(c)] = 1;
      H.multiply_add(1, unit, v);
      inverse.solve(v);
      H.transpose_multiply_add(1, v, u);
      for (Index k = 0; k < H.columns(); ++k) entries.push_back({k, c, u[std::size_t(k)]});
    }
    W = SparseMatrix(H.columns(), H.columns(), entries);
  }
  int dimension;
  Index contacts;
  SparseMatrix M, H, W;
};

Numbers random_blocks(Random& random, Index n, int d, double diagonal, double spread) {
  Numbers B;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < d * d; ++k)
      B.push_back(random.uniform(-spread, spread) + (k % (d + 1) == 0 ? diagonal : 0.0));
  return B;
}

/// ‖(L W + B) x − b‖/‖b‖; L empty: I.
double misfit(const SparseMatrix& W, int d, const Numbers& L, const Numbers& B, const Numbers& x,
              const Numbers& b) {
  Numbers Wx(x.size(), 0.0);
  W.multiply_add(1, x, Wx);
  double error = 0, size = 0;
  const auto D = std::size_t(d);
  for (std::size_t k = 0; k < x.size(); ++k) {
    double sum = L.empty() ? Wx[k] : 0;
    const std::size_t i = k / D, row = k % D;
    for (std::size_t c = 0; c < D; ++c) {
      if (!L.empty()) sum += L[i * D * D + c * D + row] * Wx[i * D + c];
      sum += B[i * D * D + c * D + row] * x[i * D + c];
    }
    error += (sum - b[k]) * (sum - b[k]);
    size += b[k] * b[k];
  }
  return std::sqrt(error / size);
}

TEST(BodyFactorisation, SolvesAsWDoes) {
  Random random(3);
  for (const int d : {2, 3})
    for (const Index joints : {1, 6}) {
      const Scene scene(random, d, 5, joints);
      BodyFactorisation bodies(scene.M, scene.H, d);
      for (const bool transformed : {false, true}) {
        const Numbers B = random_blocks(random, scene.contacts, d, 1, 0.1),
                      L = transformed ? random_blocks(random, scene.contacts, d, 1, 0.1) : Numbers{};
        ASSERT_TRUE(bodies.factorise(L, B));
        Numbers b;
        for (Index k = 0; k < scene.W.rows(); ++k) b.push_back(random.normal());
        Numbers x = b;
        bodies.solve(x);
        // ‖W‖ of some hundred, B and L of order one: rounding times that condition, and its square for L W.
        EXPECT_LE(misfit(scene.W, d, L, B, x, b), 1e-11) << d << ' ' << joints << ' ' << transformed;
      }
    }
}

TEST(BodyFactorisation, RefusesASingularB) {
  Random random(4);
  const Scene scene(random, 3, 3, 4);
  BodyFactorisation bodies(scene.M, scene.H, 3);
  EXPECT_FALSE(bodies.factorise({}, Numbers(std::size_t(scene.contacts) * 9, 0.0)));
}

/// Redundant contacts: 96 unknowns at the contacts, 31 in the bodies. A B of 1e-13 leaves little of
/// b − Hᵀ v, and W must help out.
TEST(BlockFactorisation, TakesTheBodiesAndFallsBackToW) {
  Random random(5);
  const Scene scene(random, 3, 5, 8);
  BlockFactorisation factors(scene.W, 3, false, BodyFactors{scene.M, scene.H});
  ASSERT_TRUE(factors.by_bodies());
  EXPECT_FALSE(BlockFactorisation(scene.W, 3, false).by_bodies());
  Numbers r, b(std::size_t(scene.W.rows()), 0.0);
  for (Index k = 0; k < scene.W.rows(); ++k) r.push_back(random.normal());
  scene.W.multiply_add(1, r, b);
  for (const double size : {1.0, 1e-3, 1e-13}) {
    const Numbers B = random_blocks(random, scene.contacts, 3, size, 0);
    ASSERT_TRUE(factors.factorise(B, true));
    Numbers x = b;
    factors.solve(x);
    EXPECT_LE(misfit(scene.W, 3, {}, B, x, b), 1e-11) << size;  // the accuracy that it promises
    if (size >= 1e-3) {
      EXPECT_EQ(factors.fallbacks(), 0);
    }
  }
  EXPECT_EQ(factors.fallbacks(), 1);
}

}  // namespace
}  // namespace stickslip::internal
