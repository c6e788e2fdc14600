// Hertz's profile p² = p₀² (1 − s²/a²) in the pressures of a simulation.
#pragma once

#include <array>
#include <cmath>

#include "stickslip/simulation.hpp"

namespace stickslip::validation {

/// p₀ by a straight line through p² over s² = w₀ x² + w₁ y² of the contacts within 0.6 a. The normal is the third axis.
inline double peak_pressure(const Simulation& simulation, const std::array<double, 2>& w, double a) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const TouchingPoint& c : simulation.contacts()) {
    const double s2 = w[0] * c.point[0] * c.point[0] + w[1] * c.point[1] * c.point[1],
                 p = std::abs(c.impulse[2]) / c.area;
    if (s2 > 0.36 * a * a) continue;
    n += 1;
    x += s2;
    y += p * p;
    xx += s2 * s2;
    xy += s2 * p * p;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return std::sqrt((y - slope * x) / n);
}

}  // namespace stickslip::validation
