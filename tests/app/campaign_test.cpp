// Campaigns as a user runs them: killed and resumed, stopped by Ctrl-C, with solvers that misbehave.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <thread>
#include <utility>

#include "app/process.hpp"

namespace stickslip {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using tests::Call;
using tests::Folder;
using tests::Outcome;
using tests::run;

/// A line of CSV as cells; quoted cells may hold commas.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line)
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

using Row = std::map<std::string, std::string>;

class CampaignCommand : public ::testing::Test {
 protected:
  Folder folder;

  std::string plan(const std::string& text, const std::string& name = "plan.toml") {
    std::ofstream(folder / name) << text;
    return folder / name;
  }
  std::string at(const std::string& name) { return folder / name; }

  std::vector<Row> rows(const std::string& name) {
    const Outcome outcome = run({"campaign", "export", at(name)});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    std::string line;
    std::getline(lines, line);
    const auto header = cells(line);
    std::vector<Row> all;
    while (std::getline(lines, line)) {
      const auto values = cells(line);
      EXPECT_EQ(values.size(), header.size()) << line;
      Row& row = all.emplace_back();
      for (std::size_t k = 0; k < std::min(values.size(), header.size()); ++k) row[header[k]] = values[k];
    }
    return all;
  }

  /// What must be the same however often a campaign was interrupted, by row.
  std::map<std::string, std::string> results(const std::string& name) {
    std::map<std::string, std::string> all;
    for (auto& row : rows(name)) {
      const std::string key = row["problem_name"] + " | " + row["solver_label"] + " | " + row["tolerance"];
      const bool once = all.emplace(key, row["status"] + " " + row["iterations"] + " " + row["error"] + " " +
                                             row["verified_error"] + " " + row["problem_fingerprint"])
                            .second;
      EXPECT_TRUE(once) << key << " is there twice";
    }
    return all;
  }
};

const std::string small = R"toml(
tolerances = [1e-4, 1e-10]
time_limit = 5
repeat_for = 0.002
solvers = ["auto", "NSGS-AC", "EG-VI-UPK"]
[[set]]
name = "s"
family = "manufactured"
size = [3, 10]
seeds = 4
)toml";

TEST_F(CampaignCommand, killed_at_any_moment_and_resumed_has_each_row_once_and_equal_results) {
  const std::string file = plan(small);
  ASSERT_EQ(run({"campaign", "run", file, "-o", at("whole")}).status, 0);
  const auto whole = results("whole");
  ASSERT_EQ(whole.size(), 3u * 8u * 2u);

  std::mt19937 random(7);
  const auto kill_soon = [&](int pid) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10 + random() % 150));
    ::kill(pid, SIGKILL);
  };
  // On a slow machine it is killed before there is a campaign to take up.
  const auto go_on = [&](const char* jobs, std::function<void(int)> meanwhile) {
    Call call{.arguments = {"campaign", "resume", at("cut"), "--jobs", jobs},
              .meanwhile = std::move(meanwhile)};
    if (run({"campaign", "status", at("cut")}).status == 2)
      call.arguments = {"campaign", "run", file, "-o", at("cut")};
    return run(call);
  };
  int killed = 0;
  for (int k = 0; k < 7; ++k) killed += go_on(k % 2 ? "1" : "2", kill_soon).status == 128 + SIGKILL;
  EXPECT_GE(killed, 1);
  const Outcome outcome = go_on("1", {});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(results("cut"), whole);
  EXPECT_FALSE(std::filesystem::exists(folder / "cut" / "scratch"));
}

