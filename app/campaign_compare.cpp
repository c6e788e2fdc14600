// stickslip campaign compare A B and campaign ratio DIR.

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "campaign.hpp"
#include "campaign/compare.hpp"
#include "campaign/ratio.hpp"
#include "campaign/store.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::app {
namespace {

using namespace campaign;

/// A campaign without its histories, which nothing here looks at.
Campaign read_rows(const std::string& folder) {
  const Store store = Store::open(folder);
  return {store.meta(), store.machines(), store.problems(), store.solvers(), store.tasks(), store.runs()};
}

Measure measure_of(const std::string& name) {
  if (name == "seconds") return Measure::seconds;
  if (name == "cpu") return Measure::cpu_seconds;
  throw InputError("--measure must be seconds or cpu, got '" + name + "'");
}

std::string verdict(const ComparedGroup& group) {
  if (group.is_slower()) return red("slower");
  if (group.is_faster()) return green("faster");
  return group.both ? "same" : "–";
}

void print_groups(const char* what, const std::vector<ComparedGroup>& groups) {
  std::vector<std::vector<std::string>> rows = {
      {what, "rows", "B/A", "noise", "", "faster", "slower", "gained", "lost"}};
  for (const auto& g : groups)
    rows.push_back({g.name, std::to_string(g.both), fmt::format("{:.3f}", g.ratio),
                    fmt::format("{:.2f}", g.noise), verdict(g), std::to_string(g.faster),
                    std::to_string(g.slower), std::to_string(g.gained),
                    g.lost ? red(std::to_string(g.lost)) : "0"});
  std::cout << table(rows) << '\n';
}

nlohmann::ordered_json to_json(const ComparedGroup& g) {
  return {{"name", g.name},     {"both", g.both},     {"ratio", g.ratio},   {"noise", g.noise},
          {"faster", g.faster}, {"slower", g.slower}, {"gained", g.gained}, {"lost", g.lost}};
}

struct CompareArguments {
  std::string a, b, measure = "seconds";
  double floor = 1.1;
  long rows = 10;
  bool json = false;
};

int compare_campaigns(const CompareArguments& args) {
  if (!(args.floor >= 1)) throw InputError("--floor must be ≥ 1");
  const Comparison c = compare(read_rows(args.a), read_rows(args.b), {args.floor, measure_of(args.measure)});
  if (c.rows.empty()) throw InputError(args.a + " and " + args.b + " have no row in common");
  if (args.json) {
    nlohmann::ordered_json out = {{"regression", c.regression()}, {"all", to_json(c.all)}};
    for (const auto& g : c.solvers) out["solvers"].push_back(to_json(g));
    for (const auto& g : c.sets) out["sets"].push_back(to_json(g));
    out["only_a"] = c.only_a;
    out["only_b"] = c.only_b;
    out["changed_problems"] = c.changed;
    std::cout << out.dump() << '\n';
    return c.regression() ? not_converged : done;
  }
  std::cout << fmt::format("A = {}, B = {}; B/A above 1 means that B is slower\n\n", args.a, args.b);
  print_groups("solver", c.solvers);
  print_groups("set", c.sets);
  std::vector<std::vector<std::string>> rows = {{"solver", "set", "problem", "tolerance", "A", "B", "B/A"}};
  for (const auto& row : c.rows) {
    if (long(rows.size()) > args.rows) break;
    if (row.lost())
      rows.push_back({row.solver, row.set, row.problem, fmt::format("{:g}", row.tolerance),
                      fmt::format("{:.3g} s", row.seconds_a), row.status_b, red("lost")});
    else if (row.solved_a && row.solved_b && row.ratio() > c.all.noise)
      rows.push_back({row.solver, row.set, row.problem, fmt::format("{:g}", row.tolerance),
                      fmt::format("{:.3g} s", row.seconds_a), fmt::format("{:.3g} s", row.seconds_b),
                      fmt::format("{:.2f}", row.ratio())});
  }
  if (rows.size() > 1) std::cout << table(rows) << '\n';
  for (const auto& name : c.changed) std::cout << "not compared: " << name << " has other numbers in B\n";
  if (c.only_a || c.only_b)
    std::cout << fmt::format("not compared: {} rows that only A has, {} that only B has\n", c.only_a,
                             c.only_b);
  if (c.all.borderline)
    std::cout << fmt::format("{} rows came too close to the time limit to be called lost\n",
                             c.all.borderline);
  std::cout << fmt::format(
                   "over all {} rows that both solve: B/A = {:.3f} (noise {:.2f}); {} gained, {} lost\n",
                   c.all.both, c.all.ratio, c.all.noise, c.all.gained, c.all.lost)
            << (c.regression() ? red("regression") : green("no regression")) << '\n';
  return c.regression() ? not_converged : done;
}

struct RatioArguments {
  std::string folder, measure = "seconds";
  std::vector<std::string> baseline, candidate;
  bool each = false, json = false;
};

std::vector<std::string> line(const RatioSet& set) {
  const auto number = [&](double x) { return set.both ? fmt::format("{:.3g}", x) : "–"; };
  return {set.name,
          fmt::format("{:g}", set.tolerance),
          number(set.ratio),
          number(set.least),
          number(set.greatest),
          std::to_string(set.both),
          std::to_string(set.only_candidate),
          std::to_string(set.only_baseline),
          std::to_string(set.neither)};
}

nlohmann::ordered_json to_json(const RatioSet& set) {
  return {{"name", set.name},
          {"tolerance", set.tolerance},
          {"ratio", set.both ? nlohmann::ordered_json(set.ratio) : nlohmann::ordered_json()},
          {"problems", set.problems},
          {"both", set.both},
          {"only_candidate", set.only_candidate},
          {"only_baseline", set.only_baseline},
          {"neither", set.neither}};
}

int show_ratio(const RatioArguments& args) {
  const RatioReport report =
      ratio(read_rows(args.folder), {args.baseline, args.candidate, measure_of(args.measure)});
  if (args.json) {
    nlohmann::ordered_json out;
    for (const auto& set : report.sets) out["sets"].push_back(to_json(set));
    for (const auto& o : report.overall) {
      auto one = to_json(o.problems);
      one["over_sets"] = o.over_sets;
      one["least_set"] = o.least_set;
      one["least_ratio"] = o.least_ratio;
      out["overall"].push_back(one);
    }
    if (args.each)
      for (const auto& row : report.rows)
        out["rows"].push_back({{"set", row.set},
                               {"problem", row.problem},
                               {"tolerance", row.tolerance},
                               {"baseline", row.baseline},
                               {"baseline_seconds", row.baseline_seconds},
                               {"candidate", row.candidate},
                               {"candidate_seconds", row.candidate_seconds}});
    std::cout << out.dump() << '\n';
    return done;
  }
  if (args.each) {
    std::vector<std::vector<std::string>> rows = {
        {"set", "problem", "tolerance", "ratio", "baseline", "", "candidate", ""}};
    const auto seconds = [](const std::string& who, double s) {
      return who.empty() ? "–" : fmt::format("{:.3g} s", s);
    };
    for (const auto& row : report.rows)
      rows.push_back({row.set, row.problem, fmt::format("{:g}", row.tolerance),
                      row.both() ? fmt::format("{:.3g}", row.ratio()) : "–",
                      seconds(row.baseline, row.baseline_seconds), row.baseline,
                      seconds(row.candidate, row.candidate_seconds), row.candidate});
    std::cout << table(rows) << '\n';
  }
  std::vector<std::vector<std::string>> rows = {{"set", "tolerance", "ratio", "least", "greatest",
                                                 "both solve", "only candidate", "only baseline", "neither"}};
  for (const auto& set : report.sets) rows.push_back(line(set));
  for (const auto& o : report.overall) rows.push_back(line(o.problems));
  std::cout << table(rows) << '\n';
  for (const auto& o : report.overall)
    std::cout << fmt::format(
        "tolerance {:g}: geometric mean of the sets {:.3g}, of the problems {:.3g}; least set {} ({:.3g})\n",
        o.tolerance, o.over_sets, o.problems.ratio, o.least_set.empty() ? "–" : o.least_set, o.least_ratio);
  return done;
}

}  // namespace

