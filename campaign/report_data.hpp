// A campaign as the report page reads it: one JSON object with columns instead of rows, so that 27,000 rows
// are a few megabytes. Its fields are described in web/src/data.ts.
#pragma once

#include <map>
#include <string>

#include "campaign/records.hpp"

namespace stickslip::campaign {

/// Every `<` inside is written \u003c, so that the text may stand in an HTML script element as it is.
/// Histories are thinned until they have at most `history_points` points together, each one 4 at least.
/// `pictures`: of problems, by their number, relative to the page.
std::string report_json(const Campaign& campaign, std::size_t history_points = 150000,
                        const std::map<std::size_t, std::string>& pictures = {});

}  // namespace stickslip::campaign
