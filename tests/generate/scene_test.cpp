// Scenes of bodies: mass properties, contacts by geometry, action and reaction, equilibrium, weight.
#include "generate/scene.hpp"

#include <gmock/gmock.h>

#include <map>

#include "generate/scenes.hpp"
#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/statistics.hpp"

namespace stickslip::internal {
namespace {

using SceneOf = Scene (*)(const GenerateRequest&);
const std::map<std::string, SceneOf>& scenes() {
  static const std::map<std::string, SceneOf> all = {
      {"stack", stack},
      {"tower", tower},
      {"wall", wall},
      {"pyramid", pyramid},
      {"blocks", blocks},
      {"arch", arch},
      {"aqueduct", aqueduct},
      {"dome", dome},
      {"boxes", boxes},
      {"spheres", spheres},
      {"spheres_cubic", spheres_cubic},
      {"spheres_hcp", spheres_hcp},
      {"rover", rover},
      {"gripper", gripper},
      {"infeasible", [](const GenerateRequest& r) { return infeasible(r); }}};
  return all;
}

TEST(Scene, ABoxHasTheInertiaOfTheTextbook) {
  const Body box = make_box({3, -2, 5}, {0.5, 1, 2});
  EXPECT_NEAR(box.mass, 8, 1e-12);
  EXPECT_NEAR(length(box.centre - Vector3{3, -2, 5}), 0, 1e-12);
  // m/3 (b² + c²) about the axis of a, half edges a, b, c; thirty roundings of numbers of order 10.
  EXPECT_NEAR(box.inertia[0][0], 8.0 / 3 * (1 + 4), 1e-12);
  EXPECT_NEAR(box.inertia[1][1], 8.0 / 3 * (0.25 + 4), 1e-12);
  EXPECT_NEAR(box.inertia[2][2], 8.0 / 3 * (0.25 + 1), 1e-12);
  EXPECT_NEAR(box.inertia[0][1], 0, 1e-12);
  // A quarter turn about z exchanges the first two.
  const Body turned_box = make_box({0, 0, 0}, {0.5, 1, 2}, M_PI / 2);
  EXPECT_NEAR(turned_box.inertia[0][0], box.inertia[1][1], 1e-12);
}

TEST(Scene, ATruncatedPyramidHasItsVolumeAndCentre) {
  // A square frustum with edges 2 and 1 and height 1: V = (4 + 2 + 1)/3, centre at (1·4 + 2·2 + 3·1)/(4·7).
  const Body body = make_block({Vector3{-1, -1, 0},
                                {1, -1, 0},
                                {1, 1, 0},
                                {-1, 1, 0},
                                {-0.5, -0.5, 1},
                                {0.5, -0.5, 1},
                                {0.5, 0.5, 1},
                                {-0.5, 0.5, 1}});
  EXPECT_NEAR(body.mass, 7.0 / 3, 1e-14);
  EXPECT_NEAR(body.centre.z, 11.0 / 28, 1e-14);
  EXPECT_NEAR(body.centre.x, 0, 1e-14);
}

TEST(Scene, CommonFacesAreClipped) {
  Scene scene;
  scene.bodies = {make_box({0, 0, 0.5}, {1, 1, 0.5}), make_box({1, 0.5, 1.5}, {1, 1, 0.5})};
  add_face_contacts(scene, 2);
  ASSERT_EQ(scene.contacts.size(), 4u);  // the corners of [0, 1] × [−0.5, 1] at z = 1
  for (const ContactPoint& c : scene.contacts) {
    EXPECT_EQ(c.normal.z, 1);
    EXPECT_NEAR(c.point.z, 1, 1e-15);
    EXPECT_TRUE(std::abs(c.point.x) < 1e-12 || std::abs(c.point.x - 1) < 1e-12);
    EXPECT_TRUE(std::abs(c.point.y + 0.5) < 1e-12 || std::abs(c.point.y - 1) < 1e-12);
  }
  // Turned by 45 degrees the common part of two equal squares is an octagon.
  scene.contacts.clear();
  scene.bodies[1] = make_box({0, 0, 1.5}, {1, 1, 0.5}, M_PI / 4);
  add_face_contacts(scene, 2);
  EXPECT_EQ(scene.contacts.size(), 8u);
  // Apart by a little, or edge to edge: no contact.
  scene.contacts.clear();
  scene.bodies[1] = make_box({0, 0, 1.501}, {1, 1, 0.5});
  add_face_contacts(scene, 2);
  scene.bodies[1] = make_box({2, 0, 1.5}, {1, 1, 0.5});
  add_face_contacts(scene, 2);
  EXPECT_TRUE(scene.contacts.empty());
}

TEST(Scene, ActionsAndReactionsCancel) {
  for (const auto& [name, make] : scenes())
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      const Scene scene = make({.seed = seed});
      const GlobalProblem problem = assemble(scene);
      ASSERT_EQ(problem.dimension(), 3);
      std::vector<Vector3> centre;  // of each body with unknowns
      for (const Body& body : scene.bodies)
        if (!body.fixed) centre.push_back(body.centre);
      const SparseMatrix columns = problem.H().transposed();
      for (Index column = 0; column < columns.rows(); ++column) {
        const ContactPoint& c = scene.contacts[std::size_t(column / 3)];
        if (scene.bodies[std::size_t(c.first)].fixed || scene.bodies[std::size_t(c.second)].fixed) continue;
        double force[3] = {0, 0, 0}, torque[3] = {0, 0, 0};  // the torque about the origin
        for (Index k = columns.row_start()[std::size_t(column)];
             k < columns.row_start()[std::size_t(column) + 1]; ++k) {
          const Index row = columns.column()[std::size_t(k)], axis = row % 6;
          const double value = columns.value()[std::size_t(k)];
          if (axis >= 3) {
            torque[axis - 3] += value;
            continue;
          }
          force[axis] += value;
          Vector3 e;
          (axis == 0 ? e.x : axis == 1 ? e.y : e.z) = value;
          const auto moment = numbers(cross(centre[std::size_t(row / 6)], e));
          for (int i = 0; i < 3; ++i) torque[i] += moment[std::size_t(i)];
        }
        // A dozen roundings of numbers up to the size of the scene.
        for (int i = 0; i < 3; ++i) {
          EXPECT_NEAR(force[i], 0, 1e-14) << name;
          EXPECT_NEAR(torque[i], 0, 1e-12) << name;
        }
      }
    }
}

/// Solves and checks that nothing moves and that the ground carries the weight.
void expect_equilibrium(const std::string& name, const Scene& scene) {
  SCOPED_TRACE(name);
  const GlobalProblem problem = assemble(scene);
  const SolveResult result = solve(problem, {.tolerance = 1e-6, .time_limit = 60});
  EXPECT_TRUE(result.converged()) << result.report();
  EXPECT_LE(tests::judge(problem, result.r).error, 1.01e-6);
  double weight = 0, carried = 0, fastest = 0;
  for (const Body& body : scene.bodies)
    if (!body.fixed) weight += scene.step * 9.81 * body.mass;
  const std::size_t d = std::size_t(scene.dimension);
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const ContactPoint& c = scene.contacts[i];
    if (!scene.bodies[std::size_t(c.first)].fixed && !scene.bodies[std::size_t(c.second)].fixed) continue;
    auto axes = frame(c.normal);
    if (d == 2) axes[1] = {c.normal.z, 0, -c.normal.x};
    for (std::size_t k = 0; k < d; ++k)
      carried += (scene.bodies[std::size_t(c.first)].fixed ? 1 : -1) * result.r[d * i + k] * axes[k].z;
  }
  for (const double v : result.v) fastest = std::max(fastest, std::abs(v));
  // The error 1e-6 is relative to ‖q‖, some tens of h·g; free fall in the step would give h·g = 0.0981.
  EXPECT_LE(fastest, 0.01 * scene.step * 9.81);
  EXPECT_NEAR(carried, weight, 0.01 * weight);
}

