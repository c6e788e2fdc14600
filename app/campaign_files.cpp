// stickslip campaign merge A B -o C and campaign export DIR.

#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "campaign.hpp"
#include "campaign/export.hpp"
#include "campaign/merge.hpp"
#include "campaign/store.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::app {
namespace {

using namespace campaign;

int merge_campaigns(const std::string& a, const std::string& b, const std::string& into) {
  const Store first = Store::open(a), second = Store::open(b);
  MergeSummary summary;
  Store::create(into, [&](Store& result) { summary = merge(first, second, result); });
  std::cout << fmt::format(
      "{}: {} rows{}\n", into, summary.rows,
      summary.double_rows ? fmt::format(" ({} were in both; those of {} were taken)", summary.double_rows, a)
                          : "");
  return done;
}

/// To a file, or to standard output for "-" and nothing.
template <class Write>
void write_to(const std::string& path, Write&& write) {
  if (path.empty() || path == "-") return write(std::cout);
  std::ofstream out(path, std::ios::binary);
  write(out);
  out.close();
  if (!out) throw OutputError(path + ": cannot be written");
}

int export_campaign(const std::string& folder, const std::string& csv, const std::string& types) {
  const Campaign all = Store::open(folder).read();
  if (!types.empty()) write_to(types, [](std::ostream& out) { write_csv_types(out); });
  if (types.empty() || !csv.empty()) write_to(csv, [&](std::ostream& out) { write_csv(all, out); });
  return done;
}

}  // namespace

void add_campaign_merge(CLI::App& campaign, Session& session) {
  auto folders = std::make_shared<std::vector<std::string>>();
  auto into = std::make_shared<std::string>();
  auto* command = campaign.add_subcommand("merge", "Two campaigns into one");
  command->footer("Example: stickslip campaign merge results more -o both");
  command->add_option("campaigns", *folders, "two folders")->required()->expected(2);
  command->add_option("-o,--output", *into, "folder for the result")->required();
  command->callback(
      [=, &session] { session.work = [=] { return merge_campaigns((*folders)[0], (*folders)[1], *into); }; });
}

void add_campaign_export(CLI::App& campaign, Session& session) {
  auto folder = std::make_shared<std::string>(), csv = std::make_shared<std::string>(),
       types = std::make_shared<std::string>();
  auto* command = campaign.add_subcommand("export", "All rows as one flat table");
  command->footer("Example: stickslip campaign export results --csv results.csv");
  command->add_option("folder", *folder, "of the campaign")->required();
  command->add_option("--csv", *csv, "file; default: standard output");
  command->add_option("--types", *types, "the table's columns and their types, as CSV, to this file");
  command->callback([=, &session] { session.work = [=] { return export_campaign(*folder, *csv, *types); }; });
}

}  // namespace stickslip::app
