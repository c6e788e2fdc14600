// The exact one-contact solver: closed forms, ties, near-singular and unsymmetric blocks, continuation of the
// status. The checker judges the scaled problem ρA, ρb with ρ = 1/max|A|, so that its ρ = 1 suits every
// block.
#include "local/exact.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "verify/verify.hpp"

namespace stickslip::internal {
namespace {

using Numbers = std::vector<double>;

/// ‖r − P_K(r − ρû)‖ / (‖r‖ + ρ‖b‖), A column-major. Infinite when r holds a NaN.
double violation(int d, const double* A, double mu, const double* b, const double* r) {
  double largest = 0, r2 = 0, b2 = 0;
  for (int k = 0; k < d * d; ++k) largest = std::max(largest, std::abs(A[k]));
  stickslip_verify::Matrix W{d, d, {}, {}, {}};
  Numbers q, impulse(r, r + d);
  for (int i = 0; i < d; ++i) {
    if (!std::isfinite(r[i])) return HUGE_VAL;
    r2 += r[i] * r[i];
    q.push_back(b[i] / largest);
    b2 += q.back() * q.back();
    for (int j = 0; j < d; ++j)
      W.row.push_back(i), W.column.push_back(j), W.value.push_back(A[i + d * j] / largest);
  }
  const double size = std::sqrt(r2) + std::sqrt(b2);
  if (size == 0) return 0;
  return stickslip_verify::verify_reduced(d, W, q, Numbers{mu}, impulse).error *
         (b2 > 0 ? std::sqrt(b2) : 1) / size;
}

template <int D>
std::array<double, D> solve_exactly(const std::array<double, D * D>& A, double mu,
                                    const std::array<double, D>& b, std::array<double, D> r = {}) {
  ExactLocalSolver<D> solver;
  solver.prepare(A.data(), mu);
  solver.solve(b.data(), r.data());
  return r;
}

using A2 = std::array<double, 4>;
using A3 = std::array<double, 9>;
constexpr A3 unit3 = {1, 0, 0, 0, 1, 0, 0, 0, 1};
constexpr A2 unit2 = {1, 0, 0, 1};

template <std::size_t D>
void expect_near(const std::array<double, D>& r, const std::array<double, D>& expected) {
  for (std::size_t c = 0; c < D; ++c)
    EXPECT_NEAR(r[c], expected[c], 1e-14) << "component " << c;  // numbers of order 1
}

TEST(ExactLocal, TakeOff) {
  expect_near(solve_exactly<3>(unit3, 0.5, {1, -7, 3}), {0, 0, 0});
  expect_near(solve_exactly<2>(unit2, 0.5, {0.1, -7}), {0, 0});
}

TEST(ExactLocal, Stick) {
  expect_near(solve_exactly<3>(unit3, 0.6, {-1, -0.3, -0.4}), {1, 0.3, 0.4});
  expect_near(solve_exactly<2>(unit2, 0.6, {-1, 0.5}), {1, -0.5});
  // r = (1, 0.2, −0.1) for a coupled block, b = −A r.
  const A3 A = {2, 0.5, -0.3, 0.5, 1.5, 0.2, -0.3, 0.2, 1};
  expect_near(solve_exactly<3>(A, 0.3, {-(2 + 0.1 + 0.03), -(0.5 + 0.3 - 0.02), -(-0.3 + 0.04 - 0.1)}),
              {1, 0.2, -0.1});
}

TEST(ExactLocal, Slip) {
  // A = I: r_N = 1, r_T = −μ b_T/‖b_T‖.
  expect_near(solve_exactly<3>(unit3, 0.5, {-1, 3, -4}), {1, -0.3, 0.4});
  expect_near(solve_exactly<2>(unit2, 0.5, {-1, 2}), {1, -0.5});
  // Plane, A = [2 1; 1 1]: u_N = 2 r_N + r_T + b_N = 0 with r_T = −r_N/2: r_N = 2/3 for b_N = −1.
  expect_near(solve_exactly<2>({2, 1, 1, 1}, 0.5, {-1, 3}), {2.0 / 3, -1.0 / 3});
}

TEST(ExactLocal, WithoutFriction) {
  const A3 A = {2, 0.5, -0.3, 0.5, 1.5, 0.2, -0.3, 0.2, 1};
  expect_near(solve_exactly<3>(A, 0, {-1, 4, 5}), {0.5, 0, 0});
  expect_near(solve_exactly<3>(A, 0, {1, 4, 5}, {3, 1, 1}), {0, 0, 0});
  expect_near(solve_exactly<2>({4, 1, 1, 1}, 0, {-1, 9}), {0.25, 0});
  expect_near(solve_exactly<2>({4, 1, 1, 1}, 0, {2, 9}, {3, 1}), {0, 0});
}

TEST(ExactLocal, LargeFriction) {
  expect_near(solve_exactly<3>(unit3, 5, {-1, 2, -3}), {1, -2, 3});
  expect_near(solve_exactly<3>(unit3, 5, {-1, 30, -40}), {1, -3, 4});
  expect_near(solve_exactly<2>(unit2, 5, {-1, 100}), {1, -5});
}

TEST(ExactLocal, Ties) {
  expect_near(solve_exactly<3>(unit3, 0.5, {0, 1, 1}), {0, 0, 0});
  expect_near(solve_exactly<3>(unit3, 0.5, {0, 0, 0}), {0, 0, 0});
  expect_near(solve_exactly<2>(unit2, 0.5, {0, -1}), {0, 0});
  // Exactly on the cone: stick and slip meet.
  expect_near(solve_exactly<3>(unit3, 0.5, {-1, 0.3, 0.4}), {1, -0.3, -0.4});
  expect_near(solve_exactly<2>(unit2, 0.5, {-1, 0.5}), {1, -0.5});
  expect_near(solve_exactly<3>(unit3, 0.5, {-1, 0, 0}), {1, 0, 0});
}

/// A random block: B Bᵀ of the given rank, scaled to size, plus a skew part and `least`·I.
template <int D>
std::array<double, D * D> block(Random& random, int rank, double least, double skew, double size) {
  std::array<double, D * D> A{};
  double B[D][D], S[D][D];
  for (auto& row : B)
    for (double& x : row) x = random.normal();
  for (auto& row : S)
    for (double& x : row) x = random.normal();
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) {
      for (int k = 0; k < rank; ++k) A[std::size_t(i + D * j)] += B[i][k] * B[j][k];
      A[std::size_t(i + D * j)] += (i == j ? least : 0) + skew * (S[i][j] - S[j][i]);
    }
  for (double& x : A) x *= size;
  return A;
}

template <int D>
void sweep(int rank, double least, double skew, int trials, std::uint64_t seed) {
  Random random(seed);
  double worst = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const double size = std::pow(10, random.uniform(-6, 6)),
                 mu = random.uniform() < 0.1 ? 0 : std::pow(10, random.uniform(-2, 0.7));
    const auto A = block<D>(random, rank, least, skew, size);
    ExactLocalSolver<D> solver;
    solver.prepare(A.data(), mu);
    std::array<double, D> r{};
    // A few loads in a row, as in a sweep: the last slip and status are remembered.
    for (int load = 0; load < 4; ++load) {
      std::array<double, D> b;
      for (double& x : b) x = random.normal() * (random.uniform() < 0.1 ? 1e-3 : 1);
      if (random.uniform() < 0.6) b[0] = -std::abs(b[0]);
      solver.solve(b.data(), r.data());
      const double found = violation(D, A.data(), mu, b.data(), r.data());
      worst = std::max(worst, found);
      ASSERT_LE(found, 1e-9) << "trial " << trial << ", load " << load << ", mu " << mu;
    }
  }
  ::testing::Test::RecordProperty("worst", std::to_string(worst));
}

