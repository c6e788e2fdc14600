// Tangents of a contact.
//
// Every continuous choice of tangents has a singular normal. The frame here is the shortest rotation that takes a fixed
// direction s to n, applied to a fixed frame of s: it is smooth but at n = −s. s is no direction that scenes
// are built along, so that floors, walls and their diagonals are far from −s.
#pragma once

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

/// The columns n, t₁, t₂ = n × t₁: orthonormal and right-handed for a unit n.
Matrix contact_frame(const Vector& n);

}  // namespace stickslip::internal
