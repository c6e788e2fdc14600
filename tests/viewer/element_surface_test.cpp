// Surfaces of bodies of finite elements, from their records.

#include "viewer/element_surface.hpp"

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "record_maker.hpp"
#include "viewer/run_source.hpp"

namespace stickslip::viewer {
namespace {

using nlohmann::json;
using tests::Folder;

class ElementSurfaceTest : public testing::TestWithParam<const char*> {};

TEST_P(ElementSurfaceTest, is_closed_and_encloses_the_body) {
  const Folder folder;
  Scene scene = parse_scene(std::string(R"(
step = 1e-4
[[material]]
name = "rubber"
density = 1000
young = 1e6
poisson = 0.3
[[body]]
name = "block"
kind = "elements"
material = "rubber"
position = [0, 0, 1]
mesh = { kind = "box", size = [0.3, 0.2, 0.1], divisions = [3, 2, 1], element = ")") +
                            GetParam() + "\" }\n");
  scene.every = 1;
  Simulation simulation(scene);
  { const Recorder recorder(folder / "run.h5", simulation); }

  const RunSource run(folder / "run.h5");
  const json info = json::parse(run.info());
  EXPECT_FALSE(info["parts"].contains("sphere")) << "it is drawn by its surface alone";
  const auto vertices = info["skin"]["vertices"].get<std::size_t>();
  const std::vector<int> triangles = info["skin"]["triangles"], owner = info["skin"]["owner"];
  ASSERT_EQ(owner.size(), vertices);
  ASSERT_GT(triangles.size(), 0u);
  // Every side is run along once in each direction.
  std::map<std::pair<int, int>, int> sides;
  for (std::size_t t = 0; t < triangles.size(); t += 3)
    for (std::size_t k = 0; k < 3; ++k) ++sides[{triangles[t + k], triangles[t + (k + 1) % 3]}];
  for (const auto& [side, count] : sides) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(sides.count({side.second, side.first}), 1u);
  }

  const std::string bytes = run.bodies(0, 1);
  ASSERT_EQ(bytes.size(), 16 + run.body_bytes());
  std::uint32_t flags = 0;
  std::memcpy(&flags, bytes.data() + 12, sizeof flags);
  EXPECT_EQ(flags & 2u, 2u);
  std::vector<float> x(3 * vertices);
  std::memcpy(x.data(), bytes.data() + bytes.size() - 16 * vertices, 12 * vertices);
  double six_volumes = 0;
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    const float *a = &x[3 * std::size_t(triangles[t])], *b = &x[3 * std::size_t(triangles[t + 1])],
                *c = &x[3 * std::size_t(triangles[t + 2])];
    six_volumes += a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                   a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  EXPECT_NEAR(six_volumes / 6, 0.3 * 0.2 * 0.1, 1e-7);  // f32; positive: outward
}

INSTANTIATE_TEST_SUITE_P(kinds, ElementSurfaceTest, testing::Values("t4", "t10", "h8"));

TEST(ElementSurface, is_empty_without_elements) {
  const Folder folder;
  tests::make_record(folder / "run.h5", 1);
  EXPECT_TRUE(ElementSurface(internal::RecordReader(folder / "run.h5")).empty());
}

}  // namespace
}  // namespace stickslip::viewer
