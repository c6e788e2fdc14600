// Bad input, full disks, interrupts: one clear line, an exit status, nothing left behind.
#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/command.hpp"

namespace stickslip {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using tests::Call;
using tests::Command;
using tests::expect_refused;
using tests::lines_of;
using tests::Outcome;
using tests::run;

TEST_F(Command, BadInputIsOneLine) {
  const std::string problem = generate({"manufactured", "--size", "5"}), out = folder / "out.hdf5";
  expect_refused({"solve", problem, "--solver", "NSGS-EXAKT", "-o", out},
                 HasSubstr("did you mean 'NSGS-EXACT'?"));
  expect_refused({"solve", problem, "--solver", "gs(odrer=given)", "-o", out},
                 HasSubstr("did you mean 'order'?"));
  expect_refused({"solve", problem, "--solver", "gs(relaxation=3)", "-o", out},
                 HasSubstr("must lie in (0, 2]"));
  expect_refused({"solve", folder / "missing.hdf5", "-o", out}, HasSubstr("missing.hdf5: cannot be opened"));
  expect_refused({"solve", problem, "--tolerance", "-1", "-o", out},
                 HasSubstr("tolerance must be a finite number > 0"));
  expect_refused({"solve", problem, "--tolerance", "abc", "-o", out}, HasSubstr("abc"));
  expect_refused({"solve", problem, "--tolerance", "nan", "-o", out}, HasSubstr("tolerance"));
  expect_refused({"solve", problem, "--time-limit", "0", "-o", out}, HasSubstr("time limit must be > 0"));
  expect_refused({"solve", problem, "--max-iterations", "-3", "-o", out},
                 HasSubstr("max iterations must be ≥ 0"));
  expect_refused({"solve", problem, "--threads", "0", "-o", out}, HasSubstr("threads must be ≥ 1"));
  expect_refused({"solve", problem, "--guess", folder / "missing.hdf5", "-o", out},
                 HasSubstr("missing.hdf5: cannot be opened"));
  expect_refused({"solve", generate({"incline"}), "--guess", "stored", "-o", out},
                 HasSubstr("holds neither a solution nor a guess"));
  expect_refused({"solve", problem, "--guess", generate({"bead"}), "-o", out},
                 HasSubstr("the guess has 4 numbers, expected 15"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(Command, HostileFilesAreOneLine) {
  std::filesystem::create_directory(folder / "empty_folder");
  expect_refused({"solve", folder / "empty_folder"}, HasSubstr("empty_folder"));
  expect_refused({"solve", write("text.hdf5", "this is no HDF5 file\n")}, HasSubstr("text.hdf5"));
  expect_refused({"info", write("empty.hdf5", "")}, HasSubstr("empty.hdf5: is empty"));
  expect_refused({"check", write("bytes.hdf5", std::string("\x89HDF\r\n\x1a\n\0\0\0\0", 12))},
                 HasSubstr("bytes.hdf5"));
  const std::string problem = generate({"manufactured", "--size", "5"});
  const std::string whole = tests::read_file(problem);
  expect_refused({"solve", write("cut.hdf5", whole.substr(0, whole.size() / 2))}, HasSubstr("cut.hdf5"));
  expect_refused({"solve", "/dev/null"}, HasSubstr("/dev/null"));
}

TEST_F(Command, OutputThatCannotBeWrittenIsOneLineAndLeavesNothing) {
  const std::string problem = generate({"manufactured", "--size", "5"});
  const auto before = folder.names();
  expect_refused({"solve", problem, "-o", folder / "no/such/folder/out.hdf5"},
                 HasSubstr("cannot be written"));
  expect_refused({"solve", problem, "-o", folder.path()}, HasSubstr("cannot be written"));
  expect_refused({"solve", problem, "--history", folder / "no/such/folder/h.csv"},
                 HasSubstr("cannot be written"));
  expect_refused({"solve", problem, "--history", "/dev/full"}, HasSubstr("/dev/full: cannot be written"));
  expect_refused({"solve", problem, "-o", "/dev/full"}, HasSubstr("/dev/full: cannot be written"));
  expect_refused({"convert", problem, folder / "no/such/folder/p.dat"}, HasSubstr("cannot be written"));
  EXPECT_EQ(folder.names(), before);
}

TEST_F(Command, AFullStandardOutputIsNotASuccess) {
  const std::string problem = generate({"manufactured", "--size", "5"});
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"solve", problem, "--json"},
                                                    {"list"},
                                                    {"info", problem},
                                                    {"check", problem},
                                                    {"--help"},
                                                    {"--version"}}) {
    const Outcome outcome = run(Call{.arguments = arguments, .output = "/dev/full"});
    EXPECT_EQ(outcome.status, 2) << arguments[0];
    EXPECT_THAT(outcome.err, HasSubstr("standard output: cannot be written")) << arguments[0];
    EXPECT_EQ(lines_of(outcome.err).size(), 1u);
  }
}

TEST_F(Command, QuietAndVerboseStayApartFromTheResults) {
  const std::string problem = generate({"manufactured", "--size", "5"});
  const Outcome quiet = run({"--quiet", "solve", problem, "--json"}),
                also = run({"solve", problem, "--json", "-q"}),
                verbose = run({"solve", problem, "--json", "--verbose"});
  for (const Outcome* outcome : {&quiet, &also, &verbose}) {
    EXPECT_EQ(outcome->status, 0) << outcome->err;
    EXPECT_EQ(json::parse(outcome->out)["status"], "converged");
  }
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(also.err, "");
}

TEST_F(Command, NoColoursWhereTheyAreNotWanted) {
  const std::string problem = generate({"manufactured", "--size", "5"});
  for (const auto& environment :
       {std::map<std::string, std::string>{}, {{"NO_COLOR", "1"}}, {{"TERM", "xterm-256color"}}})
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"check", problem}, {"list"}, {"info", problem}}) {
      const Outcome outcome = run(Call{.arguments = arguments, .environment = environment});
      EXPECT_EQ(outcome.status, 0);
      EXPECT_THAT(outcome.out, Not(HasSubstr("\033"))) << arguments[0];
    }
}

