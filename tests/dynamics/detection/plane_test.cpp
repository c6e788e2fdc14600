// Shapes on a plane.
#include <gmock/gmock.h>

#include <algorithm>

#include "dynamics/detection/frame.hpp"
#include "dynamics/detection/slow.hpp"

namespace stickslip::tests {
namespace {

const Matrix upright = Matrix::Identity();

TEST(Plane, CarriesWhatTouchesItAtTheRightPlaces) {
  // Along a tilted plane with a normal that has not length 1, at an offset.
  const Plane plane{{1, 2, 2}, 6};
  const Vector n(1.0 / 3, 2.0 / 3, 2.0 / 3);
  Random random(1);
  for (int kind = 0; kind < kinds; ++kind)
    for (int k = 0; k < 50; ++k) {
      const Shape shape = random_shape(kind, random);
      Placement at{random_rotation(random), {random.normal(), random.normal(), random.normal()}};
      if (k % 2)
        for (double& entry : at.F.reshaped()) entry += 0.1 * random.uniform(-1, 1);
      const double gap = random.uniform(-0.01, 0.01);
      at.c += (gap + 2 - n.dot(slow_support(shape, at, -n))) * n;
      const auto contacts = contacts_of(plane, {}, shape, at, 3);
      ASSERT_FALSE(contacts.empty());
      EXPECT_NEAR(least_gap(contacts), gap, 1e-14) << kind;
      for (const Contact& c : contacts) {
        EXPECT_NEAR((c.normal - n).norm(), 0, 1e-15);
        EXPECT_NEAR(n.dot(c.point_a), 2, 1e-14);
        EXPECT_NEAR(slow_outside(shape, at, c.point_b), 0, 1e-12) << kind;
        EXPECT_NEAR((c.point_b - c.point_a - c.gap * n).norm(), 0, 1e-14);
      }
    }
}

TEST(Plane, ACylinderStandsOnItsRimAndRollsOnAGenerator) {
  const auto plane = prepare(Plane{}), cylinder = prepare(Cylinder{0.5, 1.2});
  const auto standing = contacts_of(plane, {}, cylinder, {upright, {0, 0, 0.6}}, 1e-3);
  EXPECT_EQ(standing.size(), 16u);
  double area = 0;
  for (const Contact& c : standing) {
    EXPECT_NEAR(c.gap, 0, 1e-15);
    EXPECT_NEAR(c.point_b.head<2>().norm(), 0.5, 1e-15);
    area += c.area;
  }
  EXPECT_NEAR(area, M_PI * 0.25, 1e-14);
  // Fixed in the body: turned about the axis they turn with it, and keep their keys.
  const auto turned = contacts_of(plane, {}, cylinder, {rotation({0, 0, 1}, 10), {0, 0, 0.6}}, 1e-3);
  for (std::size_t k = 0; k < 16; ++k) {
    EXPECT_EQ(turned[k].key, standing[k].key);
    EXPECT_NEAR((rotation({0, 0, 1}, 10) * standing[k].point_b - turned[k].point_b).norm(), 0, 1e-14);
  }
  // On its side: the two ends of a generator, with keys that stay when it rolls.
  std::vector<std::uint64_t> keys;
  for (const double angle : {0.0, 30.0, 77.0}) {
    const auto rolling = contacts_of(
        plane, {}, cylinder, {rotation({1, 0, 0}, 90) * rotation({0, 0, 1}, angle), {0, 0, 0.5}}, 1e-3);
    ASSERT_EQ(rolling.size(), 2u);
    for (const Contact& c : rolling) EXPECT_NEAR(std::abs(c.point_b.y()), 0.6, 1e-15);
    if (keys.empty()) keys = {rolling[0].key, rolling[1].key};
    EXPECT_EQ(rolling[0].key, keys[0]);
    EXPECT_EQ(rolling[1].key, keys[1]);
  }
}

TEST(Plane, ATiltedCoinTouchesAtTheDeepestPointOfItsRim) {
  const double tilt = 10, R = 0.0375, half = 0.001;
  const Matrix F = rotation({0, 1, 0}, tilt);
  const double s = std::sin(tilt * M_PI / 180), c = std::cos(tilt * M_PI / 180);
  for (const double spin : {0.0, 13.0, 200.0}) {
    const auto contacts = contacts_of(Plane{}, {}, Cylinder{R, 2 * half},
                                      {F * rotation({0, 0, 1}, spin), {0, 0, R * s + half * c}}, 1e-4);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].gap, 0, 1e-17);
    EXPECT_NEAR((contacts[0].point_b - Vector(R * c - half * s, 0, 0)).norm(), 0, 1e-16);
  }
}

