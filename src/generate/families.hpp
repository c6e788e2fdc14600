// The families that are not scenes of bodies: one function each.
#pragma once

#include "stickslip/generate.hpp"

namespace stickslip::internal {

/// r and u that obey Coulomb's law are drawn first, then W, and q = u − W r: the solution is known.
/// W = Hᵀ M⁻¹ H for n contacts of n bodies shaped like rough spheres, in a chain with random jumps;
/// unsymmetric with a gyroscopic part in M.
ProblemFile manufactured(const GenerateRequest& request, bool unsymmetric);
/// CAD 5.2: n contacts, 4n degrees of freedom, random sparse positive definite M and random H, μ in [0.5, 2] or between mu_min
/// and mu_max (CAD also takes [0.2, 3]). Throws InputError unless mu_min ≤ mu_max.
ProblemFile random_instance(const GenerateRequest& request);
/// CAD 5.4: one contact in the plane; the solution is take-off, u = (3, 5) (normal first).
ProblemFile bad_boy(const GenerateRequest& request);
/// CAD 5.3: a bead between two walls, pulled out: wedged (the stored solution) and pulled away are both
/// solutions.
ProblemFile bead_in_a_corner(const GenerateRequest& request);
/// A brick on four corners on an incline, one time step from rest: sticks for tan(angle) ≤ μ, slips
/// otherwise.
ProblemFile brick_on_incline(const GenerateRequest& request);

}  // namespace stickslip::internal
