// Problems without bodies: graph, islands, the solve beside them.

#include "viewer/problem_source.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "record_maker.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"
#include "stickslip/io.hpp"
#include "viewer/graph_layout.hpp"

namespace stickslip::viewer {
namespace {

using nlohmann::json;

TEST(GraphLayout, a_chain_stays_a_chain) {
  // 0 – 1 – … – 19.
  std::vector<int> start = {0}, column, nodes;
  for (int k = 0; k < 20; ++k) {
    if (k > 0) column.push_back(k - 1);
    if (k < 19) column.push_back(k + 1);
    start.push_back(int(column.size()));
    nodes.push_back(k);
  }
  const std::vector<float> x = lay_out_connected(start, column, nodes);
  ASSERT_EQ(x.size(), 60u);
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]);
  };
  // Neighbours are about one apart, the ends about nineteen; nodes are moved by 0.35 so that none fall together.
  EXPECT_NEAR(distance(0, 19), 19, 1.5);
  for (std::size_t k = 0; k + 1 < 20; ++k) EXPECT_NEAR(distance(k, k + 1), 1, 0.75);
  EXPECT_EQ(lay_out_connected(start, column, nodes), x) << "the same every time";
}

TEST(ProblemSource, shows_the_graph_and_the_solve) {
  const tests::Folder folder;
  write_fclib(folder / "problem.hdf5", generate("spheres"));
  const ProblemSource problem(folder / "problem.hdf5", {});
  problem.finish();
  const json info = json::parse(problem.info()), solve = json::parse(problem.solve());
  const auto n = info["contacts"].get<std::size_t>();
  EXPECT_EQ(info["position"].size(), 3 * n);
  EXPECT_EQ(info["island"].size(), n);
  EXPECT_EQ(info["edges"].size(), 2 * info["couplings"].get<std::size_t>());
  for (const json& end : info["edges"]) EXPECT_LT(end.get<std::size_t>(), n);
  EXPECT_TRUE(solve["done"]);
  EXPECT_EQ(solve["status"], "converged");
  EXPECT_EQ(solve["seconds"].size(), solve["history"].size());
  EXPECT_EQ(solve["point"]["status"].size(), n);
  // The errors of the contacts make up the error of the whole: √Σe² = error·‖q‖.
  double square = 0;
  for (const json& one : solve["point"]["errors"]) square += one.get<double>() * one.get<double>();
  EXPECT_GT(square, 0);
  EXPECT_LT(solve["error"].get<double>(), 1e-8);
}

TEST(ProblemSource, bad_choices_are_said) {
  const tests::Folder folder;
  EXPECT_THROW(ProblemSource(folder / "nothing.hdf5", {}), InputError);
  write_fclib(folder / "problem.hdf5", generate("spheres"));
  EXPECT_THROW(ProblemSource(folder / "problem.hdf5", {.solver = "NSGS-AV"}), InputError);
}

}  // namespace
}  // namespace stickslip::viewer
