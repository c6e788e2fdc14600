// Input without a right answer: whatever is given, contacts are finite, normals have length one, and it ends.
#include <gmock/gmock.h>

#include "dynamics/detection/slow.hpp"

namespace stickslip::tests {
namespace {

void expect_sound(const std::vector<Contact>& contacts, double reach, const std::string& what) {
  for (const Contact& c : contacts) {
    ASSERT_TRUE(c.point_a.allFinite() && c.point_b.allFinite() && c.normal.allFinite()) << what;
    ASSERT_TRUE(std::isfinite(c.gap) && std::isfinite(c.area)) << what;
    EXPECT_NEAR(c.normal.norm(), 1, 1e-12) << what;
    EXPECT_LE(c.gap, reach) << what;
    EXPECT_GE(c.area, 0) << what;
  }
}

/// Long, thin, flat and tiny ones.
Shape extreme_shape(int kind, Random& random) {
  const auto length = [&] { return std::exp(random.uniform(std::log(1e-4), std::log(1.0))); };
  switch (kind) {
    case 0:
      return Sphere{length()};
    case 1:
      return Ellipsoid{{length(), length(), length()}};
    case 2:
      return Capsule{length(), length()};
    case 3:
      return Cylinder{length(), length()};
    case 4:
      return Box{length(), length(), length()};
    default: {
      const Vector stretch(1, random.uniform(0.01, 1), random.uniform(0.01, 1));
      Convex convex;
      for (int k = 0; k < 12; ++k)
        convex.points.push_back(point(stretch.cwiseProduct(random_direction(random))));
      return convex;
    }
  }
}

TEST(Degenerate, ConcentricBodies) {
  Random random(1);
  for (int a = 0; a < kinds; ++a)
    for (int b = 0; b < kinds; ++b)
      for (int k = 0; k < 20; ++k) {
        const Shape first = random_shape(a, random),
                    second = k % 2 && a == b ? first : random_shape(b, random);
        const Matrix R = k % 3 ? Matrix(Matrix::Identity()) : random_rotation(random);
        const auto contacts = contacts_of(first, {}, second, {R, Vector::Zero()}, 0.1);
        EXPECT_FALSE(contacts.empty()) << a << " " << b << " " << k;
        expect_sound(contacts, 0.1, std::to_string(a) + " " + std::to_string(b));
        for (const Contact& c : contacts)
          if (c.gap == least_gap(contacts)) {
            EXPECT_LT(c.gap, 0) << a << " " << b << " " << k;
          }
      }
}

TEST(Degenerate, AnyOverlapAndAnyAspectRatio) {
  Random random(2);
  for (int a = 0; a < kinds; ++a)
    for (int b = 0; b < kinds; ++b)
      for (int k = 0; k < 60; ++k) {
        const Shape first = extreme_shape(a, random), second = extreme_shape(b, random);
        const auto prepared_a = prepare(first), prepared_b = prepare(second);
        const double size = std::min(prepared_a->size(), prepared_b->size()), reach = 0.1 * size;
        Placement at_a{random_rotation(random), Vector::Zero()},
            at_b{k % 4 ? random_rotation(random) : at_a.F, Vector::Zero()};
        at_b.c = std::max(prepared_a->size(), prepared_b->size()) * random.uniform(0, 0.6) *
                 random_direction(random);
        if (k % 5 == 0)
          for (double& entry : at_b.F.reshaped()) entry += 0.2 * random.uniform(-1, 1);
        if (at_b.F.determinant() <= 0.01) continue;
        expect_sound(contacts_of(prepared_a, at_a, prepared_b, at_b, reach), reach,
                     shape_name(first) + " " + shape_name(second) + " " + std::to_string(k));
      }
}

/// Blocks of a grid that hardly deform: what held them apart in the last step were edges, and a face does it nearly as well.
TEST(Degenerate, BlocksThatLieDiagonallyAfterTheirEdgesTouched) {
  Random random(3);
  std::vector<Placement> deformed(2);
  deformed[0].F << 1.0000000425, 0, 3.832144469e-07, 0, 1.0000000425, 3.832144466e-07, -3.321410296e-07,
      -3.321410293e-07, 0.9999997872;
  deformed[1].F << 1.0000000709, 0, 6.386911336e-07, 0, 1.0000000709, 6.386911362e-07, -5.535687648e-07,
      -5.535687680e-07, 0.9999996453;
  deformed[1].c = Vector(0.099999962038532, 0.099999961649254, -0.099999962331508);
  for (int k = 0; k < 2'000; ++k) {
    Detector detector;
    for (int b = 0; b < 2; ++b) detector.add(prepare(Box{0.1, 0.1, 0.1}), Mobility::moving);
    std::vector<Placement> before = deformed;
    for (int c = 0; c < 9; ++c) before[1].F(c / 3, c % 3) += 0.05 * random.normal();
    before[1].c += 0.002 * Vector(random.normal(), random.normal(), random.normal());
    const std::vector<double> reach(2, 0.001);
    detector.detect(before, reach);
    const auto contacts = detector.detect(deformed, reach);
    expect_sound({contacts.begin(), contacts.end()}, 0.002, std::to_string(k));
  }
}

TEST(Degenerate, AlignedBodiesThatJustTouch) {
  // Axes along each other, distances of exactly nothing, at scales from a micrometre to a thousand kilometres.
  for (const double scale : {1e-6, 1e-3, 1.0, 1e6})
    for (int a = 0; a < kinds; ++a)
      for (int b = 0; b < kinds; ++b) {
        const auto unit = [&](int kind) -> Shape {
          switch (kind) {
            case 0:
              return Sphere{0.5 * scale};
            case 1:
              return Ellipsoid{{0.5 * scale, 0.5 * scale, 0.5 * scale}};
            case 2:
              return Capsule{0.25 * scale, 0.5 * scale};
            case 3:
              return Cylinder{0.5 * scale, scale};
            case 4:
              return Box{scale, scale, scale};
            default: {
              Convex cube;
              for (int k = 0; k < 8; ++k)
                cube.points.push_back({(k & 1 ? 0.5 : -0.5) * scale, (k & 2 ? 0.5 : -0.5) * scale,
                                       (k & 4 ? 0.5 : -0.5) * scale});
              return cube;
            }
          }
        };
        for (const Vector& direction : {Vector(0, 0, 1), Vector(0, 0, -1)}) {
          const auto contacts =
              contacts_of(unit(a), {}, unit(b), {Matrix::Identity(), scale * direction}, 0.01 * scale);
          ASSERT_FALSE(contacts.empty()) << a << " " << b;
          expect_sound(contacts, 0.01 * scale, std::to_string(a) + " " + std::to_string(b));
          for (const Contact& c : contacts) {
            EXPECT_NEAR(c.gap, 0, 1e-12 * scale) << a << " " << b;
            EXPECT_NEAR((c.normal - direction).norm(), 0, 1e-9) << a << " " << b;
          }
        }
      }
}

/// Capsules of one length side by side touch at both ends, whatever rounding says of where the ends lie.
TEST(Degenerate, EqualCapsulesSideBySideTouchAtBothEnds) {
  Random random(11);
  for (int k = 0; k < 500; ++k) {
    const auto capsule = prepare(Capsule{0.1, random.uniform(0.2, 2)});
    Placement a{random_rotation(random), Vector::Zero()}, b = a;
    a.c = random.uniform(0, 10) * random_direction(random);
    b.c = a.c + 0.2 * a.F.col(0);
    const double reach = 1e-3;
    EXPECT_EQ(contacts_of(capsule, a, capsule, b, reach).size(), 2u) << k;
  }
}

TEST(Degenerate, LongRodsAcrossEachOther) {
  // A thousand times as long as thick, crossed at all angles down to nothing: the gap is exact.
  for (const double angle : {90.0, 10.0, 1.0, 0.1, 1e-3, 1e-6, 0.0})
    for (const double gap : {1e-6, 0.0, -1e-6}) {
      const Matrix R = rotation({0, 0, 1}, angle);
      EXPECT_NEAR(
          least_gap(contacts_of(Box{1, 1e-3, 1e-3}, {}, Box{1, 1e-3, 1e-3}, {R, {0, 0, 1e-3 + gap}}, 1e-5)),
          gap, 1e-15)
          << angle;
      const Matrix lying = rotation({0, 1, 0}, 90);
      // Crossed at less than 1e-8 of their length they count as parallel: then the ends of the common stretch are left.
      EXPECT_NEAR(least_gap(contacts_of(Capsule{0.5e-3, 1}, {lying, Vector::Zero()}, Capsule{0.5e-3, 1},
                                        {R * lying, {0, 0, 1e-3 + gap}}, 1e-5)),
                  gap, 1e-13)
          << angle;
      EXPECT_NEAR(least_gap(contacts_of(Cylinder{0.5e-3, 1}, {lying, Vector::Zero()}, Cylinder{0.5e-3, 1},
                                        {R * lying, {0, 0, 1e-3 + gap}}, 1e-5)),
                  gap, 1e-12)
          << angle;
    }
}

}  // namespace
}  // namespace stickslip::tests
