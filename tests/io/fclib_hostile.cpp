// FCLIB files with one fault each: the message names the file, the object and the rule.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "io/hostile.hpp"

namespace stickslip::internal::io_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST_F(Hostile, FilesThatAreNotHdf5) {
  EXPECT_EQ(message(), "cannot be opened: No such file or directory");
  write_text(path_, "");
  EXPECT_EQ(message(), "is empty");
  write_text(path_, "hello\nworld\n");
  EXPECT_EQ(message(),
            "is not an HDF5 file, and as a Siconos text problem: line 1: wanted a whole number for the "
            "dimension, got "
            "'hello'");
  EXPECT_EQ(input_error([&] { read_fclib(path_); }), path_.string() + ": is not an HDF5 file");
  write_text(path_, std::string("\x7f"
                                "ELF\0\1\2",
                                7));
  EXPECT_EQ(message(), "is neither an HDF5 file nor text");
  path_ = "/dev/zero";
  EXPECT_EQ(message(), "is not a regular file");
}

TEST_F(Hostile, MissingObjects) {
  local();
  for (const char* name :
       {"W/p", "W/i", "W/x", "W/m", "W/n", "W/nz", "W/nzmax", "vectors/q", "vectors/mu", "spacedim"}) {
    local();
    const std::string object = std::string("fclib_local/") + name;
    EXPECT_EQ(after([&](const Hdf5Edit& edit) { edit.remove(object); }),
              object + ": there is no such dataset");
  }
  for (const char* name : {"W", "vectors"}) {
    local();
    const std::string object = std::string("fclib_local/") + name;
    EXPECT_EQ(after([&](const Hdf5Edit& edit) { edit.remove(object); }), object + ": there is no such group");
  }
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.remove("fclib_local"); }),
            "fclib_local: there is neither this group nor fclib_global");
  global();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.remove("fclib_global/H"); }),
            "fclib_global/H: there is no such group");
  global();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.remove("fclib_global/vectors/b"); }),
            "fclib_global/vectors/b: there is no such dataset");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.remove("guesses/2"); }),
            "guesses/2: there is no such group");
}

TEST_F(Hostile, OptionalObjectsMayBeMissing) {
  local();
  {
    const Hdf5Edit edit(path_);
    for (const char* name : {"fclib_local/info", "solution", "guesses"}) edit.remove(name);
  }
  const ProblemFile file = read_problem(path_);
  EXPECT_FALSE(file.solution);
  EXPECT_TRUE(file.guesses.empty());
  EXPECT_EQ(file.info.title, "");
}

TEST_F(Hostile, VectorsOfTheWrongSize) {
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) {
              edit.doubles("fclib_local/vectors/q", std::vector<double>(11, 1.0));
            }),
            "fclib_local/vectors/q: has 11 numbers, but W has 12 rows");
  EXPECT_EQ(after([](const Hdf5Edit& edit) {
              edit.doubles("fclib_local/vectors/q", std::vector<double>(13, 1.0));
            }),
            "fclib_local/vectors/q: has 13 numbers, but W has 12 rows");
  local();
  for (const int size : {3, 5}) {
    const auto mu = std::vector<double>(std::size_t(size), 0.5);
    EXPECT_EQ(after([&](const Hdf5Edit& edit) { edit.doubles("fclib_local/vectors/mu", mu); }),
              "fclib_local/vectors/mu: has " + std::to_string(size) +
                  " numbers, but W has 12 rows, 4 contacts with spacedim 3");
  }
  for (const char* part : {"u", "r"})
    for (const char* group : {"solution", "guesses/2"}) {
      local();
      const std::string object = std::string(group) + '/' + part;
      EXPECT_EQ(after([&](const Hdf5Edit& edit) {
                  edit.doubles(object, {1, 2});
                }),
                object + ": has 2 numbers, but 4 contacts of dimension 3 need 12");
    }
  global();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.doubles("solution/v", {1}); }),
            "solution/v: has 1 number, but M has 6 rows");
  global();
  EXPECT_EQ(after([](const Hdf5Edit& edit) {
              edit.doubles("solution/l", {1, 2});
            }),
            "solution/l: has 2 numbers, but G has 1 column");
  for (const auto& [name, rule] : std::vector<std::pair<std::string, std::string>>{
           {"f", "M has 6 rows"}, {"w", "H has 6 columns"}, {"b", "G has 1 column"}}) {
    global();
    EXPECT_EQ(after([&](const Hdf5Edit& edit) {
                edit.doubles("fclib_global/vectors/" + name, {1, 2, 3});
              }),
              "fclib_global/vectors/" + name + ": has 3 numbers, but " + rule);
  }
}

