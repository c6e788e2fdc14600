// The store gives back what it was given, holds each row once, and refuses what is no campaign of its
// version.

#include "campaign/store.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "campaign/columns.hpp"
#include "campaign/folder.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::campaign {
namespace {

using tests::Folder;

/// A value in every column, all different, so that a column out of place shows.
template <class Record, class List>
Record filled(List&& list) {
  Record record;
  int next = 1;
  struct Fill {
    int& next;
    void operator()(const char*, std::string& f) { f = "text " + std::to_string(next++); }
    void operator()(const char*, std::int64_t& f) { f = next++; }
    void operator()(const char*, double& f) { f = 0.1 * next++; }
    void operator()(const char*, bool& f) { f = true, ++next; }
    void operator()(const char*, std::optional<double>& f) { f = 0.1 * next++; }
    void operator()(const char*, std::optional<std::int64_t>& f) { f = next++; }
  };
  list(record, Fill{next});
  return record;
}

/// The columns as text.
template <class Record, class List>
std::vector<std::string> texts(const Record& record, List&& list) {
  std::vector<std::string> out;
  list(record, [&](const char* name, const auto& f) {
    std::ostringstream text;
    text.precision(17);
    text << name << '=';
    if constexpr (requires { f.has_value(); }) {
      if (f) text << *f;
    } else {
      text << f;
    }
    out.push_back(text.str());
  });
  return out;
}

constexpr auto runs = [](auto& r, auto&& v) { run_columns(r, v); };
constexpr auto problems = [](auto& r, auto&& v) { problem_columns(r, v); };
constexpr auto solvers = [](auto& r, auto&& v) { solver_columns(r, v); };
constexpr auto machines = [](auto& r, auto&& v) { machine_columns(r, v); };

TEST(Store, gives_back_what_it_was_given) {
  const Folder folder;
  auto problem = filled<ProblemRecord>(problems);
  auto solver = filled<SolverRecord>(solvers);
  auto machine = filled<Machine>(machines);
  auto run = filled<RunRecord>(runs);
  run.history = {{0, 0.0, 1.0}, {7, 1e-300, 0.1 + 0.2}, {1'000'000'000'000, 3.5, 1e-17}};
  {
    Store store = Store::create(folder / "c");
    store.set_meta("plan", "title = \"ü\"\n");
    store.add(problem);
    store.add(solver);
    store.add(machine);
    store.add(run.task);
    store.add(run);
  }
  const Campaign back = Store::open(folder / "c").read();
  EXPECT_EQ(back.meta.at("plan"), "title = \"ü\"\n");
  ASSERT_EQ(back.problems.size(), 1u);
  ASSERT_EQ(back.solvers.size(), 1u);
  ASSERT_EQ(back.machines.size(), 1u);
  ASSERT_EQ(back.runs.size(), 1u);
  ASSERT_EQ(back.tasks.size(), 1u);
  EXPECT_EQ(texts(back.problems[0], problems), texts(problem, problems));
  EXPECT_EQ(texts(back.solvers[0], solvers), texts(solver, solvers));
  EXPECT_EQ(texts(back.machines[0], machines), texts(machine, machines));
  EXPECT_EQ(texts(back.runs[0], runs), texts(run, runs));
  EXPECT_EQ(back.tasks[0], run.task);
  ASSERT_EQ(back.runs[0].history.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(back.runs[0].history[k].iteration, run.history[k].iteration);
    EXPECT_EQ(back.runs[0].history[k].seconds, run.history[k].seconds);
    EXPECT_EQ(back.runs[0].history[k].error, run.history[k].error);
  }
}

TEST(Store, keeps_unknown_numbers_unknown) {
  const Folder folder;
  Store store = Store::create(folder / "c");
  RunRecord run;
  run.status = "crashed";
  store.add(run);
  const RunRecord back = store.runs().at(0);
  EXPECT_FALSE(back.error || back.seconds || back.iterations || back.open || back.load);
}

TEST(Store, holds_a_row_once_and_knows_what_is_pending) {
  const Folder folder;
  Store store = Store::create(folder / "c");
  for (std::int64_t solver : {1, 2})
    for (double tolerance : {1e-4, 1e-8}) store.add(Task{1, solver, tolerance, 10});
  store.add(Task{1, 1, 1e-4, 10});
  EXPECT_EQ(store.pending().size(), 4u);
  RunRecord run;
  run.task = {1, 2, 1e-8, 10};
  store.add(run);
  EXPECT_THROW(store.add(run), OutputError);
  EXPECT_EQ(store.runs().size(), 1u);
  const std::vector<Task> expected = {{1, 1, 1e-4, 10}, {1, 2, 1e-4, 10}, {1, 1, 1e-8, 10}};
  EXPECT_EQ(store.pending(), expected);
}

TEST(Store, one_machine_is_kept_once) {
  const Folder folder;
  Store store = Store::create(folder / "c");
  auto one = filled<Machine>(machines), same = one, other = one;
  other.cores += 1;
  store.add(one);
  store.add(same);
  store.add(other);
  EXPECT_EQ(one.id, same.id);
  EXPECT_NE(one.id, other.id);
  EXPECT_EQ(store.machines().size(), 2u);
}

TEST(Store, what_was_not_committed_is_not_there) {
  const Folder folder;
  Store store = Store::create(folder / "c");
  {
    auto transaction = store.transaction();
    store.add(Task{1, 1, 1e-4, 10});
  }
  EXPECT_TRUE(store.tasks().empty());
}

std::string complaint(const std::filesystem::path& path) {
  try {
    Store::open(path).read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Store, refuses_what_is_no_campaign_of_its_version) {
  const Folder folder;
  EXPECT_THAT(complaint(folder / "absent"), testing::HasSubstr("absent: holds no campaign"));
  std::ofstream(folder / "text") << std::string(5000, 'x');
  EXPECT_THAT(complaint(folder / "text"), testing::HasSubstr("file is not a database"));
  Store::create(folder / "old");
  {
    Database database(folder / "old" / "campaign.sqlite", Database::Mode::write);
    database.execute("PRAGMA user_version=77");
  }
  EXPECT_THAT(complaint(folder / "old"),
              testing::HasSubstr("is a campaign of version 77; this stickslip reads version 2"));
  EXPECT_THROW(Store::create(folder / "old"), InputError);
  // Version 1 had no solver.patience at first, and had it later under the same number.
  Store::create(folder / "first");
  {
    Database database(folder / "first" / "campaign.sqlite", Database::Mode::write);
    database.execute("PRAGMA user_version=1");
  }
  EXPECT_EQ(complaint(folder / "first"), "no complaint");
  {
    Database database(folder / "first" / "campaign.sqlite", Database::Mode::write);
    database.execute("ALTER TABLE solver DROP COLUMN patience");
  }
  EXPECT_THAT(complaint(folder / "first"),
              testing::HasSubstr("is a campaign of version 1; this stickslip reads version 2"));
}

TEST(Store, a_campaign_that_could_not_be_filled_is_not_there) {
  const Folder folder;
  EXPECT_THROW(Store::create(folder / "c", [](Store&) { throw InputError("no"); }), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "c"));
  Store::create(folder / "c", [](Store& store) { store.set_meta("title", "yes"); });
  EXPECT_EQ(Store::open(folder / "c").meta().at("title"), "yes");
}

TEST(Store, a_full_disk_is_one_clear_line_and_loses_nothing) {
  const Folder folder;
  {
    Store store = Store::create(folder / "c");
    RunRecord run;
    run.message = "before";
    store.add(run);
    store.checkpoint();
  }
  Database database(folder / "c" / "campaign.sqlite", Database::Mode::write);
  database.execute("PRAGMA max_page_count=1");  // SQLite's own way to have no room: it keeps what is there
  bool complained = false;
  try {
    const std::string big(100'000, 'x');
    Statement(database, "INSERT INTO meta VALUES('big', ?)").bind(big).run();
  } catch (const OutputError& error) {
    complained = true;
    EXPECT_THAT(error.what(), testing::HasSubstr("full; rows written before are safe"));
  }
  EXPECT_TRUE(complained);
  EXPECT_EQ(Store::open(folder / "c").runs().at(0).message, "before");
}

}  // namespace
}  // namespace stickslip::campaign
