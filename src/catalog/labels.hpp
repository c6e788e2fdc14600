// The published labels and what they stand for, one table for each group of families (labels_*.cpp). A label
// is a row: name, family, composition, what it is in a line, reference, what it asks for.
//
// Upper case is the literature, lower case is ours: a label runs what its reference prints (docs/published.md), a family name
// has this project's additions and defaults.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "stickslip/catalog.hpp"

namespace stickslip::internal {

std::span<const CatalogEntry> first_order_labels();
std::span<const CatalogEntry> newton_labels();
std::span<const CatalogEntry> optimisation_labels();

/// What methods with a direct solver ask for.
inline constexpr const char* factors = "memory for a factorisation of W";

// Parts that several labels are made of, as published.

/// RR Algorithms 1 and 3, and 2 and 3, with the rule of that name; ρ₀ = 1.
inline std::string published_fixed_point(const std::string& rule) {
  return "fixed_point(step=" + rule + "(rho=1), scaling=off)";
}
inline std::string published_extragradient(const std::string& rule) {
  return "extragradient(step=" + rule + "(rho=1), scaling=off, correction=start)";
}
/// RR Algorithm 7 with FP-VI-UPK at each contact.
inline constexpr const char* published_sweeps = "gs(local=fixed_point(step=khobotov, rho=one))";
/// RR Algorithm 7 with the Newton of these options at each contact.
inline std::string local_newton(const std::string& options) {
  return "local=newton(" + options + ", fallback=none)";
}

}  // namespace stickslip::internal
