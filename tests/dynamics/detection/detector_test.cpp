// The detector as a whole: all pairs found, in order, with the same bits every time.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <set>

#include "base/thread_team.hpp"
#include "dynamics/detection/near_boxes.hpp"
#include "dynamics/detection/slow.hpp"
#include "problems/refused.hpp"

namespace stickslip::tests {
namespace {

using testing::HasSubstr;

bool same_bits(std::span<const Contact> a, std::span<const Contact> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k].a != b[k].a || a[k].b != b[k].b || a[k].key != b[k].key || a[k].gap != b[k].gap ||
        a[k].area != b[k].area || a[k].point_a != b[k].point_a || a[k].point_b != b[k].point_b ||
        a[k].normal != b[k].normal)
      return false;
  return true;
}

struct World {
  Detector detector;
  std::vector<Placement> placements;
  std::vector<double> reach;

  int add(const Shape& shape, Mobility mobility, const Placement& at, double how_far = 0.05) {
    placements.push_back(at);
    reach.push_back(how_far);
    return detector.add(prepare(shape), mobility);
  }
  std::span<const Contact> contacts(ThreadTeam* team = nullptr) {
    return detector.detect(placements, reach, team);
  }
};

/// Shapes of all kinds in a heap on a plane, a mesh and a fixed box.
World heap(int n) {
  World world;
  Random random(5);
  world.add(Plane{{0, 0.1, 1}, -2}, Mobility::obstacle, {});
  world.add(Mesh{{{-3, -3, -1}, {3, -3, -1}, {0, 4, -1.2}}, {{0, 1, 2}}}, Mobility::obstacle, {});
  world.add(Box{0.5, 8, 8}, Mobility::obstacle, {Matrix::Identity(), {-2.5, 0, 0}});
  for (int k = 0; k < n; ++k) {
    Shape shape = random_shape(k % kinds, random);
    if (k % 11 == 0) shape = Pipe{0.3, 0.4, 0.6, 8};
    if (k % 13 == 0) shape = Compound{{{Box{0.5, 0.3, 0.3}, {0.2, 0, 0}}, {Sphere{0.25}, {-0.2, 0, 0}}}};
    Placement at{random_rotation(random),
                 2 * Vector(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))};
    if (k % 7 == 0) at.F *= 1.05;
    world.add(shape, Mobility::moving, at);
  }
  return world;
}

TEST(Detector, FindsAllPairsOfSpheresOfAnySize) {
  Random random(1);
  for (const double smallest : {1.0, 0.1, 1e-3}) {
    World world;
    for (int k = 0; k < 1500; ++k) {
      const double radius = 0.05 * std::exp(random.uniform(std::log(smallest), 0.0));
      const Vector at(random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
      world.add(Sphere{radius}, k % 50 ? Mobility::moving : Mobility::obstacle, {Matrix::Identity(), at},
                0.1 * radius);
    }
    // One that flew away must not matter.
    world.placements[3].c = {1e12, -1e9, 3};
    std::set<std::pair<int, int>> expected, found;
    for (int i = 0; i < 1500; ++i)
      for (int j = i + 1; j < 1500; ++j) {
        if (i % 50 == 0 && j % 50 == 0) continue;
        const double r = world.reach[i] / 0.1 + world.reach[j] / 0.1;
        if ((world.placements[i].c - world.placements[j].c).norm() - r <= world.reach[i] + world.reach[j])
          expected.insert({i, j});
      }
    for (const Contact& c : world.contacts()) found.insert({c.a, c.b});
    EXPECT_GT(expected.size(), 100u);
    EXPECT_EQ(found, expected);
  }
}

TEST(Detector, LooksAtFewPairs) {
  // The number of candidates for each body does not grow with their number.
  const auto ball = prepare(Sphere{0.5});
  for (const int side : {10, 22, 46}) {
    Random random(2);
    World world;
    for (int k = 0; k < side * side * side; ++k) {
      world.placements.push_back(
          {Matrix::Identity(), Vector(k % side, k / side % side, k / side / side) +
                                   0.02 * Vector(random.normal(), random.normal(), random.normal())});
      world.reach.push_back(0.01);
      world.detector.add(ball, Mobility::moving);
    }
    world.contacts();
    EXPECT_LT(double(world.detector.counts().candidates) / (side * side * side), 13)
        << side;  // half of 26 neighbours
  }
}

TEST(Detector, SortsContactsAndTellsTheirKeysApart) {
  World world = heap(150);
  const auto contacts = world.contacts();
  ASSERT_GT(contacts.size(), 200u);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    EXPECT_LT(contacts[k].a, contacts[k].b);
    EXPECT_LE(contacts[k].gap, 0.1);
    if (k == 0) continue;
    const auto order = [](const Contact& c) { return std::tuple(c.a, c.b, c.key); };
    EXPECT_LT(order(contacts[k - 1]), order(contacts[k]));
  }
}