void add_campaign_compare(CLI::App& campaign, Session& session) {
  auto args = std::make_shared<CompareArguments>();
  auto* command =
      campaign.add_subcommand("compare", "What got faster, slower, solved, lost between two campaigns");
  command->footer(
      "Example: stickslip campaign compare before after\nExit status 1 on a regression beyond the noise.");
  command->add_option("a", args->a, "folder of the campaign before")->required();
  command->add_option("b", args->b, "folder of the campaign after")->required();
  command->add_option("--floor", args->floor, "the least factor that counts as a change")
      ->capture_default_str();
  command->add_option("--measure", args->measure, "seconds (wall clock) or cpu")->capture_default_str();
  command->add_option("--rows", args->rows, "show so many rows")->capture_default_str();
  command->add_flag("--json", args->json, "one JSON object");
  command->callback([args, &session] { session.work = [args] { return compare_campaigns(*args); }; });
}

void add_campaign_ratio(CLI::App& campaign, Session& session) {
  auto args = std::make_shared<RatioArguments>();
  auto* command =
      campaign.add_subcommand("ratio", "Two groups of solvers of one campaign, best against best");
  command->footer("Example: stickslip campaign ratio results --baseline 'siconos:*' --candidate auto");
  command->add_option("folder", args->folder, "of the campaign")->required();
  command->add_option("--baseline", args->baseline, "labels, with * and ?")->required();
  command->add_option("--candidate", args->candidate, "labels, with * and ?")->required();
  command->add_option("--measure", args->measure, "seconds (wall clock) or cpu")->capture_default_str();
  command->add_flag("--each", args->each, "every problem too");
  command->add_flag("--json", args->json, "one JSON object");
  command->callback([args, &session] { session.work = [args] { return show_ratio(*args); }; });
}

}  // namespace stickslip::app
