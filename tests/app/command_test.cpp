// The command line is a promise: what is printed where, exit statuses, one clear line for each bad input.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "app/process.hpp"

namespace stickslip {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using tests::Call;
using tests::Folder;
using tests::Outcome;
using tests::run;

const std::vector<std::string> subcommands = {"solve",   "info",     "check",    "list", "describe",
                                              "convert", "generate", "campaign", "demo"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Bad usage or bad input: status 2, nothing on standard output, one line on standard error that says `what`.
void expect_refused(const std::vector<std::string>& arguments, const ::testing::Matcher<std::string>& what) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const auto lines = lines_of(outcome.err);
  ASSERT_EQ(lines.size(), 1u) << outcome.err;
  EXPECT_THAT(lines[0], AllOf(StartsWith("stickslip: "), what));
}

class Command : public ::testing::Test {
 protected:
  Folder folder;

  /// The path of a generated problem.
  std::string generate(const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"generate", "-o", folder.path()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto lines = lines_of(outcome.out);
    return lines.empty() ? "" : lines[0];
  }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  }
};

TEST_F(Command, Version) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "stickslip " STICKSLIP_VERSION "\n");
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Command, HelpOfEachSubcommandHasAnExample) {
  const Outcome whole = run({"--help"});
  EXPECT_EQ(whole.status, 0);
  for (const auto& name : subcommands) {
    EXPECT_THAT(whole.out, HasSubstr(name));
    const Outcome outcome = run({name, "--help"});
    EXPECT_EQ(outcome.status, 0) << name;
    EXPECT_THAT(outcome.out, HasSubstr("Example: stickslip " + name)) << name;
    EXPECT_EQ(outcome.err, "") << name;
  }
}

TEST_F(Command, BadUsage) {
  expect_refused({}, HasSubstr("subcommand"));
  expect_refused({"slove"}, HasSubstr("slove"));
  expect_refused({"solve"}, HasSubstr("file"));
  expect_refused({"list", "--jsn"}, HasSubstr("--jsn"));
  expect_refused({"describe"}, HasSubstr("solver"));
}

