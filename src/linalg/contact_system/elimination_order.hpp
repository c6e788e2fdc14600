// The order in which a sparse factorisation eliminates the contacts, so that few blocks fill in.
#pragma once

#include <span>
#include <vector>

#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// Minimum degree on a symmetric graph: the neighbours of i are neighbour[start[i] .. start[i+1]), rising,
/// without i itself. order[k] ← the contact that goes k-th. Exact where the neighbours of a contact are bits
/// of one word, approximate (Amestoy, Davis and Duff 1996) for more contacts.
void minimum_degree_order(std::span<const Index> start, std::span<const Index> neighbour,
                          std::vector<Index>& order);

}  // namespace stickslip::internal