TEST(ExactLocal, RandomSymmetricBlocks) {
  sweep<3>(3, 0.05, 0, 4000, 1);
  sweep<2>(2, 0.05, 0, 4000, 2);
}

TEST(ExactLocal, TheCompactOneOfSymmetricBlocksIsTheSame) {
  Random random(11);
  for (int k = 0; k < 2000; ++k) {
    A3 G, A{};
    for (double& x : G) x = random.uniform(-1, 1);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int l = 0; l < 3; ++l)
          A[std::size_t(i + 3 * j)] += G[std::size_t(i + 3 * l)] * G[std::size_t(j + 3 * l)];
    for (int i = 0; i < 3; ++i) A[std::size_t(4 * i)] += 0.1;  // no less regular than contacts are
    const double mu = random.uniform(0, 1);
    const std::array<double, 3> b = {random.uniform(-1, 0.2), random.uniform(-1, 1), random.uniform(-1, 1)};
    std::array<double, 3> r = {}, left = b;
    SymmetricExactLocalSolver compact;
    compact.prepare(A.data(), mu);
    compact.solve(b.data(), r.data());
    const auto expected = solve_exactly<3>(A, mu, b);
    compact.take_away(r.data(), left.data());
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(r[c], expected[c], 1e-11);  // impulses up to 10 by blocks of condition 100
      EXPECT_NEAR(left[c], b[c] - A[c] * r[0] - A[c + 3] * r[1] - A[c + 6] * r[2], 1e-12);
    }
  }
}

