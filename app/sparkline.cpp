#include "sparkline.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stickslip::app {

std::string sparkline(std::span<const double> values, std::size_t columns) {
  static const char* const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  columns = std::min(columns, values.size());
  std::vector<double> means;
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t begin = c * values.size() / columns, end = (c + 1) * values.size() / columns;
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) sum += values[k];
    means.push_back(sum / double(end - begin));
  }
  if (means.empty()) return {};
  const auto [low, high] = std::minmax_element(means.begin(), means.end());
  // Values that differ by rounding are one height.
  const double range = *high - *low, least = 1e-9 * std::max(std::abs(*high), std::abs(*low));
  std::string text;
  for (double mean : means)
    text += bars[range > least ? std::clamp(int(8 * (mean - *low) / range), 0, 7) : 0];
  return text;
}

}  // namespace stickslip::app
