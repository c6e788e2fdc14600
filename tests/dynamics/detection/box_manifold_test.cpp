// Contacts of two boxes: whole faces, edges and corners.
#include <gmock/gmock.h>

#include <algorithm>

#include "dynamics/detection/pair.hpp"

namespace stickslip::tests {
namespace {

const Matrix upright = Matrix::Identity();

/// Whether one of the contacts is at p.
bool has_point(const std::vector<Contact>& contacts, const Vector& p) {
  return std::any_of(contacts.begin(), contacts.end(),
                     [&](const Contact& c) { return (c.point_b - p).norm() < 1e-12; });
}

TEST(BoxManifold, FaceOnFaceTouchesAtTheCornersOfTheSmallerFace) {
  const auto contacts = contacts_of(Box{2, 2, 1}, {}, Box{1, 1, 1}, {upright, {0.1, 0.2, 1}}, 0.1);
  ASSERT_EQ(contacts.size(), 4u);
  for (const double x : {-0.4, 0.6})
    for (const double y : {-0.3, 0.7}) EXPECT_TRUE(has_point(contacts, {x, y, 0.5}));
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.gap, 0, 1e-15);
    EXPECT_EQ(c.normal, Vector(0, 0, 1));
    EXPECT_DOUBLE_EQ(c.area, 0.25);
  }
}

TEST(BoxManifold, EqualBoxesThatLieFlushHaveFourContacts) {
  // Rounding decides whether a corner lies inside the other face: neither number nor keys may depend on it.
  Random random(1);
  std::vector<std::uint64_t> keys;
  for (int k = 0; k < 200; ++k) {
    const Matrix R = k == 0 ? upright : random_rotation(random);
    const double noise = k == 0 ? 0 : 1e-13;
    const Vector shift(noise * random.normal(), noise * random.normal(), 1 + noise * random.normal());
    const Matrix twist = rotation(random_direction(random), noise * 57);
    const auto contacts = contacts_of(Box{1, 1, 1}, {R, {0.3, 0, 0}}, Box{1, 1, 1},
                                      {R * twist, R * shift + Vector(0.3, 0, 0)}, 0.01);
    ASSERT_EQ(contacts.size(), 4u) << k;
    if (k == 0)
      for (const Contact& c : contacts) keys.push_back(c.key);
    for (int c = 0; c < 4; ++c) {
      EXPECT_EQ(contacts[c].key, keys[c]);
      EXPECT_NEAR((contacts[c].normal - R.col(2)).norm(), 0, 1e-11);
    }
  }
}

TEST(BoxManifold, TurnedByFortyFiveDegreesAnOctagon) {
  const auto contacts =
      contacts_of(Box{1, 1, 1}, {}, Box{1, 1, 1}, {rotation({0, 0, 1}, 45), {0, 0, 1}}, 0.1);
  ASSERT_EQ(contacts.size(), 8u);
  // Its corners are where the sides cross: |x| = ½, |y| = √½ − ½, and the other way round.
  for (const Contact& c : contacts) {
    const double high = std::max(std::abs(c.point_a.x()), std::abs(c.point_a.y())),
                 low = std::min(std::abs(c.point_a.x()), std::abs(c.point_a.y()));
    EXPECT_NEAR(high, 0.5, 1e-14);
    EXPECT_NEAR(low, std::sqrt(0.5) - 0.5, 1e-14);
  }
}

TEST(BoxManifold, HangingOverIsCutAtTheEdge) {
  const auto contacts = contacts_of(Box{1, 1, 1}, {}, Box{1, 1, 1}, {upright, {0.75, 0, 1}}, 0.1);
  ASSERT_EQ(contacts.size(), 4u);
  for (const double y : {-0.5, 0.5})
    for (const double x : {0.25, 0.5}) EXPECT_TRUE(has_point(contacts, {x, y, 0.5}));
}

