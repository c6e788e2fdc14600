// stickslip campaign status DIR: how far a campaign has come, solver by solver.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "campaign.hpp"
#include "campaign/store.hpp"

namespace stickslip::app {
namespace {

using namespace campaign;

/// What is counted for a solver.
struct Tally {
  long planned = 0, finished = 0, solved = 0;
  double seconds = 0;  ///< of the rows solved
  std::map<std::string, long> failures;
};

int show(const std::string& folder, bool json) {
  const Store store = Store::open(folder);
  std::map<std::int64_t, Tally> tallies;
  for (const auto& task : store.tasks()) ++tallies[task.solver].planned;
  for (const auto& run : store.runs()) {
    Tally& tally = tallies[run.task.solver];
    ++tally.finished;
    if (run.solved)
      ++tally.solved, tally.seconds += run.seconds.value_or(0);
    else
      ++tally.failures[run.status];
  }
  Tally all;
  for (const auto& [solver, tally] : tallies)
    all.planned += tally.planned, all.finished += tally.finished, all.solved += tally.solved;
  auto solvers = store.solvers();
  std::stable_sort(solvers.begin(), solvers.end(), [&](const auto& a, const auto& b) {
    const Tally &x = tallies[a.id], &y = tallies[b.id];
    return x.solved != y.solved ? x.solved > y.solved : x.seconds < y.seconds;
  });
  if (json) {
    nlohmann::ordered_json out;
    out["rows"] = all.planned;
    out["finished"] = all.finished;
    out["solved"] = all.solved;
    out["problems"] = store.problems().size();
    for (const auto& solver : solvers) {
      const Tally& tally = tallies[solver.id];
      out["solvers"].push_back({{"label", solver.label},
                                {"rows", tally.planned},
                                {"finished", tally.finished},
                                {"solved", tally.solved},
                                {"seconds", tally.seconds},
                                {"failures", tally.failures}});
    }
    std::cout << out.dump() << '\n';
    return done;
  }
  std::vector<std::vector<std::string>> rows = {{"solver", "solved", "of", "to do", "seconds", "not solved"}};
  for (const auto& solver : solvers) {
    const Tally& tally = tallies[solver.id];
    std::string failures;
    for (const auto& [status, count] : tally.failures)
      failures += fmt::format("{}{} {}", failures.empty() ? "" : ", ", count, status);
    rows.push_back({solver.label, std::to_string(tally.solved), std::to_string(tally.planned),
                    std::to_string(tally.planned - tally.finished), fmt::format("{:.3g}", tally.seconds),
                    failures});
  }
  std::cout << table(rows)
            << fmt::format("{} of {} rows finished, {} solved; {} problems\n", all.finished, all.planned,
                           all.solved, store.problems().size());
  return done;
}

}  // namespace

void add_campaign_status(CLI::App& campaign, Session& session) {
  auto folder = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto* command = campaign.add_subcommand("status", "How far a campaign has come, solver by solver");
  command->footer("Example: stickslip campaign status results");
  command->add_option("folder", *folder, "of the campaign")->required();
  command->add_flag("--json", *json, "one JSON object");
  command->callback([=, &session] { session.work = [=] { return show(*folder, *json); }; });
}

}  // namespace stickslip::app
