#include "campaign/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "campaign/report_bundle.hpp"
#include "campaign/report_data.hpp"
#include "campaign/report_pictures.hpp"
#include "io/files.hpp"
#include "programs/program.hpp"
#include "programs/scratch_folder.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::campaign {

using namespace internal;

namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw OutputError(folder.string() + ": cannot be created: " + failure.message());
}

std::vector<fs::path> with_ending(const fs::path& folder, const std::string& ending) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ending) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// Draws into the scratch folder and moves what came out, so that no half-written figure is ever seen and no
/// figure of an older report stays.
void draw(const std::string& json, const fs::path& folder, Figures figures, ReportFiles& report) {
  if (programs::find_program({"node"}).empty()) {
    report.left_out.push_back("the figures as SVG and PDF: node is not installed (package nodejs)");
    return;
  }
  make_folder(folder);
  const programs::ScratchFolder scratch(folder);
  const fs::path script = scratch.path() / "draw.mjs", data = scratch.path() / "campaign.json",
                 log = scratch.path() / "log";
  io::write_bytes(script, bundle::figures());
  io::write_bytes(data, json);
  std::vector<std::string> words = {"node", script.string(), data.string(), scratch.path().string()};
  if (figures == Figures::all_by_set) words.push_back("by_set");
  if (const int status = programs::run_program(words, log); status != 0) {
    report.left_out.push_back(
        fmt::format("the figures as SVG and PDF: node ended with {}: {}", status, programs::last_line(log)));
    return;
  }
  std::string pdf_trouble;
  if (programs::find_program({"rsvg-convert"}).empty())
    pdf_trouble = "rsvg-convert is not installed (package librsvg2-bin)";
  else
    for (const auto& svg : with_ending(scratch.path(), ".svg")) {
      const fs::path pdf = fs::path(svg).replace_extension(".pdf");
      if (const int status =
              programs::run_program({"rsvg-convert", "-f", "pdf", "-o", pdf.string(), svg.string()}, log);
          status != 0) {
        pdf_trouble = fmt::format("rsvg-convert ended with {}: {}", status, programs::last_line(log));
        break;
      }
    }
  if (!pdf_trouble.empty()) report.left_out.push_back("the figures as PDF: " + pdf_trouble);
  for (const char* ending : {".svg", ".pdf"}) {
    for (const auto& old : with_ending(folder, ending)) fs::remove(old);
    if (ending == std::string(".pdf") && !pdf_trouble.empty()) continue;
    for (const auto& drawn : with_ending(scratch.path(), ending)) {
      report.figures.push_back(folder / drawn.filename());
      fs::rename(drawn, report.figures.back());
    }
  }
}

}  // namespace

ReportFiles write_report(const Campaign& campaign, const fs::path& folder, Figures figures) {
  if (bundle::head().empty())
    throw MissingComponent(
        "this build has no report page: npm was not there, or could not reach its registry, when stickslip "
        "was "
        "built (install the packages nodejs and npm, and build again)");
  if (campaign.runs.empty()) throw InputError("the campaign has no finished row; there is nothing to report");
  make_folder(folder);
  const std::string json = report_json(campaign, 150000, write_pictures(campaign, folder));
  ReportFiles report;
  report.page = folder / "index.html";
  io::write_bytes(report.page, std::string(bundle::head()) + json + std::string(bundle::tail()));
  try {
    if (figures != Figures::none) draw(json, folder / "figures", figures, report);
  } catch (const fs::filesystem_error& error) {
    throw OutputError((folder / "figures").string() + ": cannot be written: " + error.code().message());
  }
  return report;
}

}  // namespace stickslip::campaign
