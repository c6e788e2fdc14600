#include "campaign_site.hpp"

#include "campaign/report.hpp"
#include "campaign/store.hpp"
#include "io/files.hpp"
#include "programs/scratch_folder.hpp"

namespace stickslip::app {

namespace fs = std::filesystem;

bool is_campaign(const fs::path& folder) {
  std::error_code failure;
  return fs::is_directory(folder, failure) && fs::exists(campaign::Store::file_of(folder), failure);
}

CampaignSite::CampaignSite(fs::path folder) : folder_(std::move(folder)) { write(); }

void CampaignSite::write() {
  const programs::ScratchFolder scratch(fs::temp_directory_path());
  campaign::write_report(campaign::Store::open(folder_).read(), scratch.path(), campaign::Figures::none);
  files_.clear();
  for (const auto& entry : fs::recursive_directory_iterator(scratch.path())) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().lexically_relative(scratch.path()).generic_string();
    files_["/" + (name == "index.html" ? "" : name)] = internal::io::read_bytes(entry.path());
  }
}

viewer::Response CampaignSite::answer(const viewer::Request& request) {
  const std::lock_guard lock(mutex_);
  if (request.path == "/") write();
  const auto found = files_.find(request.path);
  if (found == files_.end()) return viewer::failure(404, "there is nothing at this address");
  if (request.path.ends_with(".svg")) return {200, "image/svg+xml", found->second};
  if (request.path.ends_with(".png")) return {200, "image/png", found->second};
  // The page is one piece: its script and style stand in it.
  return {200, "text/html; charset=utf-8", found->second,
          "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:"};
}

}  // namespace stickslip::app
