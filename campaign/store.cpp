#include "campaign/store.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>
#include <type_traits>

#include "base/text.hpp"
#include "campaign/columns.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::campaign {

using namespace internal;

namespace {

namespace fs = std::filesystem;

std::string join(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

template <class T>
constexpr const char* type_of(const T&) {
  if constexpr (std::is_same_v<T, std::string>) return "TEXT NOT NULL";
  if constexpr (std::is_same_v<T, double>) return "REAL NOT NULL";
  if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, bool>) return "INTEGER NOT NULL";
  if constexpr (std::is_same_v<T, std::optional<double>>) return "REAL";
  return "INTEGER";
}

/// Runs a column list and gathers something of each column.
template <class Record, class List, class Take>
std::vector<std::string> gather(List&& list, Take&& take) {
  Record record;
  std::vector<std::string> out;
  list(record, [&](const char* name, auto& field) { out.push_back(take(std::string(name), field)); });
  return out;
}

template <class Record, class List>
std::string names(List&& list) {
  return join(gather<Record>(list, [](std::string name, auto&) { return name; }), ", ");
}

template <class Record, class List>
std::string declarations(List&& list) {
  return join(
      gather<Record>(list, [](const std::string& name, auto& field) { return name + " " + type_of(field); }),
      ", ");
}

template <class Record, class List>
std::string marks(List&& list) {
  return join(gather<Record>(list, [](const std::string&, auto&) { return std::string("?"); }), ", ");
}

// The column lists as function objects.
constexpr auto machine_list = [](auto& r, auto&& v) { machine_columns(r, v); };
constexpr auto problem_list = [](auto& r, auto&& v) { problem_columns(r, v); };
constexpr auto figure_list = [](auto& r, auto&& v) { problem_figures(r, v); };
constexpr auto solver_list = [](auto& r, auto&& v) { solver_columns(r, v); };
constexpr auto task_list = [](auto& r, auto&& v) { task_columns(r, v); };
constexpr auto run_list = [](auto& r, auto&& v) { run_columns(r, v); };

template <class Record, class List>
void bind(Statement& statement, const Record& record, List&& list) {
  list(record, [&](const char*, const auto& field) { statement.bind(field); });
}

template <class Record, class List>
std::vector<Record> read_all(const Database& database, const char* table, List&& list) {
  Statement statement(database, "SELECT id, " + names<Record>(list) + " FROM " + table + " ORDER BY id");
  std::vector<Record> all;
  while (statement.step()) {
    Record& record = all.emplace_back();
    statement.get(record.id);
    list(record, [&](const char*, auto& field) { statement.get(field); });
  }
  return all;
}

template <class Record, class List>
void insert(Database& database, const char* table, Record& record, List&& list) {
  Statement statement(database, std::string("INSERT INTO ") + table + "(" + names<Record>(list) +
                                    ") VALUES(" + marks<Record>(list) + ")");
  bind(statement, record, list);
  statement.run();
  record.id = database.last_id();
}

std::string schema() {
  const std::string key = "problem, solver, tolerance, time_limit";
  return "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
         "CREATE TABLE machine(id INTEGER PRIMARY KEY, " +
         declarations<Machine>(machine_list) +
         ");"
         "CREATE TABLE problem(id INTEGER PRIMARY KEY, " +
         declarations<ProblemRecord>(problem_list) +
         ", UNIQUE(set_name, name));"
         "CREATE TABLE solver(id INTEGER PRIMARY KEY, " +
         declarations<SolverRecord>(solver_list) +
         ", UNIQUE(label));"
         "CREATE TABLE task(" +
         declarations<Task>(task_list) + ", PRIMARY KEY(" + key +
         ")) WITHOUT ROWID;"
         "CREATE TABLE run(id INTEGER PRIMARY KEY, " +
         declarations<RunRecord>(run_list) + ", history TEXT, UNIQUE(" + key +
         "));"
         "PRAGMA user_version=" +
         std::to_string(Store::schema_version) + ";";
}

/// [[iteration, seconds, error], …]; numbers read back as the same numbers.
std::string history_text(const std::vector<HistoryPoint>& history) {
  std::string text = "[";
  for (const auto& p : history)
    text += (text.size() > 1 ? ",[" : "[") + std::to_string(p.iteration) + "," + shortest(p.seconds) + "," +
            shortest(p.error) + "]";
  return text + "]";
}

/// The inverse; anything else than numbers separates them.
std::vector<HistoryPoint> history_of(const std::string& text) {
  std::vector<HistoryPoint> history;
  const char *at = text.data(), *end = at + text.size();
  const auto number = [&](auto& value) {
    while (at != end && (*at == '[' || *at == ',' || *at == ']')) ++at;
    const auto [next, code] = std::from_chars(at, end, value);
    if (code != std::errc()) return false;
    at = next;
    return true;
  };
  for (HistoryPoint p; number(p.iteration) && number(p.seconds) && number(p.error);) history.push_back(p);
  return history;
}

/// Whether a table has every column of a list; a version number can be forgotten, the columns cannot.
template <class Record, class List>
bool has_columns(const Database& database, const std::string& table, List&& list) {
  Statement statement(database, "SELECT name FROM pragma_table_info('" + table + "')");
  std::set<std::string> there;
  for (std::string name; statement.step(); there.insert(name)) statement.get(name);
  const auto wanted = gather<Record>(list, [](std::string name, auto&) { return name; });
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& name) { return there.contains(name); });
}

