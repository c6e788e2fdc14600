// Jordan algebra, Fischer–Burmeister, smoothed projections, Nesterov–Todd scaling.
#include "cone/jordan.hpp"

#include <gtest/gtest.h>

#include "cone/fischer_burmeister.hpp"
#include "cone/nesterov_todd.hpp"
#include "cone/project.hpp"
#include "cone/smoothing.hpp"
#include "cone/testing.hpp"

namespace stickslip::internal {
namespace {

using testing::distance;
using testing::Random;

template <class T>
class Jordan : public ::testing::Test {
 public:
  static constexpr int dimension = T::value;
  static Vec<T::value> e() {
    Vec<T::value> one{};
    one[0] = 1;
    return one;
  }
};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Jordan, Dimensions);

// A few dozen roundings of numbers of size 1 to 3.
constexpr double rounding = 200 * testing::unit;

TYPED_TEST(Jordan, Identities) {
  constexpr int D = TestFixture::dimension;
  Random random(21);
  for (int k = 0; k < 1000; ++k) {
    const Vec<D> x = random.point<D>(), y = random.point<D>(), inside = random.inside_second_order_cone<D>();
    EXPECT_LE(distance(jordan_product<D>(x, y), multiply<D>(arrow<D>(x), y)), rounding);
    EXPECT_LE(distance(jordan_product<D>(x, y), jordan_product<D>(y, x)), rounding);
    EXPECT_LE(distance(compose<D>(spectrum<D>(x)), x), rounding);
    const Vec<D> root = jordan_sqrt<D>(inside);
    EXPECT_LE(distance(jordan_product<D>(root, root), inside), rounding);
    // |x|² = x² and RR (72): P(x) = (x + |x|)/2.
    const Vec<D> absolute = jordan_abs<D>(x);
    EXPECT_LE(distance(jordan_product<D>(absolute, absolute), jordan_product<D>(x, x)), rounding);
    EXPECT_LE(distance(add<D>(add<D>({}, 0.5, x), 0.5, absolute), project_on_cone<D>(x, 1)), rounding);
    // det(inside) ≥ 0.01·(2‖x_T‖ + 0.01) ≥ 10⁻⁴, which divides the roundings.
    EXPECT_LE(distance(jordan_product<D>(inside, jordan_inverse<D>(inside)), this->e()), 1e4 * rounding);
    EXPECT_NEAR(jordan_determinant<D>(x), x[0] * x[0] - std::pow(tangent_norm<D>(x), 2), rounding);
    // Q_x = 2L_x² − L_{x²}.
    const Mat<D> L = arrow<D>(x);
    EXPECT_LE(distance(quadratic_representation<D>(x),
                       combine<D>(2, product<D>(L, L), -1, arrow<D>(jordan_product<D>(x, x)))),
              rounding);
  }
}

TYPED_TEST(Jordan, FischerBurmeisterVanishesOnComplementaryPairsOnly) {
  constexpr int D = TestFixture::dimension;
  Random random(22);
  for (int k = 0; k < 1000; ++k) {
    // z = x − y splits every point into a complementary pair, strict or not.
    const Vec<D> z = random.point<D>();
    const Vec<D> x = project_on_cone<D>(z, 1), y = add<D>(x, -1, z);
    EXPECT_LE(norm<D>(fischer_burmeister<D>(x, y).value), rounding);
    Vec<D> wrong = y;
    wrong[0] += 0.1;
    // The normal part of φ moves by at least (1 − 1/√2) of the shift times what is left of the cone: not by
    // rounding.
    if (norm<D>(x) > 0.1) {
      EXPECT_GT(norm<D>(fischer_burmeister<D>(x, wrong).value), 1e-3);
    }
    // φ(x, y) = x + y − (x² + y²)^{1/2} in the algebra's own terms.
    const Vec<D> a = random.point<D>(), b = random.point<D>();
    const Vec<D> squares = add<D>(jordan_product<D>(a, a), 1, jordan_product<D>(b, b));
    const Vec<D> expected = add<D>(add<D>(a, 1, b), -1, jordan_sqrt<D>(squares));
    // √ of λ₁ that was found by cancellation: √unit.
    EXPECT_LE(distance(fischer_burmeister<D>(a, b).value, expected), 1e-7);
  }
}

TYPED_TEST(Jordan, FischerBurmeisterJacobiansAgreeWithFiniteDifferences) {
  constexpr int D = TestFixture::dimension;
  Random random(23);
  int compared = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vec<D> x = random.point<D>(), y = random.point<D>();
    const double smallest = spectrum<D>(add<D>(jordan_product<D>(x, x), 1, jordan_product<D>(y, y))).lambda_1;
    if (smallest < 1e-3) continue;
    ++compared;
    const auto phi = fischer_burmeister<D>(x, y);
    const auto by_x = [&](const Vec<D>& z) { return fischer_burmeister<D>(z, y).value; };
    const auto by_y = [&](const Vec<D>& z) { return fischer_burmeister<D>(x, z).value; };
    // Third derivatives grow as λ₁⁻¹ in units of the root √λ₁: 10⁻¹⁰/λ₁ plus rounding.
    const double tolerance = 1e-9 + 10 * testing::step * testing::step / smallest;
    EXPECT_LE(distance(phi.by_x, testing::differences<D>(by_x, x)), tolerance);
    EXPECT_LE(distance(phi.by_y, testing::differences<D>(by_y, y)), tolerance);
  }
  EXPECT_GT(compared, 1000);
}