TEST_F(Hostile, SpaceDimension) {
  for (const int d : {0, -1, 1, 7, 2147483647}) {
    local();
    EXPECT_EQ(after([&](const Hdf5Edit& edit) { edit.integers("fclib_local/spacedim", {d}); }),
              "fclib_local/spacedim: is " + std::to_string(d) + ", must be 2 or 3");
  }
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.integers("fclib_local/spacedim", {2}); }),
            "fclib_local/vectors/mu: has 4 numbers, but W has 12 rows, 6 contacts with spacedim 2");
  local(2);
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.integers("fclib_local/spacedim", {3}); }),
            "fclib_local/spacedim: is 3, but W has 8 rows, not a multiple of it");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) {
              edit.integers("fclib_local/spacedim", {3, 3});
            }),
            "fclib_local/spacedim: has 2 numbers, but must have one");
}

TEST_F(Hostile, Indices) {
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.set_integer("fclib_local/W/i", 3, -1); }),
            "fclib_local/W/i: number 3 is -1, but W has 12 rows");
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.set_integer("fclib_local/W/i", 3, 12); }),
            "fclib_local/W/i: number 3 is 12, but W has 12 rows");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.set_integer("fclib_local/W/p", 0, 1); }),
            "fclib_local/W/p: number 0 is 1, must be 0");
  local();
  EXPECT_THAT(after([](const Hdf5Edit& edit) { edit.set_integer("fclib_local/W/p", 5, -7); }),
              StartsWith("fclib_local/W/p: number 5 is -7, must be from "));
  local();
  EXPECT_THAT(after([](const Hdf5Edit& edit) { edit.set_integer("fclib_local/W/p", 5, 2147483647); }),
              StartsWith("fclib_local/W/p: number 5 is 2147483647, must be from "));
}

TEST_F(Hostile, TripletIndices) {
  // the same W as triplets: row i, column p
  const auto make = [&] {
    local();
    const SparseMatrix W = local_problem(3, 4).W().to_sparse();
    std::vector<int> i, p;
    std::vector<double> x;
    for (const Triplet& entry : W.triplets()) {
      i.push_back(entry.row);
      p.push_back(entry.column);
      x.push_back(entry.value);
    }
    const Hdf5Edit edit(path_);
    edit.integers("fclib_local/W/i", i);
    edit.integers("fclib_local/W/p", p);
    edit.doubles("fclib_local/W/x", x);
    edit.integers("fclib_local/W/nz", {W.nonzeros()});
  };
  make();
  expect_same(full_file(local_problem(3, 4)), read_problem(path_));
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.set_integer("fclib_local/W/p", 2, 12); }),
            "fclib_local/W/p: number 2 is 12, but W has 12 columns");
  make();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.set_integer("fclib_local/W/i", 2, -3); }),
            "fclib_local/W/i: number 2 is -3, but W has 12 rows");
  make();
  EXPECT_THAT(after([](const Hdf5Edit& edit) { edit.integers("fclib_local/W/nz", {2147483647}); }),
              HasSubstr("fclib_local/W/nzmax: is "));
  EXPECT_THAT(after([](const Hdf5Edit& edit) { edit.integers("fclib_local/W/nzmax", {2147483647}); }),
              HasSubstr("numbers, but nz is 2147483647"));
}

TEST_F(Hostile, SizesOfTheMatrix) {
  local();
  EXPECT_THAT(after([](const Hdf5Edit& edit) { edit.integers("fclib_local/W/nzmax", {2147483647}); }),
              HasSubstr("numbers, but nzmax is 2147483647"));
  for (const char* name : {"m", "n"}) {
    local();
    const std::string object = std::string("fclib_local/W/") + name;
    EXPECT_EQ(after([&](const Hdf5Edit& edit) { edit.integers(object, {-5}); }),
              object + ": is -5, must be at least 0");
    EXPECT_THAT(after([&](const Hdf5Edit& edit) { edit.integers(object, {2147483647}); }),
                StartsWith("fclib_local/W: is "));
  }
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.integers("fclib_local/W/nz", {-3}); }),
            "fclib_local/W/nz: is -3, must be at least -2 (-1 compressed columns, -2 compressed rows)");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) {
              edit.integers("fclib_local/W/m", {2147483647});
              edit.integers("fclib_local/W/n", {2147483647});
            }),
            "fclib_local/vectors/q: has 12 numbers, but W has 2147483647 rows");
  global();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.integers("fclib_global/H/m", {7}); }),
            "fclib_global/H: is 7 x 6, must be 6 x 6 (M has 6 rows)");
}

