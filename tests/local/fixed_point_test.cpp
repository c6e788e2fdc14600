// The one-contact fixed point: closed forms, agreement with the exact solver, one step a visit, the
// tolerance.
#include "local/fixed_point.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/random.hpp"
#include "local/exact.hpp"

namespace stickslip::internal {
namespace {

using Step = LocalFixedPointOptions::Step;

/// Bᵀ B + ½ I + skew (C − Cᵀ), column-major.
template <int D>
Mat<D> block(Random& random, double skew) {
  Mat<D> B, C, A = scaled_identity<D>(0.5);
  for (double& x : B) x = random.uniform(-1, 1);
  for (double& x : C) x = random.uniform(-1, 1);
  for (std::size_t i = 0; i < D; ++i)
    for (std::size_t j = 0; j < D; ++j) {
      for (std::size_t k = 0; k < D; ++k) A[i + D * j] += B[k + D * i] * B[k + D * j];
      A[i + D * j] += skew * (C[i + D * j] - C[j + D * i]);
    }
  return A;
}

/// ‖r − P_K(r − û)‖ with u = A r + b.
template <int D>
double residual(const Mat<D>& A, double mu, const Vec<D>& b, const Vec<D>& r) {
  const Vec<D> shifted = desaxce_shift<D>(add<D>(b, 1, multiply<D>(A, r)), mu);
  return norm<D>(add<D>(r, -1, project_on_cone<D>(add<D>(r, -1, shifted), mu)));
}

TEST(FixedPointLocal, ClosedForms) {
  const Mat<3> unit = scaled_identity<3>(1);
  const LocalFixedPointOptions options;
  const auto solved = [&](double mu, Vec<3> b) {
    FixedPointLocalSolver<3> solver;
    solver.prepare(unit.data(), mu, options);
    Vec<3> r{};
    solver.solve(b.data(), r.data());
    return r;
  };
  const auto expect_near = [](const Vec<3>& r, const Vec<3>& expected) {
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(r[c], expected[c], 1e-12);  // tolerance 1e-14, numbers of order 1
  };
  expect_near(solved(0.5, {1, -7, 3}), {0, 0, 0});
  expect_near(solved(0.6, {-1, -0.3, -0.4}), {1, 0.3, 0.4});
  expect_near(solved(0.5, {-1, 3, -4}), {1, -0.3, 0.4});
  expect_near(solved(0, {-1, 3, -4}), {1, 0, 0});
}

template <int D>
void agrees_with_exact(const LocalFixedPointOptions& options, double skew, std::uint64_t seed) {
  Random random(seed);
  for (int trial = 0; trial < 500; ++trial) {
    const Mat<D> A = block<D>(random, skew);
    // Where friction is small enough for one solution, pressing and rubbing do not couple.
    const double mu = random.uniform() < 0.1 ? 0 : random.uniform(0.05, 0.3);
    Vec<D> b, r{}, expected{};
    for (double& x : b) x = random.normal();
    ExactLocalSolver<D> exact;
    exact.prepare(A.data(), mu);
    exact.solve(b.data(), expected.data());
    FixedPointLocalSolver<D> solver;
    solver.prepare(A.data(), mu, options);
    solver.solve(b.data(), r.data());
    // Eigenvalues of A in about [0.5, 5]: an error of 1e-14 of the map is worth ten times that in r.
    EXPECT_LE(residual<D>(A, mu, b, r), 1e-11) << "trial " << trial << ", mu " << mu;
    EXPECT_LE(norm<D>(add<D>(r, -1, expected)), 1e-10) << "trial " << trial << ", mu " << mu;
  }
}

TEST(FixedPointLocal, AgreesWithTheExactSolver) {
  for (const Step step : {Step::khobotov, Step::solodov_tseng})
    for (const RhoRule rho : {RhoRule::one, RhoRule::spectral, RhoRule::split, RhoRule::split_conditioned}) {
      SCOPED_TRACE(testing::Message() << "step " << int(step) << ", rho " << int(rho));
      const LocalFixedPointOptions options{.step = step, .rho = rho, .iterations = 20000};
      agrees_with_exact<2>(options, 0, 1);
      agrees_with_exact<3>(options, 0, 2);
      agrees_with_exact<3>(options, 0.2, 3);
    }
}

TEST(FixedPointLocal, FixedStepConverges) {
  // RR (110): ρ = 1/λ_max is short enough for symmetric blocks and moderate friction.
  const LocalFixedPointOptions options{.step = Step::fixed, .iterations = 20000};
  agrees_with_exact<2>(options, 0, 4);
  agrees_with_exact<3>(options, 0, 5);
}

TEST(FixedPointLocal, UnitsDoNotMatter) {
  // A·2⁴⁰ divides ρ and r by 2⁴⁰: exact in binary, so that the iterates are the same to the last bit.
  Random random(6);
  const Mat<3> A = block<3>(random, 0.2), large = scaled<3>(0x1p40, A);
  const LocalFixedPointOptions options;
  const Vec<3> b = {-1, 0.7, -0.4};
  FixedPointLocalSolver<3> one, other;
  one.prepare(A.data(), 0.4, options);
  other.prepare(large.data(), 0.4, options);
  Vec<3> r{}, s{};
  one.solve(b.data(), r.data());
  other.solve(b.data(), s.data());
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(s[c] * 0x1p40, r[c], 1e-13);
}

TEST(FixedPointLocal, OneStepAVisit) {
  Random random(7);
  const LocalFixedPointOptions options = LocalFixedPointOptions::one_step();
  const Mat<3> A = block<3>(random, 0);
  const double mu = 0.3, rho = rho_for<3>(RhoRule::spectral, A).normal;
  const Vec<3> b = {-1, 0.6, -0.9};
  FixedPointLocalSolver<3> solver;
  solver.prepare(A.data(), mu, options);
  Vec<3> r{}, expected{};
  for (int visit = 0; visit < 200; ++visit) {
    const Vec<3> F = desaxce_shift<3>(add<3>(b, 1, multiply<3>(A, expected)), mu);
    expected = project_on_cone<3>(add<3>(expected, -rho, F), mu);
    solver.solve(b.data(), r.data());
    for (std::size_t c = 0; c < 3; ++c) ASSERT_NEAR(r[c], expected[c], 1e-14) << "visit " << visit;
  }
  EXPECT_LE(residual<3>(A, mu, b, r), 1e-12);
}

TEST(FixedPointLocal, ToleranceMayChangeBetweenVisits) {
  Random random(8);
  const Mat<3> A = block<3>(random, 0.1);
  const Vec<3> b = {-1, 2, -1};
  LocalFixedPointOptions options{.tolerance = 1e-2};
  FixedPointLocalSolver<3> solver;
  solver.prepare(A.data(), 0.5, options);
  Vec<3> r{};
  solver.solve(b.data(), r.data());
  const double coarse = residual<3>(A, 0.5, b, r);
  EXPECT_GT(coarse, 1e-6);
  options.tolerance = 1e-12;
  solver.solve(b.data(), r.data());
  EXPECT_LE(residual<3>(A, 0.5, b, r), 1e-10);
}

TEST(FixedPointLocal, LimitedStepsLeaveAnImpulseInTheCone) {
  Random random(9);
  for (int trial = 0; trial < 100; ++trial) {
    const Mat<3> A = block<3>(random, 2);
    const double mu = random.uniform(0, 3);
    const LocalFixedPointOptions options{.iterations = 3};
    FixedPointLocalSolver<3> solver;
    solver.prepare(A.data(), mu, options);
    Vec<3> r{}, b;
    for (double& x : b) x = random.normal();
    solver.solve(b.data(), r.data());
    EXPECT_LE(tangent_norm<3>(r), mu * r[0] + 1e-14 * norm<3>(r));
  }
}

}  // namespace
}  // namespace stickslip::internal