bool has_all_columns(const Database& database) {
  return has_columns<Machine>(database, "machine", machine_list) &&
         has_columns<ProblemRecord>(database, "problem", problem_list) &&
         has_columns<SolverRecord>(database, "solver", solver_list) &&
         has_columns<Task>(database, "task", task_list) && has_columns<RunRecord>(database, "run", run_list);
}

}  // namespace

fs::path Store::file_of(const fs::path& folder_or_file) {
  return fs::is_regular_file(folder_or_file) ? folder_or_file : folder_or_file / "campaign.sqlite";
}

Store Store::create(const fs::path& folder, const std::function<void(Store&)>& fill) {
  const fs::path file = folder / "campaign.sqlite", fresh = folder / "new.sqlite";
  if (fs::exists(file))
    throw InputError(folder.string() +
                     ": holds a campaign already (continue it with 'stickslip campaign resume " +
                     folder.string() + "', or choose another folder with -o)");
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw OutputError(folder.string() + ": cannot be created: " + failure.message());
  // Under another name until it is complete, so that there is never half a campaign.
  const auto remove = [&] {
    for (const char* end : {"", "-wal", "-shm"}) fs::remove(fresh.string() + end, failure);
  };
  remove();
  try {
    Store store(std::make_unique<Database>(fresh, Database::Mode::create));
    store.database_->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
    Transaction transaction = store.transaction();
    store.database_->execute(schema());
    store.set_meta("schema", std::to_string(schema_version));
    transaction.commit();
    if (fill) fill(store);
    store.checkpoint();
  } catch (...) {
    remove();
    throw;
  }
  fs::rename(fresh, file, failure);
  if (failure) throw OutputError(file.string() + ": cannot be created: " + failure.message());
  return open(file, Database::Mode::write);
}

Store Store::open(const fs::path& folder_or_file, Database::Mode mode) {
  const fs::path file = file_of(folder_or_file);
  if (!fs::exists(file)) throw InputError(folder_or_file.string() + ": holds no campaign");
  Store store(std::make_unique<Database>(file, mode));
  std::int64_t version = 0;
  Statement ask(*store.database_, "PRAGMA user_version");
  if (ask.step()) ask.get(version);
  // Version 1 was written with and without the column solver.patience.
  if (version > schema_version || version < 1 || !has_all_columns(*store.database_))
    throw InputError(file.string() + ": is a campaign of version " + std::to_string(version) +
                     "; this stickslip reads version " + std::to_string(schema_version));
  if (mode == Database::Mode::write) store.database_->execute("PRAGMA synchronous=FULL");
  return store;
}

