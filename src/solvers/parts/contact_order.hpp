// The order in which a sweep visits the contacts.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "linalg/contact_system/block_view.hpp"

namespace stickslip::internal {

/// Fisher–Yates.
void shuffle(std::vector<Index>& order, Random& random);
/// Reverse Cuthill–McKee on the coupling of the rows: neighbours in W come near each other.
std::vector<Index> bandwidth_order(const BlockView& W);

}  // namespace stickslip::internal
