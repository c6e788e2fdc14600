// The oracle of the arch: the least thickness at which a semicircular arch of straight voussoirs stands, by the static theorem.
#pragma once

namespace stickslip::validation {

/// t/R of N voussoirs with radial joints and points at the corners: forces at the two edges of each joint that balance the weights, within the
/// friction cone, exist above it. A linear program at each thickness (simplex method), bisection between.
double arch_limit(int N, double friction);

}  // namespace stickslip::validation