TYPED_TEST(Jordan, FischerBurmeisterOnKinksGivesALimit) {
  constexpr int D = TestFixture::dimension;
  Random random(24);
  for (int k = 0; k < 500; ++k) {
    // x = α(1, c), y = β(1, c), α and β of any sign: x² + y² is on the boundary.
    const Vec<D> direction = random.point<D>();
    const double t = tangent_norm<D>(direction);
    const double alpha = random.uniform(-1, 1), beta = k % 3 == 0 ? 0.0 : random.uniform(-1, 1);
    Vec<D> x, y, inward;
    x[0] = alpha, y[0] = beta, inward[0] = 1;
    for (int i = 1; i < D; ++i) {
      x[i] = alpha * direction[i] / t;
      y[i] = beta * direction[i] / t;
      inward[i] = -direction[i] / t;
    }
    const auto at = fischer_burmeister<D>(x, y);
    const double epsilon = 1e-7;
    const auto beside = fischer_burmeister<D>(add<D>(x, epsilon, inward), add<D>(y, epsilon, inward));
    // The Jacobian changes by ε over the size of z, and rounding in x_T − x_N c is divided by ε: 10⁻¹⁶/10⁻⁷.
    EXPECT_LE(distance(at.by_x, beside.by_x), 1e-8 + 10 * epsilon / std::hypot(alpha, beta));
    EXPECT_LE(distance(at.by_y, beside.by_y), 1e-8 + 10 * epsilon / std::hypot(alpha, beta));
  }
  const auto zero = fischer_burmeister<D>(Vec<D>{}, Vec<D>{});
  const auto beside = fischer_burmeister<D>(add<D>({}, 1e-9, this->e()), add<D>({}, 1e-9, this->e()));
  EXPECT_EQ(zero.value, Vec<D>{});
  EXPECT_LE(distance(zero.by_x, beside.by_x), rounding);
  // Squares that vanish.
  Vec<D> tiny;
  tiny.fill(1e-200);
  const auto small = fischer_burmeister<D>(tiny, tiny),
             scaled_up = fischer_burmeister<D>(add<D>({}, 1e200, tiny), add<D>({}, 1e200, tiny));
  EXPECT_LE(distance(small.by_x, scaled_up.by_x), rounding);
}

TEST(ScalarFischerBurmeister, ValueAndDerivatives) {
  Random random(25);
  for (int k = 0; k < 1000; ++k) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), h = 1e-6;
    if (std::hypot(x, y) < 0.05) continue;
    const auto phi = fischer_burmeister(x, y);
    EXPECT_NEAR(phi.value, x + y - std::hypot(x, y), rounding);
    // h²/r² truncation and unit/h rounding.
    EXPECT_NEAR(phi.by_x, (fischer_burmeister(x + h, y).value - fischer_burmeister(x - h, y).value) / (2 * h),
                1e-8);
    EXPECT_NEAR(phi.by_y, (fischer_burmeister(x, y + h).value - fischer_burmeister(x, y - h).value) / (2 * h),
                1e-8);
  }
  EXPECT_EQ(fischer_burmeister(0.0, 0.0).value, 0);
  EXPECT_EQ(fischer_burmeister(3.0, 0.0).value, 0);
  EXPECT_NEAR(fischer_burmeister(1.0, 1e-20).value, 1e-20, 1e-35);  // relative to the value, no cancellation
}

