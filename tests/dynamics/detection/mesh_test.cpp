// Contacts with meshes: flat floors, hollow troughs, and a cube made of triangles beside a cube.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "dynamics/detection/slow.hpp"

namespace stickslip::tests {
namespace {

/// The square |x|, |y| ≤ half at z = height(x, y), n × n cells of two triangles.
template <class Height>
Mesh terrain(int n, double half, Height&& height) {
  Mesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      const double x = half * (2.0 * i / n - 1), y = half * (2.0 * j / n - 1);
      mesh.vertices.push_back({x, y, height(x, y)});
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 2, d = a + n + 1;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

Mesh cube_mesh(double half) {
  Mesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back({k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half});
  for (const auto& f : {std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}, std::array{0, 1, 5, 4},
                        std::array{2, 6, 7, 3}, std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}}) {
    mesh.triangles.push_back({f[0], f[1], f[2]});
    mesh.triangles.push_back({f[0], f[2], f[3]});
  }
  return mesh;
}

TEST(Mesh, ABallOnAFlatFloorHasOneContactWithOneKey) {
  // Also exactly over sides and corners of triangles.
  const auto floor = prepare(terrain(8, 2, [](double, double) { return 0.0; })), ball = prepare(Sphere{0.5});
  std::uint64_t key = 0;
  Random random(1);
  for (int k = 0; k < 300; ++k) {
    const double grid = 0.5 * double(random.below(7)) - 1.5;
    const Vector at(k % 3 == 0 ? grid : random.uniform(-1.4, 1.4),
                    k % 3 == 1   ? grid
                    : k % 3 == 2 ? random.uniform(-1.4, 1.4)
                                 : grid,
                    0.5);
    const auto contacts = contacts_of(floor, {}, ball, {Matrix::Identity(), at}, 0.1);
    ASSERT_EQ(contacts.size(), 1u) << at.transpose();
    EXPECT_NEAR(contacts[0].gap, 0, 1e-15);
    EXPECT_NEAR((contacts[0].normal - Vector(0, 0, 1)).norm(), 0, 1e-12);
    if (k == 0) key = contacts[0].key;
    EXPECT_EQ(contacts[0].key, key);
  }
}

TEST(Mesh, ABoxOnAFlatFloorStandsOnItsFourCorners) {
  const auto floor = prepare(terrain(8, 3, [](double, double) { return 0.0; })),
             box = prepare(Box{1, 0.7, 0.5});
  Random random(2);
  for (int k = 0; k < 200; ++k) {
    const double turn = k % 4 == 0 ? 0 : random.uniform(0, 360), sink = k % 2 ? 0 : 1e-6;
    const Vector at(k % 4 == 0 ? 0.25 : random.uniform(-1, 1), k % 4 == 0 ? 0.35 : random.uniform(-1, 1),
                    0.25 - sink);
    const auto contacts = contacts_of(floor, {}, box, {rotation({0, 0, 1}, turn), at}, 0.01);
    ASSERT_EQ(contacts.size(), 4u) << k;
    for (const Contact& c : contacts) {
      EXPECT_NEAR(c.gap, -sink, 1e-15);
      EXPECT_NEAR((c.normal - Vector(0, 0, 1)).norm(), 0, 1e-12);
    }
  }
}

TEST(Mesh, EverythingRestsOnAFlatFloorAsOnAPlane) {
  const auto floor = prepare(terrain(6, 4, [](double, double) { return 0.0; })), plane = prepare(Plane{});
  Random random(3);
  for (int kind = 0; kind < kinds; ++kind)
    for (int k = 0; k < 60; ++k) {
      const Shape shape = random_shape(kind, random);
      const auto prepared = prepare(shape);
      Placement at{random_rotation(random), {random.uniform(-1, 1), random.uniform(-1, 1), 0}};
      at.c.z() = random.uniform(-1e-3, 1e-3) - slow_support(shape, at, -Vector::UnitZ()).z();
      const auto on_mesh = contacts_of(floor, {}, prepared, at, 0.05),
                 on_plane = contacts_of(plane, {}, prepared, at, 0.05);
      ASSERT_FALSE(on_mesh.empty()) << kind << " " << k;
      EXPECT_NEAR(least_gap(on_mesh), least_gap(on_plane), 1e-12) << kind << " " << k;
      for (const Contact& c : on_mesh) EXPECT_NEAR(c.normal.z(), 1, 1e-12) << kind << " " << k;
    }
}

TEST(Mesh, ACubeOfTrianglesIsACube) {
  const auto mesh = prepare(cube_mesh(0.5)), box = prepare(Box{1, 1, 1});
  Random random(4);
  for (int kind = 0; kind < kinds; ++kind) {
    int compared = 0;
    for (int k = 0; k < 150; ++k) {
      const Shape shape = random_shape(kind, random);
      const auto prepared = prepare(shape);
      Placement at{.F = random_rotation(random)};
      Vector n;
      const Vector u = random_direction(random);
      at.c = (1 - slow_separation(Box{1, 1, 1}, {}, shape, at, u)) * u;
      const double distance = slow_distance(Box{1, 1, 1}, {}, shape, at, &n);
      at.c += (random.uniform(-1e-3, 0.02) - distance) * n;
      const auto on_mesh = contacts_of(mesh, {}, prepared, at, 0.05),
                 on_box = contacts_of(box, {}, prepared, at, 0.05);
      if (on_box.empty()) continue;
      const Contact& c =
          *std::min_element(on_box.begin(), on_box.end(), [](auto& x, auto& y) { return x.gap < y.gap; });
      // Where corners and rims point at each other there is no one normal: only what is nearest, or overlaps, in a direction
      // of its own is compared.
      if ((c.point_b - c.point_a - c.gap * c.normal).norm() > 1e-12 ||
          std::abs(c.gap - slow_separation(Box{1, 1, 1}, {}, shape, at, c.normal)) > 1e-12)
        continue;
      // Edges that cut into each other by more than 1e-4 may have the normal of a face with a mesh, and another contact is nearest.
      if (kind >= 3 && c.gap < -1e-4) continue;
      ASSERT_FALSE(on_mesh.empty()) << kind << " " << k;
      EXPECT_NEAR(least_gap(on_mesh), least_gap(on_box), kind >= 3 && c.gap < 0 ? 2e-4 : 1e-12)
          << kind << " " << k;
      ++compared;
    }
    EXPECT_GT(compared, 40) << kind;
  }
}

TEST(Mesh, ABallInATroughTouchesFacesOnly) {
  // Half a cylinder of radius 1 along x, hollow side up, 24 facets over the half circle.
  constexpr int facets = 24;
  Mesh trough;
  for (int k = 0; k <= facets; ++k) {
    const double angle = M_PI * k / facets;
    for (const double x : {-1.0, 1.0}) trough.vertices.push_back({x, -std::cos(angle), -std::sin(angle)});
  }
  for (int k = 0; k < facets; ++k) {
    trough.triangles.push_back({2 * k, 2 * k + 1, 2 * k + 3});
    trough.triangles.push_back({2 * k, 2 * k + 3, 2 * k + 2});
  }
  const auto mesh = prepare(trough), ball = prepare(Sphere{0.1});
  const double inner = std::cos(M_PI / facets / 2);  // distance of the facets from the axis
  for (int k = 0; k < 500; ++k) {
    const double angle = M_PI * (0.1 + 0.8 * k / 500.0);
    const Vector down(0, -std::cos(angle), -std::sin(angle));
    const auto contacts =
        contacts_of(mesh, {}, ball, {Matrix::Identity(), Vector((inner - 0.1) * down)}, 0.02);
    ASSERT_FALSE(contacts.empty()) << k;
    // The facet under the ball, and its neighbours within the reach.
    double least = INFINITY;
    for (int f = 0; f < facets; ++f) {
      const double middle = M_PI * (f + 0.5) / facets;
      least = std::min(least, inner - (inner - 0.1) * std::cos(angle - middle) - 0.1);
    }
    EXPECT_NEAR(least_gap(contacts), least, 1e-12) << k;
    for (const Contact& c : contacts) {
      const double direction = std::atan2(c.normal.z(), c.normal.y()) / (M_PI / facets);
      EXPECT_NEAR(direction - std::floor(direction), 0.5, 1e-9)
          << k;  // the normal of a facet, never of a side
      EXPECT_NEAR(c.normal.x(), 0, 1e-12);
    }
  }
}

TEST(Mesh, ABallInATubeStaysInside) {
  // The inside of a tube as a mesh: contacts push inward all round; the same ball outside finds nothing.
  constexpr int facets = 64;
  Mesh tube;
  for (int k = 0; k < facets; ++k)
    for (const double z : {-1.0, 1.0})
      tube.vertices.push_back({std::cos(2 * M_PI * k / facets), std::sin(2 * M_PI * k / facets), z});
  for (int k = 0; k < facets; ++k) {
    const int a = 2 * k, b = 2 * ((k + 1) % facets);
    tube.triangles.push_back({a, a + 1, b + 1});
    tube.triangles.push_back({a, b + 1, b});
  }
  const auto mesh = prepare(tube), ball = prepare(Sphere{0.25});
  Random random(5);
  for (int k = 0; k < 200; ++k) {
    const double angle = random.uniform(0, 2 * M_PI), z = random.uniform(-0.5, 0.5);
    const Vector out(std::cos(angle), std::sin(angle), 0);
    const auto inside =
        contacts_of(mesh, {}, ball, {Matrix::Identity(), Vector(0.75 * out + z * Vector::UnitZ())}, 0.01);
    ASSERT_FALSE(inside.empty());
    for (const Contact& c : inside) EXPECT_LT(c.normal.dot(out), -0.9);
    EXPECT_TRUE(
        contacts_of(mesh, {}, ball, {Matrix::Identity(), Vector(1.25 * out + z * Vector::UnitZ())}, 0.01)
            .empty());
  }
}

TEST(Mesh, ARidgeCarriesABoxByItsEdge) {
  // A roof along x, and a box that lies level on it: the contacts are at the ridge, their normals upright.
  Mesh roof;
  roof.vertices = {{-2, -1, -1}, {2, -1, -1}, {2, 0, 0}, {-2, 0, 0}, {2, 1, -1}, {-2, 1, -1}};
  roof.triangles = {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}};
  const auto contacts =
      contacts_of(roof, {}, Box{1, 0.6, 0.4}, {rotation({0, 0, 1}, 30), {0.1, 0.05, 0.2}}, 0.01);
  ASSERT_EQ(contacts.size(), 2u);
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.gap, 0, 1e-15);
    EXPECT_NEAR((c.normal - Vector(0, 0, 1)).norm(), 0, 1e-12);
    EXPECT_NEAR(c.point_a.y(), 0, 1e-15);
  }
}

TEST(Mesh, MovesAndTurnsAsAWhole) {
  const auto hills =
      prepare(terrain(10, 2, [](double x, double y) { return 0.2 * std::sin(3 * x) * std::cos(2 * y); }));
  Random random(6);
  for (int kind = 0; kind < kinds; ++kind)
    for (int k = 0; k < 20; ++k) {
      const auto shape = prepare(random_shape(kind, random));
      const Placement at{random_rotation(random),
                         {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.3, 1)}};
      const Matrix Q = random_rotation(random);
      const Vector shift(random.normal(), random.normal(), random.normal());
      const auto here = contacts_of(hills, {}, shape, at, 0.05);
      const auto there = contacts_of(hills, {Q, shift}, shape, {Q * at.F, Q * at.c + shift}, 0.05);
      ASSERT_EQ(here.size(), there.size()) << kind << " " << k;
      for (std::size_t i = 0; i < here.size(); ++i) {
        EXPECT_EQ(here[i].key, there[i].key);
        EXPECT_NEAR(here[i].gap, there[i].gap, 1e-9) << kind << " " << k;
      }
    }
}

}  // namespace
}  // namespace stickslip::tests
