// Mass properties against closed forms, against other ways to cut the same body, and against sampling.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "dynamics/shapes/moments.hpp"
#include "dynamics/shapes/prepared_shape.hpp"
#include "problems/refused.hpp"

namespace stickslip::tests {
namespace {

using namespace stickslip::internal;

void expect_same(const MassProperties& a, const MassProperties& b, double relative) {
  const double length = std::cbrt(a.volume);
  EXPECT_NEAR(a.volume, b.volume, relative * a.volume);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a.centre[k], b.centre[k], relative * length);
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_NEAR(a.euler[k], b.euler[k], relative * a.volume * length * length) << k;
    EXPECT_NEAR(a.inertia[k], b.inertia[k], relative * a.volume * length * length) << k;
  }
}

TEST(Mass, OfABoxFollowsTheTextbook) {
  const MassProperties mass = mass_properties(Box{0.1, 0.2, 0.3});
  EXPECT_DOUBLE_EQ(mass.volume, 0.006);
  // J = m (y² + z²)/12 about x, E = m x²/12 along x.
  EXPECT_DOUBLE_EQ(mass.inertia[0], 0.006 * (0.04 + 0.09) / 12);
  EXPECT_DOUBLE_EQ(mass.inertia[4], 0.006 * (0.01 + 0.09) / 12);
  EXPECT_DOUBLE_EQ(mass.inertia[8], 0.006 * (0.01 + 0.04) / 12);
  EXPECT_DOUBLE_EQ(mass.euler[0], 0.006 * 0.01 / 12);
}

TEST(Mass, OfRoundShapesFollowsTheTextbook) {
  const MassProperties ball = mass_properties(Sphere{2});
  EXPECT_DOUBLE_EQ(ball.volume, 4 * M_PI / 3 * 8);
  EXPECT_DOUBLE_EQ(ball.inertia[0], 0.4 * ball.volume * 4);
  const MassProperties rod = mass_properties(Cylinder{0.5, 3});
  EXPECT_DOUBLE_EQ(rod.inertia[8], rod.volume * 0.25 / 2);
  EXPECT_NEAR(rod.inertia[0], rod.volume * (3 * 0.25 + 9) / 12, 1e-14);
  // A capsule without length is a ball; the volume of any is that of both parts.
  expect_same(mass_properties(Capsule{0.7, 0}), mass_properties(Sphere{0.7}), 1e-15);
  EXPECT_DOUBLE_EQ(mass_properties(Capsule{0.5, 2}).volume, M_PI * 0.25 * 2 + 4 * M_PI / 3 * 0.125);
}

/// Mean values over points of the bounding box that lie inside.
template <class Inside>
MassProperties sampled(const Shape& shape, Inside&& inside) {
  const auto [low, high] = bounds(shape);
  Random random(3);
  double volume = 1;
  for (std::size_t k = 0; k < 3; ++k) volume *= high[k] - low[k];
  constexpr int n = 400000;
  int hits = 0;
  Vector sum = Vector::Zero();
  Matrix second = Matrix::Zero();
  for (int k = 0; k < n; ++k) {
    const Vector x(random.uniform(low[0], high[0]), random.uniform(low[1], high[1]),
                   random.uniform(low[2], high[2]));
    if (!inside(x)) continue;
    ++hits;
    sum += x;
    second += x * x.transpose();
  }
  const Vector centre = sum / hits;
  return mass_properties_from(
      {volume * hits / n, centre, volume / n * (second - hits * centre * centre.transpose())});
}

TEST(Mass, AgreesWithSampling) {
  // 4e5 samples: relative errors of 1e-3 and some.
  expect_same(
      sampled(Capsule{0.3, 0.8},
              [](const Vector& x) { return (x - Vector(0, 0, std::clamp(x.z(), -0.4, 0.4))).norm() < 0.3; }),
      mass_properties(Capsule{0.3, 0.8}), 0.01);
  expect_same(sampled(Ellipsoid{{0.3, 0.5, 0.8}},
                      [](const Vector& x) { return x.cwiseQuotient(Vector(0.3, 0.5, 0.8)).norm() < 1; }),
              mass_properties(Ellipsoid{{0.3, 0.5, 0.8}}), 0.01);
  const Convex wedge{{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
  expect_same(
      sampled(wedge, [](const Vector& x) { return x.minCoeff() > 0 && x.x() + x.y() / 2 + x.z() / 3 < 1; }),
      mass_properties(wedge), 0.01);
}

TEST(Mass, OfATetrahedronIsExact) {
  // Unit tetrahedron: V = 1/6, centre ¼, ∫x² = 1/60, ∫xy = 1/120.
  const MassProperties mass = mass_properties(Convex{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  EXPECT_NEAR(mass.volume, 1.0 / 6, 1e-16);
  EXPECT_NEAR(mass.centre[1], 0.25, 1e-16);
  EXPECT_NEAR(mass.euler[0], 1.0 / 60 - 1.0 / 96, 1e-16);
  EXPECT_NEAR(mass.euler[1], 1.0 / 120 - 1.0 / 96, 1e-16);
}

TEST(Mass, OfTheSamePointsElsewhereIsTheSame) {
  // Turned, far from the origin, and as hull or box.
  Random random(4);
  const Matrix R = Eigen::Quaterniond(0.3, -0.4, 0.5, 0.7).normalized().toRotationMatrix();
  Convex brick;
  for (int k = 0; k < 8; ++k)
    brick.points.push_back(point(R * Vector(k & 1 ? 0.1 : -0.1, k & 2 ? 0.2 : -0.2, k & 4 ? 0.15 : -0.15) +
                                 Vector(50, -30, 20)));
  const MassProperties mass = mass_properties(brick);
  const Moments expected = moved(moments_of(Box{0.2, 0.4, 0.3}), {R, Vector(50, -30, 20)});
  expect_same(mass, mass_properties_from(expected), 1e-12);
}

TEST(Mass, OfAPipeIsThatOfItsPolygons) {
  const MassProperties mass = mass_properties(Pipe{0.8, 1, 2, 24});
  // Regular polygon of n corners on radius r: area n/2 r² sin(2π/n).
  const double area = 12 * std::sin(2 * M_PI / 24) * (1 - 0.64);
  EXPECT_NEAR(mass.volume, 2 * area, 1e-14);
  EXPECT_NEAR(mass.inertia[0], mass.inertia[4], 1e-14);
  EXPECT_NEAR(mass.euler[8], 2 * area * 4 / 12, 1e-14);
}

TEST(Mass, OfACompoundIsTheSumOfItsParts) {
  // A box cut into two halves, one of them as a turned part.
  Compound two;
  two.parts.push_back({Box{0.5, 1, 1}, {-0.25, 0, 0}, {1, 0, 0, 0}});
  two.parts.push_back({Box{1, 0.5, 1}, {0.25, 0, 0}, {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}});
  expect_same(mass_properties(two), mass_properties(Box{1, 1, 1}), 1e-15);
  const Compound nested{{{two, {3, 0, 0}, {2, 0, 0, 0}}}};
  EXPECT_NEAR(mass_properties(nested).centre[0], 3, 1e-15);
}

TEST(Mass, PlanesAndMeshesHaveNone) {
  EXPECT_EQ(refusal([] { mass_properties(Plane{}); }),
            "plane: has no mass; it is for bodies that are fixed or driven");
  const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  EXPECT_EQ(refusal([&] { mass_properties(mesh); }),
            "mesh: has no mass; it is for bodies that are fixed or driven");
}

}  // namespace
}  // namespace stickslip::tests
