// The report of a campaign, served: its page as it is now, and the pictures that it names.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "viewer/http_server.hpp"

namespace stickslip::app {

/// Whether a folder holds a campaign.
bool is_campaign(const std::filesystem::path& folder);

class CampaignSite {
 public:
  /// Throws as write_report does, and InputError where the folder holds no campaign.
  explicit CampaignSite(std::filesystem::path folder);
  /// May be called from several threads. Every time the page is asked for it is made anew, so that rows of a campaign that runs appear.
  viewer::Response answer(const viewer::Request& request);

 private:
  std::filesystem::path folder_;
  std::mutex mutex_;
  std::map<std::string, std::string> files_;  ///< by route

  void write();
};

}  // namespace stickslip::app
