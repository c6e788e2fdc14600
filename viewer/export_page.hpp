// One page that holds a record, or a problem, and needs nothing else: for a talk, or beside a paper.
#pragma once

#include <filesystem>
#include <string>

#include "viewer/site.hpp"

namespace stickslip::viewer {

struct ExportNote {
  std::uint64_t bytes = 0;
  std::string left_out;  ///< what did not fit, in one sentence; empty where everything is there
};

/// Writes the first item of the site. A record that is larger than `budget` bytes loses frames, evenly, the first and the last ones are kept;
/// where few would be left, the contacts of all but the last one. Throws InputError where not even two frames fit, OutputError.
ExportNote export_page(const Site& site, const std::filesystem::path& target,
                       std::uint64_t budget = 50'000'000);

}  // namespace stickslip::viewer