TEST(ExactLocal, RandomUnsymmetricBlocks) {
  sweep<3>(3, 0.05, 0.3, 4000, 3);
  sweep<3>(3, 0.05, 3, 4000, 4);
  sweep<2>(2, 0.05, 3, 4000, 5);
}

TEST(ExactLocal, BlocksNearASingularOne) {
  for (double least : {1e-4, 1e-8}) {
    sweep<3>(2, least, 0, 2000, 6);
    sweep<2>(1, least, 0, 2000, 7);
  }
}

TEST(ExactLocal, SingularBlocksAndBlocksNearlySoGiveFiniteImpulses) {
  // Without a regular block there may be no solution: the result must be finite and in the cone all the same.
  Random random(8);
  for (int trial = 0; trial < 4000; ++trial) {
    const int rank = 1 + trial % 2;
    auto A = block<3>(random, rank, trial % 3 == 0 ? 1e-15 : 0, 0, 1);
    const double mu = random.uniform(0, 2);
    const std::array<double, 3> b = {random.normal(), random.normal(), random.normal()};
    const auto r = solve_exactly<3>(A, mu, b);
    for (double x : r) ASSERT_TRUE(std::isfinite(x)) << trial;
    // Relative to the largest impulse that rounding of 1e-16 over a regularisation of 1e-13 allows.
    const double size = std::abs(r[0]) + std::hypot(r[1], r[2]);
    ASSERT_LE(std::hypot(r[1], r[2]) - mu * r[0], 1e-2 * size) << trial;
    auto A2d = block<2>(random, 1, 0, 0, 1);
    const auto s = solve_exactly<2>(A2d, mu, {b[0], b[1]});
    for (double x : s) ASSERT_TRUE(std::isfinite(x)) << trial;
  }
}

TEST(ExactLocal, ARankOneBlockInsideItsRangeIsSolved) {
  // A = n nᵀ with n = (1, 0.2, −0.1): u moves along n only. b = −n: r ∈ K with n·r = 1 sticks.
  const A3 A = {1, 0.2, -0.1, 0.2, 0.04, -0.02, -0.1, -0.02, 0.01};
  const std::array<double, 3> b = {-1, -0.2, 0.1};
  const auto r = solve_exactly<3>(A, 0.5, b);
  EXPECT_LE(violation(3, A.data(), 0.5, b.data(), r.data()), 1e-9);
}

// The bead's block: b_N > 0, so that take-off solves; with much friction stick does too, r = (1, −1.5).
constexpr double several_mu = 2;
constexpr A2 several2 = {1, 0.9, 0.9, 1};
constexpr A3 several3 = {1, 0.9, 0, 0.9, 1, 0, 0, 0, 1};

TEST(ExactLocal, TheStatusContinuesWhereThereAreSeveralSolutions) {
  // b = −A (1, −1.5) = (0.35, 0.6).
  expect_near(solve_exactly<2>(several2, several_mu, {0.35, 0.6}, {1, -1.4}), {1, -1.5});
  expect_near(solve_exactly<2>(several2, several_mu, {0.35, 0.6}, {0, 0}), {0, 0});
  expect_near(solve_exactly<3>(several3, several_mu, {0.35, 0.6, 0}, {1, -1.4, 0}), {1, -1.5, 0});
  expect_near(solve_exactly<3>(several3, several_mu, {0.35, 0.6, 0}, {0, 0, 0}), {0, 0, 0});
}