TEST(Detector, GivesTheSameBitsForAnyNumberOfThreadsAndAgain) {
  World world = heap(400);
  const auto first = world.contacts();
  const std::vector<Contact> expected(first.begin(), first.end());
  for (const int threads : {1, 2, 3, 7}) {
    ThreadTeam team(threads);
    World fresh = heap(400);
    EXPECT_TRUE(same_bits(fresh.contacts(&team), expected)) << threads;
  }
}

TEST(Detector, GoesOnWithTheSameBitsFromItsMemory) {
  // Bodies that overlap deeply drift through each other: the chosen axes depend on the past.
  Random random(3);
  World world;
  for (int k = 0; k < 60; ++k)
    world.add(k % 2 ? Shape(Box{1, 0.8, 0.6}) : random_shape(5, random), Mobility::moving,
              {random_rotation(random),
               1.2 * Vector(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))});
  std::vector<Vector> velocity;
  for (int k = 0; k < 60; ++k)
    velocity.push_back(0.01 * Vector(random.normal(), random.normal(), random.normal()));
  const auto move = [&](std::vector<Placement>& placements) {
    for (std::size_t k = 0; k < 60; ++k) placements[k].c += velocity[k];
  };
  for (int step = 0; step < 10; ++step) world.contacts(), move(world.placements);
  const std::vector<std::uint64_t> memory = world.detector.memory();
  EXPECT_GT(memory.size(), 30u);

  Random again(3);
  World other;
  for (int k = 0; k < 60; ++k)
    other.add(
        k % 2 ? Shape(Box{1, 0.8, 0.6}) : random_shape(5, again), Mobility::moving,
        {random_rotation(again), Vector(again.uniform(-1, 1), again.uniform(-1, 1), again.uniform(-1, 1))});
  other.placements = world.placements;
  other.detector.restore(memory);
  bool differs = false;
  World forgetful;
  Random third(3);
  for (int k = 0; k < 60; ++k) {
    forgetful.add(k % 2 ? Shape(Box{1, 0.8, 0.6}) : random_shape(5, third), Mobility::moving, {});
    random_rotation(third);
    for (int i = 0; i < 3; ++i) third.uniform(-1, 1);
  }
  forgetful.placements = world.placements;
  for (int step = 0; step < 5; ++step) {
    const auto expected = world.contacts();
    EXPECT_TRUE(same_bits(expected, other.contacts())) << step;
    differs = differs || !same_bits(expected, forgetful.contacts());
    move(world.placements);
    other.placements = forgetful.placements = world.placements;
  }
  EXPECT_TRUE(differs);  // otherwise the memory was not put to the test
}

TEST(Detector, FindsTheSameWithKeptPairsAsWithNewOnes) {
  // Bodies creep, jump now and then, change their reach; the plane tips once: lists of pairs are kept, widened and made again.
  World kept = heap(150);
  Random random(11);
  for (int step = 0; step < 60; ++step) {
    const double way = step % 20 == 19 ? 0.2 : 0.004;
    for (std::size_t k = 3; k < kept.placements.size(); ++k) {
      kept.placements[k].c += way * Vector(random.normal(), random.normal(), random.normal());
      kept.reach[k] = 0.03 + 0.02 * random.uniform(0, 1);
    }
    if (step == 30) kept.placements[0].F = random_rotation(random);
    World fresh = heap(150);
    fresh.placements = kept.placements;
    fresh.reach = kept.reach;
    fresh.detector.restore(kept.detector.memory());
    const auto expected = fresh.contacts();
    ASSERT_GT(expected.size(), 100u);
    ASSERT_TRUE(same_bits(kept.contacts(), expected)) << step;
    // Bounds are rounded to single precision about another origin: hardly any that just overlap.
    EXPECT_NEAR(double(kept.detector.counts().candidates), double(fresh.detector.counts().candidates), 5)
        << step;
  }
}

/// Which shapes each of some ranks has, as KeptPairs wants it.
std::vector<KeptPairs> shared_out(const World& world, int ranks, const std::function<int(int)>& rank_of) {
  KeptPairs pairs;
  Random random(17);
  for (std::size_t k = 0; k < world.placements.size(); ++k)
    pairs.extent.push_back(k < 3 ? std::numeric_limits<float>::infinity() : float(random.uniform(0.5, 0.9)));
  pairs.mine.resize(pairs.extent.size());
  std::vector<KeptPairs> parts;
  for (int rank = 0; rank < ranks; ++rank) {
    for (std::size_t k = 0; k < pairs.mine.size(); ++k) pairs.mine[k] = rank_of(int(k)) == rank ? 1 : 0;
    parts.push_back(pairs);
  }
  return parts;
}

