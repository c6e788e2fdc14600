// Bodies of elements in scenes: weight, patches across contact, restart, the global form, messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/errors.hpp"
#include "stickslip/measures.hpp"
#include "stickslip/simulation.hpp"
#include "stickslip/solver.hpp"
#include "tests/dynamics/validation/element_patch.hpp"

namespace stickslip {
namespace {

using testing::HasSubstr;
using validation::contact_patch;
using validation::PatchResult;

std::shared_ptr<const ElementMesh> block(const Point& size, const std::array<int, 3>& divisions,
                                         ElementKind kind = ElementKind::h8) {
  return std::make_shared<ElementMesh>(block_mesh(size, divisions, kind));
}

TEST(element_scenes, a_block_rests_on_the_floor_and_its_weight_is_carried) {
  for (ElementKind kind : {ElementKind::h8, ElementKind::t4, ElementKind::t10}) {
    Scene scene{.gravity = {0, 0, -10}, .step = 1e-3, .scheme = Scheme::linearly_implicit};
    scene.add_fixed(Plane{});
    const auto body = scene.add_elements(
        block({0.1, 0.1, 0.1}, {2, 2, 2}, kind),
        {.density = 1000, .young = 1e6, .poisson = 0.25, .damping = 5e-3, .position = {0, 0, 0.05}});
    Simulation simulation(scene);
    for (int k = 0; k < 1000; ++k) ASSERT_TRUE(simulation.step());
    EXPECT_EQ(simulation.counters().unconverged, 0);
    double carried = 0, area = 0;
    for (const TouchingPoint& c : simulation.contacts()) {
      carried += c.impulse[2];
      area += c.area;
      EXPECT_LT(c.gap, 1e-9);
    }
    // At rest to what is left of the vibrations, damped over 1 s.
    EXPECT_NEAR(carried / 1e-3, 10, 1e-6);
    EXPECT_NEAR(area, 0.01, 1e-5);
    EXPECT_LT(simulation.kinetic(), 1e-14);
    // Under its own weight it is shorter by about ρ g L²/(2 E) at the top, half of that and a bit in the mean.
    EXPECT_LT(simulation.position(body)[2], 0.05);
    EXPECT_GT(simulation.position(body)[2], 0.05 - 1000 * 10 * 0.01 / 1e6 / 2);
    EXPECT_GT(simulation.strain_energy(body), 0);
    double stress = 0;
    for (const auto& s : simulation.stresses(body)) stress = std::min(stress, s[2]);
    EXPECT_LT(stress, -300);  // between the top and the bottom, ρ g L = 1000 Pa
  }
}

TEST(element_scenes, explicit_steps_are_stable_up_to_the_step_that_is_named) {
  // A small vibration keeps its energy at 0.9 of 2/ω and is refused at 1.1 of it, with elements and without.
  for (bool elements : {true, false}) {
    const auto scene_of = [&](double step) {
      Scene scene{.gravity = {0, 0, 0}, .step = step};
      if (elements)
        scene.add_elements(block({0.1, 0.1, 0.1}, {2, 2, 2}),
                           {.density = 1000, .young = 1e6, .poisson = 0.25});
      else
        scene.add_pseudo_rigid(Box{0.1, 0.1, 0.1}, {.density = 1000, .young = 1e6, .poisson = 0.25});
      return scene;
    };
    double limit = 0;
    try {
      Simulation(scene_of(1));
      FAIL();
    } catch (const InputError& error) {
      const std::string message = error.what(), before = "stable up to ";
      limit = std::stod(message.substr(message.find(before) + before.size()));
      EXPECT_THAT(message, HasSubstr("linearly_implicit"));
    }
    EXPECT_THROW(Simulation(scene_of(1.1 * limit)), InputError);
    Scene scene = scene_of(0.9 * limit);
    scene.bodies[0].angular_velocity = {0.1, 0, 0};  // stretches it
    Simulation simulation(scene);
    const double energy = simulation.kinetic();
    for (int k = 0; k < 2000; ++k) ASSERT_TRUE(simulation.step());
    EXPECT_NEAR(simulation.kinetic() + simulation.strain_energy(0), energy, 0.05 * energy);
  }
}

TEST(element_scenes, equal_bodies_with_other_damping_are_looked_at_too) {
  // With θ = 1 damping makes long explicit steps stable, but only those of the body that has it.
  Scene scene{.gravity = {0, 0, 0}, .step = 1e-2, .theta = 1};
  const auto mesh = block({0.1, 0.1, 0.1}, {2, 2, 2});
  scene.add_elements(mesh, {.density = 1000, .young = 1e6, .poisson = 0.25, .damping = 0.1});
  EXPECT_NO_THROW(Simulation{scene});
  scene.add_elements(mesh, {.density = 1000, .young = 1e6, .poisson = 0.25, .position = {1, 0, 0}});
  EXPECT_THROW(Simulation{scene}, InputError);
}

TEST(element_scenes, matching_faces_pass_the_patch_test) {
  for (PointRule points : {PointRule::centroid, PointRule::gauss2})
    for (ElementKind kind : {ElementKind::h8, ElementKind::t4}) {
      const PatchResult result = contact_patch({{2, 2, 2}, kind}, {{2, 2, 2}, kind}, points);
      EXPECT_NEAR(result.stress, 1, 1e-9) << int(points) << ' ' << int(kind);
      EXPECT_LT(result.spread, 1e-12) << int(points) << ' ' << int(kind);
    }
}

TEST(element_scenes, faces_that_do_not_match_pass_the_patch_test) {
  // Rounding of the polygons: 1e-10. With means and with four points, on either side of the finer surface, whatever the elements are.
  for (PointRule points : {PointRule::centroid, PointRule::gauss2}) {
    for (ElementKind kind : {ElementKind::h8, ElementKind::t4, ElementKind::t10}) {
      const PatchResult result = contact_patch({{2, 2, 2}, kind}, {{3, 3, 2}, kind}, points);
      EXPECT_NEAR(result.stress, 1, 1e-9);
      EXPECT_LT(result.spread, 1e-10) << int(points) << ' ' << int(kind);
    }
    EXPECT_LT(contact_patch({{2, 2, 2}, ElementKind::h8}, {{3, 3, 2}, ElementKind::t4}, points).spread,
              1e-10);
    EXPECT_LT(contact_patch({{3, 3, 2}, ElementKind::t4}, {{2, 2, 2}, ElementKind::h8}, points).spread,
              1e-10);
  }
}

Scene tumbling() {
  Scene scene{.gravity = {0, 0, -10}, .step = 1e-3, .scheme = Scheme::linearly_implicit};
  scene.contact.friction = 0.3;
  const auto mesh = block({0.1, 0.1, 0.1}, {2, 2, 2});
  scene.add_fixed(Plane{});
  scene.add_rigid(Box{0.3, 0.3, 0.1}, {.density = 500, .position = {0, 0, 0.05}});
  for (int k = 0; k < 3; ++k)
    scene.add_elements(mesh, {.density = 1000,
                              .young = 1e6,
                              .poisson = 0.25,
                              .damping = 1e-3,
                              .position = {0.01 * k, 0.02 * k, 0.16 + 0.13 * k},
                              .rotation = rotation_about({1, 2, 3}, 10.0 * k)});
  return scene;
}

TEST(element_scenes, a_pile_settles_and_keeps_its_order) {
  Simulation simulation(tumbling());
  for (int k = 0; k < 600; ++k) ASSERT_TRUE(simulation.step());
  EXPECT_EQ(simulation.counters().unconverged, 0);
  // Without restitution contacts take energy; what they take is booked.
  EXPECT_GT(simulation.counters().dissipated, 0);
  for (int b = 2; b < 5; ++b) EXPECT_GT(simulation.position(b)[2], 0.04);
  EXPECT_LT(simulation.counters().penetration_max, 5e-3);  // edges that land between the points of a facet
}

TEST(element_scenes, a_restored_run_goes_on_with_the_same_bits) {
  Simulation one(tumbling());
  for (int k = 0; k < 120; ++k) one.step();
  const auto state = one.save();
  Simulation two(tumbling());
  two.restore(state);
  for (int k = 0; k < 60; ++k) {
    one.step();
    two.step();
  }
  EXPECT_EQ(one.save(), two.save());
}

TEST(element_scenes, the_global_form_is_the_problem_that_was_solved) {
  Simulation simulation(tumbling());
  for (int k = 0; k < 130; ++k) simulation.step();
  const auto global = simulation.problem();
  ASSERT_TRUE(global.has_value());
  EXPECT_EQ(global->degrees_of_freedom(), 6 + 3 * 81);
  const ReducedProblem reduced = Reduction(*global).reduced();
  std::vector<double> r, u(std::size_t(3 * global->contacts()));
  for (const TouchingPoint& c : simulation.contacts()) {
    // The impulse in the frame of the contact: only its normal part is needed to recognise the velocity.
    double normal = 0;
    for (std::size_t d = 0; d < 3; ++d) normal += c.impulse[d] * c.normal[d];
    r.push_back(normal);
  }
  // The error of the step's solution in the problem rebuilt from M and H: small where both forms say the same.
  EXPECT_EQ(std::size_t(reduced.contacts()), r.size());
  Solver solver("auto");
  const SolveResult result = solver.solve(*global, {.tolerance = 1e-10});
  EXPECT_TRUE(result.converged());
  double sum = 0, other = 0;
  for (std::size_t c = 0; c < r.size(); ++c) {
    sum += r[c];
    other += result.r[3 * c];
  }
  EXPECT_NEAR(sum, other, 1e-5 * sum);
}

TEST(element_scenes, held_nodes_bend_a_beam_as_the_formula_says) {
  // A cantilever under its own weight: w = ρ g A L⁴/(8 E I) at the end, shear adds 0.6 %.
  Scene scene{.gravity = {0, 0, -10}, .step = 10, .scheme = Scheme::quasi_static};
  scene.add_elements(block({1, 0.1, 0.1}, {20, 2, 2}),
                     {.density = 1000,
                      .young = 1e9,
                      .options = {.axes = ElementAxes::world,
                                  .modes = ElementModes::incompatible,
                                  .hold = {{.box = {{{-0.5, -1, -1}, {-0.5, 1, 1}}}}}}});
  Simulation simulation(scene);
  simulation.step();
  simulation.step();
  const auto x = simulation.node_positions(0);
  double end = 0;
  for (std::size_t a = 0; a < x.size(); a += 3)
    if (x[a] > 0.499) end = std::min(end, x[a + 2] + 0.05);
  EXPECT_NEAR(-end, 1000 * 10 * 0.01 * 12 / (8 * 1e9 * 1e-4) * 1.006, 0.01 * 1.5e-3);
}

TEST(element_scenes, a_reduced_body_rests_turns_and_keeps_its_shape) {
  // Three cubes of one basis: one on the floor, one that spins above, one turned.
  Scene scene{.gravity = {0, 0, -10}, .step = 1e-3, .scheme = Scheme::linearly_implicit};
  scene.contact.friction = 0.3;
  scene.add_fixed(Plane{});
  const auto mesh = block({0.1, 0.1, 0.1}, {3, 3, 3});
  ElementOptions options;
  options.reduced = ReducedElements{.modes = 6, .interface = {{{{-1, -1, -0.051}, {1, 1, -0.049}}}}};
  const auto add = [&](const Point& position, const Point& spin) {
    return scene.add_elements(mesh, {.density = 1000,
                                     .young = 1e6,
                                     .poisson = 0.25,
                                     .damping = 5e-3,
                                     .options = options,
                                     .position = position,
                                     .angular_velocity = spin});
  };
  const auto below = add({0, 0, 0.05}, {0, 0, 0}), flying = add({0.5, 0, 6}, {3, 20, 5});
  Simulation simulation(scene);
  double carried = 0;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(simulation.step());
    carried = 0;
    for (const TouchingPoint& c : simulation.contacts()) carried += c.impulse[2] / 1e-3;
  }
  EXPECT_EQ(simulation.counters().unconverged, 0);
  EXPECT_NEAR(carried, 10, 1e-6);  // its weight, at rest to what is left of the vibrations
  // The bottom is the interface: under its own weight the mean sinks by about ρ g L²/(3 E) at most.
  EXPECT_LT(simulation.position(below)[2], 0.05);
  EXPECT_GT(simulation.position(below)[2], 0.05 - 1000 * 10 * 0.01 / 1e6 / 2);
  // A cube spins on as a rigid one does, to the damping of what its spin stretches: ρ ω² L²/E = 4e-3.
  EXPECT_NEAR(simulation.angular_velocity(flying)[1], 20, 0.1);
  const auto x = simulation.node_positions(flying);
  double low = 1e9, high = 0;
  for (std::size_t a = 0; a < x.size(); a += 3) {
    const Point c = simulation.position(flying);
    const double r = std::hypot(x[a] - c[0], x[a + 1] - c[1], x[a + 2] - c[2]);
    low = std::min(low, r);
    high = std::max(high, r);
  }
  EXPECT_NEAR(high, 0.05 * std::sqrt(3), 0.01 * 0.05);
  // The global form has the coordinates of the basis: 16 nodes of the interface and six modes, for both.
  const auto global = simulation.problem();
  ASSERT_TRUE(global.has_value());
  EXPECT_EQ(global->degrees_of_freedom(), 2 * (16 * 3 + 6));
  const SolveResult result = Solver("auto").solve(*global, {.tolerance = 1e-10});
  double sum = 0;
  for (std::size_t c = 0; c < result.r.size(); c += 3) sum += result.r[c];
  EXPECT_NEAR(sum / 1e-3, 10, 1e-5);
}

std::string refusal(const std::string& text) {
  try {
    Simulation simulation(parse_scene(text, {}, "my.toml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(element_scenes, bad_scenes_are_refused_with_place_and_rule) {
  const std::string body = "[[body]]\nname = \"b\"\nkind = \"elements\"\ndensity = 1\nyoung = 1e6\n";
  const std::string mesh = "mesh = { kind = \"box\", size = [1, 1, 1], divisions = [1, 1, 1] }\n";
  EXPECT_EQ(refusal(body + mesh), "");
  EXPECT_THAT(refusal(body), HasSubstr("my.toml:1: body 'b': it needs a mesh"));
  EXPECT_THAT(refusal(body + "mesh = { kind = \"cone\" }\n"), HasSubstr("cone"));
  EXPECT_THAT(refusal(body + "mesh = { kind = \"box\", size = [1, 1, 1], divisions = [0, 1, 1] }\n"),
              HasSubstr("from 1 to 1000"));
  EXPECT_THAT(refusal(body + "mesh = { kind = \"file\", file = \"none.msh\" }\n"), HasSubstr("none.msh"));
  EXPECT_THAT(refusal(body + mesh + "strain = \"green\"\nmodes = \"incompatible\"\n"),
              HasSubstr("small strain"));
  EXPECT_THAT(refusal(body + mesh + "strian = \"green\"\n"), HasSubstr("did you mean 'strain'"));
  EXPECT_THAT(refusal(body + mesh + "hold = [{ box = [[5, 5, 5], [6, 6, 6]] }]\n"),
              HasSubstr("no nodes in its box"));
  EXPECT_THAT(refusal(body + mesh + "axes = \"body\"\nhold = [{ box = [[-1, -1, -1], [1, 1, 1]] }]\n"),
              HasSubstr("axes = \"world\""));
  EXPECT_THAT(refusal(body + mesh +
                      "[[body]]\nkind = \"fixed\"\nname = \"e\"\nshape = { kind = \"ellipsoid\", radii = [1, "
                      "1, 1] }\nposition = [5, 0, 0]\n"),
              HasSubstr("body 'e': ellipsoids"));
  EXPECT_THAT(refusal(body + mesh + "[[joint]]\nkind = \"ball\"\nbodies = [\"b\", \"world\"]\n"),
              HasSubstr("hold its nodes instead"));
  EXPECT_EQ(refusal(body + mesh + "reduced = { modes = 3 }\n"), "");
  EXPECT_THAT(refusal(body + mesh + "reduced = { modes = 0 }\n"), HasSubstr("modes is 0"));
  EXPECT_THAT(refusal(body + mesh + "reduced = { modes = 30 }\n"), HasSubstr("fewer modes"));
  EXPECT_THAT(refusal(body + mesh + "reduced = { interface = [{ box = [[5, 5, 5], [6, 6, 6]] }] }\n"),
              HasSubstr("no nodes in a box"));
  EXPECT_THAT(refusal(body + mesh + "reduced = { modes = 3 }\nstrain = \"green\"\n"),
              HasSubstr("small strain"));
  EXPECT_THAT(refusal("theta = 0.3\n" + body + mesh), HasSubstr("theta is 0.3"));
  EXPECT_THAT(refusal(body + mesh + "[[body]]\nkind = \"fixed\"\nshape = { kind = \"plane\" }\n"),
              HasSubstr("overlaps"));
}

}  // namespace
}  // namespace stickslip