Campaign Store::read() const { return {meta(), machines(), problems(), solvers(), tasks(), runs(true)}; }

std::map<std::string, std::string> Store::meta() const {
  Statement statement(*database_, "SELECT key, value FROM meta");
  std::map<std::string, std::string> all;
  while (statement.step()) {
    std::string key;
    statement.get(key);
    statement.get(all[key]);
  }
  return all;
}

std::vector<Machine> Store::machines() const {
  return read_all<Machine>(*database_, "machine", machine_list);
}
std::vector<ProblemRecord> Store::problems() const {
  return read_all<ProblemRecord>(*database_, "problem", problem_list);
}
std::vector<SolverRecord> Store::solvers() const {
  return read_all<SolverRecord>(*database_, "solver", solver_list);
}

namespace {

std::vector<Task> read_tasks(const Database& database, const std::string& condition) {
  Statement statement(database, "SELECT " + names<Task>(task_list) + " FROM task " + condition +
                                    " ORDER BY problem, tolerance DESC, solver, time_limit");
  std::vector<Task> all;
  while (statement.step())
    task_list(all.emplace_back(), [&](const char*, auto& field) { statement.get(field); });
  return all;
}

}  // namespace

std::vector<Task> Store::tasks() const { return read_tasks(*database_, ""); }

std::vector<Task> Store::pending() const {
  return read_tasks(*database_,
                    "WHERE NOT EXISTS(SELECT 1 FROM run WHERE run.problem = task.problem AND run.solver = "
                    "task.solver AND run.tolerance = task.tolerance AND run.time_limit = task.time_limit)");
}

std::vector<RunRecord> Store::runs(bool with_histories) const {
  std::vector<RunRecord> all = read_all<RunRecord>(*database_, "run", run_list);
  if (with_histories)
    for (auto& run : all) run.history = history(run.id);
  return all;
}

std::vector<HistoryPoint> Store::history(std::int64_t run) const {
  Statement statement(*database_, "SELECT history FROM run WHERE id = ?");
  statement.bind(run);
  std::string text;
  if (statement.step()) statement.get(text);
  return history_of(text);
}

void Store::set_meta(const std::string& key, const std::string& value) {
  Statement(*database_, "INSERT OR REPLACE INTO meta VALUES(?, ?)").bind(key).bind(value).run();
}

void Store::add(Machine& machine) {
  std::vector<std::string> equal =
      gather<Machine>(machine_list, [](const std::string& n, auto&) { return n + " = ?"; });
  Statement find(*database_, "SELECT id FROM machine WHERE " + join(equal, " AND "));
  bind(find, machine, machine_list);
  if (find.step())
    find.get(machine.id);
  else
    insert(*database_, "machine", machine, machine_list);
}

void Store::add(ProblemRecord& problem) { insert(*database_, "problem", problem, problem_list); }
void Store::add(SolverRecord& solver) { insert(*database_, "solver", solver, solver_list); }

void Store::add(const Task& task) {
  Statement statement(*database_, "INSERT OR IGNORE INTO task VALUES(?, ?, ?, ?)");
  bind(statement, task, task_list);
  statement.run();
}

void Store::set_figures(const ProblemRecord& problem) {
  std::vector<std::string> set =
      gather<ProblemRecord>(figure_list, [](const std::string& n, auto&) { return n + " = ?"; });
  Statement statement(*database_, "UPDATE problem SET " + join(set, ", ") + " WHERE id = ?");
  bind(statement, problem, figure_list);
  statement.bind(problem.id).run();
}

void Store::add(RunRecord& run) {
  Statement statement(*database_, "INSERT INTO run(" + names<RunRecord>(run_list) + ", history) VALUES(" +
                                      marks<RunRecord>(run_list) + ", ?)");
  bind(statement, run, run_list);
  if (run.history.empty())
    statement.bind_null();
  else
    statement.bind(history_text(run.history));
  statement.run();
  run.id = database_->last_id();
}

void Store::checkpoint() { database_->execute("PRAGMA wal_checkpoint(TRUNCATE)"); }

}  // namespace stickslip::campaign