TEST(Scene, MasonryStandsAndTheGroundCarriesItsWeight) {
  for (const char* name :
       {"stack", "tower", "wall", "pyramid", "blocks", "arch", "aqueduct", "dome", "boxes"})
    for (const std::uint64_t seed : {1u, 2u}) expect_equilibrium(name, scenes().at(name)({.seed = seed}));
}

TEST(Scene, MasonryStandsInThePlane) {
  for (const char* name : {"stack", "wall", "pyramid", "arch", "aqueduct"}) {
    const Scene scene = scenes().at(name)({.size = 60, .dimension = 2});
    EXPECT_EQ(assemble(scene).degrees_of_freedom() % 3, 0);
    expect_equilibrium(name, scene);
  }
}

TEST(Scene, AnArchWithLittleFrictionSlides) {
  const GlobalProblem problem = assemble(arch({.mu = 0.15}));
  const SolveResult result = solve(problem, {.tolerance = 1e-4, .time_limit = 60});
  EXPECT_TRUE(result.converged()) << result.report();
  double fastest = 0;
  for (const double v : result.v) fastest = std::max(fastest, std::abs(v));
  EXPECT_GE(fastest, 0.1 * 0.0981);  // a tenth of free fall
  EXPECT_GT(result.count(ContactStatus::slip), 0u);
}