TEST_F(CampaignCommand, solvers_that_misbehave_are_rows_and_the_rest_is_unharmed) {
  const auto script = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << "#!/bin/sh\n" << text;
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  };
  script("crash", "kill -SEGV $$\n");
  script("refuse", "echo 'no such luck' >&2; exit 5\n");
  script("lie",
         "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo 0; done > $2; echo '{\"status\": \"converged\", "
         "\"seconds\": 0.5}'\n");
  script("nothing", "exit 0\n");
  const std::string file = plan(R"toml(
tolerance = 1e-8
time_limit = 0.3
grace = 0.2
memory_limit = 256
repeat_for = 0
solvers = ["auto"]
[[solver]]
name = "hang"
command = "sleep 100"
[[solver]]
name = "crash"
command = "./crash"
[[solver]]
name = "refuse"
command = "./refuse"
[[solver]]
name = "hog"
command = "tail /dev/zero"
patience = 20
[[solver]]
name = "lie"
command = "./lie {problem} {solution}"
[[solver]]
name = "nothing"
command = "./nothing"
[[solver]]
name = "stickslip"
command = "{bin}/stickslip solve {problem} --solver NSGS-AC --tolerance {tolerance} -o {solution} --json"
patience = 20
[[solver]]
name = "last"
solver = "NSGS-AC"
[[set]]
name = "incline"
family = "incline"
)toml");
  const Outcome outcome = run({"campaign", "run", file, "-o", at("c")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::map<std::string, Row> by;
  for (const auto& row : rows("c")) by[row.at("solver_label")] = row;
  ASSERT_EQ(by.size(), 9u);
  EXPECT_EQ(by["auto"]["status"], "converged");
  EXPECT_EQ(by["last"]["status"], "converged");
  EXPECT_EQ(by["hang"]["status"], "killed_time");
  EXPECT_EQ(by["crash"]["status"], "crashed");
  EXPECT_THAT(by["crash"]["message"], HasSubstr("signal 11"));
  EXPECT_EQ(by["refuse"]["status"], "crashed");
  EXPECT_THAT(by["refuse"]["message"], HasSubstr("exit status 5; it said: no such luck"));
  EXPECT_EQ(by["hog"]["status"], "killed_memory");
  EXPECT_EQ(by["lie"]["status"], "wrong");
  EXPECT_EQ(by["nothing"]["status"], "crashed");
  EXPECT_THAT(by["nothing"]["message"], HasSubstr("left no solution"));
  EXPECT_EQ(by["stickslip"]["status"], "converged") << by["stickslip"]["message"];
  // The same solver from inside and outside: the same iterate.
  EXPECT_EQ(by["stickslip"]["iterations"], by["last"]["iterations"]);
  EXPECT_EQ(by["stickslip"]["verified_error"], by["last"]["verified_error"]);
}

TEST_F(CampaignCommand, the_error_of_every_row_is_the_recomputed_one) {
  ASSERT_EQ(run({"campaign", "run", plan(small), "-o", at("c")}).status, 0);
  for (auto& row : rows("c")) {
    ASSERT_EQ(row["solved"], "1");
    // Two computations in double and long double: they differ by rounding, which is told beside it.
    EXPECT_NEAR(std::stod(row["error"]), std::stod(row["verified_error"]),
                10 * std::stod(row["verified_rounding"]));
    EXPECT_EQ(std::stoi(row["open"]) + std::stoi(row["stick"]) + std::stoi(row["slip"]),
              std::stoi(row["problem_contacts"]));
    EXPECT_GT(std::stod(row["seconds"]), 0);
  }
}

TEST_F(CampaignCommand, a_problem_that_cannot_be_loaded_is_rows) {
  ASSERT_EQ(run({"generate", "random", "--size", "3", "-o", folder.path()}).status, 0);
  const std::string problem = at("random-3-1.hdf5"), copy = tests::read_file(problem);
  std::ofstream(folder / "broken.hdf5", std::ios::binary) << copy.substr(0, copy.size() / 2);
  const std::string file = plan(
      "time_limit = 2\nrepeat_for = 0\nsolvers = [\"auto\"]\n[[set]]\nname = \"s\"\nfiles = \"*.hdf5\"\n");
  EXPECT_EQ(run({"campaign", "run", file, "-o", at("c")}).status, 0);
  std::map<std::string, Row> by;
  for (const auto& row : rows("c")) by[row.at("problem_name")] = row;
  EXPECT_EQ(by["random-3-1.hdf5"]["status"], "converged");
  EXPECT_EQ(by["broken.hdf5"]["status"], "load_failed");
  EXPECT_THAT(by["broken.hdf5"]["message"], HasSubstr("broken.hdf5"));
}

TEST_F(CampaignCommand, a_problem_that_changed_meanwhile_is_not_mixed_in) {
  ASSERT_EQ(run({"generate", "random", "--size", "3", "-o", folder.path()}).status, 0);
  const std::string file = plan(
      "time_limit = 60\nsolvers = [\"auto\"]\n[[solver]]\nname = \"slow\"\ncommand = \"sleep "
      "50\"\n[[set]]\nname = \"s\"\nfiles = \"*.hdf5\"\n");
  const auto stop_later = [&](int pid) {
    while (!std::filesystem::exists(folder / "c" / "scratch" / "0" /
                                    "problem.hdf5"))  // the slow one is under way
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ::kill(pid, SIGKILL);
  };
  run(Call{.arguments = {"campaign", "run", file, "-o", at("c")}, .meanwhile = stop_later});
  EXPECT_EQ(rows("c").size(), 1u);
  ASSERT_EQ(run({"generate", "random", "--size", "3", "--seed", "2", "-o", at("other")}).status, 0);
  std::filesystem::rename(folder / "other" / "random-3-2.hdf5", folder / "random-3-1.hdf5");
  const Outcome outcome = run({"campaign", "resume", at("c")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("has changed since the campaign began"));
  EXPECT_EQ(rows("c").size(), 1u);
}

TEST_F(CampaignCommand, ctrl_c_keeps_what_is_finished_and_says_how_to_go_on) {
  const std::string file = plan(R"toml(
time_limit = 60
grace = 0.1
[[solver]]
name = "slow"
command = "sleep 50"
[[solver]]
name = "fast"
command = "true"
[[set]]
name = "s"
family = "incline"
)toml");
  const Outcome outcome =
      run(Call{.arguments = {"campaign", "run", file, "-o", at("c")}, .meanwhile = [](int pid) {
                 while (!tests::catches_interrupt(pid))
                   std::this_thread::sleep_for(std::chrono::milliseconds(1));
                 std::this_thread::sleep_for(std::chrono::milliseconds(100));
                 ::kill(pid, SIGINT);
               }});
  EXPECT_EQ(outcome.status, 130);
  EXPECT_THAT(outcome.err, HasSubstr("campaign resume"));
  const json status = json::parse(run({"campaign", "status", at("c"), "--json"}).out);
  EXPECT_EQ(status["rows"], 2);
  EXPECT_EQ(status["finished"], 0);
}

TEST_F(CampaignCommand, a_full_disk_is_one_line_and_loses_nothing) {
  const std::string file = plan(small);
  // No file may grow beyond 120 kB: the campaign begins, and then there is no room.
  const std::string command = "trap '' XFSZ; ulimit -f 240; exec " STICKSLIP_COMMAND " campaign run " + file +
                              " -o " + at("c") + " > " + at("out") + " 2> " + at("err");
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_GT(rows("c").size(), 0u);
  const std::string line = tests::read_file(at("err"));
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
  EXPECT_THAT(line, StartsWith("stickslip: " + at("c") + "/campaign.sqlite: "));
  const Outcome more = run({"campaign", "resume", at("c")});
  EXPECT_EQ(more.status, 0) << more.err;
  EXPECT_EQ(results("c").size(), 48u);
}

TEST_F(CampaignCommand, bad_input_is_one_line_and_status_2) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& what) {
    std::vector<std::string> words = {"campaign"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(what));
  };
  refused({"run", at("absent.toml")}, "absent.toml: no such plan");
  refused({"run", plan("colour = 1\n", "key.toml"), "-o", at("x")}, "unknown key 'colour'");
  refused({"run", plan(small), "-o", at("x"), "--jobs", "0"}, "--jobs must be ≥ 1");
  ASSERT_EQ(run({"campaign", "run", plan(small), "-o", at("x"), "--sample", "1"}).status, 0);
  refused({"run", plan(small), "-o", at("x")}, "holds a campaign already");
  refused({"resume", at("absent")}, "holds no campaign");
  refused({"compare", at("absent"), at("x")}, "holds no campaign");
  refused({"ratio", at("x"), "--baseline", "y", "--candidate", "auto"}, "no solver fits 'y'");
  std::ofstream(folder / "text") << std::string(5000, 'x');
  refused({"status", at("text")}, "file is not a database");
}

