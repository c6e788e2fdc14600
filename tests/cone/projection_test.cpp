// Projections: what defines them, and their Jacobians against finite differences in every smooth zone and on
// kinks.
#include <gtest/gtest.h>

#include "cone/jacobian.hpp"
#include "cone/project.hpp"
#include "cone/testing.hpp"

namespace stickslip::internal {
namespace {

using testing::distance;
using testing::Random;

template <class T>
class Projection : public ::testing::Test {
 public:
  static constexpr int dimension = T::value;
  /// The smallest distance, in units of the angle conditions, from the kinks of P_K; smooth beyond 100 steps.
  static bool smooth(const Vec<T::value>& x, double mu) {
    const double t = tangent_norm<T::value>(x), margin = 100 * testing::step;
    return std::abs(mu * t + x[0]) > margin && (mu == 0 || std::abs(t - mu * x[0]) > margin) && t > margin;
  }
};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Projection, Dimensions);

// Points have size 1; a projection takes about ten roundings of numbers of that size times 1 + μ² ≤ 10.
constexpr double rounding = 100 * testing::unit;

TYPED_TEST(Projection, IsIdempotentNonExpansiveAndInTheCone) {
  constexpr int D = TestFixture::dimension;
  Random random(11);
  for (double mu : testing::frictions)
    for (int k = 0; k < 2000; ++k) {
      const Vec<D> x = random.point<D>(), y = random.point<D>();
      const auto check = [&](auto project) {
        const Vec<D> p = project(x, mu), q = project(y, mu);
        EXPECT_LE(distance(project(p, mu), p), rounding);
        EXPECT_LE(norm<D>(add<D>(p, -1, q)), norm<D>(add<D>(x, -1, y)) + rounding);
      };
      check(project_on_cone<D>);
      check(project_on_polar_cone<D>);
      check(project_on_dual_cone<D>);
      check(project_on_cylinder<D>);
      const Vec<D> r = project_on_cone<D>(x, mu), v = project_on_dual_cone<D>(x, mu),
                   polar = project_on_polar_cone<D>(x, mu);
      EXPECT_LE(tangent_norm<D>(r), mu * r[0] + rounding);
      EXPECT_GE(r[0], 0);
      EXPECT_LE(mu * tangent_norm<D>(v), v[0] + rounding);
      EXPECT_LE(mu * tangent_norm<D>(polar), -polar[0] + rounding);
      // Moreau: x = P_K(x) + P_{−K*}(x) with orthogonal parts.
      EXPECT_LE(distance(add<D>(r, 1, polar), x), rounding);
      EXPECT_NEAR(dot<D>(r, polar), 0, rounding);
    }
}

TYPED_TEST(Projection, OnTheHalfLineOfZeroFrictionIgnoresTheTangent) {
  constexpr int D = TestFixture::dimension;
  Vec<D> below{}, above{};
  below[0] = -1;
  above[0] = 2;
  EXPECT_EQ(project_on_cone<D>(below, 0), Vec<D>{});  // x_T = 0 exactly: both tests of the cone hold
  EXPECT_EQ(project_on_cone<D>(above, 0), above);
  Vec<D> tilted = above;
  tilted[1] = 5;
  EXPECT_EQ(project_on_cone<D>(tilted, 0), above);
  EXPECT_EQ(cone_projection_jacobian<D>(below, 0), Mat<D>{});
  Mat<D> normal{};
  normal[0] = 1;
  EXPECT_EQ(cone_projection_jacobian<D>(above, 0), normal);
  EXPECT_EQ(cone_projection_jacobian<D>(tilted, 0), normal);
}

TYPED_TEST(Projection, DiskAgreesWithTheCylinder) {
  constexpr int D = TestFixture::dimension;
  Random random(12);
  for (int k = 0; k < 500; ++k) {
    const Vec<D> x = random.point<D>();
    Vec<D - 1> t;
    for (int i = 1; i < D; ++i) t[i - 1] = x[i];
    const Vec<D - 1> p = project_on_disk<D>(t, 0.4);
    const Vec<D> c = project_on_cylinder<D>(x, 0.4);
    for (int i = 1; i < D; ++i) EXPECT_DOUBLE_EQ(p[i - 1], c[i]);
    EXPECT_EQ(c[0], project_on_half_line(x[0]));
  }
}

TYPED_TEST(Projection, JacobiansAgreeWithFiniteDifferences) {
  constexpr int D = TestFixture::dimension;
  Random random(13);
  for (double mu : testing::frictions) {
    int stick = 0, slide = 0, off = 0;
    for (int k = 0; k < 3000; ++k) {
      // Every other point lies inside K or −K*, which random points miss for small μ.
      Vec<D> x = random.point<D>();
      if (k % 4 == 1) x[0] = random.uniform(1, 2) * (mu > 0 ? tangent_norm<D>(x) / mu : 1);
      if (k % 4 == 3) x[0] = -random.uniform(1, 2) * mu * tangent_norm<D>(x) - 0.01;
      const Vec<D> minus = add<D>({}, -1, x);
      if (!this->smooth(x, mu) || !this->smooth(minus, mu)) continue;
      const double t = tangent_norm<D>(x);
      (mu * t <= -x[0] ? off : t <= mu * x[0] ? stick : slide)++;
      // Third derivatives are at most about 6/‖x_T‖² ≤ 6·10⁶: 10⁻¹⁰·10⁶ at worst, for the few points near x_T
      // = 0.
      const double tolerance = 1e-9 + 10 * testing::step * testing::step / (t * t);
      const auto check = [&](auto project, auto jacobian) {
        const Mat<D> expected = testing::differences<D>([&](const Vec<D>& z) { return project(z, mu); }, x);
        EXPECT_LE(distance(jacobian(x, mu), expected), tolerance) << "mu " << mu << " t " << t;
      };
      check(project_on_cone<D>, cone_projection_jacobian<D>);
      check(project_on_polar_cone<D>, polar_cone_projection_jacobian<D>);
      check(project_on_dual_cone<D>, dual_cone_projection_jacobian<D>);
      check(desaxce_shift<D>, desaxce_jacobian<D>);
      if (std::abs(t - mu) > 1e-3 && std::abs(x[0]) > 1e-3)
        check(project_on_cylinder<D>, cylinder_projection_jacobian<D>);
    }
    EXPECT_GT(off, 100);
    EXPECT_GT(slide, 100);
    if (mu > 0) {
      EXPECT_GT(stick, 100);
    }
  }
}

TYPED_TEST(Projection, DiskJacobianByTheRadius) {
  constexpr int D = TestFixture::dimension;
  Vec<D - 1> x{};
  x[0] = 3;
  x[D - 2] = 4;
  const auto outside = disk_projection_jacobian<D>(x, 2), inside = disk_projection_jacobian<D>(x, 7);
  EXPECT_DOUBLE_EQ(outside.by_radius[0], D == 2 ? 1 : 0.6);
  EXPECT_EQ(inside.by_radius, (Vec<D - 1>{}));
  EXPECT_EQ(inside.by_tangent, scaled_identity<D - 1>(1));
}

TYPED_TEST(Projection, OnKinksTheElementIsALimit) {
  constexpr int D = TestFixture::dimension;
  Random random(14);
  for (double mu : {0.1, 0.7, 1.0, 3.0})
    for (int k = 0; k < 100; ++k) {
      const Vec<D> x = random.point<D>();
      const double t = tangent_norm<D>(x);
      // On the boundary of K, up to rounding: the limit from inside or from outside.
      Vec<D> edge = x;
      edge[0] = t / mu;
      Vec<D> in = edge, out = edge;
      in[0] += 1e-7;
      out[0] -= 1e-7;
      const Mat<D> J = cone_projection_jacobian<D>(edge, mu);
      // ∂P_K moves by about 10⁻⁷/‖x_T‖ on the way to the kink.
      const double tolerance = 1e-6 / t + 1e-9;
      EXPECT_LE(std::min(distance(J, cone_projection_jacobian<D>(in, mu)),
                         distance(J, cone_projection_jacobian<D>(out, mu))),
                tolerance);
      // The apex: the limit from the polar cone.
      EXPECT_EQ(cone_projection_jacobian<D>(Vec<D>{}, mu), Mat<D>{});
    }
  // x_T = 0 is a kink of the shift only: the limit along the first axis.
  Vec<D> u{}, beside{};
  beside[1] = 1e-9;
  EXPECT_EQ(desaxce_jacobian<D>(u, 0.7), desaxce_jacobian<D>(beside, 0.7));
  // Numbers so small that their squares vanish.
  Vec<D> tiny{};
  tiny.fill(1e-200);
  tiny[0] = 0;
  EXPECT_TRUE(testing::all_finite(cone_projection_jacobian<D>(tiny, 0.5)));
  EXPECT_TRUE(testing::all_finite(desaxce_jacobian<D>(tiny, 0.5)));
}

}  // namespace
}  // namespace stickslip::internal
