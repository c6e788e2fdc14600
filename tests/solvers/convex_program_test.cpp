// Convex programs over half lines, disks, cylinders and cones: closed forms, optimality, the methods against
// each other.
#include "solvers/convex/convex_program.hpp"

#include <gmock/gmock.h>

#include "cone/project.hpp"
#include "problems/dense.hpp"
#include "problems/refused.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;
using tests::Dense;
using tests::Numbers;
using FirstStep = ConvexOptions::FirstStep;

/// W by a dense matrix.
ConvexProgram program(ConvexSet set, int block, const Dense& W, const Numbers& b, const Numbers& size) {
  return {.set = set,
          .block = block,
          .size = size,
          .b = b,
          .gradient = [&W, &b](std::span<const double> r, std::span<double> g) {
            const Numbers product = tests::numbers(W * tests::column(r));
            for (std::size_t k = 0; k < g.size(); ++k) g[k] = product[k] + b[k];
          }};
}

double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
  return sum;
}

/// ½ rᵀWr + bᵀr.
double value(const Dense& W, const Numbers& b, std::span<const double> r) {
  return dot(tests::numbers(W * tests::column(r)), r) / 2 + dot(b, r);
}

TEST(ProjectedGradient, IdentityProjects) {
  // W = I: the solution is the projection of −b.
  const Dense I = tests::identity(3);
  const Numbers b = {-1, 3, -4}, half = {0.5}, radius = {2};
  for (const FirstStep first : {FirstStep::last, FirstStep::spectral}) {
    const ConvexOptions options{.tolerance = 1e-13, .first_step = first};
    Numbers r = {7, 7, 7};
    EXPECT_TRUE(projected_gradient(program(ConvexSet::cones, 3, I, b, half), options, r).converged);
    const Vec<3> cone = project_on_cone<3>({1, -3, 4}, 0.5);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(r[c], cone[c], 1e-12);
    r = {-7, 7, 7};
    EXPECT_TRUE(projected_gradient(program(ConvexSet::cylinders, 3, I, b, radius), options, r).converged);
    const Numbers cylinder = {1, -1.2, 1.6};
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(r[c], cylinder[c], 1e-12);
    r = {1, 1, 1};
    EXPECT_TRUE(projected_gradient(program(ConvexSet::half_lines, 1, I, b, {}), options, r).converged);
    const Numbers line = {1, 0, 4};
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(r[c], line[c], 1e-12);
  }
}

TEST(ProjectedGradient, UnconstrainedInsideTheSet) {
  Random random(1);
  const Dense W = tests::random_positive(6, random);
  const Numbers expected = {2, 0.1, -0.2, 3, 0.3, 0.1}, mu = {1, 1};
  Numbers b = tests::numbers(W * tests::column(expected)), r(6);
  for (double& x : b) x = -x;
  const ConvexResult result =
      projected_gradient(program(ConvexSet::cones, 3, W, b, mu), {.tolerance = 1e-12}, r);
  EXPECT_TRUE(result.converged);
  EXPECT_LE(tests::difference(r, expected), 1e-10);  // eigenvalues of W from 0.5 on, ‖b‖ of order 10
}

struct Case {
  std::string name;
  ConvexSet set;
  int block;
};