TEST_F(Command, GenerateWritesFilesAndNamesThem) {
  const Outcome outcome = run(
      {"generate", "manufactured", "-o", folder / "deep/er", "--size", "7", "--seed", "3", "--count", "2"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(lines_of(outcome.out), ElementsAre((folder / "deep/er/manufactured-7-3.hdf5").string(),
                                                 (folder / "deep/er/manufactured-7-4.hdf5").string()));
  for (const auto& path : lines_of(outcome.out)) EXPECT_TRUE(std::filesystem::exists(path)) << path;
  const Outcome list = run({"generate", "--list"});
  EXPECT_EQ(list.status, 0);
  for (const char* family : {"manufactured", "manufactured_unsymmetric", "random", "bad_boy", "bead",
                             "incline", "wall", "spheres", "infeasible"})
    EXPECT_THAT(list.out, HasSubstr(family));
}
TEST_F(Command, GenerateDrawsScenes) {
  const Outcome outcome =
      run({"generate", "arch", "-o", folder.path(), "--dimension", "2", "--size", "20", "--picture"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(lines_of(outcome.out),
              ElementsAre((folder / "arch-20-1.hdf5").string(), (folder / "arch-20-1.svg").string()));
  EXPECT_THAT(tests::read_file(folder / "arch-20-1.svg"), HasSubstr("</svg>"));
  expect_refused({"generate", "bead", "-o", folder.path(), "--picture"}, HasSubstr("has no picture"));
}

TEST_F(Command, GenerateIsTheSameForTheSameSeed) {
  for (const char* name : {"a", "b"}) run({"generate", "random", "-o", folder / name, "--seed", "5"});
  EXPECT_EQ(tests::read_file(folder / "a/random-10-5.hdf5"), tests::read_file(folder / "b/random-10-5.hdf5"));
  EXPECT_THAT(tests::read_file(folder / "a/random-10-5.hdf5"), Not(IsEmpty()));
}

TEST_F(Command, GenerateRefusesBadRequests) {
  const std::string out = folder / "new";
  expect_refused({"generate", "manufactued", "-o", out}, HasSubstr("did you mean 'manufactured'?"));
  expect_refused({"generate", "bad_boy", "-o", out, "--size", "4"},
                 HasSubstr("family 'bad_boy' does not use size"));
  expect_refused({"generate", "manufactured", "-o", out, "--size", "0"}, HasSubstr("size must lie in"));
  expect_refused({"generate", "manufactured", "-o", out, "--size", "many"}, HasSubstr("many"));
  expect_refused({"generate", "manufactured", "-o", out, "--dimension", "5"},
                 HasSubstr("dimension must be 2 or 3"));
  expect_refused({"generate", "manufactured"}, HasSubstr("-o"));
  expect_refused({"generate", "-o", out}, HasSubstr("which family"));
  expect_refused({"generate", "manufactured", "-o", out, "--count", "0"}, HasSubstr("--count"));
  EXPECT_FALSE(std::filesystem::exists(out)) << "nothing is left of a refused request";
  const std::string file = write("file", "x");
  expect_refused({"generate", "bad_boy", "-o", file + "/below"}, HasSubstr("cannot be created"));
}

TEST_F(Command, SolvePrintsAReportForPeople) {
  const std::string problem = generate({"incline", "--angle", "40"});
  const Outcome outcome = run({"solve", problem});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, AllOf(StartsWith("converged in "), HasSubstr("0 open, 0 stick, 4 slip"),
                                 HasSubstr("tolerance 1e-08")));
  EXPECT_EQ(outcome.err, "") << "no progress where standard error is no terminal";
}

TEST_F(Command, SolveJsonHoldsTheKeysOfTheInterface) {
  const std::string problem = generate({"incline", "--angle", "40"});
  const Outcome outcome =
      run({"solve", problem, "--json", "--solver", "NSGS-AC(order=symmetric)", "--tolerance", "1e-10"});
  EXPECT_EQ(outcome.status, 0);
  ASSERT_EQ(lines_of(outcome.out).size(), 1u);
  const json object = json::parse(outcome.out);
  for (const char* key : {"file", "contacts", "degrees_of_freedom", "form", "solver", "solver_used", "status",
                          "tolerance", "error", "energy_error", "iterations", "seconds", "setup_seconds",
                          "open", "stick", "slip", "message"})
    EXPECT_TRUE(object.contains(key)) << key;
  EXPECT_EQ(object["file"], problem);
  EXPECT_EQ(object["contacts"], 4);
  EXPECT_EQ(object["degrees_of_freedom"], 6);
  EXPECT_EQ(object["form"], "global");
  EXPECT_EQ(object["solver"], "NSGS-AC(order=symmetric)");
  EXPECT_EQ(object["solver_used"], "gs(local=newton(fallback=none), order=symmetric)");
  EXPECT_EQ(object["status"], "converged");
  EXPECT_EQ(object["tolerance"], 1e-10);
  EXPECT_LE(object["error"].get<double>(), 1e-10);
  EXPECT_TRUE(object["energy_error"].is_number());
  EXPECT_TRUE(object["iterations"].is_number_integer());
  EXPECT_GT(object["seconds"].get<double>(), 0);
  EXPECT_GE(object["setup_seconds"].get<double>(), 0);
  EXPECT_EQ(object["open"].get<int>() + object["stick"].get<int>() + object["slip"].get<int>(), 4);
  EXPECT_EQ(object["message"], "");
  const json reduced = json::parse(run({"solve", generate({"manufactured", "--size", "5"}), "--json"}).out);
  EXPECT_EQ(reduced["form"], "reduced");
  EXPECT_EQ(reduced["solver"], "auto");
}

TEST_F(Command, SolveThatDoesNotConvergeSaysSo) {
  const std::string problem = generate({"manufactured", "--size", "30"});
  const Outcome outcome = run({"solve", problem, "--json", "--max-iterations", "2"});
  EXPECT_EQ(outcome.status, 1);
  const json object = json::parse(outcome.out);
  EXPECT_EQ(object["status"], "iteration_limit");
  EXPECT_EQ(object["iterations"], 2);
  EXPECT_GT(object["error"].get<double>(), 1e-8);
  const Outcome late = run({"solve", generate({"manufactured", "--size", "300"}), "--json", "--time-limit",
                            "1e-5", "--tolerance", "1e-14"});
  EXPECT_EQ(late.status, 1);
  EXPECT_EQ(json::parse(late.out)["status"], "time_limit");
}

TEST_F(Command, TheSolutionThatWasWrittenIsGoodByIndependentCode) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"manufactured", "--size", "40"},
                                                  {"random", "--size", "8"},
                                                  {"incline"},
                                                  {"bead"}}) {
    const std::string problem = generate(options), solved = folder / "solved.hdf5";
    const Outcome outcome = run({"solve", problem, "-o", solved, "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Outcome check = run({"check", solved, "--json"});
    EXPECT_EQ(check.status, 0) << check.err;
    const json found = json::parse(check.out), said = json::parse(outcome.out);
    EXPECT_EQ(found["verdict"], "good");
    // The same number by other code.
    EXPECT_NEAR(found["error"].get<double>(), said["error"].get<double>(),
                1e-6 * said["error"].get<double>() + 1e-14);
    for (const char* status : {"open", "stick", "slip"}) EXPECT_EQ(found[status], said[status]) << options[0];
    EXPECT_EQ(run({"check", problem, "--solution", solved}).status, 0);
    // A solved file is its own guess.
    EXPECT_EQ(json::parse(run({"solve", solved, "--guess", "stored", "--json"}).out)["iterations"], 0);
    EXPECT_EQ(json::parse(run({"solve", problem, "--guess", solved, "--json"}).out)["iterations"], 0);
  }
}

TEST_F(Command, CheckFindsASolutionWanting) {
  const std::string problem = generate({"manufactured", "--size", "20"}), rough = folder / "rough.hdf5";
  EXPECT_EQ(run({"solve", problem, "--max-iterations", "3", "-o", rough}).status, 1);
  const Outcome strict = run({"check", rough}), lenient = run({"check", rough, "--tolerance", "10"});
  EXPECT_EQ(strict.status, 1);
  EXPECT_THAT(strict.out, HasSubstr("wanting"));
  EXPECT_EQ(lenient.status, 0);
  EXPECT_THAT(lenient.out, HasSubstr("good"));
  // Several files: one wanting is enough.
  EXPECT_EQ(run({"check", problem, rough}).status, 1);
  expect_refused({"check", generate({"incline"})}, HasSubstr("holds no solution/r to check"));
  expect_refused({"check", rough, "--tolerance", "0"}, HasSubstr("--tolerance must be > 0"));
  expect_refused({"check", problem, "--solution", generate({"bead"})},
                 HasSubstr("solution/r has 4 numbers, the problem needs 60"));
}

TEST_F(Command, CheckSaysWhetherASolutionExists) {
  const std::string problem = generate({"manufactured", "--size", "20"});
  const Outcome outcome = run({"check", "--existence", "--json", problem});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const json found = json::parse(outcome.out);
  EXPECT_EQ(found["existence"], "exists");
  EXPECT_GT(found["margin"].get<double>(), 0);
  EXPECT_EQ(found["r"].size(), 60U);
  EXPECT_THAT(run({"check", "--existence", problem}).out, HasSubstr("exists"));
}

TEST_F(Command, SolveExplainsItselfOnStandardError) {
  const std::string problem = generate({"stack", "--size", "24"});
  const Outcome outcome = run({"solve", problem, "--explain"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("converged in "));
  const auto lines = lines_of(outcome.err);
  ASSERT_FALSE(lines.empty());
  for (const auto& line : lines)
    EXPECT_THAT(line, AllOf(StartsWith("stickslip: "), HasSubstr(" iterations, ")));
  const Outcome object = run({"solve", problem, "--explain", "--json"});
  EXPECT_EQ(object.err, "");
  EXPECT_EQ(json::parse(object.out)["explanation"].size(), lines.size());
  EXPECT_FALSE(json::parse(run({"solve", problem, "--json"}).out).contains("explanation"));
}

TEST_F(Command, AProblemThatWasNotSolvedIsKeptOnDemand) {
  const std::string problem = generate({"stack", "--size", "24"}), kept = folder / "failed.hdf5";
  EXPECT_EQ(run({"solve", problem, "--write-failed", kept}).status, 0);
  EXPECT_FALSE(std::filesystem::exists(kept)) << "it was solved";
  const Outcome outcome = run({"solve", problem, "--write-failed", kept, "--max-iterations", "3", "--json"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("the problem and the best point are in " + kept));
  const json object = json::parse(outcome.out);
  EXPECT_EQ(object["worst_contacts"].size(), 3U);
  // The best point goes with it, to be looked at and to go on from.
  const json checked = json::parse(run({"check", kept, "--json"}).out);
  EXPECT_EQ(checked["verdict"], "wanting");
  EXPECT_NEAR(checked["error"].get<double>(), object["error"].get<double>(), 1e-6);
  EXPECT_EQ(run({"solve", kept, "--guess", "stored"}).status, 0);
}

TEST_F(Command, ACertificateIsStoredAndVerified) {
  const std::string problem = generate({"infeasible"}), out = folder / "none.hdf5";
  const Outcome outcome = run({"solve", problem, "-o", out, "--json"});
  EXPECT_EQ(outcome.status, 1);
  const json object = json::parse(outcome.out);
  EXPECT_EQ(object["status"], "infeasible");
  EXPECT_EQ(object["certificate"].size(), 3 * object["contacts"].get<std::size_t>());
  const Outcome checked = run({"check", out});
  EXPECT_EQ(checked.status, 0) << "the claim holds";
  EXPECT_THAT(checked.out, AllOf(HasSubstr("infeasible"), HasSubstr("valid: no solution exists")));
  EXPECT_EQ(json::parse(run({"check", "--json", "--solution", out, problem}).out)["verdict"], "infeasible");
  // It proves nothing about another problem of the same size.
  const std::string other =
      generate({"manufactured", "--size", std::to_string(object["contacts"].get<int>())});
  const Outcome wrong = run({"check", "--solution", out, other});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, HasSubstr("wanting"));
}

TEST_F(Command, TheNearestProblemWithASolutionIsShownAndVerified) {
  const std::string problem = generate({"infeasible"});
  EXPECT_THAT(run({"solve", problem}).out,
              AllOf(HasSubstr("  nearest          contacts "), HasSubstr("squeezed by"),
                    HasSubstr("independent check: error")));
  const json solved = json::parse(run({"solve", problem, "--json"}).out)["nearest"];
  EXPECT_TRUE(solved["found"].get<bool>());
  EXPECT_GT(solved["room_norm"].get<double>(), 0);
  EXPECT_LE(solved["verified_error"].get<double>(), 1e-8);
  const Outcome asked = run({"check", "--existence", "--json", problem});
  EXPECT_EQ(asked.status, 1);
  EXPECT_EQ(json::parse(asked.out)["nearest"]["room"], solved["room"]);
  EXPECT_FALSE(json::parse(run({"solve", generate({"manufactured"}), "--json"}).out).contains("nearest"));
}

TEST_F(Command, MemoryIsStatedAndBounded) {
  const std::string problem = generate({"wall", "--size", "200"});
  EXPECT_THAT(run({"info", problem}).out, AllOf(HasSubstr("  memory "), HasSubstr("auto: the bodies")));
  const json memory = json::parse(run({"info", "--json", problem}).out)["memory"];
  EXPECT_EQ(memory["route"], "bodies");
  EXPECT_GT(memory["auto"].get<double>(), memory["problem"].get<double>());
  EXPECT_EQ(run({"solve", problem, "--memory-limit", "1G"}).status, 0);
  const Outcome refused = run({"solve", problem, "--memory-limit", "10k", "--solver", "NSN-AC"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.out, AllOf(HasSubstr("not_applicable"), HasSubstr("beyond the limit of")));
  expect_refused({"solve", problem, "--memory-limit", "4X"}, HasSubstr("such as 4G or 500M, got '4X'"));
}

TEST_F(Command, AStalledSolveSaysWhatWasTriedAndWhere) {
  const std::string problem = generate({"arch", "--size", "32"});
  const Outcome outcome =
      run({"solve", problem, "--solver", "automatic(lease=1, rounds=1)", "--tolerance", "1e-18"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out,
              AllOf(StartsWith("stalled in "), HasSubstr("tried sweeps, newton, mixing, proximal"),
                    HasSubstr("largest at       contacts "), HasSubstr("W has rank 0.")));
}

TEST_F(Command, HistoryIsATable) {
  const std::string problem = generate({"manufactured", "--size", "20"}), history = folder / "history.csv";
  const json object = json::parse(run({"solve", problem, "--json", "--history", history}).out);
  const auto lines = lines_of(tests::read_file(history));
  ASSERT_EQ(lines.size(), object["iterations"].get<std::size_t>() + 2)
      << "a header, the start, each iteration";
  EXPECT_EQ(lines[0], "iteration,seconds,error");
  double last_error = 0;
  for (std::size_t k = 1; k < lines.size(); ++k) {
    long iteration = -1;
    double seconds = -1;
    ASSERT_EQ(std::sscanf(lines[k].c_str(), "%ld,%lf,%lf", &iteration, &seconds, &last_error), 3) << lines[k];
    EXPECT_EQ(iteration, long(k) - 1);
    EXPECT_GE(seconds, 0);
  }
  EXPECT_NEAR(last_error, object["error"].get<double>(), 1e-12 * last_error + 1e-16);
}

TEST_F(Command, InfoDescribesAProblem) {
  const std::string manufactured = generate({"manufactured_unsymmetric", "--size", "12"}),
                    incline = generate({"incline"});
  const Outcome people = run({"info", manufactured, incline});
  EXPECT_EQ(people.status, 0);
  EXPECT_THAT(people.out, AllOf(HasSubstr("12 in 3 dimensions"), HasSubstr("unsymmetric"),
                                HasSubstr("global (M, H, f, w)")));
  const Outcome machines = run({"info", "--json", manufactured, incline});
  const auto lines = lines_of(machines.out);
  ASSERT_EQ(lines.size(), 2u);
  const json first = json::parse(lines[0]), second = json::parse(lines[1]);
  EXPECT_EQ(first["contacts"], 12);
  EXPECT_EQ(first["form"], "reduced");
  EXPECT_EQ(first["solution"], true);
  EXPECT_GT(first["asymmetry"].get<double>(), 1e-6);
  EXPECT_EQ(second["form"], "global");
  EXPECT_EQ(second["degrees_of_freedom"], 6);
  EXPECT_EQ(second["density"], 2.0);
  EXPECT_EQ(second["rank_ratio"], 0.5);  // six degrees of freedom, twelve unknowns
}

TEST_F(Command, InfoShowsTheSpectrum) {
  const std::string incline = generate({"incline"});
  const json plain = json::parse(run({"info", "--json", incline}).out),
             full = json::parse(run({"info", "--json", "--spectrum", incline}).out);
  EXPECT_FALSE(plain.contains("condition"));
  EXPECT_EQ(full["rank"], 6);  // six degrees of freedom, twelve unknowns
  const double largest = full["largest_singular_value"], smallest = full["smallest_singular_value"];
  EXPECT_GT(smallest, 0);
  EXPECT_DOUBLE_EQ(full["condition"].get<double>(), largest / smallest);
  EXPECT_THAT(run({"info", "--spectrum", incline}).out, HasSubstr("6 of 12 above 1e-9"));
}

TEST_F(Command, RandomInstancesTakeARangeOfFriction) {
  const std::string problem = generate({"random", "--size", "40", "--mu-min", "0.2", "--mu-max", "3"});
  const json info = json::parse(run({"info", "--json", problem}).out);
  EXPECT_GE(info["mu_min"].get<double>(), 0.2);
  EXPECT_LT(info["mu_min"].get<double>(), 0.5);  // the 40 draws of seed 1 reach beyond [0.5, 2]
  EXPECT_GT(info["mu_max"].get<double>(), 2);
  EXPECT_LE(info["mu_max"].get<double>(), 3);
  expect_refused({"generate", "random", "-o", folder.path(), "--mu-min", "3"},
                 HasSubstr("mu_min must be at most mu_max = 2, got 3"));
  expect_refused({"generate", "incline", "-o", folder.path(), "--mu-min", "1"},
                 HasSubstr("does not use mu_min"));
}

TEST_F(Command, TheBadBoyIsSolvedFromTheSolversOwnStart) {
  // CAD 5.4: zero solves it, but a solver that was asked for with its own start begins there, and ends in the false minimum.
  const std::string problem = generate({"bad_boy"});
  for (const char* solver : {"CADOUX(s0=0)", "CADOUX"}) {
    const Outcome outcome = run({"solve", problem, "--solver", solver, "--json"});
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    const json result = json::parse(outcome.out);
    EXPECT_EQ(result["status"], "stalled") << solver;
    EXPECT_THAT(result["message"].get<std::string>(), HasSubstr("½‖s − F(s)‖² = 0.5 ")) << solver;
  }
  const json above = json::parse(run({"solve", problem, "--solver", "CADOUX(s0=3)", "--json"}).out);
  EXPECT_EQ(above["status"], "converged");
  EXPECT_GE(above["iterations"].get<long>(), 1);
}

TEST_F(Command, ListAndDescribe) {
  const Outcome list = run({"list", "--json"});
  EXPECT_EQ(list.status, 0);
  const json all = json::parse(list.out);
  ASSERT_GE(all.size(), 3u);
  for (const auto& entry : all) {
    for (const char* key : {"label", "family", "composition", "reference", "needs"})
      EXPECT_TRUE(entry.contains(key)) << key;
    EXPECT_EQ(run({"describe", entry["label"]}).status, 0) << entry["label"];
  }
  EXPECT_THAT(run({"list"}).out, AllOf(HasSubstr("auto"), HasSubstr("NSGS-AC"), HasSubstr("NSGS-EXACT"),
                                       HasSubstr("additions and defaults:\nautomatic gs ")));
  EXPECT_THAT(run({"describe", "NSGS-AC"}).out,
              AllOf(HasSubstr("local.iterations"), HasSubstr("relaxation"), HasSubstr("(0, 2]")));
  const json described = json::parse(run({"describe", "NSGS-AC(relaxation=0.5)", "--json"}).out);
  EXPECT_EQ(described["composition"], "gs(local=newton(fallback=none), relaxation=0.5)");
  expect_refused({"describe", "NSGS-AK"}, HasSubstr("did you mean 'NSGS-AC'?"));
}

TEST_F(Command, ConvertKeepsTheProblem) {
  const std::string problem = generate({"manufactured", "--size", "6"});
  const double error = json::parse(run({"solve", problem, "--json"}).out)["error"];
  for (const char* name : {"p.dat", "p_folder", "p.h5"}) {
    const std::string other = folder / name;
    const Outcome outcome = run({"convert", problem, other});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json object = json::parse(run({"solve", other, "--json"}).out);
    EXPECT_EQ(object["contacts"], 6) << name;
    EXPECT_NEAR(object["error"].get<double>(), error, 1e-6 * error + 1e-15) << name;
  }
  const std::string reduced = folder / "reduced.hdf5";
  EXPECT_EQ(run({"convert", "--reduce", generate({"incline"}), reduced}).status, 0);
  EXPECT_EQ(json::parse(run({"info", "--json", reduced}).out)["form"], "reduced");
  expect_refused({"convert", problem, folder / "p.xyz"}, HasSubstr("unknown kind of output"));
  expect_refused({"convert", folder / "none.hdf5", folder / "p.dat"},
                 HasSubstr("none.hdf5: cannot be opened"));
}

TEST_F(Command, Demo) {
#ifndef NDEBUG
  GTEST_SKIP() << "the tour takes minutes without optimisation";
#endif
  const Outcome outcome = run({"demo", "-o", folder / "demo"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("incline"), HasSubstr("manufactured"), HasSubstr("sweeps")));
#ifdef STICKSLIP_HAVE_DYNAMICS
  EXPECT_TRUE(std::filesystem::exists(folder / "demo/dominoes.svg"));
#endif
  EXPECT_EQ(run({"check", folder / "demo/bead-2.hdf5"}).status, 0);
}

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
