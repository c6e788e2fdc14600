// Plans: what they mean, and one clear line for each way to write them wrong.

#include "campaign/plan.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "campaign/command_words.hpp"
#include "campaign/folder.hpp"
#include "campaign/sources.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"
#include "stickslip/io.hpp"

namespace stickslip::campaign {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::Folder;

class PlanTest : public testing::Test {
 protected:
  Plan read(const std::string& text, const PlanChanges& changes = {}) {
    std::ofstream(folder / "plan.toml") << text;
    return read_plan(folder / "plan.toml", "/somewhere", changes);
  }
  /// The complaint, without the folder's name.
  std::string complaint(const std::string& text, const PlanChanges& changes = {}) {
    try {
      read(text, changes);
    } catch (const InputError& error) {
      const std::string line = error.what();
      EXPECT_EQ(line.find('\n'), std::string::npos) << line;
      const auto at = line.find("plan.toml");
      return at == std::string::npos ? line : line.substr(at);
    }
    return "no complaint";
  }
  void put(const std::string& name) {
    std::filesystem::create_directories((folder / name).parent_path());
    write_fclib(folder / name, generate("bad_boy"));
  }

  Folder folder;
};

const std::string solvers = "solvers = [\"auto\"]\n", set = "[[set]]\nname = \"s\"\nfamily = \"incline\"\n";

TEST_F(PlanTest, a_whole_plan) {
  const Plan plan = read(R"toml(
title = "all"
tolerances = [1e-3, 1e-6]
time_limit = 5
memory_limit = 128
repetitions = 3
repeat_for = 0.5
grace = 1.5
history = true
threads = 2
rank_limit = 50
solvers = ["auto", "NSGS-AC(order=shuffled)"]
[[solver]]
name = "mine"
solver = "gs(relaxation=0.9)"
[[solver]]
names = ["A", "B"]
family = "other"
command = "true {name} {problem} {solution} {tolerance} {time_limit}"
patience = 3
[[set]]
name = "random"
family = "manufactured"
size = [4, 8]
mu = 0.25
seeds = 2
[[set]]
name = "one"
family = "incline"
form = "reduced"
goals = [{ tolerance = 1e-8, time_limit = 200 }, { tolerance = 1e-4, time_limit = 100 }]
)toml");
  EXPECT_EQ(plan.title, "all");
  EXPECT_EQ(plan.settings.memory_limit, 128);
  EXPECT_EQ(plan.settings.repetitions, 3);
  EXPECT_EQ(plan.settings.repeat_for, 0.5);
  EXPECT_EQ(plan.settings.grace, 1.5);
  EXPECT_TRUE(plan.settings.history);
  EXPECT_EQ(plan.settings.threads, 2);
  EXPECT_EQ(plan.settings.rank_limit, 50);
  ASSERT_EQ(plan.solvers.size(), 5u);
  EXPECT_EQ(plan.solvers[1].composition, "gs(local=newton(fallback=none), order=shuffled)");
  EXPECT_EQ(plan.solvers[2].label, "mine");
  EXPECT_EQ(plan.solvers[2].composition, "gs(relaxation=0.9)");
  EXPECT_EQ(plan.solvers[4].label, "other:B");
  EXPECT_EQ(plan.solvers[4].given, "true B {problem} {solution} {tolerance} {time_limit}");
  EXPECT_EQ(plan.solvers[4].patience, 3);
  EXPECT_TRUE(plan.solvers[4].external);
  ASSERT_EQ(plan.sets.size(), 2u);
  std::vector<std::string> names;
  for (const auto& p : plan.sets[0].problems) names.push_back(p.source);
  EXPECT_THAT(names,
              ElementsAre("manufactured(size=4, mu=0.25, seed=1)", "manufactured(size=4, mu=0.25, seed=2)",
                          "manufactured(size=8, mu=0.25, seed=1)", "manufactured(size=8, mu=0.25, seed=2)"));
  ASSERT_EQ(plan.sets[0].goals.size(), 2u);
  EXPECT_EQ(plan.sets[0].goals[1].tolerance, 1e-6);
  EXPECT_EQ(plan.sets[0].goals[1].time_limit, 5);
  EXPECT_EQ(plan.sets[1].goals[0].time_limit, 200);
  EXPECT_EQ(plan.sets[1].problems[0].form, "reduced");
  EXPECT_EQ(read("form = \"reduced\"\n" + solvers + set).sets[0].problems[0].form, "reduced");
  EXPECT_THAT(complaint("form = \"global\"\n" + solvers + set), HasSubstr("plan.toml:1: 'form' must be"));
}

TEST_F(PlanTest, a_source_gives_the_problem_that_it_names) {
  const auto file = load_source("manufactured(size=7, mu=0.25, seed=3)");
  const auto& problem = std::get<ReducedProblem>(file.problem);
  EXPECT_EQ(problem.contacts(), 7);
  EXPECT_THROW(load_source("manufactured(colour=3)"), InputError);
}

TEST_F(PlanTest, files_by_pattern_and_folder) {
  put("a/x.hdf5"), put("a/y.hdf5"), put("b/x.hdf5"), put("b/deep/z.hdf5");
  const auto names = [&](const std::string& files) {
    std::vector<std::string> all;
    const Plan plan = read(solvers + "[[set]]\nname = \"s\"\nfiles = " + files);
    for (const auto& p : plan.sets[0].problems) all.push_back(p.name);
    return all;
  };
  EXPECT_THAT(names("\"a/*.hdf5\""), ElementsAre("x.hdf5", "y.hdf5"));
  EXPECT_THAT(names("\"b\""), ElementsAre("z.hdf5", "x.hdf5"));
  EXPECT_THAT(names("[\"a/x.hdf5\", \"b/x.hdf5\", \"a/[x]*\"]"), ElementsAre("a/x.hdf5", "b/x.hdf5"));
}

TEST_F(PlanTest, the_command_line_may_replace_problems_and_goals) {
  put("data/one/x.hdf5"), put("data/one/y.hdf5"), put("data/two/z.hdf5");
  const Plan plan =
      read(solvers + "tolerance = 1e-3\n" + set,
           {.problems = {folder / "data"}, .time_limit = 7, .tolerances = {{1e-5}}, .sample = 1});
  ASSERT_EQ(plan.sets.size(), 2u);
  EXPECT_EQ(plan.sets[0].name, "one");
  ASSERT_EQ(plan.sets[0].problems.size(), 1u);
  EXPECT_EQ(plan.sets[0].problems[0].name, "x.hdf5");
  EXPECT_EQ(plan.sets[1].name, "two");
  ASSERT_EQ(plan.sets[1].goals.size(), 1u);
  EXPECT_EQ(plan.sets[1].goals[0].tolerance, 1e-5);
  EXPECT_EQ(plan.sets[1].goals[0].time_limit, 7);
  EXPECT_EQ(plan.sets[0].problems[0].form, "");
  const Plan reduced = read(solvers + "form = \"reduced\"\n" + set, {.problems = {folder / "data"}});
  EXPECT_EQ(reduced.sets[1].problems[0].form, "reduced");
  EXPECT_THAT(complaint(solvers + set, {.problems = {folder / "absent"}}),
              HasSubstr("absent: no problem files"));
}

TEST_F(PlanTest, complaints_name_line_and_nearest_choice) {
  EXPECT_EQ(complaint("tolerence = 1\n" + solvers + set),
            "plan.toml:1: unknown key 'tolerence' in the plan; did you mean 'tolerance'?");
  EXPECT_EQ(complaint(solvers + set + "sise = 3\n"),
            "plan.toml:5: unknown key 'sise' in [[set]]; did you mean 'size'?");
  EXPECT_EQ(
      complaint(solvers + "[[set]]\nname = \"s\"\nfamily = \"inclin\"\n"),
      "plan.toml:4: unknown problem family 'inclin'; did you mean 'incline'? ('stickslip generate --list' "
      "shows all)");
  EXPECT_EQ(complaint("solvers = [\"NSGS-AD\"]\n" + set),
            "plan.toml:1: unknown solver 'NSGS-AD'; did you mean 'NSGS-AC'? ('stickslip list' shows all)");
  EXPECT_THAT(complaint("solvers = [\"gs(relaxation=3)\"]\n" + set), HasSubstr("plan.toml:1: "));
  EXPECT_THAT(complaint(solvers + set + "size = 4\n"), HasSubstr("family 'incline' does not use size"));
  EXPECT_THAT(complaint(solvers + set + "density = 4\n"), HasSubstr("does not use density"));
  EXPECT_THAT(complaint(solvers + "[[set]]\nname = \"s\"\nfiles = \"none/*\"\n"),
              HasSubstr("plan.toml:4: set 's': no file 'none/*' beside the plan"));
  EXPECT_EQ(complaint("time_limit = -1\n" + solvers + set), "plan.toml:1: 'time_limit' must be a number > 0");
  EXPECT_EQ(complaint("threads = 1.5\n" + solvers + set),
            "plan.toml:1: 'threads' must be a whole number ≥ 1");
  EXPECT_EQ(complaint("history = \"yes\"\n" + solvers + set), "plan.toml:1: 'history' must be true or false");
  EXPECT_THAT(complaint("title = \n"), HasSubstr("plan.toml:1: "));
  EXPECT_THAT(complaint(set), HasSubstr("the plan has no solver"));
  EXPECT_THAT(complaint(solvers), HasSubstr("the plan has no problems"));
  EXPECT_THAT(complaint(solvers + set + set), HasSubstr("set 's' is there twice"));
  EXPECT_THAT(complaint("solvers = [\"auto\", \"auto\"]\n" + set), HasSubstr("solver 'auto' is there twice"));
  EXPECT_EQ(complaint(solvers + "[[solver]]\nname = \"x\"\ncommand = \"no_such_program {problem}\"\n" + set),
            "plan.toml:4: command 'no_such_program' is not there or cannot be run");
  EXPECT_THAT(complaint(solvers + "[[solver]]\nname = \"x\"\ncommand = \"true {file}\"\n" + set),
              HasSubstr("plan.toml:4: unknown {file} (known: {bin}, "));
  EXPECT_THAT(complaint(solvers + set + "seeds = 2\nfiles = \"x\"\n"),
              HasSubstr("either 'files' or 'family'"));
  EXPECT_THROW(read_plan(folder / "absent.toml", ""), InputError);
}

TEST_F(PlanTest, what_is_optional_may_be_absent_and_is_told) {
  const Plan plan =
      read(solvers + "[[solver]]\nname = \"x\"\ncommand = \"no_such_program\"\noptional = true\n" + set +
           "[[set]]\nname = \"t\"\nfiles = \"none/*\"\noptional = true\n");
  EXPECT_EQ(plan.solvers.size(), 1u);
  EXPECT_EQ(plan.sets.size(), 1u);
  EXPECT_EQ(plan.notes.size(), 2u);
}

TEST_F(PlanTest, sets_may_come_from_another_plan) {
  std::ofstream(folder / "sets.toml") << "[[set]]\nname = \"a\"\nfamily = \"incline\"\n";
  const Plan plan = read("sets = \"sets.toml\"\ntolerance = 1e-5\n" + solvers);
  ASSERT_EQ(plan.sets.size(), 1u);
  EXPECT_EQ(plan.sets[0].name, "a");
  EXPECT_EQ(plan.sets[0].goals[0].tolerance, 1e-5);
  EXPECT_THAT(plan.text, HasSubstr("#   family = \"incline\""));
  EXPECT_EQ(read_settings(plan.text, "plan.toml").repetitions, 1);
  std::ofstream(folder / "sets.toml") << "[[set]]\nname = \"a\"\nfamili = \"incline\"\n";
  EXPECT_THAT(complaint("sets = \"sets.toml\"\n" + solvers), HasSubstr("sets.toml:3: unknown key 'famili'"));
  EXPECT_THAT(complaint("sets = \"absent.toml\"\n" + solvers), HasSubstr("no plan 'absent.toml'"));
}

TEST_F(PlanTest, solvers_that_are_not_there_yet_may_be_named_as_optional) {
  const Plan plan = read("optional_solvers = [\"NSGS-AC\", \"NOT-YET(x=1)\"]\n" + set);
  ASSERT_EQ(plan.solvers.size(), 1u);
  EXPECT_EQ(plan.solvers[0].label, "NSGS-AC");
  EXPECT_THAT(plan.notes, ElementsAre("solver NOT-YET(x=1) left out: there is none of that name yet"));
}

/// Every solver, family and key in the plans that come with the source exists.
TEST(CheckedInPlans, can_be_read) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STICKSLIP_SOURCE_DIR "/bench/plans")) {
    if (entry.path().filename() == "rr-sets.toml") continue;  // sets only, which the others take
    const Plan plan = read_plan(entry.path(), "/nowhere");
    EXPECT_FALSE(plan.solvers.empty()) << entry.path();
    EXPECT_FALSE(plan.sets.empty()) << entry.path();
    for (const auto& note : plan.notes)  // files and Siconos may be absent here; what is ours may not
      EXPECT_TRUE(note.find("none of its files") != std::string::npos || note.starts_with("solver siconos:"))
          << entry.path() << ": " << note;
    ++count;
  }
  EXPECT_GE(count, 8);
}