TEST(ExactLocal, AStickThatIsNoSolutionAnyMoreIsLeft) {
  // Less friction: take-off alone remains, whatever came in.
  expect_near(solve_exactly<2>(several2, 1.2, {0.35, 0.6}, {1, -1.2}), {0, 0});
  const std::array<double, 3> b = {0.35, 0.6, 0};
  const auto r = solve_exactly<3>(several3, 1.2, b, {1, -1.2, 0});
  EXPECT_LE(violation(3, several3.data(), 1.2, b.data(), r.data()), 1e-12);
}

TEST(ExactLocal, RandomContinuationsObeyTheLaw) {
  // Blocks with a strong coupling of normal and tangent, much friction, b_N of both signs, any r before.
  Random random(9);
  int closed_with_positive_load = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const double c = random.uniform(-0.98, 0.98), mu = random.uniform(0.5, 4);
    const double angle = random.uniform(0, 2 * M_PI), x = c * std::cos(angle), y = c * std::sin(angle);
    const A3 A = {1, x, y, x, 1, 0, y, 0, 1};
    ExactLocalSolver<3> solver;
    solver.prepare(A.data(), mu);
    std::array<double, 3> r = {random.uniform(0, 2), random.normal(), random.normal()};
    for (int load = 0; load < 5; ++load) {
      const std::array<double, 3> b = {random.uniform(-1, 0.3), random.normal(), random.normal()};
      solver.solve(b.data(), r.data());
      ASSERT_LE(violation(3, A.data(), mu, b.data(), r.data()), 1e-9) << trial << ' ' << load;
      closed_with_positive_load += b[0] > 0 && r[0] > 0;
    }
    const A2 P = {1, c, c, 1};
    std::array<double, 2> s = {r[0], r[1]};
    const std::array<double, 2> b = {random.uniform(-1, 0.3), random.normal()};
    ExactLocalSolver<2> plane;
    plane.prepare(P.data(), mu);
    plane.solve(b.data(), s.data());
    ASSERT_LE(violation(2, P.data(), mu, b.data(), s.data()), 1e-9) << trial;
  }
  EXPECT_GT(closed_with_positive_load, 100) << "the case in question must occur";
}

TEST(ExactLocal, ExtremeUnits) {
  Random random(10);
  for (double size : {1e-30, 1e30})
    for (double load : {1e-30, 1e30})
      for (int trial = 0; trial < 200; ++trial) {
        const auto A = block<3>(random, 3, 0.1, trial % 2 ? 0.3 : 0, size);
        const std::array<double, 3> b = {-load * random.uniform(0.1, 1), load * random.normal(),
                                         load * random.normal()};
        const auto r = solve_exactly<3>(A, 0.7, b);
        ASSERT_LE(violation(3, A.data(), 0.7, b.data(), r.data()), 1e-9)
            << size << ' ' << load << ' ' << trial;
      }
}

}  // namespace
/// A contact that opens slowly ends in denormal loads, whose squares vanish.
TEST(ExactLocalSolver, VanishingLoadsGiveNoNan) {
  const double A[9] = {1.7, 0, 0, 0, 6, 1.7e-16, 0, 1.7e-16, 6};
  for (const double n : {-5e-324, -1e-323, -1e-310, -1e-200, -1e-160, -1e-130})
    for (const double t : {0.0, -0.0, 5e-324, 1e-310, 1e-160, 1e-100}) {
      ExactLocalSolver<3> solver;
      solver.prepare(A, 0.1);
      double r[3] = {0, 0, 0};
      const double slipping[3] = {-1, 3, 0}, b[3] = {n, t, -t};
      solver.solve(slipping, r);  // so that a slip is remembered
      solver.solve(b, r);
      for (double x : r) EXPECT_TRUE(std::isfinite(x)) << n << ' ' << t;
      const double B[4] = {1.7, 0, 0, 6};
      ExactLocalSolver<2> plane;
      plane.prepare(B, 0.1);
      double s[2] = {1, 0.1};
      plane.solve(b, s);
      for (double x : s) EXPECT_TRUE(std::isfinite(x)) << n << ' ' << t;
    }
}

}  // namespace stickslip::internal