TEST(Scene, AWallFallsUnderALoadAboveFriction) {
  // μ = 0.3 < 0.6: nothing can hold the wall against a horizontal acceleration of 0.6 g.
  const GlobalProblem problem = assemble(wall({.size = 60, .mu = 0.3, .load = 0.6}));
  const SolveResult result = solve(problem, {.tolerance = 1e-6, .time_limit = 60});
  ASSERT_TRUE(result.converged()) << result.report();
  double momentum = 0, mass = 0;
  for (Index b = 0; b < problem.degrees_of_freedom() / 6; ++b) {
    const double m = problem.f()[std::size_t(6 * b + 2)] / -0.0981;
    mass += m;
    momentum += m * result.v[std::size_t(6 * b)];
  }
  // The whole slides as one or tilts: at least h·g·(0.6 − 0.3).
  EXPECT_GE(momentum / mass, 0.99 * 0.0981 * 0.3);
}

TEST(Scene, TheGripperHoldsItsObjectUntilShaken) {
  for (const auto& [load, held] : {std::pair{0.0, true}, std::pair{10.0, false}}) {
    const GlobalProblem problem = assemble(gripper({.load = load}));
    const SolveResult result = solve(problem, {.tolerance = 1e-8, .time_limit = 60});
    ASSERT_TRUE(result.converged()) << result.report();
    double fastest = 0;
    for (std::size_t k = 0; k < 6; ++k) fastest = std::max(fastest, std::abs(result.v[k]));
    EXPECT_EQ(fastest < 1e-4 * 0.0981, held) << load << ' ' << fastest;
  }
}

TEST(Scene, BallsTouchWithoutCutting) {
  for (const char* name : {"spheres", "spheres_cubic", "spheres_hcp"}) {
    const Scene scene = scenes().at(name)({.size = 2000, .seed = 4});
    std::vector<int> touches(scene.bodies.size(), 0);
    for (const ContactPoint& c : scene.contacts) {
      ++touches[std::size_t(c.first)];
      ++touches[std::size_t(c.second)];
      EXPECT_NEAR(length(c.normal), 1, 1e-14);
    }
    for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
      EXPECT_GE(touches[i], 1) << name;
      for (std::size_t j = 1; j < i; ++j) {
        const Body &a = scene.bodies[i], &b = scene.bodies[j];
        EXPECT_GE(length(a.centre - b.centre), (a.radius + b.radius) * (1 - 1e-9)) << name;
      }
    }
  }
  // Twelve neighbours in the middle of the densest lattice, six in the cubic one.
  for (const auto& [name, most] : {std::pair{"spheres_hcp", 12}, std::pair{"spheres_cubic", 6}}) {
    const Scene scene = scenes().at(name)({.size = 2000});
    std::vector<int> touches(scene.bodies.size(), 0);
    for (const ContactPoint& c : scene.contacts)
      if (c.first > 0) ++touches[std::size_t(c.first)], ++touches[std::size_t(c.second)];
    EXPECT_EQ(*std::max_element(touches.begin(), touches.end()), most);
  }
}

TEST(Scene, RedundantContactsGiveTheRankOfTheBodies) {
  // More contact unknowns than degrees of freedom, all of them reached: rank W = degrees of freedom.
  for (const char* name : {"stack", "tower", "wall", "pyramid", "arch", "dome", "boxes"}) {
    const GlobalProblem problem = assemble(scenes().at(name)({}));
    const Statistics s = statistics(Reduction(problem).reduced());
    ASSERT_TRUE(s.rank_ratio);
    EXPECT_NEAR(*s.rank_ratio * 3 * s.contacts, problem.degrees_of_freedom(), 0.01) << name;
    EXPECT_GE(*s.density, 2) << name;
  }
}

TEST(Scene, BlocksHaveTheDensityAskedFor) {
  for (const double c : {0.5, 1.0, 1.75, 3.2, 8.0}) {
    const GlobalProblem problem = assemble(blocks({.size = 300, .density = c}));
    const double found = 3.0 * problem.contacts() / problem.degrees_of_freedom();
    EXPECT_NEAR(found, c, 0.5 * 3 / problem.degrees_of_freedom()) << c;  // half a contact
    EXPECT_NEAR(problem.contacts(), 300, 10) << c;
  }
}

TEST(Scene, NoContactIsThereTwice) {
  for (const auto& [name, make] : scenes()) {
    const Scene scene = make({});
    for (std::size_t i = 0; i < scene.contacts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const ContactPoint &a = scene.contacts[i], &b = scene.contacts[j];
        if (a.first == b.first && a.second == b.second) {
          EXPECT_GT(length(a.point - b.point), 1e-6) << name;
        }
      }
  }
}

}  // namespace
}  // namespace stickslip::internal
