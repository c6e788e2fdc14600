// What is written comes back bit for bit: FCLIB, Siconos text, Matrix Market; local and global, d = 2 and 3.
#include <gmock/gmock.h>

#include "io/samples.hpp"

namespace stickslip::internal::io_test {
namespace {

class RoundTrip : public testing::TestWithParam<int> {
 protected:
  TemporaryFolder folder_;
};

TEST_P(RoundTrip, FclibLocal) {
  const ProblemFile file = full_file(local_problem(GetParam(), 4));
  write_fclib(folder_ / "a.hdf5", file);
  const ProblemFile back = read_fclib(folder_ / "a.hdf5");
  expect_same(file, back);
  EXPECT_EQ(std::get<ReducedProblem>(back.problem).degrees_of_freedom, 30);
  expect_same(file, read_problem(folder_ / "a.hdf5"));
  EXPECT_THAT(folder_.list(), testing::ElementsAre("a.hdf5"));
}

TEST_P(RoundTrip, FclibGlobal) {
  for (const bool bilateral : {false, true}) {
    const ProblemFile file = full_file(global_problem(GetParam(), bilateral));
    write_fclib(folder_ / "a.hdf5", file);
    expect_same(file, read_problem(folder_ / "a.hdf5"));
  }
}

TEST_P(RoundTrip, FclibWithoutExtras) {
  ProblemFile file{local_problem(GetParam(), 1)};
  std::get<ReducedProblem>(file.problem).degrees_of_freedom.reset();
  write_fclib(folder_ / "a.hdf5", file);
  const ProblemFile back = read_fclib(folder_ / "a.hdf5");
  expect_same(file, back);
  EXPECT_FALSE(std::get<ReducedProblem>(back.problem).degrees_of_freedom.has_value());
}

TEST_P(RoundTrip, SiconosLocalDenseAndBlocks) {
  for (const int contacts : {1, 30, 31}) {
    const ProblemFile file{local_problem(GetParam(), contacts)};
    write_siconos_text(folder_ / "a.dat", file);
    expect_same(file, read_siconos_text(folder_ / "a.dat"));
    expect_same(file, read_problem(folder_ / "a.dat"));
  }
}

TEST_P(RoundTrip, SiconosGlobal) {
  const ProblemFile file{global_problem(GetParam(), false)};
  write_siconos_text(folder_ / "a.dat", file);
  expect_same(file, read_problem(folder_ / "a.dat"));
}

TEST_P(RoundTrip, MatrixMarketLocal) {
  ProblemFile file = full_file(local_problem(GetParam(), 4));
  file.guesses.clear();
  file.info = {};
  write_matrix_market(folder_ / "problem", file);
  expect_same(file, read_matrix_market(folder_ / "problem"));
  expect_same(file, read_problem(folder_ / "problem"));
}

TEST_P(RoundTrip, MatrixMarketGlobal) {
  for (const bool bilateral : {true, false}) {
    ProblemFile file = full_file(global_problem(GetParam(), bilateral));
    file.guesses.clear();
    file.info = {};
    write_matrix_market(folder_ / "problem", file);
    expect_same(file, read_problem(folder_ / "problem"));
    EXPECT_THAT(folder_.list(), testing::ElementsAre("problem"));
  }
}

INSTANTIATE_TEST_SUITE_P(Dimension, RoundTrip, testing::Values(2, 3));

TEST(MatrixMarketFolder, ReplacesAnotherProblemWithoutLeavingItsFiles) {
  const TemporaryFolder folder;
  write_matrix_market(folder / "problem", ProblemFile{global_problem(3, true)});
  write_text(folder / "problem/notes.txt", "mine");
  const ProblemFile local{local_problem(3, 2)};
  write_matrix_market(folder / "problem/", local);
  expect_same(local, read_problem(folder / "problem"));
  EXPECT_EQ(read_text(folder / "problem/notes.txt"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder / "problem/M.mtx"));
  EXPECT_THAT(folder.list(), testing::ElementsAre("problem"));
}

TEST(FclibWriter, ReplacesTheTargetOfASymbolicLink) {
  const TemporaryFolder folder;
  const ProblemFile file{local_problem(3, 2)};
  write_text(folder / "real.hdf5", "old");
  std::filesystem::create_symlink(folder / "real.hdf5", folder / "link.hdf5");
  write_fclib(folder / "link.hdf5", file);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.hdf5"));
  expect_same(file, read_problem(folder / "real.hdf5"));
}

}  // namespace
}  // namespace stickslip::internal::io_test
