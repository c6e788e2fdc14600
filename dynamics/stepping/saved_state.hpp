// The whole state of a simulation as bytes: a simulation of the same scene that takes it over goes on with the same bits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dynamics/stepping/stepper.hpp"

namespace stickslip::internal {

std::vector<std::byte> save_state(const Stepper& stepper, long steps);
/// Returns the number of steps done. Throws InputError where the bytes are not a state of this scene; the stepper is then as it was.
long restore_state(Stepper& stepper, std::span<const std::byte> bytes);

}  // namespace stickslip::internal
