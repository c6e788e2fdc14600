#include "campaign/report_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace stickslip::campaign {
namespace {

std::string meta(const Campaign& campaign, const std::string& key) {
  const auto found = campaign.meta.find(key);
  return found == campaign.meta.end() ? std::string() : found->second;
}

/// Distinct texts in the order of their first appearance, one a line.
template <class Text>
std::string distinct(const std::vector<Machine>& machines, Text&& text) {
  std::string all;
  std::set<std::string> seen;
  for (const auto& machine : machines) {
    const std::string one = text(machine);
    if (one.empty() || !seen.insert(one).second) continue;
    all += (all.empty() ? "" : "\n") + one;
  }
  return all;
}

/// Those machines that computed a row; all of them where there is no row.
std::vector<Machine> machines_at_work(const Campaign& campaign) {
  std::set<std::int64_t> used;
  for (const auto& run : campaign.runs) used.insert(run.machine);
  std::vector<Machine> found;
  for (const auto& machine : campaign.machines)
    if (used.count(machine.id)) found.push_back(machine);
  return found.empty() ? campaign.machines : found;
}

std::string hardware(const Machine& machine) {
  std::string text = machine.processor;
  if (machine.cores > 0)
    text +=
        fmt::format("{}{} core{}", text.empty() ? "" : ", ", machine.cores, machine.cores == 1 ? "" : "s");
  if (machine.memory > 0)
    text += fmt::format("{}{:.3g} GiB", text.empty() ? "" : ", ", double(machine.memory) / (1 << 30));
  return text;
}

/// 2025-01-31T12:00:00Z → 2025-01-31 12:00
std::string minute(const std::string& time) {
  std::string text = time.substr(0, 16);
  if (text.size() > 10 && text[10] == 'T') text[10] = ' ';
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> report_facts(const Campaign& campaign) {
  const auto machines = machines_at_work(campaign);
  std::vector<std::pair<std::string, std::string>> facts;
  const auto fact = [&](const char* name, const std::string& value) {
    if (!value.empty()) facts.emplace_back(name, value);
  };
  fact("machine", distinct(machines, [](const Machine& m) { return m.name; }));
  fact("processor", distinct(machines, hardware));
  fact("system", distinct(machines, [](const Machine& m) { return m.system; }));
  fact("compiler", distinct(machines, [](const Machine& m) { return m.compiler; }));
  std::string version = distinct(machines, [](const Machine& m) { return m.version; });
  fact("version", version.empty() ? meta(campaign, "version") : version);
  std::string first, last;
  double load_low = 1e300, load_high = -1;
  for (const auto& run : campaign.runs) {
    if (!run.started.empty() && (first.empty() || run.started < first)) first = run.started;
    if (run.started > last) last = run.started;
    if (run.load) load_low = std::min(load_low, *run.load), load_high = std::max(load_high, *run.load);
  }
  if (!first.empty())
    fact("run", minute(first) + (minute(first) == minute(last) ? "" : " to " + minute(last)) + " UTC");
  fact("created", minute(meta(campaign, "created")));
  if (load_high >= 0) fact("load", fmt::format("{:.2g} to {:.2g} (mean of a minute)", load_low, load_high));
  fact("rows", campaign.tasks.empty()
                   ? std::to_string(campaign.runs.size())
                   : fmt::format("{} of {} planned", campaign.runs.size(), campaign.tasks.size()));
  fact("plan", meta(campaign, "plan_name"));
  return facts;
}

std::vector<std::string> report_warnings(const Campaign& campaign) {
  std::vector<std::string> warnings;
  if (campaign.runs.size() < campaign.tasks.size())
    warnings.push_back(fmt::format("The campaign is not finished: {} of {} solves are still to be run.",
                                   campaign.tasks.size() - campaign.runs.size(), campaign.tasks.size()));
  const auto machines = machines_at_work(campaign);
  std::set<std::string> kinds, versions;
  for (const auto& machine : machines) kinds.insert(hardware(machine)), versions.insert(machine.version);
  if (kinds.size() > 1)
    warnings.push_back(
        fmt::format("The rows come from {} different machines; their times do not compare.", kinds.size()));
  if (versions.size() > 1)
    warnings.push_back(
        fmt::format("The rows come from {} different versions of stickslip.", versions.size()));
  std::int64_t cores = 0;
  for (const auto& machine : machines)
    if (machine.cores > 0) cores = cores == 0 ? machine.cores : std::min(cores, machine.cores);
  std::size_t busy = 0, wrong = 0;
  for (const auto& run : campaign.runs) {
    if (cores > 0 && run.load && *run.load > double(cores) + 0.5) ++busy;
    if (run.status == "wrong") ++wrong;
  }
  if (busy > 0)
    warnings.push_back(
        fmt::format("The machine had more work than cores during {} solve{}; their times are noisy.", busy,
                    busy == 1 ? "" : "s"));
  if (wrong > 0)
    warnings.push_back(fmt::format(
        "{} solve{} claimed convergence, and the recomputed error says otherwise; {} not counted as solved.",
        wrong, wrong == 1 ? "" : "s", wrong == 1 ? "it is" : "they are"));
  return warnings;
}

}  // namespace stickslip::campaign
