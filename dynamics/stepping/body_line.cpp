#include "dynamics/stepping/body_line.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace stickslip::internal {
namespace {

constexpr unsigned axis_bits = 21;
constexpr double last_cell = double((1U << axis_bits) - 1);

/// Bit k of 21 goes to place 3k.
std::uint64_t spread_bits(std::uint64_t x) {
  x = (x | x << 32U) & 0x001f00000000ffffU;
  x = (x | x << 16U) & 0x001f0000ff0000ffU;
  x = (x | x << 8U) & 0x100f00f00f00f00fU;
  x = (x | x << 4U) & 0x10c30c30c30c30c3U;
  return (x | x << 2U) & 0x1249249249249249U;
}

/// The cells along one axis.
struct CellAxis {
  double start = 0, width = 1;
  std::uint64_t cell(double x) const {
    const double at = (x - start) / width;
    return at > 0 ? std::uint64_t(std::min(at, last_cell)) : 0;
  }
};

/// The number that is larger than this part of all. Changes their order.
double part_of(std::vector<double>& numbers, double part) {
  const auto at = numbers.begin() + std::ptrdiff_t(part * double(numbers.size() - 1));
  std::nth_element(numbers.begin(), at, numbers.end());
  return *at;
}

CellAxis axis_of(std::vector<double>& places, double width) {
  // Some that have flown away must not make the cells large: seven eighths of the bodies say where all are.
  const double low = part_of(places, 1.0 / 16), high = part_of(places, 15.0 / 16),
               middle = part_of(places, 0.5);
  const double spread = (high - low) * 8 / 7;
  if (!(spread > 0 && width > 0) || !std::isfinite(spread / width)) return {middle, 1};
  // 2^k cells, about as wide as asked for, so that halves, quarters, … of the cells have halves, quarters, … of the bodies.
  const auto cells = double(
      std::bit_floor(std::uint64_t(std::clamp(std::numbers::sqrt2 * spread / width, 1.0, last_cell / 4))));
  const double side = spread / cells;
  return {middle - std::max(cells / 2, 1.0) * side, side};
}

}  // namespace

std::vector<int> line_through_space(std::span<const BodyState> states, std::span<const float> extent) {
  const auto most = [&](const auto& number) {
    std::vector<double> numbers;
    for (std::size_t b = 0; b < states.size(); ++b)
      if (std::isfinite(extent[b])) numbers.push_back(number(b));
    return numbers;
  };
  std::vector<double> numbers = most([&](std::size_t b) { return double(extent[b]); });
  CellAxis axes[3];
  if (!numbers.empty()) {
    const double width = part_of(numbers, 0.5);
    for (int axis = 0; axis < 3; ++axis) {
      numbers = most([&](std::size_t b) { return states[b].x[axis]; });
      axes[axis] = axis_of(numbers, width);
    }
  }
  std::vector<std::pair<std::uint64_t, int>> coded;
  coded.reserve(states.size());
  for (std::size_t b = 0; b < states.size(); ++b) {
    std::uint64_t code = 0;
    for (int axis = 0; axis < 3; ++axis)
      code |= spread_bits(axes[axis].cell(states[b].x[axis])) << unsigned(axis);
    coded.emplace_back(code, int(b));
  }
  std::sort(coded.begin(), coded.end());
  std::vector<int> line;
  line.reserve(coded.size());
  for (const auto& [code, body] : coded) line.push_back(body);
  return line;
}

std::vector<int> cut_by_work(std::span<const std::int64_t> work, int ranks) {
  const std::int64_t all = std::accumulate(work.begin(), work.end(), std::int64_t(0));
  std::vector<int> cut(std::size_t(ranks) + 1, int(work.size()));
  cut[0] = 0;
  std::int64_t passed = 0;
  int next = 1;
  for (std::size_t b = 0; b < work.size() && next < ranks; ++b) {
    // The body goes to the part that has its middle.
    const double middle = double(passed) + 0.5 * double(work[b]);
    while (next < ranks && middle * ranks >= double(all) * next) cut[std::size_t(next++)] = int(b);
    passed += work[b];
  }
  return cut;
}

}  // namespace stickslip::internal
