// The order in which a sweep visits the contacts.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip::internal {

/// Fisher–Yates.
void shuffle(std::vector<Index>& order, Random& random);
/// Reverse Cuthill–McKee on the contacts' coupling: neighbours in W come near each other.
std::vector<Index> bandwidth_order(const BlockMatrix& W);

}  // namespace stickslip::internal
