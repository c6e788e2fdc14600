// The report: what the page is told, and what happens where node or rsvg-convert is missing.

#include "campaign/report.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "campaign/folder.hpp"
#include "campaign/report_bundle.hpp"
#include "campaign/report_data.hpp"
#include "campaign/report_facts.hpp"
#include "campaign/store.hpp"
#include "campaign/synthetic.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::campaign {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using tests::Folder;
using tests::make_synthetic_campaign;

Campaign synthetic(const tests::SyntheticSize& size) {
  const Folder folder;
  make_synthetic_campaign(folder / "campaign", size);
  return Store::open(folder / "campaign").read();
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// PATH replaced for a while.
class Path {
 public:
  explicit Path(const std::string& value) : before_(std::getenv("PATH")) {
    ::setenv("PATH", value.c_str(), 1);
  }
  ~Path() { ::setenv("PATH", before_.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

 private:
  std::string before_;
};

/// A campaign of one row.
Campaign single() {
  Campaign campaign;
  campaign.machines.push_back({1, "host", "processor", 4, 8LL << 30, "Linux", "GCC", "0.1.0"});
  ProblemRecord problem;
  problem.id = 7;
  problem.set = "set";
  problem.name = "problem";
  problem.contacts = 12;
  problem.rank_ratio = 0.25;
  campaign.problems.push_back(problem);
  SolverRecord solver;
  solver.id = 3;
  solver.label = "NSGS-AC";
  campaign.solvers.push_back(solver);
  RunRecord run;
  run.task = {7, 3, 1e-8, 10};
  run.status = "converged";
  run.solved = true;
  run.error = 2e-9;
  run.verified_error = 3e-9;
  run.iterations = 14;
  run.seconds = 0.5;
  run.machine = 1;
  run.started = "2025-01-31T12:00:00Z";
  campaign.runs.push_back(run);
  campaign.tasks.push_back(run.task);
  return campaign;
}

TEST(report_data, columns_have_the_length_of_their_table) {
  const Campaign campaign = synthetic({.solvers = 5, .problems = 16});
  const auto json = nlohmann::json::parse(report_json(campaign));
  ASSERT_EQ(campaign.runs.size(), 160u);
  for (const auto& [name, column] : json["rows"].items()) EXPECT_EQ(column.size(), 160u) << name;
  for (const auto& [name, column] : json["problems"].items()) EXPECT_EQ(column.size(), 16u) << name;
  for (const auto& [name, column] : json["solvers"].items()) EXPECT_EQ(column.size(), 5u) << name;
  EXPECT_EQ(json["sets"].size(), 8u);
  EXPECT_EQ(json["tolerances"], nlohmann::json({1e-4, 1e-8}));
  EXPECT_EQ(json["limits"], nlohmann::json({10}));
}

TEST(report_data, tells_what_the_store_holds) {
  const auto json = nlohmann::json::parse(report_json(single()));
  const auto& rows = json["rows"];
  EXPECT_EQ(rows["error"][0], 3e-9);  // the recomputed one
  EXPECT_EQ(rows["reported"][0], 2e-9);
  EXPECT_EQ(rows["iterations"][0], 14);
  EXPECT_EQ(rows["seconds"][0], 0.5);
  EXPECT_EQ(rows["solved"][0], 1);
  EXPECT_EQ(rows["problem"][0], 0);  // places, not ids
  EXPECT_EQ(rows["solver"][0], 0);
  EXPECT_TRUE(rows["cpu"][0].is_null());
  EXPECT_EQ(json["statuses"], nlohmann::json({"converged"}));
  EXPECT_EQ(json["problems"]["rank_ratio"][0], 4);  // RR's: contact unknowns over rank
  EXPECT_EQ(json["problems"]["contacts"][0], 12);
}

TEST(report_data, hostile_text_and_numbers_are_harmless) {
  Campaign campaign = single();
  campaign.runs[0].message = "</script><script>alert(1)</script>\xff \"quoted\"\n";
  campaign.runs[0].seconds = std::numeric_limits<double>::infinity();
  campaign.runs[0].error = std::nan("");
  campaign.runs[0].verified_error = std::nullopt;
  campaign.solvers[0].label = "<!--";
  const std::string text = report_json(campaign);
  EXPECT_EQ(text.find('<'), std::string::npos);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["texts"][0], "</script><script>alert(1)</script>\xEF\xBF\xBD \"quoted\"\n");
  EXPECT_EQ(json["solvers"]["label"][0], "<!--");
  EXPECT_TRUE(json["rows"]["seconds"][0].is_null());
  EXPECT_TRUE(json["rows"]["error"][0].is_null());
}

TEST(report_data, histories_are_thinned_with_their_ends) {
  Campaign campaign = single();
  for (int k = 0; k <= 1000; ++k)
    campaign.runs[0].history.push_back({k, 1e-3 * k, k == 1000 ? 0.0 : std::pow(10, -0.01 * k)});
  const auto history = nlohmann::json::parse(report_json(campaign, 50))["history"]["0"];
  ASSERT_EQ(history["iteration"].size(), 50u);
  EXPECT_EQ(history["iteration"][0], 0);
  EXPECT_EQ(history["iteration"][49], 1000);
  EXPECT_EQ(history["error"][0], 0);       // 100 log₁₀ 1
  EXPECT_EQ(history["error"][49], -2000);  // an error of zero, as small as can be
  EXPECT_EQ(history["seconds"][49], 1.0);
}

TEST(report_facts, name_the_machine_and_the_time) {
  const auto facts = report_facts(single());
  EXPECT_THAT(facts, Contains(Pair("machine", "host")));
  EXPECT_THAT(facts, Contains(Pair("processor", "processor, 4 cores, 8 GiB")));
  EXPECT_THAT(facts, Contains(Pair("run", "2025-01-31 12:00 UTC")));
  EXPECT_THAT(facts, Contains(Pair("rows", "1 of 1 planned")));
}

TEST(report_facts, warn_of_what_speaks_against_the_figures) {
  Campaign campaign = single();
  EXPECT_THAT(report_warnings(campaign), IsEmpty());
  campaign.tasks.push_back({7, 3, 1e-4, 10});
  RunRecord other = campaign.runs[0];
  campaign.machines.push_back({2, "other", "slower", 2, 8LL << 30, "Linux", "GCC", "0.2.0"});
  other.task.time_limit = 20;
  other.machine = 2;
  other.load = 9;
  other.status = "wrong";
  campaign.tasks.push_back(other.task);
  campaign.runs.push_back(other);
  const auto warnings = report_warnings(campaign);
  EXPECT_THAT(warnings, Contains(HasSubstr("1 of 3 solves are still to be run")));
  EXPECT_THAT(warnings, Contains(HasSubstr("2 different machines")));
  EXPECT_THAT(warnings, Contains(HasSubstr("2 different versions")));
  EXPECT_THAT(warnings, Contains(HasSubstr("more work than cores during 1 solve;")));
  EXPECT_THAT(warnings, Contains(HasSubstr("1 solve claimed convergence")));
}

TEST(report, names_the_package_where_the_build_has_no_page) {
  if (!bundle::head().empty()) GTEST_SKIP() << "this build has the page";
  const Folder folder;
  try {
    write_report(single(), folder / "report", Figures::none);
    FAIL() << "no exception";
  } catch (const MissingComponent& error) {
    EXPECT_THAT(error.what(), HasSubstr("npm"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "report"));
}

class Report : public testing::Test {
 protected:
  void SetUp() override {
    if (bundle::head().empty()) GTEST_SKIP() << "this build has no report page (npm was missing)";
  }
  Folder folder_;
};

TEST_F(Report, a_campaign_without_rows_is_refused) {
  Campaign campaign = single();
  campaign.runs.clear();
  EXPECT_THROW(write_report(campaign, folder_ / "report", Figures::none), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "report"));
}

TEST_F(Report, the_page_holds_the_campaign_and_loads_nothing) {
  const Campaign campaign = single();
  const auto report = write_report(campaign, folder_ / "report", Figures::none);
  EXPECT_EQ(report.page, folder_ / "report" / "index.html");
  EXPECT_THAT(report.left_out, IsEmpty());
  const std::string page = text_of(report.page);
  EXPECT_THAT(page, HasSubstr("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr(">" + report_json(campaign) + "</script>"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));  // the browser itself refuses anything from outside
}

TEST_F(Report, without_node_the_page_is_there_and_the_package_named) {
  const Path empty("/nonexistent");
  const auto report = write_report(single(), folder_ / "report", Figures::all);
  EXPECT_TRUE(std::filesystem::exists(report.page));
  EXPECT_THAT(report.figures, IsEmpty());
  EXPECT_THAT(report.left_out, testing::ElementsAre(HasSubstr("package nodejs")));
}

TEST_F(Report, a_drawing_that_fails_is_told_and_leaves_nothing_behind) {
  std::filesystem::create_directories(folder_ / "bin");
  const auto node = folder_ / "bin" / "node";
  std::ofstream(node) << "#!/bin/sh\necho 'out of paint' >&2\nexit 4\n";
  std::filesystem::permissions(node, std::filesystem::perms::owner_all);
  const Path broken((folder_ / "bin").string() + ":" + std::getenv("PATH"));
  const auto report = write_report(single(), folder_ / "report", Figures::all);
  EXPECT_THAT(report.left_out, testing::ElementsAre(HasSubstr("node ended with 4: out of paint")));
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "report" / "figures"));
}

TEST_F(Report, a_folder_that_cannot_be_made_is_an_output_error) {
  std::ofstream(folder_ / "report") << "a file";
  EXPECT_THROW(write_report(single(), folder_ / "report", Figures::none), OutputError);
}

}  // namespace
}  // namespace stickslip::campaign
