// The line of bodies that ranks cut into parts: a Morton curve through space, so that bodies of one part lie together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/bodies/bodies.hpp"

namespace stickslip::internal {

/// All bodies in the order of the cells that have their centres; those of one cell by their numbers. Cells are about as wide as
/// bodies are, and their halves, quarters, … along an axis have about as many of the bodies. `extent`: of each body; infinite for those that do not move.
std::vector<int> line_through_space(std::span<const BodyState> states, std::span<const float> extent);

/// Where a line is cut: rank k has the places cut[k] … cut[k + 1] − 1. `work` has a number for each place. As much work for each.
std::vector<int> cut_by_work(std::span<const std::int64_t> work, int ranks);

}  // namespace stickslip::internal