TEST_F(CampaignCommand, compare_merge_ratio_and_status_agree_with_the_rows) {
  const std::string file = plan(small);
  ASSERT_EQ(run({"campaign", "run", file, "-o", at("a"), "--sample", "2"}).status, 0);
  ASSERT_EQ(run({"campaign", "run", file, "-o", at("b"), "--tolerance", "1e-4"}).status, 0);
  // What is compared took microseconds; whether that is a regression is not the point here.
  const Outcome compared = run({"campaign", "compare", at("a"), at("b"), "--floor", "1000", "--json"});
  EXPECT_EQ(compared.status, 0) << compared.out;
  const json c = json::parse(compared.out);
  EXPECT_EQ(c["all"]["both"], 6);
  EXPECT_EQ(c["only_a"], 6);
  EXPECT_EQ(c["only_b"], 18);
  ASSERT_EQ(run({"campaign", "merge", at("a"), at("b"), "-o", at("c")}).status, 0);
  EXPECT_EQ(results("c").size(), 12u + 24u - 6u);
  const json status = json::parse(run({"campaign", "status", at("c"), "--json"}).out);
  EXPECT_EQ(status["solved"], 30);
  const json ratio = json::parse(
      run({"campaign", "ratio", at("c"), "--baseline", "EG*", "--candidate", "auto", "--json"}).out);
  EXPECT_EQ(ratio["overall"].size(), 2u);
  EXPECT_EQ(ratio["overall"][0]["both"], 8);
}

}  // namespace
}  // namespace stickslip
