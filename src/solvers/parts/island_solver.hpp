// Solves each island of contacts by itself, the largest first.
#pragma once

#include <memory>

#include "solve/method.hpp"

namespace stickslip::internal {

/// Wraps a solver: an island that is solved costs nothing more while others go on. Each island gets its share
/// of the absolute error, tolerance·‖q‖/√(number of islands), so that the whole meets the tolerance, and of
/// the time that is left, by its contacts; one that needs more goes on when the others had theirs. A problem
/// of one island goes to the inner solver as it is.
std::unique_ptr<Method> make_island_solver(std::unique_ptr<Method> inner);

}  // namespace stickslip::internal
