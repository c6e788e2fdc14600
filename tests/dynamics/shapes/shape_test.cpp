// Shapes as values: what is refused, bounds, supports, sizes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "dynamics/shapes/mesh_surface.hpp"
#include "dynamics/shapes/prepared_shape.hpp"
#include "problems/refused.hpp"

namespace stickslip::tests {
namespace {

using namespace stickslip::internal;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

TEST(Shape, RefusalsNameTheShapeTheValueAndTheRule) {
  EXPECT_EQ(refusal([] { check_shape(Sphere{-1}); }), "sphere: radius is -1, it must be positive");
  EXPECT_EQ(refusal([] { check_shape(Sphere{nan}); }), "sphere: radius is nan, it must be a finite number");
  EXPECT_EQ(refusal([] { check_shape(Box{1, 0, 1}); }), "box: edge y is 0, it must be positive");
  EXPECT_EQ(refusal([] { check_shape(Capsule{1, -1}); }), "capsule: length is -1, it must not be negative");
  EXPECT_EQ(refusal([] {
              check_shape(Ellipsoid{{1, infinity, 1}});
            }),
            "ellipsoid: a radius is inf, it must be a finite number");
  EXPECT_EQ(refusal([] { check_shape(Plane{{0, 0, 0}}); }), "plane: the normal is zero");
  EXPECT_EQ(refusal([] {
              check_shape(Pipe{1, 0.5, 1, 8});
            }),
            "pipe: inner radius 1 must be less than outer radius 0.5");
  EXPECT_EQ(refusal([] { check_shape(Pipe{1, 2, 1, 2}); }), "pipe: 2 pieces, from 3 to 4096 are possible");
  EXPECT_EQ(refusal([] { check_shape(Compound{}); }), "compound: no parts");
  EXPECT_EQ(refusal([] { check_shape(Compound{{{Plane{}}}}); }),
            "compound: part 0: a plane cannot be part of a compound");
  EXPECT_EQ(refusal([] {
              check_shape(Compound{{{Sphere{}}, {Box{1, 1, -2}}}});
            }),
            "compound: part 1: box: edge z is -2, it must be positive");
  EXPECT_EQ(refusal([] {
              check_shape(Mesh{{{0, 0, 0}}, {{0, 1, 2}}});
            }),
            "mesh: triangle 0 names vertex 1, there are 1 (counted from 0)");
  EXPECT_EQ(refusal([] { check_shape(Mesh{}); }), "mesh: no triangles");
  EXPECT_EQ(refusal([] {
              check_shape(Convex{{{0, 0, nan}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
            }),
            "convex: point 0 is (0, 0, nan), coordinates must be finite");
}

TEST(Shape, FacesWithVerticesOfTheirOwnAreOneSurface) {
  // Two triangles side by side: sharing two vertices, or with three each, as many programs write them.
  const Mesh shared{.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                    .triangles = {{0, 1, 2}, {0, 2, 3}}};
  const Mesh split{.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-0.0, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                   .triangles = {{0, 1, 2}, {3, 4, 5}}};
  const internal::MeshSurface a = internal::make_mesh_surface(shared), b = internal::make_mesh_surface(split);
  EXPECT_EQ(a.neighbour, b.neighbour);
  EXPECT_EQ(a.patch, b.patch);
  EXPECT_EQ(b.patch, (std::vector<int>{0, 0}));
}

TEST(Shape, KindsHaveTheWordsOfScenes) {
  EXPECT_EQ(kind_name(Box{}), "box");
  EXPECT_EQ(kind_name(Compound{}), "compound");
}

std::vector<Shape> all_shapes() {
  Compound compound;
  compound.parts.push_back({Box{1, 0.2, 0.3}, {0.5, 0, 0}, {0.9, 0.1, 0.2, 0.3}});
  compound.parts.push_back({Sphere{0.4}, {-0.5, 0.1, 0}});
  return {Sphere{0.7},        Ellipsoid{{0.3, 0.5, 0.9}},
          Capsule{0.3, 1},    Cylinder{0.4, 1.2},
          Box{0.3, 0.5, 0.9}, Convex{{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}}},
          Pipe{0.8, 1, 2, 7}, compound};
}

TEST(Shape, BoundsAreSupportsAlongTheAxes) {
  Random random(1);
  for (const Shape& shape : all_shapes()) {
    const PreparedShape prepared(shape);
    for (int k = 0; k < 20; ++k) {
      Placement at{Matrix::Identity(), {random.normal(), random.normal(), random.normal()}};
      for (double& entry : at.F.reshaped()) entry += 0.3 * random.uniform(-1, 1);
      const Bounds b = prepared.bounds(at);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(prepared.support(at, Vector::Unit(axis))[axis], b.high[axis], 1e-14) << kind_name(shape);
        EXPECT_NEAR(prepared.support(at, -Vector::Unit(axis))[axis], b.low[axis], 1e-14) << kind_name(shape);
      }
    }
  }
}

TEST(Shape, SizeIsTwiceTheFarthestPoint) {
  EXPECT_DOUBLE_EQ(PreparedShape(Sphere{0.5}).size(), 1);
  EXPECT_DOUBLE_EQ(PreparedShape(Box{1, 2, 2}).size(), 3);
  EXPECT_DOUBLE_EQ(PreparedShape(Capsule{0.5, 2}).size(), 3);
  EXPECT_EQ(PreparedShape(Plane{}).size(), infinity);
  EXPECT_DOUBLE_EQ(PreparedShape(Box{1, 0.1, 2}).thickness(), 0.1);
  EXPECT_NEAR(PreparedShape(Pipe{0.9, 1, 2, 64}).thickness(), 0.0978, 1e-3);  // a pinch less than the wall
  for (const Shape& shape : all_shapes()) {
    const PreparedShape prepared(shape);
    const Vector centre = vector(prepared.mass().centre);
    Random random(2);
    for (int k = 0; k < 200; ++k) {
      const Vector d(random.normal(), random.normal(), random.normal());
      EXPECT_LE(2 * (prepared.support({}, d) - centre).norm(), prepared.size() * (1 + 1e-14))
          << kind_name(shape);
    }
  }
}

TEST(Shape, APlaneNeedsNoUnitNormal) {
  const PreparedShape plane(Plane{{0, 0, 2}, 3});
  EXPECT_TRUE(plane.is_obstacle());
}

}  // namespace
}  // namespace stickslip::tests
