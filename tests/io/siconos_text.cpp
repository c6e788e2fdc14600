// Siconos' text problems: the three storages as Siconos 4.4 prints them, and files with one fault each.
#include <gmock/gmock.h>

#include "io/samples.hpp"

namespace stickslip::internal::io_test {
namespace {

using testing::HasSubstr;

// One contact, d = 2: W = [[4, 1], [0.5, 3]], q = (−1, 0.25), μ = 0.5.
const std::string dense = "2\n1\n0\n2\n2\n2\t2\n 4 0.5 \n 1 3 \n -1.0e+00 2.5e-1 \n 0.5 \n";
const std::string blocks =
    "2\n1\n1\n2\n2\n1\n1\n1\n2\t\n2\t\n2\n1\n0\t1\t\n0\t\n0\n4\n0.5\n1\n3\n-1 0.25\n0.5\n";
const std::string triplets =
    "2\n1\n2\n2\n2\n1\nCSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n"
    "triplet: 2-by-2, nzmax: 8 nnz: 4\n    0 0 : 4\n    0 1 : 1\n    1 0 : 0.5\n    1 1 : 3\n-1 0.25\n0.5\n";
const std::string columns =
    "2\n1\n2\n2\n2\n2\nCSparse Version 3.2.0\n2-by-2, nzmax: 4 nnz: 4, 1-norm: 4.5\n"
    "    col 0 : locations 0 to 1\n      0 : 4\n      1 : 0.5\n    col 1 : locations 2 to 3\n      0 : 1\n   "
    "   1 : 3\n"
    "-1 0.25\n0.5\n";
const std::string rows =
    replaced(replaced(replaced(columns, "2\n2\n2\n2\nC", "2\n2\n2\n3\nC"), "1 : 0.5", "1 : 1"),
             "0 : 1\n      1 : 3", "0 : 0.5\n      1 : 3");
// M = diag(2, 5, 7), H 3×2, f, w, μ.
const std::string global =
    "2\n1\n0\n3\n3\n3\t3\n2 0 0\n0 5 0\n0 0 7\n0\n3\n2\n3\t2\n1 2 3\n4 5 6\n0.1 0.2 0.3\n-1 -2\n0.5\n";

class SiconosText : public testing::Test {
 protected:
  ProblemFile read(const std::string& text) {
    write_text(path_, text);
    return read_siconos_text(path_);
  }
  std::string fault(const std::string& text) {
    write_text(path_, text);
    return input_error([&] { read_siconos_text(path_); }).substr(path_.string().size() + 2);
  }
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.dat";
};

TEST_F(SiconosText, EveryStorageGivesTheSameMatrix) {
  const ReducedProblem wanted(
      BlockMatrix(SparseMatrix(2, 2, std::vector<Triplet>{{0, 0, 4}, {0, 1, 1}, {1, 0, 0.5}, {1, 1, 3}}), 2),
      {-1, 0.25}, {0.5});
  for (const std::string* text : {&dense, &blocks, &triplets, &columns, &rows})
    expect_same(wanted, std::get<ReducedProblem>(read(*text).problem));
}

TEST_F(SiconosText, GlobalIsToldByItsSecondMatrix) {
  const ProblemFile file = read(global);
  const auto& problem = std::get<GlobalProblem>(file.problem);
  EXPECT_EQ(problem.degrees_of_freedom(), 3);
  EXPECT_EQ(problem.H().triplets()[1].column, 1);
  EXPECT_EQ(problem.H().triplets()[1].value, 4);  // column after column
  EXPECT_EQ(problem.f()[2], 0.3);
  EXPECT_EQ(problem.w()[1], -2);
}

TEST_F(SiconosText, GlobalWithAsManyFreedomsAsRowsIsStillGlobal) {
  EXPECT_TRUE(
      read("2\n1\n0\n2\n2\n2 2\n2 0\n0 5\n0\n2\n2\n2 2\n1 2\n4 5\n0.1 0.2\n-1 -2\n0.5\n").is_global());
}

TEST_F(SiconosText, Faults) {
  EXPECT_EQ(fault(""), "is empty");
  EXPECT_EQ(fault(" \n\n"), "line 3: wanted a whole number for the dimension, got the end of the file");
  EXPECT_EQ(fault("7\n1\n"), "line 1: the dimension is 7, must be from 2 to 3");
  EXPECT_EQ(fault("3\n2147483647\n"),
            "line 2: the number of contacts is 2147483647, must be from 0 to 715827882");
  EXPECT_EQ(fault("3\n99999999999999999999\n"),
            "line 2: wanted a whole number for the number of contacts, got '99999999999999999999'");
  EXPECT_EQ(fault(replaced(dense, "2\n1\n0\n", "2\n1\n9\n")),
            "line 3: the storage of W is 9, must be from 0 to 2");
  EXPECT_EQ(fault(replaced(dense, " 4 0.5", " 4 x0.5")), "line 7: wanted a number for W, got 'x0.5'");
  EXPECT_EQ(fault(replaced(dense, " 4 0.5", " 4 nan")), "line 7: W has nan, must be finite");
  EXPECT_EQ(fault(replaced(dense, "2.5e-1", "-inf")), "line 9: q has -inf, must be finite");
  EXPECT_EQ(fault(replaced(dense, "2.5e-1", "1e999")), "line 9: wanted a number for q, got '1e999'");
  EXPECT_EQ(fault(dense.substr(0, dense.size() - 5)),
            "line 10: wanted a number for mu, got the end of the file");
  EXPECT_THAT(fault(dense + " 17\n"), HasSubstr("line 11: "));
  EXPECT_THAT(fault(replaced(dense, "2.5e-1 \n 0.5", "2.5e-1 \n -0.5")), HasSubstr("mu[0] is -0.5"));
  EXPECT_THAT(fault(replaced(dense, " 4 0.5", " 0 0.5")), HasSubstr("diagonal block of contact 0"));
  EXPECT_EQ(fault(replaced(dense, "2\t2", "3\t2")), "line 6: the rows of dense W is 3, must be 2");
  EXPECT_EQ(fault(replaced(triplets, "0 1 : 1", "0 2 : 1")),
            "line 10: a column of W is 2, must be from 0 to 1");
  EXPECT_EQ(fault(replaced(triplets, "0 1 : 1", "-1 1 : 1")),
            "line 10: a row of W is -1, must be from 0 to 1");
  EXPECT_EQ(fault(replaced(triplets, "2-by-2", "2-by-3")), "line 8: wanted '2-by-2,', got '2-by-3,'");
  EXPECT_EQ(fault(replaced(triplets, "nnz: 4", "nnz: 2147483647")),
            "line 13: a row of W is -1, must be from 0 to 1");
  EXPECT_EQ(fault(replaced(columns, "locations 2 to 3", "locations 2 to 2147483646")),
            "line 15: a row of W is -1, must be from 0 to 1");
  EXPECT_EQ(fault(replaced(blocks, "0\t1\t\n0\t\n", "0\t1\t\n1\t\n")),
            "line 14: index2 of W is 1, must be 0");
  EXPECT_EQ(fault(replaced(blocks, "0\t1\t\n", "0\t0\t\n")), "line 13: index1 of W ends at 0, must end at 1");
  EXPECT_EQ(fault(replaced(dense, "2\n1\n0\n2\n2\n2\t2", "2\n2\n0\n2\n2\n2\t2")).substr(0, 5), "line ");
}

TEST_F(SiconosText, HugeClaimsAllocateNothing) {
  EXPECT_THAT(fault("3\n715827882\n0\n2147483646\n2147483646\n2147483646\t2147483646\n1 2 3\n"),
              HasSubstr("line 8"));
  EXPECT_THAT(fault("3\n715827882\n0\n2147483646\n0\n2147483646 0\n"), HasSubstr("square"));
  EXPECT_THAT(fault("3\n715827882\n1\n2147483646\n2147483646\n2147483647\n2147483646\n2147483646\n1 2 3\n"),
              HasSubstr("line 10"));
  EXPECT_THAT(fault("3\n715827882\n1\n2147483646\n2147483646\n0\n1 2 3\n"), HasSubstr("line 8"));
  EXPECT_THAT(fault("3\n0\n1\n0\n2147483647\n0\n"), HasSubstr("square"));
}

TEST_F(SiconosText, BilateralConstraintsCannotBeWritten) {
  EXPECT_EQ(input_error([&] { write_siconos_text(path_, ProblemFile{global_problem(3, true)}); }),
            "G: Siconos' text format has no bilateral constraints; write FCLIB or Matrix Market instead");
  EXPECT_TRUE(folder_.list().empty());
}

}  // namespace
}  // namespace stickslip::internal::io_test