TYPED_TEST(Jordan, SmoothedPolarProjectionTendsToTheProjection) {
  constexpr int D = TestFixture::dimension;
  Random random(26);
  for (double mu : testing::frictions)
    for (int k = 0; k < 500; ++k) {
      const Vec<D> z = random.point<D>();
      for (double omega : {1e-1, 1e-3, 1e-8}) {
        // g₁ exceeds max(0, λ₁) by at most ω, g₂ by at most μω; |u₁| = |u₂| = √(1+μ²).
        const double bound = (1 + mu) * std::sqrt(1 + mu * mu) * omega + rounding;
        EXPECT_LE(distance(smoothed_polar_projection<D>(z, mu, omega).value, project_on_polar_cone<D>(z, mu)),
                  bound);
        EXPECT_LE(distance(smoothed_desaxce_shift<D>(z, mu, omega).value, desaxce_shift<D>(z, mu)),
                  mu * omega + rounding);
      }
    }
}

TYPED_TEST(Jordan, SmoothedGradientsAgreeWithFiniteDifferences) {
  constexpr int D = TestFixture::dimension;
  Random random(27);
  const double omega = 0.1;
  for (double mu : testing::frictions)
    for (int k = 0; k < 500; ++k) {
      Vec<D> z = random.point<D>();
      if (k == 0) z = {};                                // the apex
      if (k % 10 == 1) z = add<D>({}, z[0], this->e());  // x_T = 0
      const auto check = [&](auto f, double smallest) {
        // Third derivatives are about 1/(smallest smoothing)². PQN's projection is C¹ but not C² on the axis
        // (a of (35) is a function of ‖z_T‖ with a slope there): an error of the first order, step·(1/ω).
        const bool on_axis = tangent_norm<D>(z) <= testing::step;
        const double tolerance =
            1e-9 + (on_axis ? testing::step / smallest : 10 * std::pow(testing::step / smallest, 2));
        EXPECT_LE(
            distance(f(z).jacobian, testing::differences<D>([&](const Vec<D>& x) { return f(x).value; }, z)),
            tolerance)
            << "mu " << mu << " z " << z[0] << " " << z[1];
      };
      check([&](const Vec<D>& x) { return smoothed_polar_projection<D>(x, mu, omega); },
            mu > 0 ? omega * std::min(mu, 1.0) : omega);
      check([&](const Vec<D>& x) { return smoothed_desaxce_shift<D>(x, mu, omega); }, omega);
      check([&](const Vec<D>& x) { return smoothed_projection<D>(x, omega); }, omega);
    }
}

TYPED_TEST(Jordan, SpectralSmoothingLiesOnTheCentralPath) {
  constexpr int D = TestFixture::dimension;
  Random random(28);
  for (int k = 0; k < 1000; ++k)
    for (double m : {1.0, 1e-2, 1e-6}) {
      const Vec<D> z = random.point<D>(), x = smoothed_projection<D>(z, m).value;
      const Vec<D> y = smoothed_projection<D>(add<D>({}, -1, z), m).value;
      EXPECT_LE(distance(add<D>(x, -1, y), z), rounding);
      EXPECT_LE(distance(jordan_product<D>(x, y), add<D>({}, m * m, this->e())), rounding);
      // h exceeds max(0, λ) by at most m.
      EXPECT_LE(distance(x, project_on_cone<D>(z, 1)), m + rounding);
    }
}

TYPED_TEST(Jordan, NesterovToddScaling) {
  constexpr int D = TestFixture::dimension;
  Random random(29);
  for (int k = 0; k < 1000; ++k) {
    const Vec<D> x = random.inside_second_order_cone<D>();
    const Vec<D> y = add<D>({}, std::pow(10, random.uniform(-3, 3)), random.inside_second_order_cone<D>());
    const auto nt = nesterov_todd<D>(x, y);
    // Conditioning: det(x̂) relative to x_N² is at least 10⁻², for both, so p̄ has up to four digits of growth.
    const double tolerance = 1e4 * rounding;
    const Vec<D> image = multiply<D>(nt.F, x);
    EXPECT_LE(norm<D>(add<D>(image, -1, y)), tolerance * norm<D>(y));
    EXPECT_LE(distance(product<D>(nt.F, nt.F_inverse), scaled_identity<D>(1)), tolerance);
    EXPECT_LE(distance(product<D>(nt.F_root, nt.F_root_inverse), scaled_identity<D>(1)), tolerance);
    const double size = norm<D * D>(nt.F);
    EXPECT_LE(distance(product<D>(nt.F_root, nt.F_root), nt.F), tolerance * size);
    EXPECT_LE(distance(quadratic_representation<D>(nt.point), nt.F), tolerance * size);
    const Vec<D> a = multiply<D>(nt.F_root, x), b = multiply<D>(nt.F_root_inverse, y);
    EXPECT_LE(norm<D>(add<D>(a, -1, b)), tolerance * norm<D>(a));
    EXPECT_GT(jordan_determinant<D>(nt.point), 0);
  }
}

}  // namespace
}  // namespace stickslip::internal
