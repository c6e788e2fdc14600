// stickslip campaign: solvers × problems. Its subcommands are in the files campaign_*.cpp.

#include "campaign.hpp"

namespace stickslip::app {

void add_campaign(CLI::App& app, Session& session) {
  auto* campaign = app.add_subcommand("campaign", "Run solvers × problems and compare them");
  campaign->footer("Example: stickslip campaign run bench/plans/quick.toml -o results");
  campaign->require_subcommand(1);
  campaign->fallthrough();
  add_campaign_run(*campaign, session);
  add_campaign_merge(*campaign, session);
  add_campaign_export(*campaign, session);
  add_campaign_compare(*campaign, session);
  add_campaign_ratio(*campaign, session);
  add_campaign_status(*campaign, session);
  add_campaign_report(*campaign, session);
}

}  // namespace stickslip::app