/// Every label of the catalogue has its place in one of the plans of RR's study, so that none is forgotten.
TEST(CheckedInPlans, hold_every_solver) {
  std::set<std::string> planned;
  for (const char* name : {"vi", "gauss-seidel", "newton", "proximal", "optimisation", "across"})
    for (const auto& solver :
         read_plan(STICKSLIP_SOURCE_DIR "/bench/plans/rr-" + std::string(name) + ".toml", "/nowhere").solvers)
      planned.insert(solver.label.substr(0, solver.label.find('(')));
  planned.insert("SSN-UNIL");  // for problems without friction, which RR has none of
  for (const auto& entry : catalogue()) EXPECT_TRUE(planned.contains(entry.label)) << entry.label;
}

TEST(CommandWords, are_split_and_filled_in_without_a_shell) {
  EXPECT_THAT(split_command("a 'b c'  \"d\"e ''"), ElementsAre("a", "b c", "de", ""));
  EXPECT_THROW(split_command("a 'b"), InputError);
  EXPECT_EQ(fill_in("{x}-{y}{x}", {{"x", "1"}, {"y", "{x}"}}), "1-{x}1");
  EXPECT_EQ(find_program("true", "/").filename(), "true");
  EXPECT_TRUE(find_program("no_such_program", "/").empty());
  EXPECT_TRUE(find_program("./no_such_program", "/").empty());
}

}  // namespace
}  // namespace stickslip::campaign
