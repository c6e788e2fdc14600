// The motion of a scene does not depend on how its bodies are listed, also where forces of contacts are not unique; and what is asked of a body is
// that of the body of the list.

#include "dynamics/stepping/body_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>

#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

using Order = std::vector<std::size_t>;

/// The same scene with its bodies listed in another order: `order` says which comes first, which second, …
Scene listed(const Scene& scene, const Order& order) {
  Scene other = scene;
  std::vector<BodyIndex> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    other.bodies[k] = scene.bodies[order[k]];
    place[order[k]] = BodyIndex(k);
  }
  const auto map = [&](BodyIndex& body) {
    if (body != world) body = place[std::size_t(body)];
  };
  for (Joint& joint : other.joints) map(joint.first), map(joint.second);
  for (Force& force : other.forces) map(force.body);
  return other;
}

/// As it is, from behind, and twice at random.
std::vector<Order> orders(std::size_t bodies) {
  Order order(bodies);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::vector<Order> all = {order};
  std::reverse(order.begin(), order.end());
  all.push_back(order);
  std::mt19937 random(7);
  for (int k = 0; k < 2; ++k) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    all.push_back(order);
  }
  return all;
}

/// Four corners on a plane.
Scene turning_box() {
  Scene scene{.step = 1e-3};
  scene.add_fixed(Plane{}, {.name = "floor"});
  scene.add_rigid(Box{0.2, 0.1, 0.1}, {.name = "c",
                                       .mass = 1.0,
                                       .position = {0, 0.5, 0.05},
                                       .rotation = rotation_about({0, 0, 1}, 20),
                                       .velocity = {1.0, 0.3, 0},
                                       .angular_velocity = {0, 0, 3.0}});
  scene.contact.friction = 0.4;
  return scene;
}

Scene two_slabs() {
  Scene scene{.step = 1e-3};
  scene.add_fixed(Plane{}, {.name = "floor"});
  scene.add_rigid(Box{0.2, 0.15, 0.1},
                  {.name = "b0", .mass = 1.0, .position = {0, 0, 0.05}, .velocity = {0.3, 0.1, 0}});
  scene.add_rigid(Box{0.2, 0.15, 0.1},
                  {.name = "b1", .mass = 1.0, .position = {0.03, 0.01, 0.15}, .velocity = {0.6, -0.2, 0}});
  scene.contact.friction = 0.45;
  return scene;
}

/// Bricks in bond, and a ball that hits them.
Scene wall() {
  Scene scene{.step = 1e-3};
  scene.add_fixed(Plane{}, {.name = "ground"});
  for (int course = 0; course < 4; ++course)
    for (int k = 0; k < 4; ++k)
      scene.add_rigid(Box{0.2, 0.1, 0.1},
                      {.name = "brick[" + std::to_string(k) + ",0," + std::to_string(course) + "]",
                       .density = 2000,
                       .position = {0.2 * k + (course % 2 == 0 ? 0.0 : 0.1), 0, 0.05 + 0.1 * course}});
  scene.add_rigid(
      Sphere{0.05},
      {.name = "ball", .density = 8000, .position = {0.33, -0.12, 0.22}, .velocity = {0.5, 4.0, 0.0}});
  return scene;
}

/// A cart that is pulled over a driven belt, a load on it, a bob that hangs from it.
Scene cart() {
  Scene scene{.step = 1e-3};
  scene.add_driven(Box{4, 1, 0.1}, {.name = "belt", .position = {0, 0, -0.05}, .velocity = {-0.2, 0, 0}});
  const BodyIndex cart =
      scene.add_rigid(Box{0.4, 0.2, 0.1}, {.name = "cart", .mass = 2.0, .position = {0, 0, 0.05}});
  scene.add_rigid(Box{0.1, 0.1, 0.1}, {.name = "load", .mass = 0.5, .position = {0.03, 0.02, 0.15}});
  const BodyIndex bob =
      scene.add_rigid(Sphere{0.02}, {.name = "bob", .mass = 0.3, .position = {0.4, 0, 0.3}});
  scene.add_joint({.kind = JointKind::ball, .first = cart, .second = bob, .point = {0.2, 0, 0.1}});
  scene.add_force({.body = cart, .force = {"12*sin(9*t)", 3.0, 0.0}, .point = {0.2, 0.1, 0.1}});
  scene.contact.friction = 0.3;
  return scene;
}

struct Case {
  const char* name;
  Scene (*scene)();
};
const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"turning_box", turning_box}, {"two_slabs", two_slabs}, {"wall", wall}, {"cart", cart}};
  return all;
}

constexpr double rounding = 1e-12;

void expect_same(const Point& a, const Point& b, const std::string& what) {
  for (std::size_t d = 0; d < 3; ++d)
    EXPECT_NEAR(a[d], b[d], rounding * (1 + std::abs(a[d]))) << what << ", component " << d;
}

/// What the contacts of the last step push each body with, by name.
std::map<std::string, Point> pushed(const Simulation& simulation) {
  std::map<std::string, Point> sums;
  for (const TouchingPoint& c : simulation.contacts())
    for (std::size_t side = 0; side < 2; ++side)
      for (std::size_t d = 0; d < 3; ++d)
        sums[simulation.scene().bodies[std::size_t(c.body[side])].name][d] +=
            (side == 0 ? -1 : 1) * c.impulse[d];
  return sums;
}

