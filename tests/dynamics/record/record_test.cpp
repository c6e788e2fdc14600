// The record as others read it, by the library of HDF5: every name, shape and kind of number that docs/scenes.md promises.

#include "stickslip/record.hpp"

#include <gmock/gmock.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "stickslip/errors.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Shape = std::vector<hsize_t>;

class Record : public testing::Test {
 protected:
  Record() : folder(fs::temp_directory_path() / ("record-" + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~Record() override { fs::remove_all(folder); }

  /// A soft ball and a hard one fall on a driven plate; 25 steps, a record every 10.
  fs::path written() {
    Scene scene{.title = "två bollar", .step = 1e-3, .contact = {.friction = 0.4}, .every = 10};
    scene.source = "# the text of the scene\n";
    scene.add_driven(stickslip::Box{4, 4, 1}, {.position = {0, 0, -0.5}, .velocity = {"0.1*t", 0, 0}});
    scene.add_rigid(Sphere{0.1},
                    {.name = "hard", .mass = 2.0, .position = {0, 0, 0.11}, .velocity = {0, 0, -1}});
    scene.add_pseudo_rigid(Sphere{0.1}, {.name = "soft",
                                         .mass = 1.0,
                                         .young = 1e5,
                                         .poisson = 0.2,
                                         .position = {1, 0, 0.11},
                                         .velocity = {0, 0, -1}});
    Simulation simulation(scene);
    const fs::path path = folder / "run.h5";
    Recorder recorder(path, simulation);
    for (int k = 0; k < 25; ++k) {
      simulation.step();
      recorder.after_step(simulation);
    }
    recorder.finish(simulation);
    return path;
  }

  fs::path folder;
};

/// What is in a dataset: its shape, and its numbers as doubles.
struct Numbers {
  H5T_class_t kind;
  std::size_t bytes;
  Shape shape;
  std::vector<double> values;
};

Numbers read(hid_t file, const std::string& name) {
  const hid_t data = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  EXPECT_GE(data, 0) << name;
  if (data < 0) return {};
  const hid_t type = H5Dget_type(data), space = H5Dget_space(data);
  Numbers all{.kind = H5Tget_class(type), .bytes = H5Tget_size(type), .shape = Shape(8), .values = {}};
  all.shape.resize(std::size_t(H5Sget_simple_extent_dims(space, all.shape.data(), nullptr)));
  if (all.kind != H5T_STRING) {
    all.values.resize(std::size_t(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.values.data()), 0) << name;
  }
  H5Sclose(space), H5Tclose(type), H5Dclose(data);
  return all;
}

/// A text attribute as C programs ask for it: of any length, UTF-8.
std::string text(hid_t file, const char* name) {
  const hid_t attribute = H5Aopen_by_name(file, "/stickslip", name, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  char* value = nullptr;
  EXPECT_GE(H5Aread(attribute, type, &value), 0) << name;
  const std::string copy = value ? value : "";
  H5free_memory(value), H5Tclose(type), H5Aclose(attribute);
  return copy;
}

TEST_F(Record, HasWhatIsPromised) {
  const hid_t file = H5Fopen(written().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_EQ(text(file, "title"), "två bollar");
  EXPECT_EQ(text(file, "scene"), "# the text of the scene\n");
  EXPECT_FALSE(text(file, "version").empty());

  const std::string root = "/stickslip/";
  EXPECT_THAT(read(file, root + "time").values,
              ElementsAre(0, 0.01, 0.02, testing::DoubleNear(0.025, 1e-15)));
  constexpr hsize_t T = 4, B = 2;
  for (const auto& [name, shape] : std::vector<std::pair<const char*, Shape>>{{"position", {T, B, 3}},
                                                                              {"orientation", {T, B, 4}},
                                                                              {"velocity", {T, B, 6}},
                                                                              {"deformation", {T, B, 9}},
                                                                              {"driven/position", {T, 1, 3}},
                                                                              {"body/mass", {B}}}) {
    const Numbers numbers = read(file, root + name);
    EXPECT_EQ(numbers.shape, shape) << name;
    EXPECT_EQ(numbers.kind, H5T_FLOAT) << name;
    EXPECT_EQ(numbers.bytes, 8u) << name;
  }
  for (const char* name : {"body/name", "body/kind"}) {
    EXPECT_EQ(read(file, root + name).kind, H5T_STRING) << name;
    EXPECT_EQ(read(file, root + name).shape, Shape{B}) << name;
  }
  EXPECT_THAT(read(file, root + "body/mass").values, ElementsAre(2, 1));

  // None at the start; each ball touches the plate, which is body −1, at the end.
  const std::vector<double> start = read(file, root + "contact/start").values;
  ASSERT_EQ(start.size(), T + 1);
  EXPECT_EQ(start[0], 0);
  EXPECT_EQ(start[1], 0);
  const auto n = hsize_t(start[T]);
  EXPECT_EQ(start[T] - start[T - 1], 2);
  const std::vector<double> body = read(file, root + "contact/body").values;
  EXPECT_THAT(std::vector<double>(body.end() - 4, body.end()), ElementsAre(-1, 0, -1, 1));
  for (const auto& [name, kind, bytes, shape] :
       std::vector<std::tuple<const char*, H5T_class_t, std::size_t, Shape>>{
           {"body", H5T_INTEGER, 4, {n, 2}},
           {"key", H5T_INTEGER, 8, {n}},
           {"point", H5T_FLOAT, 8, {n, 3}},
           {"normal", H5T_FLOAT, 8, {n, 3}},
           {"gap", H5T_FLOAT, 8, {n}},
           {"impulse", H5T_FLOAT, 8, {n, 3}},
           {"velocity", H5T_FLOAT, 8, {n, 3}},
           {"status", H5T_INTEGER, 1, {n}},
           {"work", H5T_FLOAT, 8, {n}}}) {
    const Numbers numbers = read(file, root + "contact/" + name);
    EXPECT_EQ(numbers.kind, kind) << name;
    EXPECT_EQ(numbers.bytes, bytes) << name;
    EXPECT_EQ(numbers.shape, shape) << name;
  }
  for (const char* name : {"contacts", "iterations", "error", "status", "kinetic", "potential", "elastic",
                           "contact_work", "penetration"})
    EXPECT_EQ(read(file, root + "step/" + name).shape, Shape{25}) << name;
  H5Fclose(file);
}

TEST_F(Record, NormalAndImpulsePointFromTheFirstBodyToTheSecond) {
  const hid_t file = H5Fopen(written().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const std::vector<double> normal = read(file, "/stickslip/contact/normal").values,
                            impulse = read(file, "/stickslip/contact/impulse").values;
  ASSERT_GE(normal.size(), 6u);
  // The plate is below: up, and so pushes the hard ball, whose weight of a step it carries at the end.
  const std::size_t last = normal.size() - 6;
  EXPECT_DOUBLE_EQ(normal[last + 2], 1);
  EXPECT_NEAR(impulse[last + 2], 2 * 9.81e-3, 1e-10);
  H5Fclose(file);
}

TEST_F(Record, ReplacesNoDeviceAndKeepsLinks) {
  Scene scene;
  scene.add_rigid(Sphere{1}, {.mass = 1.0});
  const Simulation simulation(scene);
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  try {
    Recorder recorder(pipe, simulation);
    ADD_FAILURE() << "a pipe was replaced by a record";
  } catch (const OutputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("it is no regular file"));
  }
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_THROW(Recorder(folder, simulation), OutputError);

  std::ofstream(folder / "real.h5") << "old";
  fs::create_symlink("real.h5", folder / "link.h5");
  Recorder recorder(folder / "link.h5", simulation);
  EXPECT_TRUE(fs::is_symlink(folder / "link.h5"));
  EXPECT_GT(fs::file_size(folder / "real.h5"), 3u);
}

}  // namespace
}  // namespace stickslip
