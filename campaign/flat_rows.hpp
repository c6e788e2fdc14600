// A campaign as one flat table: the columns of the problem (problem_…), the solver (solver_…), the run and the machine side by
// side, one row for each run.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "campaign/columns.hpp"

namespace stickslip::campaign {

/// Every column of a row: visit(name, field).
template <class Visit>
void flat_columns(const ProblemRecord& problem, const SolverRecord& solver, const RunRecord& run,
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

/// row(problem, solver, run, machine) for each run.
template <class Row>
void each_run(const Campaign& campaign, Row&& row) {
  const auto by_id = [](const auto& list) {
    std::map<std::int64_t, const typename std::decay_t<decltype(list)>::value_type*> map;
    for (const auto& entry : list) map.emplace(entry.id, &entry);
    return map;
  };
  const auto problems = by_id(campaign.problems);
  const auto solvers = by_id(campaign.solvers);
  const auto machines = by_id(campaign.machines);
  const Machine unknown;
  for (const auto& run : campaign.runs) {
    const auto machine = machines.find(run.machine);
    row(*problems.at(run.task.problem), *solvers.at(run.task.solver), run,
        machine == machines.end() ? unknown : *machine->second);
  }
}

}  // namespace stickslip::campaign
