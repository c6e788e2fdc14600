// Matrix Market folders: layouts that others write, and folders with one fault each.
#include <gmock/gmock.h>

#include "io/samples.hpp"

namespace stickslip::internal::io_test {
namespace {

using testing::HasSubstr;

class MatrixMarket : public testing::Test {
 protected:
  MatrixMarket() {
    put("W", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 4\n1 2 1\n2 1 1\n2 2 3\n");
    put("q", "%%MatrixMarket matrix array real general\n2 1\n-1\n0.25\n");
    put("mu", "%%MatrixMarket matrix array real general\n1 1\n0.5\n");
  }
  void put(const std::string& letter, const std::string& text) {
    write_text(folder_ / (letter + ".mtx"), text);
  }
  ReducedProblem read() { return std::get<ReducedProblem>(read_problem(folder_.path()).problem); }
  std::string fault() {
    return input_error([&] { read_problem(folder_.path()); }).substr(folder_.path().string().size() + 2);
  }
  TemporaryFolder folder_;
};

TEST_F(MatrixMarket, OtherLayoutsOfTheSameMatrix) {
  const ReducedProblem wanted = read();
  EXPECT_EQ(wanted.dimension(), 2);
  put("W", "%%matrixmarket MATRIX Coordinate Real Symmetric\n% a comment\n%\n2 2 3\n1 1 4\n2 1 1\n2 2 3\n");
  expect_same(wanted, read());
  put("W", "%%MatrixMarket matrix array real general\r\n2 2\r\n4\r\n1\r\n1\r\n3\r\n");
  expect_same(wanted, read());
  put("W", "%%MatrixMarket matrix array integer symmetric\n2 2\n4\n1\n3");
  expect_same(wanted, read());
}

TEST_F(MatrixMarket, Faults) {
  put("W", "%%MatrixMarket matrix coordinate complex general\n2 2 0\n");
  EXPECT_EQ(fault(),
            "W.mtx: line 1: wanted real or double or integer in the Matrix Market banner, got 'complex'");
  put("W", "");
  EXPECT_EQ(fault(), "W.mtx: line 1: wanted %%matrixmarket in the Matrix Market banner, got ''");
  put("W", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 4\n");
  EXPECT_EQ(fault(), "W.mtx: line 3: a row is 3, must be from 1 to 2");
  put("W", "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 4\n");
  EXPECT_EQ(fault(), "W.mtx: line 3: a row is 0, must be from 1 to 2");
  put("W", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 nan\n");
  EXPECT_EQ(fault(), "W.mtx: line 3: an entry has nan, must be finite");
  put("W", "%%MatrixMarket matrix coordinate real general\n2 2 2147483647\n1 1 4\n");
  EXPECT_EQ(fault(), "W.mtx: line 4: wanted a whole number for a row, got the end of the file");
  put("W", "%%MatrixMarket matrix coordinate real general\n2147483647 2147483647 0\n");
  EXPECT_EQ(fault(), "W.mtx: is 2147483647 x 2147483647, must be 2 x 2 (q has 2 numbers)");
  put("W", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 4\n7\n");
  EXPECT_EQ(fault(), "W.mtx: line 4: the matrix ends here, but the file goes on with '7'");
  put("mu", "%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n");
  put("W", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 4\n");
  EXPECT_EQ(fault(), "mu.mtx: has 3 numbers, but q has 2, must have 2 or 3 for each contact");
  put("mu", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n");
  EXPECT_EQ(fault(), "mu.mtx: line 2: a vector must be in layout array general");
  put("mu", "%%MatrixMarket matrix array real general\n1 2\n1\n1\n");
  EXPECT_EQ(fault(), "mu.mtx: line 2: the number of columns of a vector is 2, must be 1");
  std::filesystem::remove(folder_ / "mu.mtx");
  EXPECT_EQ(fault(), "mu.mtx: there is no such file");
}

TEST_F(MatrixMarket, StoredPointsAndWholeFolders) {
  put("r", "%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n");
  EXPECT_EQ(fault(), "solution/r: has 3 numbers, but 1 contact of dimension 2 need 2");
  put("M", "");
  EXPECT_EQ(fault(), "W.mtx: stands beside M.mtx, but a folder must hold one problem");
  std::filesystem::remove(folder_ / "W.mtx");
  std::filesystem::remove(folder_ / "M.mtx");
  EXPECT_EQ(fault(), "W.mtx: there is neither this file nor M.mtx in the folder");
  EXPECT_THAT(input_error([&] { read_problem(folder_ / "q.mtx"); }),
              HasSubstr("is one Matrix Market file; give the folder"));
  EXPECT_THAT(input_error([&] { read_matrix_market(folder_ / "q.mtx"); }), HasSubstr("is not a folder"));
}

}  // namespace
}  // namespace stickslip::internal::io_test
