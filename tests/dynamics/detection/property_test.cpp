// What holds for the contacts of any two convex shapes.
#include <gmock/gmock.h>

#include <algorithm>

#include "dynamics/detection/slow.hpp"

namespace stickslip::tests {
namespace {

/// Two shapes that are `gap` apart, or overlap by −gap.
struct Neighbours {
  Shape a, b;
  std::shared_ptr<const PreparedShape> prepared_a, prepared_b;
  Placement at_a, at_b;
  Vector direction;  ///< the nearest one

  Neighbours(int kind_a, int kind_b, double gap, bool deformed, Random& random)
      : a(random_shape(kind_a, random)),
        b(random_shape(kind_b, random)),
        prepared_a(prepare(a)),
        prepared_b(prepare(b)) {
    for (Placement* at : {&at_a, &at_b}) {
      at->F = random_rotation(random);
      if (deformed)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) at->F(i, j) += random.uniform(-0.15, 0.15);
      at->c = {random.normal(), random.normal(), random.normal()};
    }
    // Apart along a random direction and then together along the nearest one.
    const Vector u = random_direction(random);
    at_b.c += (0.5 - slow_separation(a, at_a, b, at_b, u)) * u +
              0.3 * random.normal() * u.cross(random_direction(random));
    const double distance = slow_distance(a, at_a, b, at_b, &direction);
    at_b.c += (gap - distance) * direction;
  }
  std::vector<Contact> contacts(double reach) const {
    return contacts_of(prepared_a, at_a, prepared_b, at_b, reach);
  }
  double size() const { return std::max(prepared_a->size(), prepared_b->size()); }
};

class Pairs : public testing::TestWithParam<std::tuple<int, int, bool>> {};

std::string pair_name(const testing::TestParamInfo<Pairs::ParamType>& info) {
  constexpr const char* names[] = {"sphere", "ellipsoid", "capsule", "cylinder", "box", "convex"};
  const auto [a, b, deformed] = info.param;
  return std::string(names[a]) + "_" + names[b] + (deformed ? "_deformed" : "");
}

INSTANTIATE_TEST_SUITE_P(All, Pairs,
                         testing::Combine(testing::Range(0, kinds), testing::Range(0, kinds),
                                          testing::Bool()),
                         pair_name);

/// Corners and edges that point at each other, and rims, are left out until they touch (docs/theory/detection.md): whether
/// that may be so for these shapes, by the number of corners that support them.
bool may_be_left_out(const Neighbours& pair, int kind_a, int kind_b) {
  if (kind_a < 3 || kind_b < 3) return false;
  if (kind_a == 3 || kind_b == 3) return true;
  const auto corners = [](const Shape& shape, const Placement& at, const Vector& n) {
    std::vector<Vector> all, kept;
    if (const auto* box = std::get_if<Box>(&shape))
      for (int k = 0; k < 8; ++k)
        all.push_back(
            at(Vector(k & 1 ? box->x : -box->x, k & 2 ? box->y : -box->y, k & 4 ? box->z : -box->z) / 2));
    else
      for (const Point& p : std::get<Convex>(shape).points) all.push_back(at(vector(p)));
    for (const Vector& x : all)
      if (n.dot(x - slow_support(shape, at, n)) > -1e-4) kept.push_back(x);
    return kept;
  };
  const auto of_a = corners(pair.a, pair.at_a, pair.direction),
             of_b = corners(pair.b, pair.at_b, -pair.direction);
  if (of_a.size() >= 3 || of_b.size() >= 3) return false;
  return of_a.size() < 2 || of_b.size() < 2 ||
         (of_a[1] - of_a[0]).normalized().cross((of_b[1] - of_b[0]).normalized()).norm() < 1e-3;
}

TEST_P(Pairs, NearestContactIsTheDistance) {
  // For the nearest contact: both points lie in their shapes, and no two points of the shapes are nearer along
  // the normal. So its gap is the distance. 1e-12 of the size is left to rounding.
  const auto [kind_a, kind_b, deformed] = GetParam();
  Random random(std::uint64_t(17 + kind_a + 10 * kind_b + 100 * deformed));
  int found = 0;
  for (int k = 0; k < 80; ++k) {
    const Neighbours pair(kind_a, kind_b, random.uniform(0, 0.2), deformed, random);
    const auto contacts = pair.contacts(0.5);
    const double tolerance = 1e-12 * pair.size();
    const bool optional = may_be_left_out(pair, kind_a, kind_b);
    if (optional && contacts.empty()) continue;
    ASSERT_FALSE(contacts.empty()) << k;
    const Contact& c =
        *std::min_element(contacts.begin(), contacts.end(), [](auto& x, auto& y) { return x.gap < y.gap; });
    if (optional && c.gap > slow_separation(pair.a, pair.at_a, pair.b, pair.at_b, pair.direction) + 1e-6)
      continue;
    ++found;
    EXPECT_NEAR(c.normal.norm(), 1, 1e-14);
    EXPECT_LE(slow_outside(pair.a, pair.at_a, c.point_a), tolerance) << k;
    EXPECT_LE(slow_outside(pair.b, pair.at_b, c.point_b), tolerance) << k;
    EXPECT_NEAR(c.gap, slow_separation(pair.a, pair.at_a, pair.b, pair.at_b, c.normal), tolerance) << k;
    EXPECT_NEAR((c.point_b - c.point_a - c.gap * c.normal).norm(), 0, 10 * tolerance) << k;
  }
  EXPECT_GT(found, 10);
}

TEST_P(Pairs, SlightOverlapIsTheLeastPenetration) {
  // The same certificate, and no direction of many gives less penetration. Overlap up to a hundredth of the size.
  const auto [kind_a, kind_b, deformed] = GetParam();
  Random random(std::uint64_t(1000 + kind_a + 10 * kind_b + 100 * deformed));
  int found = 0;
  for (int k = 0; k < 40; ++k) {
    const double depth = random.uniform(0, 0.01);
    const Neighbours pair(kind_a, kind_b, -depth, deformed, random);
    if (may_be_left_out(pair, kind_a, kind_b)) continue;
    const auto contacts = pair.contacts(0.1);
    ASSERT_FALSE(contacts.empty()) << k;
    const Contact& c =
        *std::min_element(contacts.begin(), contacts.end(), [](auto& x, auto& y) { return x.gap < y.gap; });
    const double tolerance = 1e-12 * pair.size();
    EXPECT_LE(slow_outside(pair.a, pair.at_a, c.point_a), tolerance) << k;
    EXPECT_LE(slow_outside(pair.b, pair.at_b, c.point_b), tolerance) << k;
    EXPECT_NEAR(c.gap, slow_separation(pair.a, pair.at_a, pair.b, pair.at_b, c.normal), tolerance) << k;
    EXPECT_GE(c.gap, slow_distance(pair.a, pair.at_a, pair.b, pair.at_b) - 1e-3 * depth - 1e-9) << k;
    ++found;
  }
  EXPECT_GT(found, kind_a >= 3 && kind_b >= 3 ? -1 : 15);
}

TEST_P(Pairs, PointsOfAllContactsLieOnBothSurfaces) {
  const auto [kind_a, kind_b, deformed] = GetParam();
  Random random(std::uint64_t(2000 + kind_a + 10 * kind_b + 100 * deformed));
  for (int k = 0; k < 50; ++k) {
    const Neighbours pair(kind_a, kind_b, random.uniform(0, 0.1), deformed, random);
    for (const Contact& c : pair.contacts(0.7)) {
      const double tolerance = 1e-12 * pair.size();
      EXPECT_NEAR(slow_outside(pair.a, pair.at_a, c.point_a), 0, tolerance) << k;
      EXPECT_NEAR(slow_outside(pair.b, pair.at_b, c.point_b), 0, tolerance) << k;
      EXPECT_NEAR(c.gap, c.normal.dot(c.point_b - c.point_a), tolerance) << k;
    }
  }
}

TEST_P(Pairs, SwappedShapesHaveTheSameContacts) {
  const auto [kind_a, kind_b, deformed] = GetParam();
  Random random(std::uint64_t(3000 + kind_a + 10 * kind_b + 100 * deformed));
  for (int k = 0; k < 40; ++k) {
    const Neighbours pair(kind_a, kind_b, random.uniform(-0.01, 0.1), deformed, random);
    auto forth = pair.contacts(0.5),
         back = contacts_of(pair.prepared_b, pair.at_b, pair.prepared_a, pair.at_a, 0.5);
    ASSERT_EQ(forth.size(), back.size()) << k;
    for (const Contact& c : forth) {
      const auto same = [&](const Contact& d) {
        // Where a rim meets a corner or an edge there is no exact normal, and the direction of the copies comes from
        // an iteration that is good to 1e-6.
        const bool rough = may_be_left_out(pair, kind_a, kind_b) && c.gap < 0;
        const double tolerance = (rough ? 1e-5 : 1e-9) * pair.size();
        return (c.point_a - d.point_b).norm() < tolerance && (c.point_b - d.point_a).norm() < tolerance &&
               (c.normal + d.normal).norm() < (rough ? 1e-5 : 1e-9) &&
               std::abs(c.gap - d.gap) < (rough ? 1e-8 : 1e-12) * pair.size();
      };
      EXPECT_TRUE(std::any_of(back.begin(), back.end(), same)) << k;
    }
  }
}

TEST_P(Pairs, MovedAndScaledShapesHaveMovedAndScaledContacts) {
  const auto [kind_a, kind_b, deformed] = GetParam();
  Random random(std::uint64_t(4000 + kind_a + 10 * kind_b + 100 * deformed));
  for (int k = 0; k < 40; ++k) {
    const Neighbours pair(kind_a, kind_b, random.uniform(-0.01, 0.1), deformed, random);
    const auto contacts = pair.contacts(0.5);
    for (const double scale : {1e-6, 1.0, 1e6}) {
      const Matrix Q = random_rotation(random);
      const Vector shift = scale * Vector(random.normal(), random.normal(), random.normal());
      const auto moved = [&](const Placement& at) { return Placement{Q * at.F, scale * Q * at.c + shift}; };
      const auto others = contacts_of(scaled(pair.a, scale), moved(pair.at_a), scaled(pair.b, scale),
                                      moved(pair.at_b), 0.5 * scale);
      ASSERT_EQ(contacts.size(), others.size()) << k << " " << scale;
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        EXPECT_EQ(contacts[i].key, others[i].key) << k;
        const bool rough = may_be_left_out(pair, kind_a, kind_b) && contacts[i].gap < 0;  // as above
        EXPECT_NEAR(contacts[i].gap, others[i].gap / scale, (rough ? 1e-8 : 1e-12) * pair.size()) << k;
        EXPECT_NEAR((Q * contacts[i].normal - others[i].normal).norm(), 0, rough ? 1e-5 : 1e-9) << k;
        EXPECT_NEAR((scale * Q * contacts[i].point_a + shift - others[i].point_a).norm(), 0,
                    (rough ? 1e-5 : 1e-9) * scale * pair.size())
            << k;
      }
    }
  }
}

TEST_P(Pairs, ContactsDoNotDependOnTheReach) {
  const auto [kind_a, kind_b, deformed] = GetParam();
  Random random(std::uint64_t(5000 + kind_a + 10 * kind_b + 100 * deformed));
  for (int k = 0; k < 40; ++k) {
    const Neighbours pair(kind_a, kind_b, random.uniform(-0.02, 0.05), deformed, random);
    const auto far = pair.contacts(1);
    for (const double reach : {0.3, 0.1, 0.0}) {
      const auto near = pair.contacts(reach);
      std::size_t at = 0;
      for (const Contact& c : far) {
        if (c.gap > reach) continue;
        ASSERT_LT(at, near.size()) << k;
        EXPECT_EQ(near[at].key, c.key);
        EXPECT_EQ(near[at].gap, c.gap);
        EXPECT_EQ(near[at].point_a, c.point_a);
        EXPECT_EQ(near[at].normal, c.normal);
        ++at;
      }
      EXPECT_EQ(at, near.size()) << k;
    }
  }
}

}  // namespace
}  // namespace stickslip::tests
