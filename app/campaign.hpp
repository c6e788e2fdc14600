// The parts of 'stickslip campaign', each in a file of its own. `campaign` is that subcommand.
#pragma once

#include "command.hpp"

namespace stickslip::app {

void add_campaign_run(CLI::App& campaign, Session& session);  // and resume
void add_campaign_merge(CLI::App& campaign, Session& session);
void add_campaign_export(CLI::App& campaign, Session& session);
void add_campaign_compare(CLI::App& campaign, Session& session);
void add_campaign_ratio(CLI::App& campaign, Session& session);
void add_campaign_status(CLI::App& campaign, Session& session);
void add_campaign_report(CLI::App& campaign, Session& session);

}  // namespace stickslip::app
