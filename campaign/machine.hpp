// The machine a campaign runs on.
#pragma once

#include <string>
#include <vector>

#include "campaign/records.hpp"

namespace stickslip::campaign {

Machine this_machine();
/// Of the last minute, as the system counts it.
double load_average();
/// The cores that this process may use.
std::vector<int> usable_cores();
/// The time now, UTC, as 2024-05-01T12:34:56Z.
std::string now_utc();

}  // namespace stickslip::campaign
