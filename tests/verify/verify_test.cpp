// The checker checked by hand: one-contact problems with closed forms, and wrong answers with errors known in
// advance.
#include "verify/verify.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip_verify {
namespace {

using Numbers = std::vector<double>;

Matrix diagonal(const Numbers& entries) {
  Matrix A;
  A.rows = A.columns = int(entries.size());
  for (int i = 0; i < A.rows; ++i) {
    A.row.push_back(i);
    A.column.push_back(i);
    A.value.push_back(entries[i]);
  }
  return A;
}

Matrix dense(int rows, int columns, const Numbers& by_rows) {
  Matrix A{rows, columns, {}, {}, {}};
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      A.row.push_back(i);
      A.column.push_back(j);
      A.value.push_back(by_rows[std::size_t(i * columns + j)]);
    }
  return A;
}

// Results are long double rounded to double: two units in the last place.
constexpr double rounding = 5e-16;

TEST(VerifyReduced, Open) {
  // q_N > 0: r = 0.
  const Report report =
      verify_reduced(3, diagonal({1, 1, 1}), Numbers{1, 5, 0}, Numbers{0.5}, Numbers{0, 0, 0});
  EXPECT_EQ(report.error, 0);
  EXPECT_EQ(report.open, 1);
  EXPECT_EQ(report.u, (Numbers{1, 5, 0}));
}

TEST(VerifyReduced, Stick) {
  // u = r + q = 0 with r = −q = (1, 0.3, 0.4): 0.5 < μ.
  const Report report =
      verify_reduced(3, diagonal({1, 1, 1}), Numbers{-1, -0.3, -0.4}, Numbers{0.6}, Numbers{1, 0.3, 0.4});
  EXPECT_EQ(report.error, 0);
  EXPECT_EQ(report.energy, 0);
  EXPECT_EQ(report.stick, 1);
}

TEST(VerifyReduced, Slip) {
  // W = I, q = (−1, 2, 0), μ = 0.5: r = (1, −0.5, 0), u = (0, 1.5, 0).
  const Report report =
      verify_reduced(3, diagonal({1, 1, 1}), Numbers{-1, 2, 0}, Numbers{0.5}, Numbers{1, -0.5, 0});
  EXPECT_LE(report.error, rounding);
  EXPECT_EQ(report.slip, 1);
  EXPECT_EQ(report.u, (Numbers{0, 1.5, 0}));
  EXPECT_LE(report.complementarity, rounding);
  EXPECT_EQ(report.velocity_violation, 0);
  // |W||r| + |q| = (2, 2.5, 0), ‖q‖ = √5.
  EXPECT_NEAR(report.rounding, 0x1p-53 * std::sqrt(10.25 / 5), 1e-30);
}

TEST(VerifyReduced, PlaneAndZeroFriction) {
  const Report plane = verify_reduced(2, diagonal({1, 1}), Numbers{-1, 2}, Numbers{0.5}, Numbers{1, -0.5});
  EXPECT_LE(plane.error, rounding);
  EXPECT_EQ(plane.slip, 1);
  const Report smooth = verify_reduced(2, diagonal({1, 1}), Numbers{-1, 2}, Numbers{0}, Numbers{1, 0});
  EXPECT_EQ(smooth.error, 0);
  const Report open = verify_reduced(2, diagonal({1, 1}), Numbers{1, 0}, Numbers{0}, Numbers{0, 0});
  EXPECT_EQ(open.open, 1);
}

TEST(VerifyReduced, WrongAnswersHaveTheErrorOfTheirDefinition) {
  // r = 0 for q = (−3, 4, 0), μ = 0: û = q, P_K(3, −4, 0) = (3, 0, 0); C = (−3, 0, 0), error 3/5.
  const Report frictionless =
      verify_reduced(3, diagonal({2, 4, 4}), Numbers{-3, 4, 0}, Numbers{0}, Numbers{0, 0, 0});
  EXPECT_NEAR(frictionless.error, 0.6, rounding);
  // ⟨W⁻¹C, C⟩ = 9/2; ⟨W⁻¹q, q⟩ = 9/2 + 16/4.
  EXPECT_NEAR(frictionless.energy, 4.5 / 8.5, rounding);
  EXPECT_EQ(frictionless.velocity_violation, 3);

  // r = 0, q = (−2, 1, 0), μ = 1: û = (−1, 1, 0), z = (1, −1, 0) on the edge of K: P = z, error √2/√5.
  const Report sliding =
      verify_reduced(3, diagonal({1, 1, 1}), Numbers{-2, 1, 0}, Numbers{1}, Numbers{0, 0, 0});
  EXPECT_NEAR(sliding.error, std::sqrt(2.0 / 5), rounding);

  // r = (0, 2, 0), u = 0 (W = I, q = −r), μ = 1: P_K(r) = (1, 1, 0), C = (−1, 1, 0): error √2/2, distance √2.
  const Report outside =
      verify_reduced(3, diagonal({1, 1, 1}), Numbers{0, -2, 0}, Numbers{1}, Numbers{0, 2, 0});
  EXPECT_NEAR(outside.error, std::sqrt(2.0) / 2, rounding);
  EXPECT_NEAR(outside.impulse_violation, std::sqrt(2.0), rounding);

  // r = (1, 0, 0), u = (1, 0, 0): r·û = 1; z = 0, P = 0, C = (1, 0, 0). Two contacts: the sum under the root.
  const Report closed =
      verify_reduced(2, diagonal({1, 1, 1, 1}), Numbers{0, 3, 4, 0}, Numbers{0, 0}, Numbers{1, 0, 0, 0});
  EXPECT_NEAR(closed.error, 0.2, rounding);
  EXPECT_EQ(closed.complementarity, 1);
}

