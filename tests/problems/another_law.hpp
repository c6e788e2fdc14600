// Entries of the catalogue that solve another law than Coulomb's, and are tested by themselves.
#pragma once

#include "stickslip/catalog.hpp"

namespace stickslip::tests {

inline bool another_law(const CatalogEntry& entry) {
  return entry.family == "convex_relaxation" || entry.label == "SSN-UNIL";
}

}  // namespace stickslip::tests
