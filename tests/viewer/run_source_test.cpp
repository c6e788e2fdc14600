// Ranges of a record as the page gets them, held against the simulation itself.

#include "viewer/run_source.hpp"

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "dynamics/record/recorded_bodies.hpp"
#include "record_maker.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::viewer {
namespace {

using nlohmann::json;
using tests::Folder;

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value;
  EXPECT_LE(offset + sizeof value, bytes.size());
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST(RunSource, info_names_bodies_in_the_order_of_the_frames) {
  const Folder folder;
  tests::make_record(folder / "run.h5", 3);
  const RunSource run(folder / "run.h5");
  const std::string text = run.info();
  // The text may stand in a script element.
  EXPECT_EQ(text.find('<'), std::string::npos);
  const json info = json::parse(text);
  EXPECT_EQ(info["title"], "three <bodies>");
  EXPECT_EQ(info["moving"], 3);
  EXPECT_EQ(info["driven"], 1);
  EXPECT_EQ(info["time"].size(), 4u);
  const json& bodies = info["bodies"];
  EXPECT_EQ(bodies["name"], json::array({"ball[0,0,0]", "ball[1,0,0]", "box", "table", "floor"}));
  EXPECT_EQ(bodies["kind"][3], "driven");
  EXPECT_EQ(bodies["kind"][4], "fixed");
  EXPECT_NEAR(bodies["volume"][2].get<double>(), 4.0 / 3 * M_PI * std::pow(std::cbrt(0.75 / M_PI * 0.008), 3),
              1e-9);
  EXPECT_EQ(info["parts"]["sphere"]["body"], json::array({0, 1}));
  EXPECT_EQ(info["parts"]["box"]["size"], json::array({0.1, 0.1, 0.1}));
  EXPECT_EQ(info["parts"]["cylinder"]["body"], json::array({3}));
  EXPECT_EQ(info["parts"]["plane"]["body"], json::array({4}));
}

TEST(RunSource, a_range_of_bodies_is_that_of_the_simulation) {
  const Folder folder;
  tests::make_record(folder / "run.h5", 5);
  Simulation simulation(parse_scene(tests::scene_text()));
  for (int k = 0; k < 3; ++k) simulation.step();
  const RunSource run(folder / "run.h5");
  const std::string bytes = run.bodies(3, 2);
  EXPECT_EQ(at<std::uint32_t>(bytes, 0), 2u);
  EXPECT_EQ(at<std::uint32_t>(bytes, 4), 3u);
  EXPECT_EQ(at<std::uint32_t>(bytes, 8), 4u);
  EXPECT_EQ(at<std::uint32_t>(bytes, 12), 0u);
  EXPECT_EQ(bytes.size(), 16 + 2 * run.body_bytes());
  EXPECT_DOUBLE_EQ(at<double>(bytes, 16), 0.03);
  for (std::size_t i = 0; i < 3; ++i) {
    // f32 has 24 bits.
    EXPECT_NEAR(at<float>(bytes, 32 + 4 * i), simulation.position(1)[i], 1e-7);
    EXPECT_NEAR(at<float>(bytes, 32 + 4 * (12 + 16) + 4 * i), simulation.velocity(1)[i], 1e-7);
  }
  // The table at t = 0.03 s: ω = 2 t, so that its angle is t² (the trapezoidal rule is exact for that).
  const std::size_t table = 32 + 4 * 12 + 4 * 4 * 3;
  EXPECT_NEAR(at<float>(bytes, table), std::cos(0.5 * 9e-4), 1e-6);
  EXPECT_NEAR(at<float>(bytes, table + 12), std::sin(0.5 * 9e-4), 1e-6);
}

/// One body of every kind of shape, far apart, and obstacles that only code can make.
Scene scene_of_code() {
  Scene scene{.gravity = {0, 0, 0}, .step = 1e-2};
  scene.every = 1;
  const std::vector<Shape> shapes = {
      Sphere{0.2},
      Ellipsoid{{0.1, 0.2, 0.3}},
      Capsule{0.1, 0.4},
      Cylinder{0.2, 0.1},
      Box{0.1, 0.2, 0.3},
      Convex{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
      Pipe{0.3, 0.4, 0.5, 8},
      Compound{{{Sphere{0.1}, {0, 0, 0.5}}, {Box{0.2, 0.2, 0.2}, {0, 0, 0}, {0, 1, 0, 0}}}}};
  for (std::size_t k = 0; k < shapes.size(); ++k)
    scene.add_rigid(shapes[k], {.density = 1000, .position = {3.0 * double(k), 0, 0}});
  scene.add_fixed(Mesh{{{0, 0, -9}, {1, 0, -9}, {0, 1, -9}}, {{0, 1, 2}}}, {.name = "ramp"});
  scene.add_driven(
      Box{1, 1, 1},
      {.name = "lift", .position = {0, 0, -5}, .velocity = {0, 0, Signal([](double t) { return 2 * t; })}});
  return scene;
}

TEST(RunSource, a_scene_of_code_shows_its_shapes) {
  const Folder folder;
  Simulation simulation(scene_of_code());
  {
    Recorder recorder(folder / "run.h5", simulation);
    for (int k = 0; k < 10; ++k) {
      simulation.step();
      recorder.after_step(simulation);
    }
  }
  const RunSource run(folder / "run.h5");
  const json info = json::parse(run.info());
  const json& parts = info["parts"];
  EXPECT_EQ(info["bodies"]["name"][8], "lift");
  EXPECT_EQ(info["bodies"]["name"][9], "ramp");
  EXPECT_EQ(parts["sphere"]["body"], json::array({0, 7}));
  EXPECT_EQ(parts["ellipsoid"]["size"], json::array({0.1, 0.2, 0.3}));
  EXPECT_EQ(parts["capsule"]["size"], json::array({0.1, 0.2, 0}));
  EXPECT_EQ(parts["cylinder"]["body"], json::array({3}));
  EXPECT_EQ(parts["box"]["body"], json::array({4, 7, 8}));
  // The hull, eight pieces of the pipe, the ramp.
  EXPECT_EQ(parts["polygons"]["body"], json::array({5, 6, 6, 6, 6, 6, 6, 6, 6, 9}));
  // The compound's ball is 0.5 above its box, whatever the centre of mass is.
  EXPECT_NEAR(parts["sphere"]["centre"][5].get<double>() - parts["box"]["centre"][5].get<double>(), 0.5,
              1e-6);
  // The lift at t = 0.1 s: z = −5 + t², and the trapezoidal rule is exact for that.
  const std::string bytes = run.bodies(10, 1);
  EXPECT_EQ(at<std::uint32_t>(bytes, 8), 9u);
  EXPECT_NEAR(at<float>(bytes, 24 + 4 * (3 * 8 + 2)), -5 + 0.01, 1e-6);
}

TEST(RunSource, what_a_record_says_of_shapes_is_what_they_were) {
  const Folder folder;
  const Simulation simulation(scene_of_code());
  Recorder(folder / "run.h5", simulation);
  const auto bodies = internal::read_bodies(internal::RecordReader(folder / "run.h5"));
  const Scene scene = scene_of_code();
  ASSERT_EQ(bodies.size(), scene.bodies.size());
  for (std::size_t b = 0; b < 8; ++b) {
    const MassProperties recorded = mass_properties(bodies[b].shape),
                         given = mass_properties(scene.bodies[b].shape);
    EXPECT_EQ(kind_name(bodies[b].shape), kind_name(scene.bodies[b].shape));
    EXPECT_DOUBLE_EQ(recorded.volume, given.volume);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(recorded.euler[i], given.euler[i], 1e-15);  // rounding
  }
  EXPECT_EQ(std::get<Mesh>(bodies[9].shape).triangles, std::get<Mesh>(scene.bodies[8].shape).triangles);
}

TEST(RunSource, far_from_the_origin_numbers_stay_small) {
  const Folder folder;
  const double far = 3e6;
  Scene scene{.gravity = {0, 0, -9.81}, .step = 1e-3};
  scene.add_fixed(Mesh{{{far, 0, -1}, {far + 1, 0, -1}, {far, 1, -1}}, {{0, 1, 2}}});
  scene.add_fixed(Plane{{2, 0, 1}, 2 * far});
  scene.add_rigid(Sphere{0.1}, {.density = 1000, .position = {far, 0, 10}});
  Recorder(folder / "run.h5", Simulation(scene));
  const json info = json::parse(RunSource(folder / "run.h5").info());
  EXPECT_NEAR(info["origin"][0].get<double>(), far, 1);
  for (const json& x : info["parts"]["polygons"]["corners"]) EXPECT_LE(std::abs(x.get<double>()), 1);
  // Where they are, relative to the origin: the triangle at (0 … 1, 0 … 1, −11), the plane through (0, 0, −10).
  const json& position = info["bodies"]["position"];
  EXPECT_NEAR(position[0].get<double>(), 0.5, 1e-6);
  EXPECT_NEAR(position[2].get<double>(), -11, 1e-6);
  EXPECT_NEAR(2 * position[3].get<double>() + position[5].get<double>(), -10, 1e-6);
  EXPECT_LT(std::abs(position[3].get<double>()), 11);
}

TEST(RunSource, contacts_have_their_columns_and_friction) {
  const Folder folder;
  tests::make_record(folder / "run.h5", 4);
  Simulation simulation(parse_scene(tests::scene_text()));
  for (int k = 0; k < 4; ++k) simulation.step();
  const auto contacts = simulation.contacts();
  ASSERT_GT(contacts.size(), 0u);
  const RunSource run(folder / "run.h5");
  const std::string bytes = run.contacts(4, 1);
  const auto n = at<std::uint32_t>(bytes, 16);
  ASSERT_EQ(n, contacts.size());
  EXPECT_EQ(bytes.size(), 16 + run.contact_bytes(4));
  const std::size_t body = 20, key = body + 8 * n, point = key + 8 * n, impulse = point + 24 * n,
                    friction = bytes.size() - 8 * n, status = bytes.size() - 4 * n;
  for (std::size_t c = 0; c < n; ++c) {
    EXPECT_EQ(at<std::uint64_t>(bytes, key + 8 * c), contacts[c].key);
    EXPECT_NEAR(at<float>(bytes, impulse + 12 * c + 8), contacts[c].impulse[2], 1e-6);
    EXPECT_EQ(at<float>(bytes, friction + 4 * c), 0.5f);
    EXPECT_EQ(at<float>(bytes, status + 4 * c), float(contacts[c].status));
  }
  EXPECT_EQ(run.contacts(0, 1).size(), 20u) << "none at the start";
}

TEST(RunSource, ranges_are_cut_at_the_end) {
  const Folder folder;
  tests::make_record(folder / "run.h5", 2);
  const RunSource run(folder / "run.h5");
  EXPECT_EQ(at<std::uint32_t>(run.bodies(1, 1000), 0), 2u);
  EXPECT_EQ(at<std::uint32_t>(run.bodies(3, 1), 0), 0u);
  EXPECT_EQ(at<std::uint32_t>(run.bodies(~std::uint64_t(0), ~std::uint64_t(0)), 0), 0u);
  EXPECT_EQ(at<std::uint32_t>(run.contacts(2, ~std::uint64_t(0)), 0), 1u);
}

TEST(RunSource, follows_a_record_that_grows) {
  const Folder folder;
  Scene scene = parse_scene(tests::scene_text());
  scene.every = 1;
  Simulation simulation(scene);
  Recorder recorder(folder / "run.h5", simulation);
  const RunSource run(folder / "run.h5");
  EXPECT_EQ(run.records(), 1u);
  for (int k = 1; k <= 20; ++k) {
    simulation.step();
    recorder.after_step(simulation);
    const json progress = json::parse(run.progress(std::uint64_t(k)));
    ASSERT_EQ(progress["records"], k + 1);
    ASSERT_EQ(progress["steps"], k);
    ASSERT_EQ(progress["time"].size(), 1u);
    ASSERT_EQ(at<std::uint32_t>(run.bodies(std::uint64_t(k), 1), 0), 1u);
  }
}

TEST(RunSource, histories_and_steps) {
  const Folder folder;
  tests::make_record(folder / "run.h5", 30);
  const RunSource run(folder / "run.h5");
  const json steps = json::parse(run.steps(10));
  EXPECT_EQ(steps["time"].size(), 10u);
  EXPECT_NEAR(steps["time"][9].get<double>(), 0.3, 1e-12);
  EXPECT_EQ(steps["dissipated"].size(), 10u);
  const json body = json::parse(run.body_history(2, 1000));
  EXPECT_EQ(body["time"].size(), 31u);
  EXPECT_NEAR(body["position"][1].get<double>(), 1, 1e-9);
  EXPECT_THROW(run.body_history(3, 10), InputError);
  const std::string bytes = run.contacts(30, 1);
  const auto n = at<std::uint32_t>(bytes, 16);
  ASSERT_GT(n, 0u);
  const json contact = json::parse(run.contact_history(at<std::uint64_t>(bytes, 20 + 8 * n), 1000));
  EXPECT_EQ(contact["time"].size(), 30u) << "a ball at rest touches at every step";
  EXPECT_EQ(contact["impulse"].size(), 90u);
  EXPECT_EQ(json::parse(run.contact_history(1234567, 100))["time"].size(), 0u);
}

TEST(RunSource, a_record_that_is_gone_is_said) {
  const Folder folder;
  tests::make_record(folder / "run.h5", 1);
  const RunSource run(folder / "run.h5");
  std::filesystem::remove(folder / "run.h5");
  try {
    run.progress(0);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("run.h5: there is no such record"), std::string::npos);
  }
  EXPECT_THROW(RunSource(folder / "nothing.h5"), InputError);
}

}  // namespace
}  // namespace stickslip::viewer
