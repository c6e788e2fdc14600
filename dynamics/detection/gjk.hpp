// The direction in which two disjoint convex bodies are nearest to each other (Gilbert, Johnson, Keerthi 1988).
#pragma once

#include "dynamics/detection/core.hpp"

namespace stickslip::internal {

struct Nearest {
  bool apart =
      false;      ///< false: the cores overlap, or are nearer than rounding can tell; nothing else is set
  Vector normal;  ///< unit, from a to b
  double distance = 0;  ///< of the cores, to rounding from above
  Vector point_a, point_b;
  int count = 0;         ///< of corners of the simplex that holds the nearest points
  int id_a[4], id_b[4];  ///< as Core::support names them
  double weight[4];      ///< of the corners, positive
};

/// `size` is the length to which rounding errors are related; `enough` ends the search where the distance is surely larger
/// (then `distance` is a lower bound and the points mean nothing). It also ends where the distance is known to `precision`
/// of itself; the direction is then known to the root of that.
Nearest nearest(const Core& a, const Core& b, double size, double enough, double precision = 0);

}  // namespace stickslip::internal
