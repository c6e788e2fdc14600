// The energy of a velocity at one contact.
#pragma once

namespace stickslip::internal {

/// ⟨A⁻¹x, x⟩ for a d×d column-major block, d = 2 or 3, A_NN > 0. A direction in which A is singular to
/// working precision counts nothing.
double inverse_energy(const double* A, int d, const double* x);

}  // namespace stickslip::internal
