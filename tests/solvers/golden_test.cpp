// Twenty solves whose iterates are written down (problems/golden.txt): a change of the path that nobody intended is seen here,
// although every solve still converges.
//
// Each line of the file: problem | solver | iterations at most | iterations made | Σ w_k r_k, w_k = 1 + sin(k)/2. Most solves are cut off
// on the way, so that r depends on each step. Another instruction set, or a compiler that fuses other products, moves r by
// rounding, some 1e-13 after these few steps; another step moves it by the size of the step. Between them lies 1e-9 of Σ |w_k r_k|.
//
// A change that is intended: STICKSLIP_WRITE_GOLDEN=1 build/release/tests/test_solvers --gtest_filter=Golden.* writes the file
// anew; the commit says why.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/text.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

const std::string path = std::string(STICKSLIP_SOURCE_DIR) + "/tests/problems/golden.txt";

ProblemFile problem(const std::string& name) {
  if (name == "bodies") return generate("manufactured", {.size = 60, .seed = 7});
  if (name == "plane") return generate("manufactured", {.size = 50, .dimension = 2, .seed = 8});
  if (name == "unsymmetric") return generate("manufactured_unsymmetric", {.size = 40, .seed = 9});
  if (name == "wall") return generate("wall", {.size = 60, .mu = 0.4, .load = 0.2});
  if (name == "random") return generate("random", {.size = 30, .seed = 3});
  ADD_FAILURE() << "golden.txt names the problem " << name;
  return tests::tiny_problem("slip_3d");
}

struct Line {
  std::string problem, solver;
  long limit = 0, iterations = 0;
  double sum = 0;
};

std::vector<Line> read_lines() {
  std::ifstream file(path);
  std::vector<Line> lines;
  for (std::string text; std::getline(file, text);) {
    std::istringstream fields(text);
    Line line;
    std::string limit, iterations, sum;
    for (std::string* field : {&line.problem, &line.solver, &limit, &iterations, &sum}) {
      std::getline(fields, *field, '|');
      field->erase(0, field->find_first_not_of(' '));
      field->erase(field->find_last_not_of(' ') + 1);
    }
    line.limit = std::stol(limit);
    line.iterations = std::stol(iterations);
    line.sum = std::stod(sum);
    lines.push_back(line);
  }
  return lines;
}

TEST(Golden, IteratesAreThoseThatWereWrittenDown) {
  std::vector<Line> lines = read_lines();
  EXPECT_GE(lines.size(), 20u);
  for (Line& line : lines) {
    const SolveResult result = solve(problem(line.problem), {.max_iterations = line.limit}, line.solver);
    double sum = 0, size = 0;
    for (std::size_t k = 0; k < result.r.size(); ++k) {
      const double term = (1 + std::sin(double(k)) / 2) * result.r[k];
      sum += term;
      size += std::abs(term);
    }
    EXPECT_GT(size, 0) << line.solver;
    EXPECT_EQ(result.iterations, line.iterations) << line.solver << " on " << line.problem;
    EXPECT_NEAR(sum, line.sum, 1e-9 * size) << line.solver << " on " << line.problem;
    line.iterations = result.iterations;
    line.sum = sum;
  }
  if (!std::getenv("STICKSLIP_WRITE_GOLDEN")) return;
  std::ofstream file(path);
  for (const Line& line : lines)
    file << line.problem << " | " << line.solver << " | " << line.limit << " | " << line.iterations << " | "
         << shortest(line.sum) << '\n';
}

}  // namespace
}  // namespace stickslip::internal