TEST_F(Command, AnInterruptStopsWithTheBestIterate) {
  // It never gets there: the tolerance is far below rounding, and shuffling at each sweep keeps the last
  // digits moving.
  const std::string problem = generate({"manufactured", "--size", "3000"}), solved = folder / "best.hdf5";
  for (const bool as_json : {true, false}) {
    std::vector<std::string> arguments = {
        "solve", problem, "--tolerance", "1e-300", "--solver", "gs(order=reshuffled)", "-o", solved};
    if (as_json) arguments.push_back("--json");
    const Outcome outcome = run(Call{.arguments = arguments, .meanwhile = [](int pid) {
                                       // As soon as it listens, and a few sweeps later.
                                       for (int k = 0; k < 6000 && !tests::catches_interrupt(pid); ++k)
                                         std::this_thread::sleep_for(std::chrono::milliseconds(10));
                                       std::this_thread::sleep_for(std::chrono::milliseconds(200));
                                       ::kill(pid, SIGINT);
                                     }});
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    if (as_json) {
      const json object = json::parse(outcome.out);
      EXPECT_EQ(object["status"], "cancelled");
      EXPECT_GT(object["iterations"].get<long>(), 0);
      EXPECT_LT(object["error"].get<double>(), 1);
    } else {
      EXPECT_THAT(outcome.out, StartsWith("cancelled in "));
    }
    const Outcome check = run({"check", "--json", solved});
    EXPECT_EQ(check.err, "");
    EXPECT_LT(json::parse(check.out)["error"].get<double>(), 1);
    std::filesystem::remove(solved);
  }
}

}  // namespace
}  // namespace stickslip