TEST(VerifyReduced, UnsymmetricBlocksDuplicatesAndSingularBlocks) {
  // W = [1 2; 0 4] from duplicates; C = −P_K(−q) = −(1, 0) for μ = 0, q = (−1, 0): W⁻¹C·C = 1 and the same
  // below.
  Matrix W = dense(2, 2, {0.5, 2, 0, 4});
  W.row.push_back(0), W.column.push_back(0), W.value.push_back(0.5);
  const Report report = verify_reduced(2, W, Numbers{-1, 0}, Numbers{0}, Numbers{0, 0});
  EXPECT_NEAR(report.energy, 1, rounding);
  // r = (0, 1): u = W r + q = (2 − 1, 4).
  EXPECT_EQ(verify_reduced(2, W, Numbers{-1, 0}, Numbers{0}, Numbers{0, 1}).u, (Numbers{1, 4}));
  // ⟨W⁻¹q, q⟩ for q = (0, −1): W⁻¹q = (½, −¼), energy ¼; C = −P_K(−û) with û = (0, −1), μ = 0: zero.
  EXPECT_EQ(verify_reduced(2, W, Numbers{0, -1}, Numbers{0}, Numbers{0, 0}).energy, 0);
  const Report singular =
      verify_reduced(2, dense(2, 2, {1, 1, 1, 1}), Numbers{-1, 0}, Numbers{0}, Numbers{0, 0});
  EXPECT_NEAR(singular.energy, 1, rounding);
  EXPECT_EQ(verify_reduced(3, Matrix{}, {}, {}, {}).error, 0);
}

TEST(VerifyReduced, RefusesWrongSizes) {
  EXPECT_THROW(verify_reduced(3, diagonal({1, 1, 1}), Numbers{1, 1}, Numbers{1}, Numbers{0, 0, 0}),
               std::invalid_argument);
  EXPECT_THROW(verify_reduced(4, Matrix{}, {}, {}, {}), std::invalid_argument);
  Matrix outside = diagonal({1, 1, 1});
  outside.row[0] = 7;
  EXPECT_THROW(verify_reduced(3, outside, Numbers{1, 1, 1}, Numbers{1}, Numbers{0, 0, 0}),
               std::invalid_argument);
}

TEST(VerifyGlobal, AgreesWithTheReducedFormByHand) {
  // Two bodies on a line: M = diag(2, 4 | 1, 1), one contact between them, H = [I; −I] for d = 2.
  const Matrix M = diagonal({2, 4, 1, 1}), H = dense(4, 2, {1, 0, 0, 1, -1, 0, 0, -1});
  const Numbers f = {-4, 4, 0, 0}, w = {0.5, 0}, mu = {0.5}, r = {1, -0.2};
  // W = diag(1/2 + 1, 1/4 + 1), q = (−2 + 0.5, 1).
  const Report expected = verify_reduced(2, diagonal({1.5, 1.25}), Numbers{-1.5, 1}, mu, r);
  const Report report = verify_global(2, M, H, f, w, mu, {}, {}, r);
  EXPECT_NEAR(report.error, expected.error, rounding);
  EXPECT_NEAR(report.energy, expected.energy, rounding);
  EXPECT_NEAR(report.rounding, expected.rounding, 1e-30);
  EXPECT_EQ(report.u, expected.u);
  EXPECT_GT(report.error, 0.01);
}

TEST(VerifyGlobal, CoupledMassMatrix) {
  // CAD 5.4, normal first: M = [5 −3; −3 2], H = I, f = (0, 1), μ = 1: take-off with u = M⁻¹f = (3, 5).
  const Report report = verify_global(2, dense(2, 2, {5, -3, -3, 2}), diagonal({1, 1}), Numbers{0, 1},
                                      Numbers{0, 0}, Numbers{1}, {}, {}, Numbers{0, 0});
  EXPECT_EQ(report.error, 0);
  EXPECT_EQ(report.open, 1);
  EXPECT_NEAR(report.u[0], 3, 1e-15);
  EXPECT_NEAR(report.u[1], 5, 1e-15);
}

