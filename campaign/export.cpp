#include "campaign/export.hpp"

#include <map>

#include "base/text.hpp"
#include "campaign/columns.hpp"

namespace stickslip::campaign {

using namespace internal;

namespace {

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}
std::string cell(double value) { return shortest(value); }
std::string cell(std::int64_t value) { return std::to_string(value); }
std::string cell(bool value) { return value ? "1" : "0"; }
template <class T>
std::string cell(const std::optional<T>& value) {
  return value ? cell(*value) : "";
}

const char* type(const std::string&) { return "text"; }
const char* type(double) { return "real"; }
const char* type(std::int64_t) { return "integer"; }
const char* type(bool) { return "boolean"; }
template <class T>
const char* type(const std::optional<T>&) {
  return type(T{});
}

/// Every column of the table: visit(prefix + name, field).
template <class Visit>
void all_columns(const ProblemRecord& problem, const SolverRecord& solver, const RunRecord& run,
                 const Machine& machine, Visit&& visit) {
  const auto with = [&](const char* prefix) {
    return
        [&visit, prefix](const char* name, const auto& field) { visit(std::string(prefix) + name, field); };
  };
  problem_columns(problem, with("problem_"));
  solver_columns(solver, with("solver_"));
  visit(std::string("tolerance"), run.task.tolerance);
  visit(std::string("time_limit"), run.task.time_limit);
  outcome_columns(run, [&](const char* name, const auto& field) {
    if (std::string_view(name) != "machine") visit(std::string(name), field);
  });
  machine_columns(machine, with("machine_"));
}

template <class T>
std::map<std::int64_t, T> by_id(const std::vector<T>& list) {
  std::map<std::int64_t, T> map;
  for (const auto& entry : list) map.emplace(entry.id, entry);
  return map;
}

}  // namespace

void write_csv(const Campaign& campaign, std::ostream& out) {
  std::string line;
  all_columns({}, {}, {}, {},
              [&](const std::string& name, const auto&) { line += (line.empty() ? "" : ",") + name; });
  out << line << "\n";
  const auto problems = by_id(campaign.problems);
  const auto solvers = by_id(campaign.solvers);
  const auto machines = by_id(campaign.machines);
  for (const auto& run : campaign.runs) {
    const auto machine = machines.find(run.machine);
    line.clear();
    bool first = true;
    all_columns(problems.at(run.task.problem), solvers.at(run.task.solver), run,
                machine == machines.end() ? Machine{} : machine->second,
                [&](const std::string&, const auto& field) {
                  line += (first ? "" : ",") + cell(field);
                  first = false;
                });
    out << line << "\n";
  }
}

void write_csv_types(std::ostream& out) {
  out << "column,type\n";
  all_columns({}, {}, {}, {},
              [&](const std::string& name, const auto& field) { out << name << ',' << type(field) << "\n"; });
}

}  // namespace stickslip::campaign
