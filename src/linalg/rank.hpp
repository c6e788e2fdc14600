// Rank of a positive semi-definite matrix by counting eigenvalues.
#pragma once

#include <optional>

#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// The number of eigenvalues of the symmetric part of A that exceed `relative` times the largest one.
///
/// By Sylvester's law of inertia this is the number of positive pivots of A − τI = L D Lᵀ; the factorisation
/// is sparse and without pivoting, so that a pivot which vanishes by chance is avoided by moving τ a little.
/// Empty when that fails.
std::optional<Index> count_eigenvalues_above(const SparseMatrix& A, double relative);

}  // namespace stickslip::internal