TEST(Detector, RanksFindTogetherWhatOneFinds) {
  // Parts that lie anywhere, that lie together, and one without shapes; a giant beside the obstacles, and one that flew away.
  const auto make = [] {
    World world = heap(150);
    world.add(Box{9, 9, 0.2}, Mobility::moving, {Matrix::Identity(), {0, 0, 0.5}});
    world.add(Sphere{0.3}, Mobility::moving, {Matrix::Identity(), {1e6, -1e8, 3}});
    return world;
  };
  World whole = make();
  Random places(3);
  std::vector<int> anywhere;
  for (std::size_t k = 0; k < whole.placements.size(); ++k) anywhere.push_back(int(places.below(4)));
  const auto by_place = [&](int k) { return whole.placements[std::size_t(k)].c.x() < 0 ? 0 : 2; };
  for (const bool together : {false, true}) {
    const auto parts =
        shared_out(whole, 4, [&](int k) { return together ? by_place(k) : anywhere[std::size_t(k)]; });
    std::vector<World> ranks;
    for (const KeptPairs& part : parts) ranks.push_back(make()), ranks.back().detector.look_at(part);
    World one = make();
    Random random(12);
    for (int step = 0; step < 8; ++step) {
      for (std::size_t k = 3; k < one.placements.size(); ++k)
        one.placements[k].c +=
            (step == 5 ? 0.1 : 0.004) * Vector(random.normal(), random.normal(), random.normal());
      std::vector<Contact> found;
      for (World& rank : ranks) {
        rank.placements = one.placements;
        for (const Contact& contact : rank.contacts()) found.push_back(contact);
      }
      std::ranges::sort(found, {}, [](const Contact& c) { return std::tuple(c.a, c.b, c.key); });
      const auto expected = one.contacts();
      ASSERT_GT(expected.size(), 300u);
      ASSERT_TRUE(same_bits(found, expected)) << step;
    }
  }
}

TEST(Detector, ARankLooksAmongWhatIsNearIt) {
  // The left half of a lattice, with a giant of its own and one that flew away: its own boxes and a few layers of others.
  constexpr int side = 24;
  KeptPairs kept;
  std::vector<FlatBounds> boxes;
  const auto add = [&](std::array<float, 3> at, float half, bool mine) {
    boxes.push_back({{at[0] - half, at[1] - half, at[2] - half},
                     int(boxes.size()),
                     {at[0] + half, at[1] + half, at[2] + half},
                     1});
    kept.extent.push_back(2 * half);
    kept.mine.push_back(mine ? 1 : 0);
  };
  for (int k = 0; k < side * side * side; ++k)
    add({float(k % side), float(k / side % side), float(k / side / side)}, 0.5F, k % side < side / 2);
  add({0, 0, 0}, 100, true);
  add({1e9F, 0, 0}, 0.5F, true);
  NearBoxes near;
  int count = 0;
  for (const FlatBounds& box : near.find(boxes, kept)) {
    count += is_there(box) ? 1 : 0;
    const bool own = kept.mine[std::size_t(box.owner)] != 0,
               beside = int(boxes[std::size_t(box.owner)].low[0]) == side / 2 - 1;
    if (own || beside) {
      EXPECT_TRUE(is_there(box)) << box.owner;
    }
  }
  EXPECT_LE(count, (side / 2 + 4) * side * side + 2);
  std::ranges::fill(kept.mine, 0);
  for (const FlatBounds& box : near.find(boxes, kept)) EXPECT_FALSE(is_there(box));
}

TEST(Detector, RefusesWhatIsNoMemory) {
  Detector detector;
  EXPECT_THAT(refusal([&] {
                detector.restore(std::vector<std::uint64_t>{1, 2, 3});
              }),
              HasSubstr("3 words are no memory"));
  const auto own = detector.memory();
  detector.restore(own);
}

TEST(Detector, LeavesOutWhatItIsToldTo) {
  World world;
  for (int k = 0; k < 4; ++k) world.add(Sphere{0.6}, Mobility::moving, {Matrix::Identity(), Vector(k, 0, 0)});
  EXPECT_EQ(world.contacts().size(), 3u);
  world.detector.exclude(2, 1);
  EXPECT_EQ(world.contacts().size(), 2u);
  world.detector.remove(3);
  EXPECT_EQ(world.contacts().size(), 1u);
  world.add(Sphere{0.6}, Mobility::moving, {Matrix::Identity(), Vector(0, 1, 0)});
  EXPECT_EQ(world.contacts().size(), 2u);  // the new one with the first
}

