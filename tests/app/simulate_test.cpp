// simulate, scenes and export as a user runs them: what is printed, what is written, exit statuses, going on after kill −9.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/process.hpp"

namespace stickslip {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using tests::Call;
using tests::Folder;
using tests::Outcome;
using tests::read_file;
using tests::run;

class Simulate : public testing::Test {
 protected:
  Folder folder;
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  }
};

TEST_F(Simulate, PrintsOneObject) {
  const std::string record = folder / "run.h5";
  const Outcome outcome = run(
      {"simulate", "incline", "-D", "angle=20", "--steps", "25", "--every", "10", "-o", record, "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const json object = json::parse(outcome.out);
  for (const char* key : {"scene", "steps", "time", "bodies", "contacts_max", "contacts_mean", "unconverged",
                          "error_max", "iterations_mean", "seconds", "detection_seconds", "solve_seconds",
                          "kinetic", "potential", "elastic", "dissipated", "penetration_max", "output"})
    EXPECT_TRUE(object.contains(key)) << key;
  EXPECT_EQ(object["steps"], 25);
  EXPECT_EQ(object["bodies"], 1);
  EXPECT_EQ(object["contacts_max"], 4);
  EXPECT_EQ(object["output"], record);
  EXPECT_NEAR(object["kinetic"].get<double>(), 0, 1e-20);  // tan 20° < 0.5: it rests
}

TEST_F(Simulate, ABadSceneIsOneLineAndWritesNothing) {
  const std::string scene = write("bad.toml",
                                  "step = 1e-3\n\n[[body]]\nname = \"brick\"\nkind = \"rigid\"\n"
                                  "shape = { kind = \"box\", size = [1, 1, 1] }\nmasse = 1\n");
  const Outcome outcome = run({"simulate", scene, "-o", folder / "run.h5"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "stickslip: " + scene + ":7: body 'brick': unknown key 'masse'; did you mean 'mass'?\n");
  EXPECT_THAT(folder.names(), ElementsAre("bad.toml"));
  const std::string landing = write("landing.toml", "step = 1e-3\nlanding = \"spilt\"\n");
  const Outcome misspelt = run({"simulate", landing});
  EXPECT_EQ(misspelt.status, 2);
  EXPECT_EQ(misspelt.err, "stickslip: " + landing + ":2: unknown landing 'spilt'; did you mean 'split'?\n");
  const Outcome unknown = run({"simulate", "inclin"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'incline'?"));
}

TEST_F(Simulate, BadOptionsAreOneLine) {
  const std::string scene = write("ball.toml",
                                  "steps = 2\n[parameters]\nm = 1\n[[body]]\nkind = \"rigid\"\nmass = \"m\"\n"
                                  "shape = { kind = \"sphere\", radius = 1 }\n");
  const auto refusal = [&](const std::vector<std::string>& options) {
    std::vector<std::string> all = {"simulate", scene};
    all.insert(all.end(), options.begin(), options.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.status, 2) << options[0];
    return outcome.err;
  };
  EXPECT_THAT(refusal({"-D", "m=t"}), HasSubstr("a parameter does not depend on t"));
  EXPECT_THAT(refusal({"-D", "n=1"}), HasSubstr("there is no parameter 'n'"));
  EXPECT_EQ(refusal({"--threads", "100000000"}), "stickslip: --threads: it must be from 1 to 1024\n");
  EXPECT_EQ(refusal({"--duration", "1e300"}),
            "stickslip: duration is 1e+300; it must be at most 1e15 steps\n");
  const std::string text = read_file(scene);
  EXPECT_THAT(refusal({"-o", scene}), HasSubstr("it is the scene; the record needs a name of its own"));
  EXPECT_EQ(read_file(scene), text);
  EXPECT_THAT(folder.names(), ElementsAre("ball.toml"));
  const Outcome empty = run({"simulate", write("empty.toml", "")});
  EXPECT_EQ(empty.status, 2);
  EXPECT_THAT(empty.err, HasSubstr("the scene has no bodies"));
}

TEST_F(Simulate, AForceWithoutAValueEndsTheRunWithARecord) {
  const std::string scene =
      write("odd.toml",
            "step = 1e-3\nsteps = 20\n[[body]]\nname = \"ball\"\nkind = \"rigid\"\nmass = 1\n"
            "shape = { kind = \"sphere\", radius = 1 }\n[[force]]\nbody = \"ball\"\n"
            "force = [\"sqrt(0.0102 - t)\", 0, 0]\n");
  const Outcome outcome = run({"simulate", scene, "-o", folder / "run.h5", "--json"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(json::parse(outcome.out)["steps"], 10);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("stickslip: " + scene + ":10: force 0: 'force' at t = 0.0105 s"),
                                 HasSubstr("not a finite number")));
  // The last record is the last good state.
  ASSERT_EQ(run({"export", folder / "run.h5", folder / "run.csv"}).status, 0);
  EXPECT_THAT(read_file(folder / "run.csv"), HasSubstr("\n0.01,\"ball\""));
}

TEST_F(Simulate, StepsAreTheSameFromTheirSavedStates) {
  const Outcome outcome = run({"simulate", "rover", "--steps", "30", "--rewind", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["steps"], 30);
}

TEST_F(Simulate, StepsThatDoNotConvergeAreCounted) {
  const std::string scene = write("hard.toml", R"TOML(
step = 1e-3
steps = 3
[solver]
name = "gs(islands=off)"
tolerance = 1e-15
time_limit = 1e-6
[[body]]
name = "floor"
kind = "fixed"
shape = { kind = "plane" }
[[body]]
name = "box"
kind = "rigid"
shape = { kind = "box", size = [0.2, 0.2, 0.1] }
mass = 1
position = [0, 0, 0.05]
count = [1, 1, 20]
pitch = [0, 0, 0.1]
)TOML");
  const Outcome outcome = run({"simulate", scene, "--json", "-o", folder / "run.h5"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(json::parse(outcome.out)["unconverged"], 3);
  EXPECT_THAT(outcome.err, HasSubstr("3 of 3 steps did not converge"));
  EXPECT_THAT(folder.names(), ElementsAre("hard.toml", "run-failed", "run.h5"));
}

TEST_F(Simulate, EqualBytesTwiceAndWithThreadsAndAfterThreeKills) {
  const std::vector<std::string> scene = {"simulate", "dominoes",   "--every", "20",
                                          "--quiet",  "--duration", "0.6"};
  const auto with = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> all = scene;
    all.insert(all.end(), {"-o", folder / name});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  ASSERT_EQ(run(with("once.h5", {})).status, 0);
  ASSERT_EQ(run(with("threads.h5", {"--threads", "2"})).status, 0);
  const std::string once = read_file(folder / "once.h5");
  EXPECT_TRUE(once == read_file(folder / "threads.h5"));
  int killed = 0;
  for (int k = 0; k < 3; ++k) {
    // When the record has so much of its end length, however fast the machine is.
    const auto length = std::uintmax_t(k + 1) * once.size() / 4;
    const auto so_far = [&] {
      std::error_code error;
      const auto size = std::filesystem::file_size(folder / "killed.h5", error);
      return error ? 0 : size;
    };
    const Outcome outcome = run(Call{.arguments = with("killed.h5", {"--resume"}), .meanwhile = [&](int pid) {
                                       for (int n = 0; n < 60000 && so_far() < length; ++n)
                                         std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                       ::kill(pid, SIGKILL);
                                     }});
    killed += outcome.status == 128 + SIGKILL;
    // What is there can be read at any moment.
    if (std::filesystem::exists(folder / "killed.h5")) {
      EXPECT_EQ(run({"export", folder / "killed.h5", folder / "now.csv"}).status, 0);
    }
  }
  EXPECT_EQ(killed, 3);
  ASSERT_EQ(run(with("killed.h5", {"--resume"})).status, 0);
  EXPECT_TRUE(once == read_file(folder / "killed.h5"));
}

TEST_F(Simulate, AnInterruptLeavesAWholeRecord) {
  const std::string record = folder / "run.h5";
  const Outcome outcome = run(Call{.arguments = {"simulate", "dominoes", "--duration", "1000", "-o", record},
                                   .meanwhile = [](int pid) {
                                     for (int k = 0; k < 6000 && !tests::catches_interrupt(pid); ++k)
                                       std::this_thread::sleep_for(std::chrono::milliseconds(10));
                                     std::this_thread::sleep_for(std::chrono::milliseconds(200));
                                     ::kill(pid, SIGINT);
                                   }});
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("--resume goes on"));
  EXPECT_EQ(run({"export", record, folder / "run.csv"}).status, 0);
}

TEST_F(Simulate, AFullDiskIsOneLineAndTheRecordIsWhole) {
  const std::string whole = folder / "whole.h5", record = folder / "run.h5";
  const auto call = [](const std::string& path) {
    return std::vector<std::string>{"simulate", "dominoes", "--steps", "400", "--every", "1", "-o", path};
  };
  ASSERT_EQ(run(call(whole)).status, 0);
  // A file that may not grow beyond half of what is needed stands for a disk that is full. The signal is ignored, as write then fails.
  const rlimit half{std::filesystem::file_size(whole) / 2, std::filesystem::file_size(whole) / 2};
  const auto before = signal(SIGXFSZ, SIG_IGN);
  const Outcome full = run(Call{.arguments = call(record),
                                .meanwhile = [&](int pid) { prlimit(pid, RLIMIT_FSIZE, &half, nullptr); }});
  signal(SIGXFSZ, before);
  EXPECT_NE(full.status, 0);
  EXPECT_LT(full.status, 128) << full.err;
  EXPECT_THAT(full.err, HasSubstr("run.h5: cannot be written"));
  EXPECT_EQ(std::count(full.err.begin(), full.err.end(), '\n'), 1) << full.err;
  EXPECT_EQ(run({"export", record, folder / "run.csv"}).status, 0);
  // With room again the run goes on, to the same bytes.
  auto rest = call(record);
  rest.push_back("--resume");
  EXPECT_EQ(run(rest).status, 0);
  EXPECT_TRUE(read_file(record) == read_file(whole));
}

TEST_F(Simulate, ResumeRefusesTheRecordOfAnotherScene) {
  const std::string record = folder / "run.h5";
  ASSERT_EQ(run({"simulate", "incline", "--steps", "5", "-o", record}).status, 0);
  const Outcome outcome = run({"simulate", "billiard", "--steps", "5", "-o", record, "--resume"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("it is the record of another scene"));
}

TEST_F(Simulate, DumpedProblemsAreSolvedByTheirGuesses) {
  const std::string problems = folder / "problems";
  ASSERT_EQ(
      run({"simulate", "stack", "-D", "n=6", "--steps", "40", "--every", "20", "--dump-problems", problems})
          .status,
      0);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(problems)) names.push_back(entry.path());
  ASSERT_EQ(names.size(), 2u);
  for (const std::string& name : names) {
    const json solved = json::parse(run({"solve", name, "--guess", "stored", "--json"}).out);
    EXPECT_EQ(solved["status"], "converged");
    EXPECT_EQ(solved["form"], "global");
    EXPECT_EQ(solved["contacts"], 24);
    EXPECT_LE(solved["iterations"].get<long>(),
              1);  // it rests: the impulses of the last step are those of this one
  }
}

TEST_F(Simulate, AFolderForProblemsThatCannotBeMadeLeavesTheRecordAlone) {
  const std::string record = folder / "kept.h5", file = folder / "file";
  ASSERT_EQ(run({"simulate", "incline", "--steps", "5", "-o", record}).status, 0);
  std::ofstream(file) << "no folder";
  const auto before = std::filesystem::last_write_time(record);
  const Outcome outcome =
      run({"simulate", "incline", "--steps", "5", "-o", record, "--dump-problems", file + "/problems"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot be created"));
  EXPECT_EQ(std::filesystem::last_write_time(record), before);
}

TEST_F(Simulate, DumpedProblemsHaveTheirJoints) {
  const std::string problems = folder / "problems";
  const Outcome outcome = run({"simulate", "rover", "--steps", "10", "--dump-problems", problems, "--quiet"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const auto& entry : std::filesystem::directory_iterator(problems)) {
    const json solved = json::parse(run({"solve", entry.path(), "--guess", "stored", "--json"}).out);
    EXPECT_EQ(solved["status"], "converged");
    EXPECT_EQ(solved["degrees_of_freedom"], 42);
  }
}

TEST_F(Simulate, EveryFormatIsWritten) {
  const std::string record = folder / "run.h5";
  ASSERT_EQ(run({"simulate", "billiard", "--steps", "20", "-o", record}).status, 0);
  for (const char* name : {"a.csv", "a.xdmf", "a.pvd", "a.vtkhdf", "a.usda"}) {
    const Outcome outcome = run({"export", record, folder / name});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_GT(std::filesystem::file_size(folder / name), 100u) << name;
  }
  // A head, and one row a body and record: the start, after 10 and after 20 steps.
  const std::string csv = read_file(folder / "a.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  EXPECT_THAT(csv, StartsWith("time,body,x,y,z,"));
  const Outcome unknown = run({"export", record, folder / "a.png"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("unknown ending '.png'"), HasSubstr(".vtkhdf")));
}

TEST_F(Simulate, ScenesAreListedAndPrinted) {
  const json all = json::parse(run({"scenes", "--json"}).out);
  EXPECT_GE(all.size(), 40u);
  const Outcome printed = run({"scenes", "incline"});
  const std::string copy = write("mine.toml", printed.out);
  const Outcome outcome = run({"simulate", copy, "-D", "angle=10", "--steps", "2", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(run({"scenes", "nosuch"}).status, 2);
}

}  // namespace
}  // namespace stickslip
