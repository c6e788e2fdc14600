// Comparison, ratios, merging and the flat table, on campaigns small enough to be computed by hand.

#include "campaign/compare.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "campaign/export.hpp"
#include "campaign/folder.hpp"
#include "campaign/merge.hpp"
#include "campaign/ratio.hpp"
#include "campaign/store.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::campaign {
namespace {

using testing::HasSubstr;
using tests::Folder;

/// Problems 1 … n of set s, solvers by label; seconds[k] of problem k + 1, 0 meaning "not solved".
Campaign campaign(const std::map<std::string, std::vector<double>>& seconds, const std::string& set = "s") {
  Campaign c;
  std::size_t problems = 0;
  for (const auto& [label, times] : seconds) {
    SolverRecord solver;
    solver.id = std::int64_t(c.solvers.size()) + 1;
    solver.label = solver.composition = label;
    c.solvers.push_back(solver);
    problems = std::max(problems, times.size());
    for (std::size_t k = 0; k < times.size(); ++k) {
      RunRecord run;
      run.id = std::int64_t(c.runs.size()) + 1;
      run.task = {std::int64_t(k) + 1, solver.id, 1e-8, 10};
      run.solved = times[k] > 0;
      run.status = run.solved ? "converged" : "stalled";
      if (run.solved) run.seconds = times[k];
      c.tasks.push_back(run.task);
      c.runs.push_back(run);
    }
  }
  for (std::size_t k = 0; k < problems; ++k) {
    ProblemRecord problem;
    problem.id = std::int64_t(k) + 1;
    problem.set = set;
    problem.name = "p" + std::to_string(k + 1);
    problem.fingerprint = "f" + std::to_string(k + 1);
    c.problems.push_back(problem);
  }
  return c;
}

TEST(Compare, equal_campaigns_have_no_regression) {
  const Campaign a = campaign({{"x", {1, 2, 3, 0}}});
  const Comparison c = compare(a, a);
  EXPECT_EQ(c.all.both, 3u);
  EXPECT_DOUBLE_EQ(c.all.ratio, 1);
  EXPECT_FALSE(c.regression());
}

TEST(Compare, ratios_are_geometric_means) {
  // By hand: ratios 2, 8 and 4: ∛64 = 4.
  const Comparison c = compare(campaign({{"x", {1, 1, 1}}}), campaign({{"x", {2, 8, 4}}}));
  EXPECT_NEAR(c.all.ratio, 4, 1e-12);  // rounding of exp and log
  EXPECT_EQ(c.all.slower, 3u);
}

TEST(Compare, all_rows_slower_is_a_regression_however_many) {
  std::vector<double> before(40, 1.0), after(40, 1.3);
  for (std::size_t k = 0; k < 40; ++k)
    before[k] *= 1 + 0.02 * double(k % 3), after[k] *= 1 + 0.02 * double(k % 2);
  const Comparison c = compare(campaign({{"x", before}}), campaign({{"x", after}}));
  EXPECT_TRUE(c.regression());
  EXPECT_TRUE(c.solvers.at(0).is_slower());
  EXPECT_FALSE(compare(campaign({{"x", after}}), campaign({{"x", before}})).regression());
}

TEST(Compare, scattered_rows_are_noise) {
  // Half of the rows twice as slow, half twice as fast but for one: σ = 1.4826 ln 2 about, the mean far below
  // it.
  std::vector<double> before(21, 1.0), after(21);
  for (std::size_t k = 0; k < 21; ++k) after[k] = k % 2 ? 0.5 : 2;
  const Comparison c = compare(campaign({{"x", before}}), campaign({{"x", after}}));
  EXPECT_GT(c.all.noise, 1.5);
  EXPECT_FALSE(c.regression());
}

TEST(Compare, rows_that_other_work_disturbed_are_noise) {
  const std::vector<double> times(20, 0.01), slower(20, 0.02);
  Campaign before = campaign({{"x", times}}), after = campaign({{"x", slower}});
  EXPECT_TRUE(compare(before, after).regression());
  for (auto& run : after.runs) run.cpu_seconds = 0.01;  // half of the time went to others
  EXPECT_FALSE(compare(before, after).regression());
  for (auto& run : before.runs) run.cpu_seconds = 0.005;
  EXPECT_TRUE(compare(before, after, {.measure = Measure::cpu_seconds}).regression());
}

TEST(Compare, a_lost_row_is_a_regression_and_a_gained_one_is_not) {
  const Campaign some = campaign({{"x", {1, 0}}}), more = campaign({{"x", {1, 1}}});
  EXPECT_EQ(compare(some, more).all.gained, 1u);
  EXPECT_FALSE(compare(some, more).regression());
  EXPECT_EQ(compare(more, some).all.lost, 1u);
  EXPECT_TRUE(compare(more, some).regression());
  EXPECT_TRUE(compare(more, some).rows.at(0).lost());
}

TEST(Compare, a_row_lost_at_the_limit_is_borderline) {
  const Campaign before = campaign({{"x", {9.5}}});
  Campaign after = campaign({{"x", {0}}});
  after.runs[0].status = "time_limit";
  EXPECT_FALSE(compare(before, after).regression());
  EXPECT_EQ(compare(before, after).all.borderline, 1u);
}

TEST(Compare, other_problems_and_rows_are_left_out_and_told) {
  Campaign a = campaign({{"x", {1, 1}}, {"y", {1, 1}}}), b = campaign({{"x", {1, 5}}});
  b.problems[1].fingerprint = "other";
  const Comparison c = compare(a, b);
  EXPECT_EQ(c.rows.size(), 1u);
  EXPECT_EQ(c.only_a, 2u);
  EXPECT_THAT(c.changed, testing::ElementsAre("s/p2"));
}

TEST(Ratio, takes_the_best_of_each_group) {
  // p1: 4/1, p2: 2/2; p3 only the candidate solves, p4 only the baseline, p5 neither: √(4·1) = 2.
  const RatioReport report =
      ratio(campaign({{"b:1", {4, 9, 0, 1, 0}}, {"b:2", {7, 2, 0, 0, 0}}, {"ours", {1, 2, 1, 0, 0}}}),
            {.baseline = {"b:*"}, .candidate = {"ours"}});
  ASSERT_EQ(report.sets.size(), 1u);
  const RatioSet& set = report.sets[0];
  EXPECT_NEAR(set.ratio, 2, 1e-12);
  EXPECT_EQ(set.least, 1);
  EXPECT_EQ(set.greatest, 4);
  EXPECT_EQ(set.problems, 5u);
  EXPECT_EQ(set.both, 2u);
  EXPECT_EQ(set.only_candidate, 1u);
  EXPECT_EQ(set.only_baseline, 1u);
  EXPECT_EQ(set.neither, 1u);
  EXPECT_EQ(report.rows[1].baseline, "b:2");
  EXPECT_EQ(report.overall.at(0).least_set, "s");
  EXPECT_THROW(ratio(campaign({{"x", {1}}}), {.baseline = {"y"}, .candidate = {"x"}}), InputError);
}

class MergeTest : public testing::Test {
 protected:
  Store store(const std::string& name, Campaign c) {
    Store s = Store::create(folder / name);
    for (auto& p : c.problems) s.add(p);
    for (auto& solver : c.solvers) s.add(solver);
    for (const auto& t : c.tasks) s.add(t);
    for (auto& r : c.runs) s.add(r);
    return s;
  }
  Folder folder;
};

TEST_F(MergeTest, joins_rows_and_takes_each_once) {
  const Store a = store("a", campaign({{"x", {1, 2}}})),
              b = store("b", campaign({{"x", {9, 9, 3}}, {"y", {4}}}));
  Store c = Store::create(folder / "c");
  const MergeSummary summary = merge(a, b, c);
  EXPECT_EQ(summary.rows, 4u);
  EXPECT_EQ(summary.double_rows, 2u);
  const Campaign all = c.read();
  EXPECT_EQ(all.problems.size(), 3u);
  EXPECT_EQ(all.solvers.size(), 2u);
  EXPECT_EQ(all.tasks.size(), 4u);
  double sum = 0;
  for (const auto& run : all.runs) sum += *run.seconds;
  EXPECT_EQ(sum, 1 + 2 + 3 + 4);
}

TEST_F(MergeTest, refuses_names_that_mean_different_things) {
  const Store a = store("a", campaign({{"x", {1}}}));
  Campaign other = campaign({{"x", {1}}});
  other.problems[0].fingerprint = "other";
  Store c = Store::create(folder / "c");
  EXPECT_THROW(merge(a, store("b", other), c), InputError);
  other = campaign({{"x", {1}}});
  other.solvers[0].composition = "other";
  EXPECT_THROW(merge(a, store("b2", other), c), InputError);
  EXPECT_TRUE(c.read().runs.empty());
}

TEST(Export, is_one_table_with_as_many_cells_in_each_line) {
  Campaign c = campaign({{"x", {0.1, 0}}});
  c.problems[0].name = "a \"quoted\", name";
  std::ostringstream csv, types;
  write_csv(c, csv);
  write_csv_types(types);
  std::istringstream lines(csv.str());
  std::string header, first, second;
  std::getline(lines, header), std::getline(lines, first), std::getline(lines, second);
  EXPECT_THAT(first, HasSubstr("\"a \"\"quoted\"\", name\""));
  const auto commas = [](const std::string& text) { return std::count(text.begin(), text.end(), ','); };
  EXPECT_EQ(commas(first), commas(header) + 1);  // the one in quotes
  EXPECT_EQ(commas(second), commas(header));
  const std::string described = types.str();
  EXPECT_EQ(std::count(described.begin(), described.end(), '\n'), commas(header) + 2);
  EXPECT_THAT(described, HasSubstr("seconds,real\n"));
}

}  // namespace
}  // namespace stickslip::campaign
