// What a reader of a report must know beside the figures: where and when the rows were computed, and what
// speaks against taking them at face value.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "campaign/records.hpp"

namespace stickslip::campaign {

/// Name and value, in the order of reading.
std::vector<std::pair<std::string, std::string>> report_facts(const Campaign& campaign);
/// One sentence each; empty for a finished campaign on one quiet machine.
std::vector<std::string> report_warnings(const Campaign& campaign);

}  // namespace stickslip::campaign
