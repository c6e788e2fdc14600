// Along paths: gaps are continuous, keys stay, pegs go into their holes.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "dynamics/detection/slow.hpp"

namespace stickslip::tests {
namespace {

class Paths : public testing::TestWithParam<std::tuple<int, int>> {};

std::string pair_name(const testing::TestParamInfo<Paths::ParamType>& info) {
  constexpr const char* names[] = {"sphere", "ellipsoid", "capsule", "cylinder", "box", "convex"};
  return std::string(names[std::get<0>(info.param)]) + "_" + names[std::get<1>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(All, Paths, testing::Combine(testing::Range(0, kinds), testing::Range(0, kinds)),
                         pair_name);

TEST_P(Paths, GapsFollowTheMotion) {
  // b turns and slides over a, now apart, now overlapping a little. The least gap may change by no more than the farthest
  // point of b has moved. Where corners, edges and rims point at each other there is no contact until they touch: what is left
  // then is not the distance, and is not compared.
  const auto [kind_a, kind_b] = GetParam();
  Random random(std::uint64_t(1 + kind_a + 10 * kind_b));
  int steps = 0, kept = 0, keys = 0;
  for (int path = 0; path < 6; ++path) {
    const Shape a = random_shape(kind_a, random), b = random_shape(kind_b, random);
    const auto prepared_a = prepare(a), prepared_b = prepare(b);
    // Near each other at the start.
    Placement start{random_rotation(random), Vector::Zero()};
    const Vector from = random_direction(random), axis = random_direction(random);
    start.c = (1 - slow_separation(a, {}, b, start, from)) * from + 0.3 * random.normal() * from.cross(axis);
    Vector n;
    const double distance = slow_distance(a, {}, b, start, &n);
    start.c += (0.005 - distance) * n;
    const Vector sideways = n.cross(random_direction(random));
    std::vector<Contact> before;
    double last = 0;
    bool had = false;
    Placement at_before;
    const double size = prepared_b->size();
    for (int k = 0; k < 300; ++k) {
      const double t = k / 300.0;
      const Placement at{rotation(axis, 4 * t) * start.F,
                         start.c + 0.1 * t * sideways + 0.01 * std::sin(12 * t) * n};
      const auto contacts = contacts_of(prepared_a, {}, prepared_b, at, 0.15);
      const double gap = least_gap(contacts);
      const double moved = (at.c - at_before.c).norm() + (at.F - at_before.F).norm() * size;
      // Whether the least gap is the separation of the whole bodies along its normal.
      bool has = false;
      for (const Contact& c : contacts)
        has = has || (c.gap == gap && std::abs(gap - slow_separation(a, {}, b, at, c.normal)) < 1e-9);
      if (had && has) {
        ++steps;
        // Normals of bodies that overlap may turn over: by less than the overlap.
        const double slack = kind_a >= 3 && kind_b >= 3 ? std::max(0.0, -std::min(gap, last)) : 0;
        EXPECT_LE(std::abs(gap - last), 1.01 * moved + slack + 1e-12) << path << " " << k;
        std::set<std::uint64_t> known;
        for (const Contact& c : before) known.insert(c.key);
        for (const Contact& c : contacts)
          if (c.gap < 0.01) ++keys, kept += int(known.count(c.key));
      }
      had = has;
      last = gap;
      before = contacts;
      at_before = at;
    }
  }
  EXPECT_GT(steps, kind_a >= 3 && kind_b >= 3 ? 300 : 1500);
  // Keys change where corners pass edges: a few times on a path of 300 steps.
  EXPECT_GT(kept, 0.95 * keys);
}

TEST(Keys, StayWhileABoxSlidesOverAFace) {
  const auto floor = prepare(Box{4, 4, 1}), box = prepare(Box{1, 0.5, 0.25});
  std::vector<std::uint64_t> expected;
  for (int k = 0; k < 200; ++k) {
    const Placement at{rotation({0, 0, 1}, 0.4 * k), {-1 + 0.01 * k, 0.3, 0.625 + 1e-9 * std::sin(k)}};
    const auto contacts = contacts_of(floor, {}, box, at, 1e-3);
    ASSERT_EQ(contacts.size(), 4u);
    if (k == 0)
      for (const Contact& c : contacts) expected.push_back(c.key);
    for (int c = 0; c < 4; ++c) EXPECT_EQ(contacts[c].key, expected[c]) << k;
  }
}

TEST(Keys, DifferBetweenPairsOfShapes) {
  Detector detector;
  const auto box = prepare(Box{1, 1, 1});
  std::vector<Placement> placements;
  for (int k = 0; k < 300; ++k) {
    detector.add(box, Mobility::moving);
    placements.push_back({Matrix::Identity(), Vector(k % 10, k / 10 % 10, k / 100)});
  }
  const std::vector<double> reach(300, 1e-3);
  std::set<std::uint64_t> keys;
  const auto contacts = detector.detect(placements, reach);
  for (const Contact& c : contacts) keys.insert(c.key);
  EXPECT_EQ(keys.size(), contacts.size());
}

TEST(Peg, WithAMillionthOfItsRadiusToSpareSlidesIn) {
  // A round peg in a pipe of 32 pieces: the hole is a polygon, its faces at inner·cos(π/32) from the axis.
  constexpr int pieces = 32;
  const double inner = 1, radius = inner * std::cos(M_PI / pieces) * (1 - 1e-6),
               clearance = inner * std::cos(M_PI / pieces) - radius;
  const auto pipe = prepare(Pipe{inner, 1.2, 1, pieces}), peg = prepare(Cylinder{radius, 1});
  // The lower end of the peg is at z above the upper end of the pipe: nothing may hold it up.
  for (const double z :
       {1e-2, 1e-4, 1e-6, 1e-8, -1e-8, -1e-6, -1e-5, -3e-5, -1e-4, -1e-3, -0.3, -0.999, -1.0, -1.3}) {
    const auto contacts = contacts_of(pipe, {}, peg, {Matrix::Identity(), {0, 0, 1 + z}}, 0.02);
    for (const Contact& c : contacts) {
      EXPECT_NEAR(c.normal.z(), 0, 1e-9) << z;
      EXPECT_NEAR(c.gap, clearance, 1e-12) << z;
    }
    if (z <= -1e-3 && z >= -1.0) {
      EXPECT_EQ(contacts.size(), 2u * pieces) << z;
    }
  }
}

TEST(Peg, SquareInASquareHole) {
  // Four fixed blocks leave a hole of width 1; the peg is a millionth of its half width smaller on each side.
  Detector detector;
  std::vector<Placement> placements;
  const auto block = prepare(Box{1, 3, 1}), other = prepare(Box{1, 1, 1}),
             peg = prepare(Box{1 - 1e-6, 1 - 1e-6, 1});
  for (const double x : {-1.0, 1.0}) {
    detector.add(block, Mobility::obstacle);
    placements.push_back({Matrix::Identity(), {x, 0, 0}});
    detector.add(other, Mobility::obstacle);
    placements.push_back({Matrix::Identity(), {0, x, 0}});
  }
  detector.add(peg, Mobility::moving);
  placements.push_back({});
  const std::vector<double> reach(5, 0.01);
  for (const double z : {1e-2, 1e-5, 1e-7, -1e-7, -1e-6, -1e-5, -3e-5, -1e-4, -2e-4, -1e-3, -0.5}) {
    placements.back().c.z() = 1 + z;
    for (const Contact& c : detector.detect(placements, reach)) {
      EXPECT_NEAR(c.normal.z(), 0, 1e-12) << z;
      EXPECT_NEAR(c.gap, 0.5e-6, 1e-14) << z;
    }
  }
}

TEST(Peg, BesideAFaceNothingOverlaps) {
  // A body beside the face x = 1 of a cube, a little away from it, that reaches past the edges of the face by as little: whatever touches does so
  // across the face. Once the copies between which directions are taken overlap less than they are shrunk, edges would hold it up.
  Random random(5);
  const auto cube = prepare(Box{2, 2, 2});
  const std::vector<Point> corners = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  for (int k = 0; k < 3000; ++k) {
    const double away = std::pow(10, random.uniform(-8, -3)), past = std::pow(10, random.uniform(-6, -2));
    const Shape shapes[] = {Box{2, 2, 2}, Convex{corners}, Cylinder{1, 2}};
    // Turned about x the cylinder would no longer lie along the face by a generator.
    const Matrix turn = k % 3 == 2 ? Matrix::Identity() : rotation(Vector::UnitX(), random.uniform(-1, 1));
    // Its lowest point along z by `past` below the upper edge, anywhere along y.
    const double half = k % 3 == 2 ? 1 : std::abs(turn(2, 1)) + std::abs(turn(2, 2));
    const Vector at(2 + away, random.uniform(-0.9, 0.9), 1 + half - past);
    for (const Contact& c : contacts_of(cube, {}, prepare(shapes[k % 3]), {turn, at}, 1e-2)) {
      EXPECT_GE(c.gap, -1e-12) << k << ": away " << away << ", past " << past;
      EXPECT_GT(c.normal.x(), 0.999) << k << ": away " << away << ", past " << past << ", gap " << c.gap;
    }
  }
}

TEST(Boxes, AreFoundAsTheHullsOfTheirCorners) {
  // Boxes have a short cut; the hull of the same corners does not.
  const auto hull = [](const Box& box) {
    Convex convex;
    for (int k = 0; k < 8; ++k)
      convex.points.push_back(
          {(k & 1 ? 0.5 : -0.5) * box.x, (k & 2 ? 0.5 : -0.5) * box.y, (k & 4 ? 0.5 : -0.5) * box.z});
    return convex;
  };
  Random random(9);
  int compared = 0;
  for (int k = 0; k < 600; ++k) {
    const Box a{random.uniform(0.5, 1.5), random.uniform(0.5, 1.5), random.uniform(0.5, 1.5)},
        b{random.uniform(0.5, 1.5), random.uniform(0.5, 1.5), random.uniform(0.5, 1.5)};
    // From flat on each other to any angle.
    const double tilt = k % 3 == 0 ? 1e-8 : k % 3 == 1 ? 3 : 180;
    Placement at{rotation(random_direction(random), tilt * random.uniform()) *
                     rotation({0, 0, 1}, random.uniform(0, 360)),
                 Vector::Zero()};
    const Vector u = k % 3 == 2 ? random_direction(random) : Vector(0, 0, 1);
    at.c = 0.3 * Vector(random.normal(), random.normal(), 0);
    at.c += (random.uniform(-1e-3, 1e-3) - slow_separation(a, {}, b, at, u)) * u;
    const auto boxes = contacts_of(a, {}, b, at, 0.1), hulls = contacts_of(hull(a), {}, hull(b), at, 0.1);
    // The axis of hulls that overlap more than their copies is the same; where several faces or edges are as near it is not.
    if (boxes.size() != hulls.size()) continue;
    ++compared;
    for (const Contact& c : boxes) {
      const auto same = [&](const Contact& d) {
        return (c.point_a - d.point_a).norm() + (c.point_b - d.point_b).norm() +
                   (c.normal - d.normal).norm() <
               1e-6;
      };
      EXPECT_TRUE(std::any_of(hulls.begin(), hulls.end(), same)) << k;
    }
  }
  EXPECT_GT(compared, 570);
}

}  // namespace
}  // namespace stickslip::tests