TEST(Plane, FacesAreSpreadAsAskedFor) {
  const Placement at{rotation({0, 0, 1}, 30), {1, 2, 0.05}};
  const auto one = contacts_of(Plane{}, {}, Box{0.2, 0.4, 0.1}, at, 1e-3, ContactPoints::centroid);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_NEAR(one[0].area, 0.08, 1e-16);
  EXPECT_NEAR((one[0].point_b - Vector(1, 2, 0)).norm(), 0, 1e-15);
  const auto four = contacts_of(Plane{}, {}, Box{0.2, 0.4, 0.1}, at, 1e-3, ContactPoints::gauss2);
  ASSERT_EQ(four.size(), 4u);
  for (const Contact& c : four)
    EXPECT_NEAR((c.point_b - Vector(1, 2, 0)).norm(), std::hypot(0.1, 0.2) / std::sqrt(3), 1e-15);
  const auto disc =
      contacts_of(Plane{}, {}, Cylinder{1, 0.1}, {upright, {0, 0, 0.05}}, 1e-3, ContactPoints::gauss2);
  ASSERT_EQ(disc.size(), 4u);
  for (const Contact& c : disc) EXPECT_NEAR(c.point_b.norm(), std::sqrt(0.5), 1e-15);  // ∫r² = 4·(A/4)·½
}

TEST(Plane, MayComeBeforeOrAfterTheBody) {
  const auto first = contacts_of(Plane{}, {}, Box{1, 1, 1}, {upright, {0, 0, 0.5}}, 1e-3);
  const auto second = contacts_of(Box{1, 1, 1}, {upright, {0, 0, 0.5}}, Plane{}, {}, 1e-3);
  ASSERT_EQ(first.size(), 4u);
  ASSERT_EQ(second.size(), 4u);
  for (const Contact& c : second) EXPECT_EQ(c.normal, Vector(0, 0, -1));
}

TEST(Frame, IsOrthonormalRightHandedAndTurnsSmoothly) {
  Random random(2);
  for (int k = 0; k < 2000; ++k) {
    const Vector n = k < 6 ? Vector((k % 2 ? 1 : -1) * Vector::Unit(k / 2)) : random_direction(random);
    const Matrix F = contact_frame(n);
    EXPECT_EQ(F.col(0), n);
    EXPECT_NEAR((F.transpose() * F - upright).cwiseAbs().maxCoeff(), 0, 1e-15);
    EXPECT_NEAR(F.determinant(), 1, 1e-15);
    // A small turn of the normal turns the tangents as little, but near the one singular direction.
    const Vector s(std::sqrt(1.0 / 7), std::sqrt(5.0 / 14), std::sqrt(0.5));
    const Vector moved = (n + 1e-6 * random_direction(random)).normalized();
    if ((n + s).norm() > 0.2) {
      EXPECT_LT((contact_frame(moved) - F).norm(), 1e-6 * 40);
    }
  }
  const Vector singular(-std::sqrt(1.0 / 7), -std::sqrt(5.0 / 14), -std::sqrt(0.5));
  EXPECT_NEAR(contact_frame(singular).determinant(), 1, 1e-15);
}

}  // namespace
}  // namespace stickslip::tests
