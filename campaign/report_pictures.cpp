#include "campaign/report_pictures.hpp"

#include <fmt/format.h>

#include <regex>

#include "campaign/sources.hpp"
#include "io/files.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::campaign {

using namespace internal;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_pictures = 200;
constexpr std::int64_t most_contacts = 3000;
constexpr std::uintmax_t most_bytes = 5'000'000;

/// The picture beside a problem's file; empty: there is none.
fs::path beside(const fs::path& file) {
  static const std::regex step("-i[0-9]{7}-[0-9]+$");
  const std::string stem = file.stem().string();
  for (const std::string& name : {stem, std::regex_replace(stem, step, "")})
    for (const char* ending : {".svg", ".png"}) {
      std::error_code failure;
      fs::path picture = file.parent_path() / (name + ending);
      if (fs::is_regular_file(picture, failure) && fs::file_size(picture, failure) <= most_bytes)
        return picture;
    }
  return {};
}

}  // namespace

std::map<std::size_t, std::string> write_pictures(const Campaign& campaign, const fs::path& folder) {
  std::map<std::size_t, std::string> written;
  for (std::size_t k = 0; k < campaign.problems.size() && written.size() < most_pictures; ++k) {
    const ProblemRecord& problem = campaign.problems[k];
    std::string bytes, ending = ".svg";
    try {
      if (!is_family(problem.source)) {
        const fs::path found = beside(problem.source);
        if (found.empty()) continue;
        bytes = io::read_bytes(found);
        ending = found.extension().string();
      } else if (problem.contacts && *problem.contacts <= most_contacts) {
        bytes = picture_of(problem.source);
      }
    } catch (const InputError&) {
      continue;  // a family without bodies, or a file that went
    }
    if (bytes.empty() || bytes.size() > most_bytes) continue;
    const std::string name = fmt::format("pictures/{}{}", k, ending);
    fs::create_directories(folder / "pictures");
    io::write_bytes(folder / name, bytes);
    written.emplace(k, name);
  }
  return written;
}

}  // namespace stickslip::campaign
