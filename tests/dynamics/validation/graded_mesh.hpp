// Meshes of bricks that are fine near a contact.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "stickslip/elements.hpp"

namespace stickslip::validation {

/// Divisions of [0, whole]: `count` cells of one size, then each about 1.5 times as long as the one before.
inline std::vector<double> graded(double cell, int count, double whole) {
  std::vector<double> x;
  for (int k = 0; k <= count; ++k) x.push_back(k * cell);
  const double rest = whole - x.back();
  const auto length = [&](double q, int n) {
    double sum = 0, power = cell;
    for (int k = 0; k < n; ++k) sum += power *= q;
    return sum;
  };
  int n = 1;
  while (length(1.5, n) < rest) ++n;
  double low = 1, high = 1.5;
  for (int k = 0; k < 60; ++k) {
    const double q = 0.5 * (low + high);
    (length(q, n) < rest ? low : high) = q;
  }
  double step = cell;
  for (int k = 0; k < n; ++k) x.push_back(x.back() + (step *= low));
  x.back() = whole;
  return x;
}

/// The same from −whole up to 0.
inline std::vector<double> mirrored(const std::vector<double>& x) {
  std::vector<double> y;
  for (auto at = x.rbegin(); at != x.rend(); ++at) y.push_back(-*at);
  return y;
}

/// Hexahedra over the divisions of three coordinates, whose corners `map` places.
template <class Map>
std::shared_ptr<const ElementMesh> bricks_over(const std::vector<double>& x, const std::vector<double>& y,
                                               const std::vector<double>& z, const Map& map) {
  const std::array<int, 3> n = {int(x.size()) - 1, int(y.size()) - 1, int(z.size()) - 1};
  ElementMesh mesh = block_mesh({1, 1, 1}, n);
  for (Point& p : mesh.nodes)
    p = map(Point{x[std::size_t(std::lround((p[0] + 0.5) * n[0]))],
                  y[std::size_t(std::lround((p[1] + 0.5) * n[1]))],
                  z[std::size_t(std::lround((p[2] + 0.5) * n[2]))]});
  return std::make_shared<ElementMesh>(std::move(mesh));
}

}  // namespace stickslip::validation