class BodiesListed : public testing::TestWithParam<std::size_t> {};

TEST_P(BodiesListed, InAnyOrderMoveTheSame) {
  const Scene scene = cases()[GetParam()].scene();
  for (const Order& order : orders(scene.bodies.size())) {
    Simulation one(scene), other(listed(scene, order));
    const auto same_body = [&](std::size_t b) { return other.scene().find(scene.bodies[b].name); };
    // From outside too.
    const std::size_t last = scene.bodies.size() - 1;
    one.set_velocity(BodyIndex(last), {0.1, 0.2, 0});
    other.set_velocity(same_body(last), {0.1, 0.2, 0});
    for (int k = 0; k < 100; ++k) {
      one.apply_force_at(BodyIndex(last), {0.1, 0, -0.2}, {0, 0, 0.3});
      other.apply_force_at(same_body(last), {0.1, 0, -0.2}, {0, 0, 0.3});
      ASSERT_TRUE(one.step());
      ASSERT_TRUE(other.step());
    }
    ASSERT_GT(one.contacts().size(), 0u);
    ASSERT_EQ(one.contacts().size(), other.contacts().size());
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      const BodyIndex mine = BodyIndex(b), its = same_body(b);
      const std::string& name = scene.bodies[b].name;
      expect_same(one.position(mine), other.position(its), name + ": position");
      expect_same(one.velocity(mine), other.velocity(its), name + ": velocity");
      expect_same(one.angular_velocity(mine), other.angular_velocity(its), name + ": angular velocity");
      EXPECT_EQ(one.mass(mine), other.mass(its)) << name;
      EXPECT_EQ(one.inertia(mine), other.inertia(its)) << name;
    }
    const auto pushes = pushed(one), its_pushes = pushed(other);
    ASSERT_EQ(pushes.size(), its_pushes.size());
    for (const auto& [name, push] : pushes) expect_same(push, its_pushes.at(name), name + ": impulse");
    for (std::size_t j = 0; j < scene.joints.size(); ++j) {
      const auto impulses = one.joint_impulses(int(j)), its = other.joint_impulses(int(j));
      ASSERT_EQ(impulses.size(), its.size());
      for (std::size_t i = 0; i < its.size(); ++i) EXPECT_NEAR(impulses[i], its[i], rounding);
    }
    // Contacts are by the bodies of the list, the smaller number first.
    std::array<BodyIndex, 2> before = {-1, -1};
    for (const TouchingPoint& c : other.contacts()) {
      EXPECT_LT(c.body[0], c.body[1]);
      EXPECT_LE(before, c.body);
      before = c.body;
      double pressing = 0;
      for (std::size_t d = 0; d < 3; ++d) pressing += c.normal[d] * c.impulse[d];
      EXPECT_GE(pressing, -rounding);
    }
    // A saved state goes back into the same list with the same bits, contacts too.
    Simulation restored(other.scene());
    restored.restore(other.save());
    ASSERT_EQ(restored.contacts().size(), other.contacts().size());
    for (std::size_t c = 0; c < other.contacts().size(); ++c) {
      EXPECT_EQ(restored.contacts()[c].body, other.contacts()[c].body);
      EXPECT_EQ(restored.contacts()[c].impulse, other.contacts()[c].impulse);
    }
    ASSERT_TRUE(restored.step());
    ASSERT_TRUE(other.step());
    EXPECT_EQ(restored.save(), other.save());
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, BodiesListed, testing::Range(std::size_t(0), cases().size()),
                         [](const testing::TestParamInfo<std::size_t>& which) {
                           return std::string(cases()[which.param].name);
                         });

std::vector<std::string> in_step(const std::vector<const char*>& moving,
                                 const std::vector<const char*>& fixed) {
  Scene scene;
  for (const char* name : moving) scene.add_rigid(Sphere{}, {.name = name});
  for (const char* name : fixed) {
    if (std::string(name).starts_with("plane"))
      scene.add_fixed(Plane{}, {.name = name});
    else
      scene.add_fixed(Sphere{}, {.name = name});
  }
  std::vector<std::string> names;
  for (const SceneBody& body : internal::BodyOrder(scene).apply(scene).bodies) names.push_back(body.name);
  return names;
}

TEST(BodyOrder, PlanesObstaclesThenWordsFromBehindAndNumbersRising) {
  EXPECT_EQ(in_step({"ball", "brick[0,10,2]", "brick[0,9,2]", "brick[0,9,1]", "upper", "b12", "b2"},
                    {"wall", "floor", "plane"}),
            (std::vector<std::string>{"plane", "floor", "wall", "upper", "brick[0,9,1]", "brick[0,9,2]",
                                      "brick[0,10,2]", "ball", "b2", "b12"}));
}

TEST(BodyOrder, OfBodiesWithoutNamesIsThatOfTheList) {
  EXPECT_EQ(in_step({"", "", ""}, {}), (std::vector<std::string>{"body0", "body1", "body2"}));
  EXPECT_EQ(in_step({"", "x"}, {""}), (std::vector<std::string>{"body2", "x", "body0"}));
}

}  // namespace
}  // namespace stickslip
