// The command line is a promise: what is printed where, and exit statuses.
#include "app/command.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

namespace stickslip {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using tests::Command;
using tests::expect_refused;
using tests::lines_of;
using tests::Outcome;
using tests::run;

const std::vector<std::string> subcommands = {"solve",   "info",     "check",    "list", "describe",
                                              "convert", "generate", "campaign", "demo"};

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

}  // namespace
}  // namespace stickslip
