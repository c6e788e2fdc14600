#include "plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.hpp"

namespace stickslip::app {

std::string plot_errors(const std::vector<Curve>& curves, double tolerance) {
  constexpr int columns = 64;
  static const char* const marks[] = {"●", "○", "▲", "△", "■", "□"};
  long last = 1;
  double top = tolerance;
  for (const auto& curve : curves)
    for (const auto& p : curve.points) {
      last = std::max(last, p.iteration);
      top = std::max(top, p.error);
    }
  const double high = std::ceil(std::log10(top)), low = std::floor(std::log10(tolerance)) - 1;
  const int rows = int(high - low) + 1;  // one for each decade
  const auto row_of = [&](double error) {
    const double level = std::log10(std::max(error, std::pow(10, low)));
    return std::clamp(int(std::lround((high - level) / (high - low) * (rows - 1))), 0, rows - 1);
  };
  std::vector<std::vector<std::string>> cells(std::size_t(rows), std::vector<std::string>(columns + 1, " "));
  for (auto& cell : cells[std::size_t(row_of(tolerance))]) cell = dim("┄");
  for (std::size_t k = 0; k < curves.size(); ++k)
    for (const auto& p : curves[k].points) {
      const auto column = std::size_t(double(p.iteration) / double(last) * columns);
      cells[std::size_t(row_of(p.error))][column] = marks[k % 6];
    }
  std::string text;
  for (int row = 0; row < rows; ++row) {
    text += fmt::format("{:>8.0e} ┤", std::pow(10, high - row));
    for (const auto& cell : cells[std::size_t(row)]) text += cell;
    text += "\n";
  }
  text += std::string(9, ' ') + "└";
  for (int c = 0; c <= columns; ++c) text += "─";
  text += fmt::format("\n{:10}0{:>{}} sweeps\n{:10}", "", last, columns - 1, "");
  for (std::size_t k = 0; k < curves.size(); ++k)
    text += fmt::format("{} {}   ", marks[k % 6], curves[k].name);
  return text + "\n";
}

}  // namespace stickslip::app
