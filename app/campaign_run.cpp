// stickslip campaign run PLAN.toml and campaign resume DIR.

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "campaign.hpp"
#include "campaign/plan.hpp"
#include "campaign/runner.hpp"
#include "campaign/store.hpp"
#include "campaign_progress.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::app {
namespace {

namespace fs = std::filesystem;
using namespace campaign;

struct RunArguments {
  std::string plan, folder;
  int jobs = 1;
  std::vector<std::string> problems;
  std::vector<double> tolerances;
  double time_limit = 0;
  long sample = 0;
};

int carry_on(Store& store, const fs::path& folder, int jobs, const Session& session) {
  if (jobs < 1) throw InputError("--jobs must be ≥ 1");
  install_interrupt_handler();
  CampaignProgress display;
  RunnerOptions options{.jobs = jobs, .stop = &interrupt_requested};
  if (!session.quiet && is_terminal(STDERR_FILENO))
    options.observer = [&](const auto& progress, const auto* run, const auto* solver) {
      display(progress, run, solver);
    };
  const RunnerSummary summary = run_pending(store, folder, options);
  display.clear();
  store.checkpoint();
  const auto& p = summary.progress;
  if (summary.interrupted) {
    std::cerr << fmt::format(
        "stickslip: stopped with {} of {} rows; 'stickslip campaign resume {}' continues\n", p.finished,
        p.total, folder.string());
    return interrupted;
  }
  std::cout << fmt::format("{}: {} rows, {} solved, {} not solved\n", folder.string(), p.total, p.solved,
                           p.finished - p.solved);
  return done;
}

int run_plan(const RunArguments& args, const Session& session) {
  PlanChanges changes;
  for (const auto& path : args.problems) changes.problems.emplace_back(path);
  if (args.time_limit > 0) changes.time_limit = args.time_limit;
  if (args.time_limit < 0) throw InputError("--time-limit must be > 0");
  if (!args.tolerances.empty()) changes.tolerances = args.tolerances;
  for (const double tolerance : args.tolerances)
    if (!(tolerance > 0)) throw InputError("--tolerance must be > 0");
  if (args.sample < 0) throw InputError("--sample must be ≥ 1");
  if (args.sample > 0) changes.sample = args.sample;
  if (args.jobs < 1) throw InputError("--jobs must be ≥ 1");
  const Plan plan = read_plan(args.plan, fs::read_symlink("/proc/self/exe").parent_path(), changes);
  if (!session.quiet)
    for (const auto& note : plan.notes) std::cerr << "stickslip: " << note << '\n';
  const fs::path folder = args.folder.empty() ? fs::path("campaign-" + fs::path(args.plan).stem().string())
                                              : fs::path(args.folder);
  Store store = Store::create(folder, [&](Store& fresh) { write_plan(fresh, plan); });
  return carry_on(store, folder, args.jobs, session);
}

int resume(const std::string& folder, int jobs, const Session& session) {
  Store store = Store::open(folder, Database::Mode::write);
  return carry_on(store, Store::file_of(folder).parent_path(), jobs, session);
}

}  // namespace

void add_campaign_run(CLI::App& campaign, Session& session) {
  auto args = std::make_shared<RunArguments>();
  auto* command = campaign.add_subcommand("run", "Run a plan: every solver on every problem");
  command->footer("Example: stickslip campaign run bench/plans/quick.toml -o results --jobs 2");
  command->add_option("plan", args->plan, "TOML file, see docs/campaigns.md")->required();
  command->add_option("-o,--output", args->folder, "folder for the campaign; default: campaign-PLAN");
  command->add_option("--jobs", args->jobs, "problems at a time, each on cores of its own")
      ->capture_default_str();
  command->add_option("--problems", args->problems, "files or folders instead of the plan's sets");
  command->add_option("--tolerance", args->tolerances, "instead of the plan's");
  command->add_option("--time-limit", args->time_limit, "seconds, instead of the plan's");
  command->add_option("--sample", args->sample, "at most so many problems of each set");
  command->callback([args, &session] { session.work = [=, &session] { return run_plan(*args, session); }; });

  auto more = std::make_shared<RunArguments>();
  auto* again = campaign.add_subcommand("resume", "Continue a campaign; finished rows are not repeated");
  again->footer("Example: stickslip campaign resume results");
  again->add_option("folder", more->folder, "of the campaign")->required();
  again->add_option("--jobs", more->jobs, "problems at a time")->capture_default_str();
  again->callback([more, &session] {
    session.work = [=, &session] { return resume(more->folder, more->jobs, session); };
  });
}

}  // namespace stickslip::app