TEST(VerifyGlobal, BilateralConstraints) {
  // Unit masses 1 (the contact, d = 2: components 0 and 1) and 2; component 0 is tied to component 2: v₀ − v₂
  // + b = 0.
  const Matrix M = diagonal({1, 1, 3}), H = dense(3, 2, {1, 0, 0, 1, 0, 0}), G = dense(3, 1, {1, 0, -1});
  const Numbers f = {-4, 0, 0}, w = {0, 0}, mu = {0.5}, b = {2}, r = {8, 0};
  // v₂ = v₀ + 2; the sum of the rows: v₀ + 3v₂ = −4 + r_N: v₀ = (r_N − 10)/4: W = diag(1/4, 1), q = (−2.5,
  // 0).
  const Report report = verify_global(2, M, H, f, w, mu, G, b, r);
  const Report expected = verify_reduced(2, diagonal({0.25, 1}), Numbers{-2.5, 0}, mu, r);
  EXPECT_NEAR(report.u[0], -0.5, rounding);
  EXPECT_NEAR(report.error, expected.error, rounding);
  EXPECT_NEAR(report.energy, expected.energy, rounding);
  EXPECT_NEAR(report.velocity_violation, 0.5, rounding);
  // The solution: r = (10, 0).
  EXPECT_LE(verify_global(2, M, H, f, w, mu, G, b, Numbers{10, 0}).error, rounding);
}

TEST(VerifyGlobal, RefinementKeepsTheDigitsOfAnIllConditionedMass) {
  // The 6×6 Hilbert matrix, condition 10⁷: v = (1, …, 1) for f = its row sums.
  Numbers entries, f;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) entries.push_back(27720.0 / (i + j + 1));  // whole numbers
  for (int i = 0; i < 6; ++i) {
    double sum = 0;
    for (int j = 0; j < 6; ++j) sum += entries[std::size_t(6 * i + j)];
    f.push_back(sum);
  }
  const Matrix H = dense(6, 2, {1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
  const Report report =
      verify_global(2, dense(6, 6, entries), H, f, Numbers{0, 0}, Numbers{1}, {}, {}, Numbers{0, 0});
  // Exact data. Without refinement 10⁷·2⁻⁵³ ≈ 10⁻⁹ would be left; with it, 10⁷·2⁻⁶⁴.
  EXPECT_NEAR(report.u[0], 1, 1e-12);
  EXPECT_NEAR(report.u[1], 1, 1e-12);
}

TEST(VerifyGlobal, RefusesSingularMatricesAndWrongSizes) {
  EXPECT_THROW(verify_global(2, dense(2, 2, {1, 1, 1, 1}), diagonal({1, 1}), Numbers{0, 1}, Numbers{0, 0},
                             Numbers{1}, {}, {}, Numbers{0, 0}),
               std::runtime_error);
  EXPECT_THROW(verify_global(2, diagonal({1, 1}), diagonal({1, 1}), Numbers{0}, Numbers{0, 0}, Numbers{1}, {},
                             {}, Numbers{0, 0}),
               std::invalid_argument);
}

TEST(Certificate, NormalKernelProvesInfeasibility) {
  // Two contacts that press one rigid body from both sides: u_N1 = −u_N2 up to q; q asks both to approach.
  const Matrix W = dense(4, 4, {1, 0, -1, 0, 0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1});
  const Numbers q = {-1, 0, -1, 0}, mu = {0.5, 0.5}, d = {1, 0, 1, 0};
  const CertificateReport report = check_certificate(2, W, q, mu, d);
  EXPECT_TRUE(report.proves_infeasible());
  EXPECT_EQ(report.residual, 0);
  EXPECT_NEAR(report.work, -std::sqrt(2.0), rounding);
  EXPECT_TRUE(std::isinf(report.least_impulse));
  EXPECT_EQ(verify_certificate(2, W, q, mu, d).rfind("valid", 0), 0u);
  // Not in the kernel, not in the cone, no work: each alone spoils it.
  EXPECT_FALSE(check_certificate(2, W, q, mu, Numbers{1, 0, 0.5, 0}).proves_infeasible());
  EXPECT_FALSE(check_certificate(2, W, q, mu, Numbers{-1, 0, -1, 0}).refutes_slater());
  EXPECT_FALSE(check_certificate(2, W, Numbers{1, 0, 1, 0}, mu, d).refutes_slater());
  EXPECT_FALSE(check_certificate(2, W, q, mu, Numbers{0, 0, 0, 0}).refutes_slater());
  // A kernel missed by δ: every solution has ‖r‖ ≥ −q·d/‖Wᵀd‖ = 2.001/(√2·10⁻³), by hand for d = (1,
  // 0, 1.001, 0).
  EXPECT_NEAR(check_certificate(2, W, q, mu, Numbers{1, 0, 1.001, 0}).least_impulse,
              2.001 / (std::sqrt(2.0) * 1e-3),
              1e-8);  // 1.001 − 1 has lost three digits
}

TEST(Certificate, WithATangentProvesLess) {
  const Matrix W = dense(2, 2, {1, -2, -2, 4});
  const Numbers q = {1, -4}, mu = {1}, d = {1, 0.5};
  EXPECT_TRUE(check_certificate(2, W, q, mu, d).refutes_slater());
  EXPECT_FALSE(check_certificate(2, W, q, mu, d).proves_infeasible());
  // And indeed r = 0 is a solution.
  EXPECT_EQ(verify_reduced(2, W, q, mu, Numbers{0, 0}).error, 0);
}

}  // namespace
}  // namespace stickslip_verify