TEST(BoxManifold, EdgeOnFaceHasItsTwoEnds) {
  const double up = 0.5 + std::sqrt(0.5);
  const auto contacts =
      contacts_of(Box{4, 4, 1}, {}, Box{1, 1, 1}, {rotation({0, 1, 0}, 45), {0, 0, up}}, 1e-3);
  ASSERT_EQ(contacts.size(), 2u);
  for (const double y : {-0.5, 0.5}) EXPECT_TRUE(has_point(contacts, {0, y, 0.5}));
  for (const Contact& c : contacts) EXPECT_EQ(c.normal, Vector(0, 0, 1));
}

TEST(BoxManifold, CornerOnFaceIsOnePoint) {
  // The diagonal stands upright.
  const Matrix R = Eigen::Quaterniond::FromTwoVectors(Vector(1, 1, 1), Vector(0, 0, -1)).toRotationMatrix();
  const auto contacts =
      contacts_of(Box{4, 4, 1}, {}, Box{1, 1, 1}, {R, {0.1, 0.2, 0.5 + std::sqrt(0.75) - 1e-3}}, 1e-3);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, -1e-3, 1e-15);
  EXPECT_NEAR((contacts[0].point_b - Vector(0.1, 0.2, 0.5 - 1e-3)).norm(), 0, 1e-15);
  EXPECT_EQ(contacts[0].normal, Vector(0, 0, 1));
}

TEST(BoxManifold, CrossedEdgesTouchInOnePoint) {
  // Two roofs, one across the other.
  for (const double gap : {0.01, 0.0, -0.01}) {
    const Matrix roof = rotation({1, 0, 0}, 45), across = rotation({0, 1, 0}, 45);
    const auto contacts = contacts_of(Box{2, 1, 1}, {roof, {0, 0, 0}}, Box{1, 2, 1},
                                      {across, {0.1, 0.2, 2 * std::sqrt(0.5) + gap}}, 0.02);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].gap, gap, 1e-15);
    EXPECT_NEAR((contacts[0].normal - Vector(0, 0, 1)).norm(), 0, 1e-15);
    EXPECT_NEAR((contacts[0].point_a - Vector(0.1, 0, std::sqrt(0.5))).norm(), 0, 1e-15);
  }
}

TEST(BoxManifold, ParallelEdgesTouchInTwoPoints) {
  // A card house: two cards that lean against each other, their upper inner edges in contact.
  for (const double lean : {5.0, 20.0, 28.0, 30.0})
    for (const double thickness : {0.1, 1e-3, 1e-5})
      for (const double gap : {0.0, 1e-12, -1e-12, -1e-6 * thickness}) {
        const Matrix left = rotation({0, 1, 0}, lean), right = rotation({0, 1, 0}, -lean);
        // The upper inner edge of each card lies at x = ∓ gap/2, z = 0.
        const Vector corner_left(thickness / 2, 0, 0.5), corner_right(-thickness / 2, 0, 0.5);
        const auto contacts =
            contacts_of(Box{thickness, 0.5, 1}, {left, Vector(-gap / 2, 0, 0) - left * corner_left},
                        Box{thickness, 0.5, 1}, {right, Vector(gap / 2, 0, 0) - right * corner_right}, 1e-9);
        ASSERT_EQ(contacts.size(), 2u) << lean << " " << thickness << " " << gap;
        for (const Contact& c : contacts) {
          EXPECT_NEAR(c.gap, gap, 1e-15);
          EXPECT_NEAR((c.normal - Vector(1, 0, 0)).norm(), 0, 1e-9) << lean << " " << thickness << " " << gap;
          EXPECT_NEAR(std::abs(c.point_a.y()), 0.25, 1e-14);
        }
      }
}

TEST(BoxManifold, TheNormalOfEdgesDoesNotTurnWhenTheyMoveSideways) {
  for (const double lean : {10.0, 30.0})
    for (const double aside : {-1e-11, 1e-11}) {
      const Matrix left = rotation({0, 1, 0}, lean), right = rotation({0, 1, 0}, -lean);
      const Vector corner_left(0.005, 0, 0.5), corner_right(-0.005, 0, 0.5);
      const auto contacts = contacts_of(Box{0.01, 0.5, 1}, {left, -left * corner_left}, Box{0.01, 0.5, 1},
                                        {right, Vector(0, 0, aside) - right * corner_right}, 1e-6);
      ASSERT_EQ(contacts.size(), 2u) << lean << " " << aside;
      for (const Contact& c : contacts)
        EXPECT_NEAR((c.normal - Vector(1, 0, 0)).norm(), 0, 1e-9) << lean << " " << aside;
    }
}

