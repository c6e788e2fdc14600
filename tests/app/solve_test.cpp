// solve and check: reports, JSON, certificates, what is said of a failure.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/command.hpp"

namespace stickslip {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using tests::Command;
using tests::expect_refused;
using tests::lines_of;
using tests::Outcome;
using tests::run;

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
                    HasSubstr("largest at       contacts "), HasSubstr("W has rank 0."),
                    HasSubstr("  existence        exists: ")));
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

}  // namespace
}  // namespace stickslip
