// Convex hulls: their faces, their corners, and points in special position.
#include "dynamics/shapes/hull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.hpp"
#include "dynamics/shapes/orientation.hpp"
#include "problems/refused.hpp"

namespace stickslip::tests {
namespace {

using namespace stickslip::internal;

/// Euler's formula, all points inside, and outward normals.
void expect_hull(const Polyhedron& hull, const std::vector<Point>& points, double slack) {
  EXPECT_EQ(int(hull.corners.size()) - int(hull.edges.size()) + hull.face_count(), 2);
  for (int f = 0; f < hull.face_count(); ++f) {
    EXPECT_GT(hull.offsets[f], hull.normals[f].dot(hull.centre));
    for (const Point& p : points) EXPECT_LE(hull.normals[f].dot(vector(p)), hull.offsets[f] + slack);
  }
  for (const auto& edge : hull.edges) EXPECT_NE(edge.face[0], edge.face[1]);
}

TEST(Hull, OfABrickHasSixFaces) {
  Random random(1);
  for (int k = 0; k < 100; ++k) {
    const Matrix R =
        k == 0 ? Matrix(Matrix::Identity())
               : Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal())
                     .normalized()
                     .toRotationMatrix();
    std::vector<Point> points;
    for (int c = 0; c < 8; ++c)
      points.push_back(
          point(R * Vector(c & 1 ? 2 : -2, c & 2 ? 0.1 : -0.1, c & 4 ? 1 : -1) + Vector(3, 4, 5)));
    // Points within faces, edges and the body change nothing; nor do points that are given twice.
    points.push_back(point(R * Vector(1, 0.1, 0.3) + Vector(3, 4, 5)));
    points.push_back(point(R * Vector(2, 0.1, 0.3) + Vector(3, 4, 5)));
    points.push_back({3, 4, 5});
    points.push_back(points[2]);
    const Polyhedron hull = convex_hull(points, "convex");
    EXPECT_EQ(hull.corners.size(), 8u) << k;
    EXPECT_EQ(hull.face_count(), 6) << k;
    expect_hull(hull, points, 1e-14);
  }
}

TEST(Hull, OfRandomPointsHoldsThemAll) {
  Random random(2);
  for (const int n : {4, 5, 10, 100, 2000}) {
    std::vector<Point> points;
    for (int k = 0; k < n; ++k)
      points.push_back({random.normal(), 3 * random.normal(), 0.1 * random.normal()});
    expect_hull(convex_hull(points, "convex"), points,
                1e-6);  // corners that bulge by less than 1e-7 of the size may be lost
  }
}

TEST(Hull, OfPointsOnASphereHasThemAllAsCorners) {
  Random random(3);
  std::vector<Point> points;
  for (int k = 0; k < 500; ++k)
    points.push_back(point(Vector(random.normal(), random.normal(), random.normal()).normalized()));
  const Polyhedron hull = convex_hull(points, "convex");
  EXPECT_EQ(hull.corners.size(), 500u);
  EXPECT_EQ(hull.face_count(), 996);  // triangles: 2n − 4
}

TEST(Hull, OfAGridIsABox) {
  std::vector<Point> points;
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j)
      for (int k = 0; k < 7; ++k) points.push_back({0.1 * i, 0.1 * j, 0.1 * k});
  const Polyhedron hull = convex_hull(points, "convex");
  EXPECT_EQ(hull.corners.size(), 8u);
  EXPECT_EQ(hull.face_count(), 6);
}

TEST(Hull, OfPrismsAndRegularSolidsHasWholeFaces) {
  std::vector<Point> prism;
  for (int k = 0; k < 32; ++k)
    for (const double z : {0.0, 1.0})
      prism.push_back({std::cos(2 * M_PI * k / 32), std::sin(2 * M_PI * k / 32), z});
  EXPECT_EQ(convex_hull(prism, "convex").face_count(), 34);
  const double g = (1 + std::sqrt(5)) / 2;
  std::vector<Point> dodecahedron;
  for (const double s : {-1.0, 1.0})
    for (const double t : {-1.0, 1.0}) {
      for (const double u : {-1.0, 1.0}) dodecahedron.push_back({s, t, u});
      dodecahedron.push_back({0, s / g, t * g});
      dodecahedron.push_back({s / g, t * g, 0});
      dodecahedron.push_back({t * g, 0, s / g});
    }
  const Polyhedron solid = convex_hull(dodecahedron, "convex");
  EXPECT_EQ(solid.face_count(), 12);
  for (int f = 0; f < 12; ++f) EXPECT_EQ(solid.face(f).size(), 5u);
}

TEST(Hull, TakesFlatFacesFromRoundedCoordinates) {
  // A voussoir with coordinates rounded to single precision, as files have them.
  std::vector<Point> points;
  for (const double r : {1.0, 1.1})
    for (const double angle : {0.3, 0.4})
      for (const double y : {0.0, 0.25})
        points.push_back(
            {double(float(r * std::cos(angle))), double(float(y)), double(float(r * std::sin(angle)))});
  EXPECT_EQ(convex_hull(points, "convex").face_count(), 6);
}

TEST(Hull, OfThinPlatesKeepsBothSides) {
  for (const double thickness : {1e-2, 1e-4, 1e-5}) {
    std::vector<Point> points;
    for (int c = 0; c < 8; ++c)
      points.push_back({c & 1 ? 1.0 : 0.0, c & 2 ? 1.0 : 0.0, c & 4 ? thickness : 0});
    EXPECT_EQ(convex_hull(points, "convex").face_count(), 6) << thickness;
  }
}

TEST(Hull, RefusesPointsWithoutVolume) {
  EXPECT_EQ(refusal([] {
              check_shape(Convex{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}});
            }),
            "convex: 3 points, at least 4 are needed");
  EXPECT_EQ(refusal([] {
              check_shape(Convex{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}});
            }),
            "convex: the points have no volume, all lie in one plane");
  EXPECT_EQ(refusal([] {
              check_shape(Convex{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}});
            }),
            "convex: the points have no volume, all lie in one plane");
}

TEST(Orientation, IsExactWhereDoublesFail) {
  // Four points in a plane far from the origin, one of them moved by the last bit.
  const Vector a(0.1, 0.2, 1e6), b(0.7, 0.3, 1e6), c(0.4, 0.9, 1e6);
  Vector d(0.5, 0.5, 1e6);
  EXPECT_EQ(orientation(a, b, c, d), 0);
  d.z() = std::nextafter(1e6, 2e6);
  EXPECT_EQ(orientation(a, b, c, d), 1);
  d.z() = std::nextafter(1e6, 0);
  EXPECT_EQ(orientation(a, b, c, d), -1);
  // Antisymmetric for points in general position, however near they are to a plane.
  Random random(5);
  for (int k = 0; k < 1000; ++k) {
    Vector p[4];
    for (Vector& x : p) x = Vector(random.normal(), random.normal(), 1e-17 * random.normal() + 1);
    EXPECT_EQ(orientation(p[0], p[1], p[2], p[3]), -orientation(p[1], p[0], p[2], p[3]));
    EXPECT_EQ(orientation(p[0], p[1], p[2], p[3]), orientation(p[1], p[2], p[0], p[3]));
    EXPECT_EQ(orientation(p[0], p[1], p[2], p[3]), -orientation(p[0], p[1], p[3], p[2]));
  }
}

}  // namespace
}  // namespace stickslip::tests
