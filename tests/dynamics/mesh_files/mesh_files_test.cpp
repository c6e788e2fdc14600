// Mesh files: what is read, and what is refused with which words.
#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/random.hpp"
#include "dynamics/mesh_files/mesh_reader.hpp"
#include "problems/refused.hpp"
#include "stickslip/shapes.hpp"

namespace stickslip::tests {
namespace {

using testing::HasSubstr;

class MeshFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("stickslip_mesh_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    const auto path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::filesystem::path folder_;
};

template <class Number>
void append(std::string& bytes, Number value) {
  char raw[sizeof(Number)];
  std::memcpy(raw, &value, sizeof(Number));
  bytes.append(raw, sizeof(Number));
}

std::string binary_stl() {
  std::string bytes(80, ' ');
  bytes.replace(0, 5, "solid");  // as some writers do
  append(bytes, std::uint32_t(2));
  const float corners[2][9] = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {1, 0, 0, 1, 1, 0, 0, 1, 0}};
  for (const auto& triangle : corners) {
    for (int k = 0; k < 3; ++k) append(bytes, 0.0F);
    for (const float x : triangle) append(bytes, x);
    append(bytes, std::uint16_t(0));
  }
  return bytes;
}

std::string binary_ply() {
  std::string bytes =
      "ply\nformat binary_little_endian 1.0\ncomment made by hand\nelement vertex 4\nproperty float "
      "x\nproperty float y\n"
      "property double z\nproperty uchar red\nelement face 1\nproperty list uchar int "
      "vertex_indices\nend_header\n";
  const float xy[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (const auto& p : xy) {
    append(bytes, p[0]);
    append(bytes, p[1]);
    append(bytes, 0.5);
    append(bytes, std::uint8_t(255));
  }
  append(bytes, std::uint8_t(4));
  for (const std::int32_t v : {0, 1, 2, 3}) append(bytes, v);
  return bytes;
}

TEST_F(MeshFiles, ObjWithPolygonsTexturesAndNegativeIndices) {
  const Mesh mesh =
      read_mesh(write("a.OBJ",
                      "# a comment\no thing\nv 0 0 0 1.0\nv 1 0 0\nv 1 1 0\r\nv 0 1 0\nvn 0 0 1\n"
                      "f 1/1/1 2//1 3 4\nf -4 -3 -2 # last\n"));
  ASSERT_EQ(mesh.vertices.size(), 4u);
  ASSERT_EQ(mesh.triangles.size(), 3u);
  EXPECT_EQ(mesh.triangles[1], (std::array<int, 3>{0, 2, 3}));
  EXPECT_EQ(mesh.triangles[2], (std::array<int, 3>{0, 1, 2}));
}

TEST_F(MeshFiles, StlAsTextAndBinaryAreTheSame) {
  const Mesh binary = read_mesh(write("b.stl", binary_stl()));
  const Mesh text = read_mesh(
      write("t.stl",
            "solid with a name\n facet normal nan nan nan\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n"
            "vertex 0 1 -0\n endloop\n endfacet\nfacet normal 0 0 1 outer loop vertex 1 0 0 vertex 1 1 0 "
            "vertex 0 1 0 endloop endfacet\nendsolid with a name\n"));
  EXPECT_EQ(binary.vertices, text.vertices);
  EXPECT_EQ(binary.triangles, text.triangles);
  EXPECT_EQ(binary.vertices.size(), 4u);  // two of six corners are shared
}

TEST_F(MeshFiles, PlyAsTextAndBinaryAreTheSame) {
  const Mesh binary = read_mesh(write("b.ply", binary_ply()));
  const Mesh text = read_mesh(
      write("t.ply",
            "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
            "element face 1\nproperty list uchar int vertex_index\nend_header\n"
            "0 0 0.5\n1 0 0.5\n1 1 0.5\n0 1 0.5\n4 0 1 2 3\n"));
  EXPECT_EQ(binary.vertices, text.vertices);
  EXPECT_EQ(binary.triangles, text.triangles);
  ASSERT_EQ(binary.triangles.size(), 2u);
}

TEST_F(MeshFiles, BigEndianPlyIsTurnedRound) {
  std::string bytes =
      "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
      "float z\n"
      "element face 1\nproperty list uchar uint vertex_indices\nend_header\n";
  const auto add = [&bytes](auto value) {
    std::string raw;
    append(raw, value);
    bytes.append(raw.rbegin(), raw.rend());
  };
  for (const float x : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 2.F, 0.F}) add(x);
  add(std::uint8_t(3));
  for (const std::uint32_t v : {0U, 1U, 2U}) add(v);
  const Mesh mesh = read_mesh(write("big.ply", bytes));
  EXPECT_EQ(mesh.vertices[2], (Point{0, 2, 0}));
}

TEST_F(MeshFiles, PointsAsTextOrFromAMesh) {
  EXPECT_EQ(read_points(write("p.txt", "# corners\n0 0 0\n1 0 0\n\n0 1 0\n0 0 1\n")).size(), 4u);
  EXPECT_EQ(read_points(write("p.ply", binary_ply())).size(), 4u);
  EXPECT_THAT(refusal([&] { read_points(write("q.txt", "0 0 0\n1 0\n")); }),
              HasSubstr("q.txt: line 3: wanted a number for a point"));
}

TEST_F(MeshFiles, RefusalsNameFilePlaceAndRule) {
  EXPECT_THAT(refusal([&] { read_mesh(folder_ / "none.obj"); }), HasSubstr("none.obj: cannot be opened"));
  EXPECT_THAT(refusal([&] { read_mesh(write("a.vtk", "")); }),
              HasSubstr("the ending '.vtk' is none of .obj, .stl, .ply"));
  EXPECT_THAT(refusal([&] { read_mesh(write("a.obj", "v 0 0 0\nf 1 2 3\n")); }),
              HasSubstr("a.obj: line 2: a face names vertex 2, there are 1"));
  EXPECT_THAT(refusal([&] { read_mesh(write("b.obj", "v 0 0 nan\n")); }), HasSubstr("must be finite"));
  EXPECT_THAT(refusal([&] { read_mesh(write("c.obj", "v 0 0 0\n")); }), HasSubstr("no triangles"));
  EXPECT_THAT(refusal([&] { read_mesh(write("a.stl", std::string(100, 'x'))); }),
              HasSubstr("neither a text"));
  EXPECT_THAT(
      refusal([&] { read_mesh(write("b.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 1 2\n")); }),
      HasSubstr("line"));
  EXPECT_THAT(refusal([&] { read_mesh(write("a.ply", "ply\nformat ascii 2.0\n")); }),
              HasSubstr("wanted '1.0'"));
  EXPECT_THAT(
      refusal([&] {
        read_mesh(write(
            "b.ply", "ply\nformat ascii 1.0\nelement vertex 2000000000\nproperty float x\nend_header\n1\n"));
      }),
      HasSubstr("the end of the file"));
  EXPECT_THAT(refusal([&] {
                read_mesh(write("c.ply",
                                "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int "
                                "vertex_index\nend_header\n3 0 1 7\n"));
              }),
              HasSubstr("a face names vertex 0, there are 0"));
}

TEST_F(MeshFiles, DamagedFilesAreRefusedOrRead) {
  // Cut short and with changed bytes: a mesh comes back, or InputError is thrown; nothing else happens.
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const std::string text_ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\nelement face 1\n"
      "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  internal::Random random(1);
  int refused = 0;
  for (const auto& [read, bytes] : {std::pair{&internal::read_obj, obj},
                                    {&internal::read_stl, binary_stl()},
                                    {&internal::read_ply, binary_ply()},
                                    {&internal::read_ply, text_ply}})
    for (int k = 0; k < 400; ++k) {
      std::string damaged = bytes;
      if (k % 2 == 0) damaged.resize(random.below(bytes.size()));
      for (int flips = int(random.below(4)); flips > 0 && !damaged.empty(); --flips)
        damaged[random.below(damaged.size())] = char(random.below(256));
      try {
        const Mesh mesh = read(damaged);
        if (!mesh.triangles.empty()) check_shape(mesh);
      } catch (const InputError&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 500);  // at least what was cut short
}

}  // namespace
}  // namespace stickslip::tests
