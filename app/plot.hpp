// Plots in the terminal.
#pragma once

#include <string>
#include <vector>

#include "stickslip/solver.hpp"

namespace stickslip::app {

struct Curve {
  std::string name;
  std::vector<Progress> points;
};

/// The error, on a logarithmic axis, against the iteration; one mark for each curve.
std::string plot_errors(const std::vector<Curve>& curves, double tolerance);

}  // namespace stickslip::app
