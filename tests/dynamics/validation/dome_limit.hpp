// The least thickness of a dome of flat blocks by the static theorem, as an oracle for E5.
#pragma once

#include "stickslip/shapes.hpp"

namespace stickslip::validation {

/// A hemisphere of mean radius 1 on a floor: rings of equal height in angle, `around` blocks in each, radial joints, and one stone as a cap.
struct DomeShape {
  int rings = 10, around = 12;
  double thickness = 0.05;

  /// Stone k of a ring; the highest ring is the cap, k = 0.
  Convex stone(int ring, int k) const;
  bool is_cap(int ring) const { return ring + 1 == rings; }
};

/// The thickness from which on forces exist that carry the weight, with friction μ in the joints.
double dome_limit(int rings, int around, double friction);

}  // namespace stickslip::validation
