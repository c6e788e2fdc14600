// Systems on the edge: graded masses, rank that is lost, pivots that vanish. A factorisation must hold, fall back, or say no; what it
// says of its own accuracy must be true.
#include <gmock/gmock.h>

#include <cmath>

#include "linalg/contact_system/contact_system.hpp"
#include "linalg/factorisation.hpp"
#include "problems/dense.hpp"
#include "problems/refused.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;
using tests::Dense;
using tests::Numbers;
using Strategy = ContactSystem::Strategy;

/// D A D, D from 1e-6 to 1e6: condition 1e24 by units alone.
Dense graded(Dense A, Numbers& scale) {
  scale.resize(std::size_t(A.rows));
  for (int i = 0; i < A.rows; ++i) scale[std::size_t(i)] = std::pow(10.0, -6 + 12.0 * i / (A.rows - 1));
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.rows; ++j)
      A(i, j) = double(A(i, j) * scale[std::size_t(i)] * scale[std::size_t(j)]);
  return A;
}

TEST(IllConditioned, GradedMassesAreAMatterOfUnits) {
  // A dense block, a sparse matrix, and one that fills up. The parts have condition 100: their solutions are good to 1e-12, in
  // their own units each.
  Random random(1);
  for (int n : {12, 100, 230}) {
    Numbers scale;
    const Dense A = graded(tests::random_positive(n, random, 20), scale);
    const Factorisation factors(tests::sparse(A), Definiteness::positive, "M");
    Numbers x(std::size_t(n), 0.0), expected(std::size_t(n), 0.0);
    for (int i = 0; i < n; ++i) expected[std::size_t(i)] = random.uniform(-1, 1) / scale[std::size_t(i)];
    const Dense b = A * tests::column(expected);
    for (int i = 0; i < n; ++i) x[std::size_t(i)] = double(b(i, 0));
    factors.solve(x);
    for (int i = 0; i < n; ++i) {
      const auto k = std::size_t(i);
      EXPECT_NEAR(x[k] * scale[k], expected[k] * scale[k], 1e-12) << n << " rows, row " << i;
    }
  }
}

TEST(IllConditioned, AMassThatIsSingularToWorkingPrecisionIsRefused) {
  // v vᵀ + tiny I: positive definite on paper only.
  Random random(2);
  for (int n : {8, 80}) {
    const Dense v = tests::random_dense(n, 1, random);
    Dense A = v * transpose(v);
    for (auto& x : A.value) x = double(x);
    for (int i = 0; i < n; ++i) A(i, i) += 1e-18;
    EXPECT_THAT(tests::refusal([&] { Factorisation(tests::sparse(A), Definiteness::positive, "M"); }),
                HasSubstr("M is "))
        << n;
  }
}

/// W as blocks only.
struct Blocks final : ContactProducts {
  BlockMatrix W;
  explicit Blocks(BlockMatrix matrix) : W(std::move(matrix)) {}
  int dimension() const override { return W.dimension(); }
  Index contacts() const override { return W.size(); }
  const BlockMatrix* blocks() const override { return &W; }
  const BodyFactors* bodies() const override { return nullptr; }
  void product(std::span<const double> x, std::span<double> y) const override { W.multiply(x, y); }
};

/// Hᵀ H of half the rank, each contact between neighbours of a chain or anywhere.
BlockMatrix half_rank(Index contacts, bool chain, Random& random) {
  const int columns = int(contacts) * 3, rows = columns / 2;
  Dense H(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      if (!chain || std::abs(2 * i - j) <= 4) H(i, j) = random.uniform(-1, 1);
  Dense W = transpose(H) * H;
  for (auto& x : W.value) x = double(x);
  return {tests::sparse(W), 3};
}

TEST(IllConditioned, WhatASystemSaysOfItsAccuracyIsTrue) {
  // W of half the rank, shifted by less and less: down to where nothing is left of b.
  Random random(3);
  for (const auto& [contacts, chain] : {std::pair<Index, bool>{6, false}, {120, true}, {60, false}})
    for (double alpha : {1e-2, 1e-6, 1e-10, 1e-14, 0.0}) {
      const Blocks given(half_rank(contacts, chain, random));
      ContactSystem system;
      system.analyse(given);
      const Numbers zero(std::size_t(contacts) * 9, 0.0);
      // A right-hand side in the range of W, as those of contact problems are.
      const Numbers y = tests::random_numbers(std::size_t(contacts) * 3, random);
      Numbers b(y.size());
      given.W.multiply(y, b);
      Numbers x = b;
      if (!system.factorise({}, nullptr, zero.data(), alpha).ok) continue;  // it said no
      const double said = system.solve(x, ContactSystem::for_the_last_digit);
      if (!std::isfinite(said)) continue;
      Numbers product(x.size());
      given.W.multiply(x, product);
      double rest = 0, size = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        rest += std::pow(b[k] - product[k] - alpha * x[k], 2);
        size += b[k] * b[k];
      }
      const double seen = std::sqrt(rest / size);
      if (system.strategy() != ContactSystem::Strategy::dense) {  // whose answers are not looked at
        EXPECT_NEAR(seen, said, 0.5 * said + 1e-15) << contacts << " contacts, α = " << alpha;
      }
      if (alpha >= 1e-10) {
        EXPECT_LE(seen, 1e-6) << contacts << " contacts, α = " << alpha << ": what is promised";
      }
    }
}

}  // namespace
}  // namespace stickslip::internal