TEST(BoxManifold, BlocksOfAGridTouchTheirNeighboursOnly) {
  // 3 × 3 × 3 cubes: 54 pairs of faces, four corners each; diagonal neighbours share edges and corners and do not touch.
  for (const Matrix& R : {upright, rotation({1, 2, 3}, 34)}) {
    Detector detector, by_faces({.points = ContactPoints::centroid});
    const auto cube = prepare(Box{1, 1, 1});
    std::vector<Placement> placements;
    for (int k = 0; k < 27; ++k) {
      detector.add(cube, Mobility::moving);
      by_faces.add(cube, Mobility::moving);
      placements.push_back({R, R * Vector(k % 3, k / 3 % 3, k / 9)});
    }
    const std::vector<double> reach(27, 1e-3);
    EXPECT_EQ(detector.detect(placements, reach).size(), 4u * 54u);
    const auto faces = by_faces.detect(placements, reach);
    ASSERT_EQ(faces.size(), 54u);
    for (const Contact& c : faces) EXPECT_NEAR(c.area, 1, 1e-12);
  }
}

TEST(BoxManifold, ACubeSlidesOntoTheNextTileWithoutCatching) {
  // Tiles side by side, their tops level. The cube is sunk in by a rounding error: no contact may stand in its way.
  const auto cube = prepare(Box{1, 1, 1});
  for (const double sink : {0.0, 1e-15, 1e-12, -1e-12})
    for (const double before : {1e-3, 1e-6, 1e-9, 0.0, -1e-9, -1e-4}) {
      const auto contacts = contacts_of(cube, {}, cube, {upright, {-1 - before, 0, 1 - sink}}, 0.01);
      for (const Contact& c : contacts) EXPECT_GT(c.normal.z(), 0.999) << sink << " " << before;
    }
}

TEST(BoxManifold, SpreadPointsHaveTheMomentsOfTheArea) {
  const Placement above{rotation({0, 0, 1}, 20), {0.3, 0.1, 1}};
  const auto four = contacts_of(Box{1, 0.6, 1}, {}, Box{1, 1, 1}, above, 0.1, ContactPoints::gauss2);
  const auto one = contacts_of(Box{1, 0.6, 1}, {}, Box{1, 1, 1}, above, 0.1, ContactPoints::centroid);
  const auto corners = contacts_of(Box{1, 0.6, 1}, {}, Box{1, 1, 1}, above, 0.1);
  ASSERT_EQ(four.size(), 4u);
  ASSERT_EQ(one.size(), 1u);
  double area = 0, corner_area = 0;
  Vector mean = Vector::Zero();
  for (const Contact& c : four) area += c.area, mean += c.point_a / 4;
  for (const Contact& c : corners) corner_area += c.area;
  EXPECT_NEAR(area, one[0].area, 1e-15);
  EXPECT_NEAR(corner_area, one[0].area, 1e-15);
  EXPECT_NEAR((mean - one[0].point_a).norm(), 0, 1e-15);
}

TEST(BoxManifold, AFullFaceHasItsGaussPoints) {
  const auto four =
      contacts_of(Box{2, 2, 1}, {}, Box{0.4, 0.2, 1}, {upright, {0, 0, 1}}, 0.1, ContactPoints::gauss2);
  ASSERT_EQ(four.size(), 4u);
  for (const Contact& c : four) {
    EXPECT_NEAR(std::abs(c.point_a.x()), 0.2 / std::sqrt(3), 1e-15);
    EXPECT_NEAR(std::abs(c.point_a.y()), 0.1 / std::sqrt(3), 1e-15);
    EXPECT_NEAR(c.area, 0.02, 1e-16);
  }
}

}  // namespace
}  // namespace stickslip::tests
