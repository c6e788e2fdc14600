// The report of a campaign: one HTML page that needs nothing else, and the same figures as SVG and PDF.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/records.hpp"

namespace stickslip::campaign {

struct ReportFiles {
  std::filesystem::path page;
  std::vector<std::filesystem::path> figures;  ///< SVG, then PDF
  /// One line for each kind of figure that was left out, with the reason and the package that provides what
  /// is missing; empty when all are there.
  std::vector<std::string> left_out;
};

enum class Figures { none, all, all_by_set };  ///< the last: profiles of each set as well

/// Writes `folder`/index.html and `folder`/figures/*.svg, *.pdf; the folder is made. Figures are drawn by
/// node and converted by rsvg-convert, found by PATH. Throws InputError for a campaign without rows,
/// MissingComponent when this build has no page (npm was not there), OutputError.
ReportFiles write_report(const Campaign& campaign, const std::filesystem::path& folder, Figures figures);

}  // namespace stickslip::campaign