TEST_F(Hostile, NumbersThatAreNotFinite) {
  const std::vector<std::string> in_local = {
      "fclib_local/W/x", "fclib_local/vectors/q", "fclib_local/vectors/mu", "solution/u", "solution/r",
      "guesses/1/u"};
  const std::vector<std::string> in_global = {"fclib_global/M/x",
                                              "fclib_global/H/x",
                                              "fclib_global/G/x",
                                              "fclib_global/vectors/f",
                                              "fclib_global/vectors/w",
                                              "fclib_global/vectors/b",
                                              "fclib_global/vectors/mu",
                                              "solution/v",
                                              "solution/l"};
  for (const double value : {nan, infinity, -infinity}) {
    const std::string shown = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    for (const auto* names : {&in_local, &in_global})
      for (const std::string& name : *names) {
        names == &in_local ? local() : global();
        EXPECT_EQ(after([&](const Hdf5Edit& edit) { edit.set_double(name, 0, value); }),
                  name + ": number 0 is " + shown + ", must be finite");
      }
  }
}

TEST_F(Hostile, ValuesThatTheProblemRefuses) {
  local();
  EXPECT_THAT(after([](const Hdf5Edit& edit) { edit.set_double("fclib_local/vectors/mu", 1, -0.5); }),
              HasSubstr("mu[1] is -0.5"));
  for (const double diagonal : {0.0, -2.0}) {
    local();
    EXPECT_THAT(after([&](const Hdf5Edit& edit) { edit.set_double("fclib_local/W/x", 0, diagonal); }),
                HasSubstr("diagonal block of contact 0"));
  }
  global();
  EXPECT_THAT(after([](const Hdf5Edit& edit) { edit.set_double("fclib_global/M/x", 0, -1); }),
              HasSubstr("M"));
}

TEST_F(Hostile, WrongTypesAndRanks) {
  local();
  EXPECT_EQ(
      after([](const Hdf5Edit& edit) { edit.doubles("fclib_local/W/i", std::vector<double>(10, 0.0)); }),
      "fclib_local/W/i: holds floating-point numbers, must hold whole numbers of at most 64 bits");
  local();
  EXPECT_EQ(
      after([](const Hdf5Edit& edit) { edit.integers("fclib_local/vectors/q", std::vector<int>(12, 1)); }),
      "fclib_local/vectors/q: holds whole numbers, must hold floating-point numbers of 32 or 64 bits");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.text("fclib_local/vectors/q", "twelve"); }),
            "fclib_local/vectors/q: holds text, must hold floating-point numbers of 32 or 64 bits");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.text("fclib_local/spacedim", "3"); }),
            "fclib_local/spacedim: holds text, must hold whole numbers of at most 64 bits");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) {
              edit.doubles("fclib_local/vectors/q", std::vector<double>(12, 1.0), {4, 3});
            }),
            "fclib_local/vectors/q: has rank 2, must have rank 1");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) {
              edit.remove("fclib_local/vectors");
              edit.doubles("fclib_local/vectors", {1});
            }),
            "fclib_local/vectors: must be a group");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) {
              edit.remove("fclib_local/vectors/q");
              edit.make_group("fclib_local/vectors/q");
            }),
            "fclib_local/vectors/q: must be a dataset");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.doubles("fclib_local/info/title", {1}); }),
            "fclib_local/info/title: must be one string of fixed length");
}

TEST_F(Hostile, RollingAndDoubleProblems) {
  for (const char* rolling : {"fclib_global_rolling", "fclib_local_rolling"}) {
    local();
    EXPECT_EQ(after([&](const Hdf5Edit& edit) { edit.rename("fclib_local", rolling); }),
              std::string(rolling) + ": is a problem with rolling friction, which is not supported");
  }
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.make_group("fclib_global"); }),
            "fclib_global: stands beside fclib_local, but a file must hold one problem");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.make_group("fclib_local/V"); }),
            "fclib_local: has V but no R");
  local();
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.integers("guesses/number_of_guesses", {2147483647}); }),
            "guesses/number_of_guesses: is 2147483647, must be from 0 to 1000");
}

TEST_F(Hostile, TheLibraryStaysQuietAndGivesTheHandlerBack) {
  H5E_auto2_t before = nullptr, after_reading = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  write_text(path_, std::string("\x89HDF\r\n\x1a\n") + std::string(100, 'x'));
  testing::internal::CaptureStderr();
  EXPECT_THAT(message(), StartsWith("is truncated or damaged"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  H5Eget_auto2(H5E_DEFAULT, &after_reading, &data);
  EXPECT_EQ(before, after_reading);
}

}  // namespace
}  // namespace stickslip::internal::io_test
