// The published labels and what they stand for, one table for each group of families (labels_*.cpp). A label
// is a row: name, family, composition, what it is in a line, reference, what it asks for.
#pragma once

#include <span>
#include <vector>

#include "stickslip/catalog.hpp"

namespace stickslip::internal {

std::span<const CatalogEntry> first_order_labels();
std::span<const CatalogEntry> newton_labels();
std::span<const CatalogEntry> optimisation_labels();

/// What methods with a direct solver ask for.
inline constexpr const char* factors = "memory for a factorisation of W";

}  // namespace stickslip::internal
