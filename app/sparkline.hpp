// A row of numbers as bars in one line of the terminal.
#pragma once

#include <span>
#include <string>

namespace stickslip::app {

/// At most `columns` bars, each the mean of its share of the values, from the least (▁) to the largest (█).
std::string sparkline(std::span<const double> values, std::size_t columns);

}  // namespace stickslip::app
