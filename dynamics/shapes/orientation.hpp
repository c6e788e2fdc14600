// On which side of a plane a point lies, decided exactly.
#pragma once

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

/// The sign of det(b − a, c − a, d − a): −1, 0 or +1, right for all finite inputs that do not overflow or underflow.
/// Positive where d is on the side to which (b − a) × (c − a) points.
int orientation(const Vector& a, const Vector& b, const Vector& c, const Vector& d);

}  // namespace stickslip::internal
