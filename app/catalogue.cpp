// stickslip list and stickslip describe SOLVER.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "stickslip/catalog.hpp"

namespace stickslip::app {
namespace {

int list(bool json) {
  if (json) {
    auto out = nlohmann::ordered_json::array();
    for (const auto& e : catalogue())
      out.push_back({{"label", e.label},
                     {"family", e.family},
                     {"composition", composition(e.label)},
                     {"summary", e.summary},
                     {"reference", e.reference},
                     {"needs", e.needs}});
    std::cout << out.dump(1) << '\n';
    return done;
  }
  std::vector<std::vector<std::string>> rows = {{"label", "family", "what it is", "needs", "reference"}};
  std::vector<std::string> families;
  for (const auto& e : catalogue()) {
    rows.push_back({e.label, e.family, e.summary, e.needs, e.reference});
    if (std::find(families.begin(), families.end(), e.family) == families.end()) families.push_back(e.family);
  }
  std::cout
      << table(rows)
      << fmt::format(
             "\nA label in upper case runs what its reference prints. A family runs with this project's "
             "additions and defaults:\n{}\n",
             fmt::join(families, " "));
  return done;
}

int describe_solver(const std::string& solver, bool json) {
  const auto options = describe(solver);
  if (json) {
    nlohmann::ordered_json out;
    out["solver"] = solver;
    out["composition"] = composition(solver);
    for (const auto& o : options)
      out["options"].push_back(
          {{"name", o.name}, {"value", o.value}, {"range", o.range}, {"meaning", o.meaning}});
    for (const auto& stage : describe_stages(solver))
      out["stages"].push_back({{"name", stage.name},
                               {"round", stage.round},
                               {"start", stage.start},
                               {"when", stage.when},
                               {"until", stage.until}});
    std::cout << out.dump(1) << '\n';
    return done;
  }
  std::cout << bold(solver) << " = " << composition(solver) << '\n';
  for (const auto& e : catalogue())
    if (e.label == solver) std::cout << e.summary << " (" << e.reference << ")\n";
  std::vector<std::vector<std::string>> rows = {{"option", "value", "range", "meaning"}};
  for (const auto& o : options) rows.push_back({o.name, o.value, o.range, o.meaning});
  std::cout << '\n' << table(rows);
  rows = {{"stage", "round", "from", "when", "until"}};
  for (const auto& stage : describe_stages(solver))
    rows.push_back({stage.name, stage.round, stage.start, stage.when, stage.until});
  if (rows.size() > 1) std::cout << '\n' << table(rows);
  return done;
}

}  // namespace

void add_list(CLI::App& app, Session& session) {
  auto json = std::make_shared<bool>(false);
  auto* command = app.add_subcommand("list", "List every solver");
  command->footer("Example: stickslip list --json");
  command->add_flag("--json", *json, "a JSON array");
  command->callback([=, &session] { session.work = [=] { return list(*json); }; });
}

void add_describe(CLI::App& app, Session& session) {
  auto solver = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto* command = app.add_subcommand("describe", "Show the options of a solver");
  command->footer("Example: stickslip describe NSGS-AC");
  command->add_option("solver", *solver, "a label or a composition")->required();
  command->add_flag("--json", *json, "one JSON object");
  command->callback([=, &session] { session.work = [=] { return describe_solver(*solver, *json); }; });
}

}  // namespace stickslip::app
