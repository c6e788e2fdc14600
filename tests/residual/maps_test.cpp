// The nonsmooth maps: zeros are Coulomb's law, Jacobians are derivatives; the ρ rules.
#include "residual/maps.hpp"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "cone/testing.hpp"

namespace stickslip::internal {
namespace {

using testing::distance;
using testing::Random;

std::vector<Map> maps_of(int dimension) {
  std::vector<Map> maps = {Map::natural, Map::alart_curnier, Map::jean_moreau, Map::fischer_burmeister,
                           Map::hueber_stadler_wohlmuth};
  if (why_not(Map::xuewen_soh_wanji, dimension).empty()) maps.push_back(Map::xuewen_soh_wanji);
  return maps;
}

enum class Law { open, stick, slip };

/// A pair (u, r) that obeys Coulomb's law strictly.
template <int D>
struct Pair {
  Vec<D> u{}, r{};
};
template <int D>
Pair<D> coulomb(Law law, double mu, Random& random) {
  Pair<D> p;
  Vec<D> direction = random.point<D>();
  const double t = tangent_norm<D>(direction), size = random.uniform(0.5, 2);
  if (law == Law::open) {
    p.u = direction;
    p.u[0] = size;
    return p;
  }
  p.r[0] = size;
  const double ratio = law == Law::stick ? random.uniform(0, 0.9) : 1.0, slip = random.uniform(0.1, 2);
  for (int i = 1; i < D; ++i) {
    p.r[i] = -ratio * mu * size * direction[i] / t;
    if (law == Law::slip || mu == 0) p.u[i] = slip * direction[i] / t;
  }
  return p;
}

template <class T>
class Maps : public ::testing::Test {
 public:
  static constexpr int dimension = T::value;
};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Maps, Dimensions);

// Values of size 2, divided by μ ≥ 0.1 at most, in some dozens of operations.
constexpr double rounding = 2000 * testing::unit;

TYPED_TEST(Maps, VanishOnCoulombsLaw) {
  constexpr int D = TestFixture::dimension;
  Random random(41);
  for (Map map : maps_of(D))
    for (double mu : testing::frictions)
      for (Law law : {Law::open, Law::stick, Law::slip})
        for (int k = 0; k < 100; ++k) {
          const auto [u, r] = coulomb<D>(law, mu, random);
          const double rho_N = random.uniform(0.2, 3), rho_T = random.uniform(0.2, 3);
          EXPECT_LE(norm<D>(evaluate_map<D>(map, u, r, mu, rho_N, rho_T).value), rounding)
              << int(map) << " mu " << mu << " law " << int(law);
        }
}

TYPED_TEST(Maps, DoNotVanishOffCoulombsLaw) {
  constexpr int D = TestFixture::dimension;
  Random random(42);
  for (Map map : maps_of(D))
    for (double mu : testing::frictions)
      for (int k = 0; k < 300; ++k) {
        const Law law = k % 3 == 0 ? Law::open : k % 3 == 1 ? Law::stick : Law::slip;
        auto [u, r] = coulomb<D>(law, mu, random);
        const int broken = k % 5;
        // 0: penetration. 1: impulse outside the cone. 2: adhesion. 3: friction that pushes. 4: slip inside
        // the cone.
        if (broken == 0) u[0] -= 3;
        if (broken == 1) r[1] += (r[1] < 0 ? -1 : 1) * (mu * 3 + 1);
        if (broken == 2) r[0] = -1;
        if (broken == 3) {
          if (law != Law::slip || mu == 0) continue;
          for (int i = 1; i < D; ++i) u[i] = -u[i];
        }
        if (broken == 4) {
          if (law != Law::stick || mu == 0) continue;
          u[1] += 1;
        }
        // Errors of size 0.1 and more enter Φ with factors that the smallest μ, ρ and slip reduce to about
        // 10⁻³.
        EXPECT_GT(norm<D>(evaluate_map<D>(map, u, r, mu, 0.7, 0.7).value), 1e-3)
            << int(map) << " mu " << mu << " law " << int(law) << " broken " << broken;
      }
}

TEST(MapsInSpace, XuewenRefusesFrictionThatPushesAlongTheSecondAxis) {
  // RR (65) as printed has max(0, u_T1 r_T1), which is zero here.
  EXPECT_GT(map_residual<3>(Map::xuewen_soh_wanji, {0, 0, 1}, {1, 0, 0.5}, 0.5, 1, 1)[2], 0.1);
}

TEST(MapsInSpace, HueberHasTheDocumentedSpuriousZero) {
  const Vec<3> u = {1, 1, 0}, r = {0, 1, 0};  // open, r_T = ρ_T u_T
  EXPECT_EQ(norm<3>(map_residual<3>(Map::hueber_stadler_wohlmuth, u, r, 0.5, 1, 1)), 0);
  EXPECT_GT(norm<3>(map_residual<3>(Map::alart_curnier, u, r, 0.5, 1, 1)), 0.1);
}

/// True when no kink of the map lies within the finite differences around (u, r): the Jacobian returned at
/// the corners of the stencil has to be close to the one at its centre.
template <int D>
bool smooth(Map map, const Vec<D>& u, const Vec<D>& r, double mu, double rho_N, double rho_T) {
  const auto centre = evaluate_map<D>(map, u, r, mu, rho_N, rho_T);
  for (int j = 0; j < D; ++j)
    for (double sign : {-1.0, 1.0}) {
      Vec<D> v = u, s = r;
      v[j] += sign * 2 * testing::step;
      s[j] += sign * 2 * testing::step;
      for (const auto& beside :
           {evaluate_map<D>(map, v, r, mu, rho_N, rho_T), evaluate_map<D>(map, u, s, mu, rho_N, rho_T)})
        if (distance(beside.by_u, centre.by_u) > 1e-2 || distance(beside.by_r, centre.by_r) > 1e-2)
          return false;
    }
  return true;
}

TYPED_TEST(Maps, JacobiansAgreeWithFiniteDifferences) {
  constexpr int D = TestFixture::dimension;
  Random random(43);
  for (Map map : maps_of(D))
    for (double mu : testing::frictions) {
      int compared = 0;
      for (int k = 0; k < 1500; ++k) {
        Vec<D> u = random.point<D>(), r = random.point<D>();
        // A third of the points lies well inside the stick zone, a third in the slip zone, the others are
        // anywhere.
        if (k % 3 > 0) {
          const auto pair = coulomb<D>(k % 3 == 1 ? Law::stick : Law::slip, mu, random);
          u = add<D>(pair.u, 0.05, random.point<D>());
          r = add<D>(pair.r, 0.05, random.point<D>());
        }
        const double rho_N = 0.8, rho_T = 1.3;
        if (!smooth<D>(map, u, r, mu, rho_N, rho_T) || tangent_norm<D>(u) < 0.02 || tangent_norm<D>(r) < 0.02)
          continue;
        ++compared;
        const auto phi = evaluate_map<D>(map, u, r, mu, rho_N, rho_T);
        const auto by_u = [&](const Vec<D>& v) { return map_residual<D>(map, v, r, mu, rho_N, rho_T); };
        const auto by_r = [&](const Vec<D>& s) { return map_residual<D>(map, u, s, mu, rho_N, rho_T); };
        // Third derivatives reach 1/‖·_T‖² and 1/λ₁; the test of smoothness bounds the curvature by
        // 10⁻²/(2·step) = 500, so that the truncation is some 10⁻¹⁰·(500)²/6 at the very worst, 10⁻⁹
        // typically.
        EXPECT_LE(distance(phi.by_u, testing::differences<D>(by_u, u)), 5e-6) << int(map) << " mu " << mu;
        EXPECT_LE(distance(phi.by_r, testing::differences<D>(by_r, r)), 5e-6) << int(map) << " mu " << mu;
        EXPECT_LE(distance(phi.value, map_residual<D>(map, u, r, mu, rho_N, rho_T)), rounding);
      }
      EXPECT_GT(compared, 700) << int(map) << " mu " << mu;
    }
}

TYPED_TEST(Maps, StayFiniteOnEveryKink) {
  constexpr int D = TestFixture::dimension;
  // All sign patterns of 0, ±1 and a number whose square vanishes, which hits every tie there is.
  const double levels[] = {0, 1, -1, 1e-200};
  for (Map map : maps_of(D))
    for (double mu : {0.0, 0.5, 1.0}) {
      const int count = 1 << (4 * D);
      for (int code = 0; code < count; ++code) {
        Vec<D> u, r;
        for (int i = 0; i < D; ++i) {
          u[i] = levels[(code >> (4 * i)) & 3];
          r[i] = levels[(code >> (4 * i + 2)) & 3];
        }
        const auto phi = evaluate_map<D>(map, u, r, mu, 1, 1);
        ASSERT_TRUE(testing::all_finite(phi.value) && testing::all_finite(phi.by_u) &&
                    testing::all_finite(phi.by_r))
            << int(map) << " mu " << mu << " code " << code;
      }
    }
}

TYPED_TEST(Maps, OnKinksTheElementIsALimit) {
  constexpr int D = TestFixture::dimension;
  Random random(44);
  const double levels[] = {0, 1, -1, 0.5};
  for (Map map : maps_of(D))
    for (int k = 0; k < 400; ++k) {
      Vec<D> u, r;
      for (int i = 0; i < D; ++i) {
        u[i] = levels[int(random.uniform(0, 4))];
        r[i] = levels[int(random.uniform(0, 4))];
      }
      const auto at = evaluate_map<D>(map, u, r, 0.5, 1, 1);
      // Among many neighbours in random directions one has nearly the same Jacobian. Directions fall at
      // random, so the limit is met to the angle between the nearest of 20 000 and the right one.
      double nearest = 1e300;
      for (int n = 0; n < 20000 && nearest > 0.15; ++n) {
        const auto beside = evaluate_map<D>(map, add<D>(u, 1e-6, random.point<D>()),
                                            add<D>(r, 1e-6, random.point<D>()), 0.5, 1, 1);
        nearest = std::min(nearest, std::max(distance(at.by_u, beside.by_u), distance(at.by_r, beside.by_r)));
      }
      EXPECT_LE(nearest, 0.15) << int(map) << " u " << u[0] << " " << u[1] << " " << u[D - 1] << " r " << r[0]
                               << " " << r[1] << " " << r[D - 1];
    }
}

TYPED_TEST(Maps, IgnoreWhatTheyDoNotUse) {
  constexpr int D = TestFixture::dimension;
  Random random(45);
  for (int k = 0; k < 50; ++k) {
    const Vec<D> u = random.point<D>(), r = random.point<D>();
    for (Map map : {Map::natural, Map::fischer_burmeister})
      EXPECT_TRUE(testing::all_finite(evaluate_map<D>(map, u, r, 0.5, 1, testing::nan).value));
    // An open contact does not look at the slip velocity, nor does one without friction.
    Vec<D> poisoned = u;
    for (int i = 1; i < D; ++i) poisoned[i] = testing::nan;
    poisoned[0] = 5;
    const auto open = alart_curnier<D>(poisoned, r, 0.5, 1, 1);
    EXPECT_TRUE(testing::all_finite(open.value) && testing::all_finite(open.by_u) &&
                testing::all_finite(open.by_r));
    for (Map map :
         {Map::alart_curnier, Map::jean_moreau, Map::fischer_burmeister, Map::hueber_stadler_wohlmuth})
      EXPECT_TRUE(testing::all_finite(evaluate_map<D>(map, poisoned, r, 0, 1, 1).value)) << int(map);
  }
}

TEST(RhoRules, ClosedForms) {
  // Symmetric, eigenvalues 2 (normal), 1 and 3 (tangent).
  const Mat<3> W = {2, 0, 0, 0, 2, 1, 0, 1, 2};
  EXPECT_EQ(rho_for<3>(RhoRule::one, W).normal, 1);
  EXPECT_NEAR(rho_for<3>(RhoRule::spectral, W).tangent, 1.0 / 3, rounding);
  EXPECT_NEAR(rho_for<3>(RhoRule::spectral, W).normal, 1.0 / 3, rounding);
  EXPECT_NEAR(rho_for<3>(RhoRule::split, W).normal, 0.5, rounding);
  EXPECT_NEAR(rho_for<3>(RhoRule::split, W).tangent, 1.0 / 3, rounding);
  EXPECT_NEAR(rho_for<3>(RhoRule::split_conditioned, W).tangent, 1.0 / 9, rounding);
  EXPECT_NEAR(rho_for<3>(RhoRule::norm, W).normal, 1 / std::sqrt(14.0), rounding);  // 4 + 4 + 1 + 1 + 4
  EXPECT_NEAR(rho_for<3>(RhoRule::norm, W).tangent, 1 / std::sqrt(14.0), rounding);
  const Mat<2> V = {4, 1, 1, 4};
  EXPECT_NEAR(rho_for<2>(RhoRule::spectral, V).normal, 1.0 / 5, rounding);
  EXPECT_NEAR(rho_for<2>(RhoRule::split_conditioned, V).tangent, 1.0 / 4, rounding);
  // The antisymmetric part does not count.
  const Mat<3> skewed = {2, 7, 0, -7, 2, 1, 0, 1, 2};
  EXPECT_NEAR(rho_for<3>(RhoRule::spectral, skewed).normal, 1.0 / 3, rounding);
}

TEST(RhoRules, LargestEigenvalueAgreesWithThePowerMethod) {
  Random random(46);
  for (int k = 0; k < 200; ++k) {
    const Mat<3> A = random.point<9>(), W = product<3>(A, transpose<3>(A));
    Vec<3> x = {1, 0.9, 0.8};
    for (int n = 0; n < 2000; ++n) {
      x = multiply<3>(W, x);
      x = add<3>({}, 1 / norm<3>(x), x);
    }
    // The Rayleigh quotient is exact to the square of the angle, and the closed form to √unit near triple
    // eigenvalues.
    EXPECT_NEAR(1 / rho_for<3>(RhoRule::spectral, W).normal, dot<3>(x, multiply<3>(W, x)), 1e-7);
  }
}

TEST(RhoRules, StayPositiveOnSingularBlocks) {
  for (RhoRule rule : {RhoRule::one, RhoRule::spectral, RhoRule::split, RhoRule::split_conditioned})
    for (const Mat<3>& W : {Mat<3>{}, Mat<3>{1}, Mat<3>{0, 0, 0, 0, 1, 1, 0, 1, 1}}) {
      const Rho rho = rho_for<3>(rule, W);
      EXPECT_TRUE(rho.normal > 0 && rho.tangent > 0 && std::isfinite(rho.normal) &&
                  std::isfinite(rho.tangent));
    }
}

}  // namespace
}  // namespace stickslip::internal
