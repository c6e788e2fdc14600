// stickslip campaign report DIR: the page and the figures.

#include <fmt/format.h>

#include <iostream>

#include "campaign.hpp"
#include "campaign/report.hpp"
#include "campaign/store.hpp"

namespace stickslip::app {
namespace {

int write(const std::string& folder, std::string output, campaign::Figures figures, bool quiet) {
  namespace fs = std::filesystem;
  const campaign::Campaign all = campaign::Store::open(folder).read();
  if (output.empty()) {
    const fs::path base = fs::is_regular_file(folder) ? fs::path(folder).parent_path() : fs::path(folder);
    output = (base / "report").string();
  }
  const auto report = campaign::write_report(all, output, figures);
  std::cout << report.page.string() << '\n';
  if (quiet) return done;
  if (!report.figures.empty())
    std::cerr << fmt::format("{} figures in {}\n", report.figures.size(),
                             report.figures.front().parent_path().string());
  for (const auto& line : report.left_out) std::cerr << "left out: " << line << '\n';
  return done;
}

}  // namespace

void add_campaign_report(CLI::App& campaign, Session& session) {
  auto folder = std::make_shared<std::string>();
  auto output = std::make_shared<std::string>();
  auto page_only = std::make_shared<bool>(false);
  auto by_set = std::make_shared<bool>(false);
  auto* command =
      campaign.add_subcommand("report", "Write one HTML page with everything, and figures as SVG and PDF");
  command->footer("Example: stickslip campaign report results");
  command->add_option("folder", *folder, "of the campaign")->required();
  command->add_option("-o,--output", *output,
                      "folder of the report (default: report in that of the campaign)");
  auto* none = command->add_flag("--page-only", *page_only, "no SVG and PDF figures");
  command->add_flag("--by-set", *by_set, "figures with the profiles of each set as well")->excludes(none);
  command->callback([=, &session] {
    session.work = [=, &session] {
      using campaign::Figures;
      const Figures figures = *page_only ? Figures::none : *by_set ? Figures::all_by_set : Figures::all;
      return write(*folder, *output, figures, session.quiet);
    };
  });
}

}  // namespace stickslip::app
