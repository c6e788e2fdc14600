// How long explicit steps of bodies that deform may be.
//
// One mode with frequency ω and damping c = α + β ω², in steps of Moreau and Jean with A = M + θ h C:
//   (1 + θ h c)(v⁺ − v) = −h ω² (q + θ h v) − h c v,   q⁺ = q + h ((1 − θ) v + θ v⁺)
// Both eigenvalues lie in the unit circle up to (4θ − 1) h² ω² = 4 + (4θ − 2) h c, for θ = ½: h = 2/ω. The highest mode goes first.
#pragma once

#include "dynamics/bodies/bodies.hpp"

namespace stickslip::internal {

/// The longest stable step; infinite for a body that does not deform, or with as much damping as that. ω is approached from below, so that longer steps are
/// unstable for certain.
double longest_stable_step(const Bodies& bodies, std::size_t body, double theta);

}  // namespace stickslip::internal