class Sets : public ::testing::TestWithParam<Case> {
 protected:
  /// Whether g = W r + b is optimal at r: −g in the normal cone, tested by no better feasible point nearby.
  void expect_optimal(const ConvexProgram& p, const Dense& W, const Numbers& b, const Numbers& r) {
    Random random(99);
    Numbers g(r.size());
    p.gradient(r, g);
    const double best = value(W, b, r);
    for (int trial = 0; trial < 200; ++trial) {
      Numbers other = r;
      const double size = std::pow(10, random.uniform(-6, 1));
      for (double& x : other) x += size * random.normal();
      projected_gradient(p, {.max_iterations = 0}, other);  // only makes it feasible
      EXPECT_GE(value(W, b, other), best - 1e-9 * (1 + std::abs(best)));
      double variation = 0;  // g·(other − r) ≥ 0 for every feasible point
      for (std::size_t k = 0; k < r.size(); ++k) variation += g[k] * (other[k] - r[k]);
      EXPECT_GE(variation, -1e-6 * std::max(size, 1e-3));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(
    All, Sets,
    ::testing::Values(Case{"half_lines", ConvexSet::half_lines, 1}, Case{"intervals", ConvexSet::disks, 1},
                      Case{"disks", ConvexSet::disks, 2}, Case{"cylinders_2d", ConvexSet::cylinders, 2},
                      Case{"cylinders_3d", ConvexSet::cylinders, 3}, Case{"cones_2d", ConvexSet::cones, 2},
                      Case{"cones_3d", ConvexSet::cones, 3}),
    [](const auto& test) { return test.param.name; });

TEST_P(Sets, BothStepsFindTheSameOptimum) {
  Random random(2);
  const int n = 8, rows = n * GetParam().block;
  for (int trial = 0; trial < 5; ++trial) {
    const Dense W = tests::random_positive(rows, random, 0.2);
    const Numbers b = tests::random_numbers(std::size_t(rows), random);
    Numbers size(std::size_t(n), 0.0);
    for (double& x : size) x = random.uniform() < 0.2 ? 0 : random.uniform();
    ConvexProgram p = program(GetParam().set, GetParam().block, W, b, size);
    if (GetParam().set == ConvexSet::half_lines) p.size = {};
    Numbers plain(std::size_t(rows), 0.0), spectral(std::size_t(rows), 1.0);
    const ConvexResult a = projected_gradient(p, {.tolerance = 1e-11, .first_step = FirstStep::last}, plain);
    const ConvexResult s = projected_gradient(p, {.tolerance = 1e-11}, spectral);
    ASSERT_TRUE(a.converged && s.converged) << a.residual << ' ' << s.residual;
    EXPECT_LE(tests::difference(plain, spectral), 1e-9);  // strongly convex by 0.2
    EXPECT_LT(s.iterations, a.iterations);
    Numbers g(plain.size());
    p.gradient(plain, g);
    EXPECT_NEAR(convex_residual(p, plain, g), a.residual, 1e-15);
    expect_optimal(p, W, b, plain);
  }
}

TEST_P(Sets, UnitsDoNotMatterWithWeights) {
  Random random(3);
  const int n = 6, block = GetParam().block, rows = n * block;
  const Dense W = tests::random_positive(rows, random, 0.2);
  const Numbers b = tests::random_numbers(std::size_t(rows), random);
  const Numbers size(std::size_t(n), 0.25);
  const bool scales = GetParam().set == ConvexSet::cones || GetParam().set == ConvexSet::half_lines;
  const double alpha = 0x1p20;  // W·α: r/α
  Dense large = W;
  for (auto& x : large.value) x *= alpha;
  Numbers weight(std::size_t(n), 0.0), small_size = size;
  for (int i = 0; i < n; ++i) {
    double trace = 0;
    for (int c = 0; c < block; ++c) trace += double(W(i * block + c, i * block + c));
    weight[std::size_t(i)] = block / trace;
  }
  ConvexProgram one = program(GetParam().set, block, W, b, size);
  if (GetParam().set == ConvexSet::half_lines) one.size = {};
  one.weight = weight;
  Numbers r(std::size_t(rows), 0.0), s(std::size_t(rows), 0.0), other_weight = weight;
  for (double& x : other_weight) x /= alpha;
  if (!scales)
    for (double& x : small_size) x /= alpha;
  ConvexProgram other = program(GetParam().set, block, large, b, small_size);
  if (GetParam().set == ConvexSet::half_lines) other.size = {};
  other.weight = other_weight;
  const ConvexResult a = projected_gradient(one, {.tolerance = 1e-9}, r);
  const ConvexResult c = projected_gradient(other, {.tolerance = 1e-9}, s);
  EXPECT_TRUE(a.converged && c.converged);
  EXPECT_EQ(a.iterations, c.iterations);
  for (std::size_t k = 0; k < r.size(); ++k) EXPECT_EQ(s[k] * alpha, r[k]);
}

TEST(ProjectedGradient, SingularW) {
  // Two contacts share one normal load: only the sum is determined.
  Dense W(2, 2);
  for (auto& x : W.value) x = 1;
  const Numbers b = {-2, -2};
  Numbers r = {0.5, 0};
  const ConvexResult result =
      projected_gradient(program(ConvexSet::half_lines, 1, W, b, {}), {.tolerance = 1e-12}, r);
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(r[0] + r[1], 2, 1e-11);
}

TEST(ProjectedGradient, LimitsAndBadSizes) {
  Random random(4);
  const Dense W = tests::random_positive(6, random);
  const Numbers b = tests::random_numbers(6, random), mu = {0.5, 0.5}, three = {1, 1, 1};
  Numbers r(6, 1.0), short_r(5);
  const ConvexResult one = projected_gradient(program(ConvexSet::cones, 3, W, b, mu),
                                              {.tolerance = 1e-300, .max_iterations = 1}, r);
  EXPECT_EQ(one.iterations, 1);
  EXPECT_FALSE(one.converged);
  EXPECT_THAT(tests::refusal([&] { projected_gradient(program(ConvexSet::cones, 3, W, b, three), {}, r); }),
              HasSubstr("3 sizes"));
  EXPECT_THAT(tests::refusal([&] { projected_gradient(program(ConvexSet::cones, 1, W, b, b), {}, r); }),
              HasSubstr("1 numbers a contact"));
  EXPECT_THAT(
      tests::refusal([&] { projected_gradient(program(ConvexSet::cones, 3, W, b, mu), {}, short_r); }),
      HasSubstr("r has 5 numbers"));
}

/// A random block matrix and its W_NN.
struct Blocks {
  BlockMatrix W;
  Dense normal;
};
Blocks blocks(int n, int d, std::uint64_t seed, double skew = 0) {
  Random random(seed);
  const Dense W = tests::random_positive(n * d, random, 0.5, skew);
  Dense normal(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) normal(i, j) = W(i * d, j * d);
  return {BlockMatrix(tests::sparse(W), d), normal};
}

TEST(NormalProblem, MatrixIsTheNormalPart) {
  for (int d : {2, 3}) {
    const Blocks given = blocks(5, d, 5);
    const NormalMatrix W(given.W);
    const Numbers r = {1, -2, 3, 0.5, 0}, q = {1, 2, 3, 4, 5};
    Numbers u(5), expected = tests::numbers(given.normal * tests::column(r));
    for (std::size_t i = 0; i < 5; ++i) expected[i] += q[i];
    W.multiply(r, q, u);
    EXPECT_LE(tests::difference(u, expected), 1e-13);
  }
}

TEST(NormalProblem, SolvesTheComplementarityProblem) {
  for (double skew : {0.0, 0.3}) {
    const Blocks given = blocks(12, 3, 6, skew);
    const NormalMatrix W(given.W);
    Random random(7);
    const Numbers q = tests::random_numbers(12, random);
    Numbers r(12, -1.0), u(12);
    const ConvexResult result = projected_gauss_seidel(W, q, {.tolerance = 1e-13}, r);
    ASSERT_TRUE(result.converged) << result.residual;
    W.multiply(r, q, u);
    for (std::size_t i = 0; i < 12; ++i) {
      EXPECT_GE(r[i], 0);
      EXPECT_GE(u[i], -1e-11);
      EXPECT_NEAR(r[i] * u[i], 0, 1e-11);
    }
  }
}

TEST(NormalProblem, AgreesWithTheProjectedGradient) {
  const Blocks given = blocks(20, 2, 8);
  const NormalMatrix W(given.W);
  Random random(9);
  const Numbers q = tests::random_numbers(20, random);
  Numbers sweeps(20), gradient(20);
  ASSERT_TRUE(projected_gauss_seidel(W, q, {.tolerance = 1e-12}, sweeps).converged);
  ASSERT_TRUE(projected_gradient(program(ConvexSet::half_lines, 1, given.normal, q, {}), {.tolerance = 1e-12},
                                 gradient)
                  .converged);
  EXPECT_LE(tests::difference(sweeps, gradient), 1e-10);  // strongly convex by 0.5
}

TEST(NormalProblem, OneContactTakesOneSweepAndUnitsDoNotMatter) {
  const BlockMatrix W(3, {0, 0}, {}, {}, {4, 0, 0, 0, 1, 0, 0, 0, 1});
  Numbers r = {0};
  const ConvexResult result = projected_gauss_seidel(NormalMatrix(W), Numbers{-2}, {.tolerance = 1e-15}, r);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 2);  // the second finds nothing to do
  EXPECT_EQ(r[0], 0.5);
  const Blocks given = blocks(9, 3, 10);
  NormalMatrix one(given.W), other = one;
  for (double& x : other.value) x *= 0x1p20;
  for (double& x : other.diagonal) x *= 0x1p20;
  Random random(11);
  const Numbers q = tests::random_numbers(9, random);
  Numbers a(9), b(9);
  const ConvexResult first = projected_gauss_seidel(one, q, {.tolerance = 1e-10}, a);
  const ConvexResult second = projected_gauss_seidel(other, q, {.tolerance = 1e-10}, b);
  EXPECT_EQ(first.iterations, second.iterations);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(b[i] * 0x1p20, a[i]);
}

}  // namespace
}  // namespace stickslip::internal
