// Conjugate gradients on blocks: they solve what is positive definite, and say so where it is not.
#include "linalg/contact_system/block_gradients.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"

namespace stickslip::internal {
namespace {

/// A ring of nodes, each block of a neighbour −C, and on the diagonal what makes K = Σ (springs) + shift·I.
struct Ring {
  static constexpr int N = 3, area = N * N;
  std::vector<Index> row_start = {0}, column;
  std::vector<double> blocks, diagonals, half;  // half: of the pairs
  std::vector<double> scaled_half, factors;     // what conjugate gradients make of them
  BlockPairs pairs;

  Ring(Index nodes, double shift) : diagonals(std::size_t(nodes) * area, 0.0) {
    for (Index a = 0; a < nodes; ++a) {
      const Index before = (a + nodes - 1) % nodes, after = (a + 1) % nodes;
      for (const Index b : {std::min(before, after), std::max(before, after)}) {
        column.push_back(b);
        for (int k = 0; k < area; ++k) blocks.push_back(k % (N + 1) == 0 ? -1.0 : -0.1);
      }
      row_start.push_back(Index(column.size()));
      for (int k = 0; k < area; ++k)
        diagonals[std::size_t(a) * area + std::size_t(k)] = k % (N + 1) == 0 ? 2 + shift : 0.2;
    }
    pairs.find(row_start, column);
    half.resize(pairs.size() * area);
    for (std::size_t k = 0; k < half.size(); ++k) half[k] = k % area % (N + 1) == 0 ? -1.0 : -0.1;
  }
  bool prepare(BlockGradients<3>& gradients, ThreadTeam* team = nullptr) {
    scaled_half = half;
    factors = diagonals;
    return gradients.prepare(pairs, scaled_half, factors, team);
  }

  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(x.size(), 0.0);
    const auto add = [&](const double* block, std::size_t to, std::size_t from) {
      for (std::size_t c = 0; c < N; ++c)
        for (std::size_t r = 0; r < N; ++r) y[to * N + r] += block[r + N * c] * x[from * N + c];
    };
    for (std::size_t a = 0; a + 1 < row_start.size(); ++a) {
      add(&diagonals[a * area], a, a);
      for (auto e = std::size_t(row_start[a]); e < std::size_t(row_start[a + 1]); ++e)
        add(&blocks[e * area], a, std::size_t(column[e]));
    }
    return y;
  }
};

TEST(BlockGradients, Solve) {
  Ring ring(20, 0.05);
  BlockGradients<3> gradients;
  ASSERT_TRUE(ring.prepare(gradients));
  Random random(1);
  std::vector<double> x(60);
  for (double& number : x) number = random.normal();
  std::vector<double> b = ring.times(x);
  const long taken = gradients.solve(b, {1e-12}, 200);
  EXPECT_GT(taken, 1);
  EXPECT_LE(taken, 60) << "no more than unknowns, but for rounding";
  // κ(K) ≤ 6.3/0.05: two digits more than the residual's.
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(b[k], x[k], 1e-9);
}

TEST(BlockGradients, HaveTheSameBitsForAnyNumberOfThreads) {
  Ring ring(12000, 0.05);  // more pairs than one chunk has
  ASSERT_GT(ring.pairs.chunk_start.size(), 3U);
  std::vector<double> b(std::size_t(12000) * 3), first;
  for (const int threads : {1, 2, 3}) {
    ThreadTeam team(threads);
    BlockGradients<3> gradients;
    ASSERT_TRUE(ring.prepare(gradients, &team));
    for (std::size_t k = 0; k < b.size(); ++k) b[k] = std::sin(double(k));
    EXPECT_GT(gradients.solve(b, {1e-6}, 200), 1);
    if (first.empty()) first = b;
    EXPECT_EQ(b, first) << threads;
  }
}

TEST(BlockGradients, StopWhereTheyAreTold) {
  Ring ring(20, 0.05);
  BlockGradients<3> gradients;
  ASSERT_TRUE(ring.prepare(gradients));
  std::vector<double> b(60, 0.0);
  b[0] = 1;
  EXPECT_EQ(gradients.solve(b, {1e-12}, 3), 3);
}

TEST(BlockGradients, EndWhereTheResidualIsSmallAgainstMasses) {
  Ring ring(400, 0.05);
  BlockGradients<3> gradients;
  ASSERT_TRUE(ring.prepare(gradients));
  std::vector<double> masses(1200), right(1200);
  for (std::size_t k = 0; k < masses.size(); ++k) masses[k] = 1 + double(k % 3);
  Random random(2);
  for (double& number : right) number = random.normal();
  std::vector<double> exact = right, x = right;
  const long all = gradients.solve(exact, {1e-12}, 200),
             taken = gradients.solve(x, {1e-12, 1e-2, masses.data()}, 200);
  EXPECT_LT(taken, all);
  EXPECT_EQ(taken % 8, 0) << "looked at every eight iterations";
  const std::vector<double> image = ring.times(x);
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += (right[k] - image[k]) * (right[k] - image[k]) / masses[k];
  EXPECT_LE(std::sqrt(sum), 1.001e-2);
  EXPECT_GT(std::sqrt(sum), 1e-9) << "it did not end by the other rule";
}

TEST(BlockGradients, GoOnFromTheLastSolutionUpToAnEnergy) {
  Ring ring(400, 0.01);
  BlockGradients<3> gradients;
  ASSERT_TRUE(ring.prepare(gradients));
  Random random(3);
  std::vector<double> x(1200);
  for (double& number : x) number = random.normal();
  std::vector<double> b = ring.times(x);
  const long anew = gradients.solve(b, {1e-15}, 1000, BlockGradients<3>::Begin::at_the_last_solution);
  EXPECT_GT(anew, 10) << "there is none yet";
  // A neighbour, solved until the energy of its error is a hundredth of what lies between the two.
  std::vector<double> step(1200), error(1200);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += step[k] = 1e-3 * random.normal();
  const auto energy = [&](const std::vector<double>& e) {
    const std::vector<double> image = ring.times(e);
    double sum = 0;
    for (std::size_t k = 0; k < e.size(); ++k) sum += e[k] * image[k];
    return sum;
  };
  b = ring.times(x);
  std::vector<double> again = b;
  const double enough = 0.01 * energy(step);
  const BlockGradients<3>::End end{.part = 1e-15, .energy = enough};
  const long near = gradients.solve(b, end, 1000, BlockGradients<3>::Begin::at_the_last_solution);
  for (std::size_t k = 0; k < x.size(); ++k) error[k] = b[k] - x[k];
  EXPECT_LE(energy(error), enough) << "the rule looks four iterations back";
  EXPECT_GT(energy(error), 1e-6 * enough) << "it does not end late either";
  EXPECT_LT(2 * near, gradients.solve(again, end, 1000)) << "from zero";
}

TEST(BlockGradients, RefuseWhatIsNotPositiveDefinite) {
  BlockGradients<3> gradients;
  EXPECT_FALSE(Ring(20, -3).prepare(gradients)) << "diagonal blocks";
  Ring ring(20, -1);
  ASSERT_TRUE(ring.prepare(gradients));
  std::vector<double> b(60, 1.0);  // K b = −b: the direction of negative curvature
  EXPECT_EQ(gradients.solve(b, {1e-12}, 200), -1);
}

}  // namespace
}  // namespace stickslip::internal