TEST(Detector, ChoosesContactPointsByMaterials) {
  World world;
  const auto box = prepare(Box{1, 1, 1});
  for (int k = 0; k < 3; ++k) {
    world.detector.add(box, Mobility::moving, k);
    world.placements.push_back({Matrix::Identity(), Vector(0, 0, k)});
    world.reach.push_back(0.01);
  }
  EXPECT_EQ(world.contacts().size(), 8u);
  world.detector.set_points(2, 1, ContactPoints::centroid);
  EXPECT_EQ(world.contacts().size(), 5u);
}

TEST(Detector, RefusesBadPlacements) {
  World world;
  world.add(Sphere{1}, Mobility::moving, {});
  const auto message = [&] { return refusal([&] { world.contacts(); }); };
  world.placements[0].c.x() = NAN;
  EXPECT_THAT(message(), HasSubstr("the placement of shape 0 is not finite"));
  world.placements[0] = {-Matrix::Identity(), Vector::Zero()};
  EXPECT_THAT(message(), HasSubstr("det F = -1, it must be positive"));
  world.placements[0] = {};
  world.reach[0] = -1;
  EXPECT_THAT(message(), HasSubstr("the reach of shape 0 is -1"));
  world.reach.clear();
  EXPECT_THAT(message(), HasSubstr("1 placements and 0 reaches for 1 shapes"));
  EXPECT_THAT(refusal([&] { world.detector.add(prepare(Plane{}), Mobility::moving); }),
              HasSubstr("planes and meshes are for bodies"));
  EXPECT_THAT(refusal([] { Detector({.rim_points = 2}); }), HasSubstr("rim_points is 2"));
}

TEST(Detector, WorksFarFromTheOrigin) {
  // A kilometre away, a millimetre large: positions have 1e-13 m, gaps no more than that.
  const Vector away(1000, -2000, 500);
  const Matrix R = rotation({1, 2, 3}, 40);
  const auto near =
      contacts_of(Box{1e-3, 1e-3, 1e-3}, {}, Box{1e-3, 1e-3, 1e-3}, {R, {1e-4, 2e-4, 1.3e-3}}, 1e-3);
  const auto far = contacts_of(Box{1e-3, 1e-3, 1e-3}, {Matrix::Identity(), away}, Box{1e-3, 1e-3, 1e-3},
                               {R, away + Vector(1e-4, 2e-4, 1.3e-3)}, 1e-3);
  ASSERT_EQ(near.size(), far.size());
  for (std::size_t k = 0; k < near.size(); ++k) EXPECT_NEAR(near[k].gap, far[k].gap, 3e-13);
}

TEST(Detector, BodiesInAnotherOrderTouchInTheSamePlaces) {
  World world = heap(100), reversed;
  const auto contacts = world.contacts();
  std::vector<Shape> shapes = {Plane{{0, 0.1, 1}, -2},
                               Mesh{{{-3, -3, -1}, {3, -3, -1}, {0, 4, -1.2}}, {{0, 1, 2}}}, Box{0.5, 8, 8}};
  Random again(5);
  for (int k = 0; k < 100; ++k) {
    Shape shape = random_shape(k % kinds, again);
    if (k % 11 == 0) shape = Pipe{0.3, 0.4, 0.6, 8};
    if (k % 13 == 0) shape = Compound{{{Box{0.5, 0.3, 0.3}, {0.2, 0, 0}}, {Sphere{0.25}, {-0.2, 0, 0}}}};
    shapes.push_back(shape);
    random_rotation(again);
    for (int i = 0; i < 3; ++i) again.uniform(-1, 1);
  }
  const int n = int(shapes.size());
  for (int k = n - 1; k >= 0; --k)
    reversed.add(shapes[k], k < 3 ? Mobility::obstacle : Mobility::moving, world.placements[k]);
  std::size_t matched = 0;
  const auto others = reversed.contacts();
  for (const Contact& c : contacts)
    for (const Contact& d : others)
      matched += c.a == n - 1 - d.b && c.b == n - 1 - d.a && (c.point_a - d.point_b).norm() < 1e-6 &&
                 std::abs(c.gap - d.gap) < 1e-8;
  // All but a few: bodies that overlap by their whole size may leave each other in more than one direction.
  EXPECT_GT(double(matched), 0.93 * double(contacts.size()));
}

}  // namespace
}  // namespace stickslip::tests
