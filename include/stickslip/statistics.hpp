// What a problem looks like, in figures (RR Table 5).
#pragma once

#include <optional>

#include "stickslip/export.hpp"
#include "stickslip/problem.hpp"

namespace stickslip {

struct Statistics {
  Index contacts = 0;
  int dimension = 3;
  std::optional<Index> degrees_of_freedom;
  std::optional<double> density;  ///< c = d·nc / degrees of freedom, RR (136)
  long blocks = 0;                ///< of W, diagonal included
  double blocks_per_row = 0;
  double asymmetry = 0;       ///< ‖W − Wᵀ‖/‖W‖
  double smallest_block = 0;  ///< smallest and largest tr(W_αα)/d
  double largest_block = 0;
  std::optional<double> rank_ratio;  ///< rank W / (d·nc), estimated; absent where it would cost too much
  Index islands = 0;                 ///< groups of contacts that do not feel each other
  double mu_min = 0, mu_max = 0;
  double q_norm = 0;
};

/// The rank is the number of eigenvalues of W's symmetric part above 1e-9 of the largest, counted by the
/// inertia of a sparse LDLᵀ factorisation; it is left out when that would need more than `rank_limit` rows.
STICKSLIP_EXPORT Statistics statistics(const ReducedProblem& problem, Index rank_limit = 20000);

/// The singular values of W that RR Table 5 makes a condition number of.
struct Spectrum {
  double largest = 0;
  double smallest = 0;        ///< above 1e-9 of the largest
  std::optional<Index> rank;  ///< how many are; absent where they were not all computed
  long steps = 0;             ///< of the bidiagonalisation; 0: all were computed
  double condition() const { return smallest > 0 ? largest / smallest : 0; }
};

/// Up to `dense_limit` rows all of them are computed. Beyond, Golub and Kahan's bidiagonalisation, begun with q as LSMR does (Fong,
/// Saunders 2011), tells `largest` from below and `smallest` from above: what the load feels of W, as in RR.
Spectrum spectrum(const ReducedProblem& problem, Index dense_limit = 1500);

}  // namespace stickslip
