// A campaign on disk: one SQLite file, campaign.sqlite, in the campaign's folder. WAL, every row in one
// transaction that is synchronised with the disk: what is there after kill −9 or a power loss is whole rows.
//
// Schema (PRAGMA user_version); the columns of a table are the lists in columns.hpp, with the meaning and units
// in records.hpp:
//
//   meta(key, value)     schema, created (UTC), version (of stickslip), title, plan (the text of the TOML file),
//                        plan_name, plan_folder (what its relative paths refer to)
//   machine(id, …)       name, processor, cores, memory, system, compiler, version: one for each that computed rows
//   problem(id, …)       UNIQUE(set_name, name); the figures are NULL and the fingerprint '' until it was loaded
//   solver(id, …)        UNIQUE(label); given and composition; external or not
//   task(problem, solver, tolerance, time_limit)
//                        what was planned; PRIMARY KEY of the four
//   run(id, problem, solver, tolerance, time_limit, …, history)
//                        what was done; UNIQUE of the four, so that a row cannot be there twice.
//                        history: JSON [[iteration, seconds, error], …] or NULL
//
// A row is pending when it is in task and not in run. Numbers that are not known are NULL.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "campaign/database.hpp"
#include "campaign/records.hpp"

namespace stickslip::campaign {

class Store {
 public:
  static constexpr int schema_version = 2;

  /// A new campaign in `folder`, which is made, with what `fill` writes: all of it is there, or nothing.
  /// Throws InputError where one is there already.
  static Store create(const std::filesystem::path& folder, const std::function<void(Store&)>& fill = {});
  /// An existing one, by its folder or its file. Throws InputError when it is absent, damaged, or of another
  /// version: newer, or without a column that this one has.
  static Store open(const std::filesystem::path& folder_or_file, Database::Mode mode = Database::Mode::read);
  /// campaign.sqlite in a folder; a file stays what it is.
  static std::filesystem::path file_of(const std::filesystem::path& folder_or_file);

  // Reading
  Campaign read() const;  ///< everything, the histories included
  std::map<std::string, std::string> meta() const;
  std::vector<Machine> machines() const;
  std::vector<ProblemRecord> problems() const;
  std::vector<SolverRecord> solvers() const;
  std::vector<Task> tasks() const;
  std::vector<Task> pending() const;  ///< by problem, then in the order of the plan's solvers
  std::vector<RunRecord> runs(bool with_histories = false) const;
  std::vector<HistoryPoint> history(std::int64_t run) const;

  // Writing; ids are set in the records given
  void set_meta(const std::string& key, const std::string& value);
  void add(Machine& machine);  ///< takes the id of an equal one
  void add(ProblemRecord& problem);
  void add(SolverRecord& solver);
  void add(const Task& task);  ///< nothing happens where it is there
  void set_figures(const ProblemRecord& problem);
  void add(RunRecord& run);  ///< throws OutputError where the row is there already
  Transaction transaction() { return Transaction(*database_); }
  /// Folds the write-ahead log into the file.
  void checkpoint();

 private:
  explicit Store(std::unique_ptr<Database> database) : database_(std::move(database)) {}
  std::unique_ptr<Database> database_;
};

}  // namespace stickslip::campaign
